"""Memory: remember, recall, index. The engine, without any front end."""
