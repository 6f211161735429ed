"""The encrypted vault: the only package that imports the SQLite driver."""
