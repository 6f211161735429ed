"""The vault as a file: opened, locked, keyed, sealed, backed up, migrated and wiped.

``file.Vault`` lends connections; everything else here keeps that one file whole and private.
"""
