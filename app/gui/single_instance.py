"""One window per profile: a second one hands over to the first."""

import hashlib
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

WAIT_MS = 300
SHOW = b"show\n"


def channel(data_dir: Path, profile: str) -> str:
    """Return the name under which the window of a profile can be called."""
    digest = hashlib.sha256(f"{data_dir}\0{profile}".encode()).hexdigest()
    return f"loci-{digest[:24]}"


def hand_over(name: str) -> bool:
    """Ask the window that listens on ``name`` to come forward; say whether there is one."""
    socket = QLocalSocket()
    socket.connectToServer(name)
    if not socket.waitForConnected(WAIT_MS):
        return False
    socket.write(SHOW)
    done = socket.waitForBytesWritten(WAIT_MS)
    socket.disconnectFromServer()
    return done


class SingleInstance(QObject):
    """Listens for a second window."""

    rung = Signal()  # somebody tried to open the same profile again

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection_made)

    def listen(self, name: str) -> None:
        """Answer to ``name`` from now on, and to no other."""
        self._server.close()
        if not hand_over(name):
            QLocalServer.removeServer(name)  # left by a process that died
        self._server.listen(name)

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    @Slot()
    def _on_connection_made(self) -> None:
        connection = self._server.nextPendingConnection()
        connection.disconnected.connect(connection.deleteLater)
        self.rung.emit()
