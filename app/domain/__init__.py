"""The nouns: frozen dataclasses and enums without any input or output."""
