"""Settings: one table (``spec.py``) from which pane, docs, command line and checks are derived."""
