"""A vault as another program left it: examined, opened again, accepted."""

from contextlib import closing

from app.domain.ids import to_ms
from app.store import tampering
from app.store.memories import Note
from app.store.vault import Vault

YOU = Note("user", "edit", "b2")


def examined(vault):
    with vault.read() as connection:
        return tampering.examine(connection, vault.chain)


def reopened(vault):
    return Vault(vault.path, vault.key, vault.clock, create=False)


def accept(vault):
    with vault.write() as connection:
        tampering.accept(connection, vault.chain, to_ms(vault.clock()))


def stands_until_accepted(vault, sign):
    """Each opening tells it, until the person accepts it."""
    for _ in range(2):
        with closing(reopened(vault)) as there:
            assert [one.sign for one in examined(there)] == [sign]
    with closing(reopened(vault)) as there:
        accept(there)
    with closing(reopened(vault)) as there:
        assert not examined(there)
