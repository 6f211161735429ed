"""What every test lives by: no network beyond loopback, no surprising logs, no real keyring."""

import ipaddress
import logging
import os
import signal
import socket
from contextlib import suppress

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # as in the processes of models
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background jobs ignore it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_local(address) -> bool:
    if isinstance(address, (str, bytes)):
        return True
    host = address[0]
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(scope="session", autouse=True)
def no_network():
    """Refuse every connection that leaves this computer."""
    connect = socket.socket.connect

    def refuse(self, address):
        if not _is_local(address):
            raise AssertionError(f"a test tried to reach {address}")
        return connect(self, address)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(socket.socket, "connect", refuse)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_foreign_models():
    """Look into no folder of another program that is installed here."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("app.providers.local.stores.places", list)
        yield


@pytest.fixture(scope="session")
def lender():
    """The processes of the bundled models, of which every profile of the tests would begin one."""
    from tests.fakes.lent import Lender

    made = Lender()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def bundled_models(lender, monkeypatch):
    """Load the bundled models once; a module about their processes has a fixture of this name."""
    monkeypatch.setattr("app.providers.host.ModelHost._bundled", lambda host: lender.lend(host))


@pytest.fixture(scope="session")
def blank_vault(tmp_path_factory):
    """A vault to which the migrations were applied."""
    from tests.fakes.blank import Blank

    return Blank(tmp_path_factory.mktemp("blank") / "vault.db")


@pytest.fixture(autouse=True)
def new_vaults(blank_vault, monkeypatch):
    """Apply the migrations once; a module about them has a fixture of this name."""
    from app.store.vault.file import Vault

    def opened_writer(self, wal):
        return blank_vault.opened_writer(self, wal)

    monkeypatch.setattr(Vault, "_opened_writer", opened_writer)


@pytest.fixture(autouse=True)
def no_surprising_logs(request, caplog):
    """Fail a test whose code warned, unless it is marked as expecting that."""
    yield
    if "expects_warnings" in request.keywords:
        return
    records = caplog.get_records("call")
    # watchdog says so itself when a file changes in the moment it is stopped
    ours = [r for r in records if not r.name.startswith("watchdog.")]
    bad = [r for r in ours if r.levelno >= logging.WARNING]
    assert not bad, [r.getMessage() for r in bad]


@pytest.fixture(autouse=True)
def no_false_alarm(request, monkeypatch):
    """Examine every vault when it is closed: what Loci did itself must fit chain and seals."""
    from app.errors import StoreError
    from app.store.vault import tampering
    from app.store.vault.file import Vault

    close, found = Vault.close, []

    def examined(self):
        with suppress(StoreError), self.read() as connection:  # closed, or damaged on purpose
            found.extend(tampering.examine(connection, self.chain))
        close(self)

    monkeypatch.setattr(Vault, "close", examined)
    yield
    assert not found or "tampers" in request.keywords, found


@pytest.fixture(autouse=True)
def no_home(monkeypatch, tmp_path):
    """Keep tests away from the person's own data and keyring."""
    monkeypatch.setenv("LOCI_HOME", str(tmp_path / "loci-home"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.delenv("LOCI_PASSPHRASE", raising=False)
