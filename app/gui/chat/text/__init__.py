"""Text on the page: Markdown read in pieces, and drawn as text that can be selected and copied."""
