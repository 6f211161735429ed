"""Conversation: what fits the prompt, answers without a model, titles and citations."""
