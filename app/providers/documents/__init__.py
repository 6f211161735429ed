"""Files of others, read as pages of text: whatever stands in them, it is only ever data."""
