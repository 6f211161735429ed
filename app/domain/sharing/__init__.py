"""What may go to a connection beyond this computer."""
