"""How a recall is shown: the finds with their factors, what was left out, and the steps."""
