"""Loci, the desktop chat that remembers: names and version, nothing else."""

__version__ = "0.1.0"
APP_ID = "io.github.loci_desktop.Loci"
APP_NAME = "Loci"
