"""The timeline: what happened to the memories day by day, and what was known on any of them."""
