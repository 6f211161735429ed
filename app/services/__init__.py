"""What a person can want: one method per intention, no Qt, no SQL; each mutation returns Changes."""
