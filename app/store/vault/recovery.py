"""Recovery codes: a secret a person can write on paper and type back in.

Eight groups of four characters carry 128 random bits and 32 bits of checksum, in an alphabet
without I, L, O and U; what is easily mistaken when read back is put right.
"""

import hashlib
import os

from app.errors import VaultLocked

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MISREAD = str.maketrans("OIL", "011")
_SECRET_BYTES, _CHECK_BYTES, _GROUP = 16, 4, 4
_LENGTH = (_SECRET_BYTES + _CHECK_BYTES) * 8 // 5


def new_code() -> str:
    """Return a fresh code, such as ``7K2M-…`` with eight groups."""
    secret = os.urandom(_SECRET_BYTES)
    number = int.from_bytes(secret + _checksum(secret), "big")
    digits = [_ALPHABET[number >> shift & 31] for shift in range((_LENGTH - 1) * 5, -1, -5)]
    text = "".join(digits)
    return "-".join(text[i : i + _GROUP] for i in range(0, _LENGTH, _GROUP))


def secret_of(code: str) -> bytes:
    """Return the 16 secret bytes of a code as typed: any case, spaces or dashes anywhere.

    Raises:
        VaultLocked: It has a typing mistake.
    """
    text = "".join(c for c in code.upper() if c.isalnum()).translate(_MISREAD)
    if len(text) != _LENGTH or set(text) - set(_ALPHABET):
        raise VaultLocked(
            f"A recovery code has {_LENGTH // _GROUP} groups of {_GROUP} letters and digits. "
            "Check it and type it again."
        )
    number = 0
    for digit in text:
        number = number << 5 | _ALPHABET.index(digit)
    data = number.to_bytes(_SECRET_BYTES + _CHECK_BYTES, "big")
    secret, check = data[:_SECRET_BYTES], data[_SECRET_BYTES:]
    if check != _checksum(secret):
        raise VaultLocked("There is a typing mistake in the recovery code. Check it once more.")
    return secret


def _checksum(secret: bytes) -> bytes:
    return hashlib.sha256(b"loci recovery code" + secret).digest()[:_CHECK_BYTES]
