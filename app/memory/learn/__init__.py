"""From a message or a chat model to a memory: read, screened, filed and indexed."""
