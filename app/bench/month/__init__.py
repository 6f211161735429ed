"""A month of one person's life, lived in a minute or two, to see what Loci does by itself.

``script`` is what they say and do, ``life`` and ``deeds`` live it on a clock that is put forward,
``truth`` knows what has to be remembered and what must not be, ``findings`` compares the two, and
``picture`` draws.
"""
