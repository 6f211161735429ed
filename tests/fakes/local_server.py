"""What every fake server is: real HTTP on a port of this computer, served by threads of its own."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class LocalServer:
    """Serves inside a ``with`` block; a handler finds it as ``self.server.fake``.

    Attributes:
        gone: Set when a client went away before everything was sent.
    """

    def __init__(self, handler: type["Handler"], port: int = 0):
        self.gone = threading.Event()
        self._server = _Server(("127.0.0.1", port), handler)
        self._server.fake = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Handler(BaseHTTPRequestHandler):
    """Answers one connection, and tells the terminal nothing."""

    protocol_version = "HTTP/1.1"
    server: "_Server"

    def log_message(self, *_):
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    fake: LocalServer

    def handle_error(self, request, client_address):
        self.fake.gone.set()
