"""A server on this computer that never comes to an end: of an answer, of a line, of a list."""

from tests.fakes.local_server import Handler, LocalServer

EVENT_STREAM, JSON = "text/event-stream", "application/json"
_AT_ONCE = 65_536


class EndlessServer(LocalServer):
    """Sends ``first``, and then ``block`` again and again until whoever asked is gone.

    Attributes:
        status: What each answer begins with.
        kind: Its content type.
        headers: Sent along.
        slow: Whether ``block`` is sent once and then nothing more.
    """

    def __init__(self, block: bytes, *, first: bytes = b"", kind: str = EVENT_STREAM, status=200):
        super().__init__(_Handler)
        self.block = block * max(1, _AT_ONCE // len(block))
        self.first, self.kind, self.status = first, kind, status
        self.headers: dict[str, str] = {}
        self.slow = False

    @property
    def url(self) -> str:
        return f"{self.address}/v1"


class _Handler(Handler):
    def do_GET(self):
        fake, self.close_connection = self.server.fake, True
        self.send_response(fake.status)
        headers = {"Content-Type": fake.kind, "Connection": "close", **fake.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(fake.first)
        try:
            while not fake.slow:
                self.wfile.write(fake.block)
            self.wfile.flush()
            self.connection.recv(1)
        except OSError:
            pass
        fake.gone.set()

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.do_GET()
