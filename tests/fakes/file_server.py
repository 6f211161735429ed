"""A server of one file on this computer, which misbehaves as it is told."""

import re

from tests.fakes.local_server import Handler, LocalServer

PATH = "/file.gguf"


class Sender(Handler):
    """Sends what a server has, and breaks off or waits where its ``cuts`` and ``stall`` say."""

    def head(self, status, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def send(self, body):
        fake = self.server.fake
        cut = fake.cuts.pop(0) if fake.cuts else None
        stop = cut if cut is not None else fake.stall
        self.wfile.write(body[:stop])
        self.wfile.flush()
        if fake.stall is not None and cut is None:
            self.connection.recv(1)
            fake.gone.set()


class FileServer(LocalServer):
    """Serves ``body`` at ``url``.

    Attributes:
        ranges: Whether a part may be asked for.
        cuts: For each of the next requests, after how many bytes the connection breaks; None for
            never.
        status: An error to answer with, or 200.
        move: Where to send whoever asks, or empty.
        stall: After so many bytes, nothing more comes until the client is gone.
        asked: The Range header of every request, or an empty text.
    """

    def __init__(self, body: bytes):
        super().__init__(_Handler)
        self.body = body
        self.ranges = True
        self.length = True
        self.cuts: list[int | None] = []
        self.status = 200
        self.move = ""
        self.stall: int | None = None
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        return f"{self.address}{PATH}"


class _Handler(Sender):
    def do_GET(self):
        fake, self.close_connection = self.server.fake, True
        wanted = self.headers.get("Range", "")
        fake.asked.append(wanted)
        if fake.move:
            self.head(302, {"Location": fake.move, "Content-Length": "0"})
            return
        if fake.status != 200:
            self.head(fake.status, {"Content-Length": "0"})
            return
        start = int(re.fullmatch(r"bytes=(\d+)-", wanted)[1]) if wanted and fake.ranges else 0
        body = fake.body[start:]
        headers = {"Content-Length": str(len(body))} if fake.length else {"Connection": "close"}
        if start:
            last = len(fake.body)
            self.head(206, {**headers, "Content-Range": f"bytes {start}-{last - 1}/{last}"})
        else:
            self.head(200, headers)
        self.send(body)
