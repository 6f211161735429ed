"""The command line: headless commands over the same services as the window."""
