"""The sidebar: profile, new conversation, search, conversations by date, and the other pages."""
