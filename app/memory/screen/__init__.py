"""Look at a text before it is remembered: harmless, suspicious, or not to be stored at all.

``gate`` is the only way into the memories of a vault. It asks ``verdict`` whether a text may be an
attack (by ``patterns``, read as ``hidden`` shows them) and ``redaction`` to leave out what nobody
should store (``tokens`` and ``numbers``).

Patterns are no defence by themselves, since wording can always be changed; they keep the plain
cases out of the way. What protects is that only the person's own typed words are believed, and that
only those can be standing instructions.
"""
