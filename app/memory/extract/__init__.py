"""Find what is worth remembering in a message: by grammar alone, or with a chat model's help."""
