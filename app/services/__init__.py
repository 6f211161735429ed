"""What a person can want: one method per intention; every mutation returns Changes."""
