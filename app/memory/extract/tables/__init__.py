"""What people say about themselves and theirs, one table for each part of life."""
