"""A server of one file on this computer, which misbehaves as it is told."""

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATH = "/file.gguf"


class FileServer:
    """Serves ``body`` at ``url``.

    Attributes:
        ranges: Whether a part may be asked for.
        cuts: For each of the next requests, after how many bytes the connection breaks; None for
            never.
        status: An error to answer with, or 200.
        move: Where to send whoever asks, or empty.
        stall: After so many bytes, nothing more comes until the client is gone.
        asked: The Range header of every request, or an empty text.
        gone: Set when a client went away before everything was sent.
    """

    def __init__(self, body: bytes):
        self.body = body
        self.ranges = True
        self.length = True
        self.cuts: list[int | None] = []
        self.status = 200
        self.move = ""
        self.stall: int | None = None
        self.asked: list[str] = []
        self.gone = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._server.fake = self
        self._server.handle_error = lambda *_: self.gone.set()
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{PATH}"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        fake, self.close_connection = self.server.fake, True
        wanted = self.headers.get("Range", "")
        fake.asked.append(wanted)
        if fake.move:
            self._head(302, {"Location": fake.move, "Content-Length": "0"})
            return
        if fake.status != 200:
            self._head(fake.status, {"Content-Length": "0"})
            return
        start = int(re.fullmatch(r"bytes=(\d+)-", wanted)[1]) if wanted and fake.ranges else 0
        body = fake.body[start:]
        headers = {"Content-Length": str(len(body))} if fake.length else {"Connection": "close"}
        if start:
            last = len(fake.body)
            self._head(206, {**headers, "Content-Range": f"bytes {start}-{last - 1}/{last}"})
        else:
            self._head(200, headers)
        self._send(body)

    def _head(self, status, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(self, body):
        fake = self.server.fake
        cut = fake.cuts.pop(0) if fake.cuts else None
        stop = cut if cut is not None else fake.stall
        self.wfile.write(body[:stop])
        self.wfile.flush()
        if fake.stall is not None and cut is None:
            self.connection.recv(1)
            fake.gone.set()
