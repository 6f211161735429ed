"""What stands in for names and numbers on the way to a model beyond this computer."""
