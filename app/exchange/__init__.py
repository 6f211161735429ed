"""What goes out of the vault and comes in: exports and imports."""
