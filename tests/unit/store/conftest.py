"""A real vault in a temporary folder, and a keyring that lives in memory."""

import os
import sys
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import Memory
from app.paths import ProfilePaths
from app.store.conversations import Conversations
from app.store.journal.entries import Journal
from app.store.memories import Memories, Note
from app.store.messages import Messages
from app.store.vault.connection import READ_CACHE_KB, connect
from app.store.vault.file import Vault
from tests.unit.store.chained import examined


class MemoryKeyring:
    """A keyring that answers at once."""

    def __init__(self):
        self.kept = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password

    def delete_password(self, service, username):
        del self.kept[service, username]


@pytest.fixture
def keyring():
    return MemoryKeyring()


@pytest.fixture
def key():
    return os.urandom(32)


@pytest.fixture
def profile_paths(tmp_path):
    folder = tmp_path / "profiles" / "personal"
    folder.mkdir(parents=True, mode=0o700)
    return ProfilePaths(folder)


@pytest.fixture
def vault(profile_paths, key):
    vault = Vault(profile_paths.vault, key)
    yield vault
    vault.close()


@pytest.fixture
def unprivileged():
    """Be somebody whom permissions stop, also where the administrator runs the tests."""
    if sys.platform == "win32":
        pytest.skip("permissions work otherwise here")

    @contextmanager
    def somebody():
        with TemporaryDirectory() as name:
            folder = Path(name)
            if os.geteuid() != 0:
                yield folder
                return
            os.chown(folder, 65534, 65534)
            os.seteuid(65534)
            try:
                yield folder
            finally:
                os.seteuid(0)

    return somebody


class SetClock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.now = datetime(2026, 5, 4, 12, tzinfo=UTC)

    def __call__(self):
        return self.now

    def forward(self, **by):
        self.now += timedelta(**by)
        return self.now


@pytest.fixture
def clock(vault):
    """The vault's clock, to be moved by hand."""
    vault.clock = SetClock()
    return vault.clock


@pytest.fixture
def memories(vault, clock):
    return Memories(vault)


@pytest.fixture
def journal(vault, clock):
    return Journal(vault)


@pytest.fixture
def conversations(vault, clock):
    return Conversations(vault)


@pytest.fixture
def messages(vault, clock):
    return Messages(vault)


@pytest.fixture
def remember(memories, clock):
    """Store a memory in a few words."""

    def store(text, *, batch="b1", evidence=(), message_id=None, actor="test", **fields):
        memory = Memory(
            id="", text=text, created_at=clock(), updated_at=clock(), **{"agent_pk": 1, **fields}
        )
        note = Note(actor, "insert", batch, message_id=message_id)
        return memories.insert(memory, evidence, note)

    return store


@pytest.fixture
def say(messages):
    """Add a message in a few words."""

    def add(conversation, text, role=Role.USER, origin=PartOrigin.TYPED, **fields):
        return messages.add(conversation.id, role, [Part(text, origin)], **fields)

    return add


@pytest.fixture
def everything(vault):
    """Return all that lies in the tables, the hidden ones of the indexes included, as one text."""

    def read():
        found = []
        with vault.read() as connection:
            tables = [
                row["name"]
                for row in connection.execute("SELECT name, sql FROM sqlite_master")
                if row["sql"] and row["sql"].startswith("CREATE TABLE")
            ]
            for table in tables:
                for row in connection.execute(f"SELECT * FROM '{table}'"):
                    found += [str(value) for value in row]
        return "\n".join(found)

    return read


@pytest.fixture
def other(vault):
    """Write as another program that has the key."""

    @contextmanager
    def writing():
        connection = connect(vault.path, vault.key, cache_kb=READ_CACHE_KB, read_only=False)
        with closing(connection):
            yield connection

    return writing


@pytest.fixture
def found(vault):
    """Tell what is noticed of the vault now."""
    return lambda: examined(vault)
