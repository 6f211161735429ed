"""Model servers: how they are found, asked and understood."""
