"""The activity screen: what Loci does by itself, what it did, and what that took."""
