"""A message on its way: kept, asked, answered, with or without a chat model."""
