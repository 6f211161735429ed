"""What a new statement does to the memories that are there."""
