"""A server that speaks the protocol of a model hub: it resolves a name, points to its storage."""

import hashlib
import re
from urllib.parse import urlsplit

from app.domain.catalogue import Offered
from app.domain.model import ModelRole
from tests.fakes.file_server import Sender
from tests.fakes.local_server import LocalServer

REVISION = "0123456789abcdef0123456789abcdef01234567"


class Hub(LocalServer):
    """Has files at ``/OWNER/REPO/resolve/REVISION/FILE``, stored under their checksums.

    Attributes:
        cuts: For each of the next answers of the storage, after how many bytes the connection
            breaks; None for never.
        stall: After so many bytes nothing more comes until the client is gone.
        refuses: A status to answer with in place of pointing anywhere, or 0.
        spoils: Whether the storage sends other bytes than it should, as many.
        asked: What was asked for, as (path, Range header).
    """

    def __init__(self):
        super().__init__(_Handler)
        self.resolved: dict[str, str] = {}
        self.stored: dict[str, bytes] = {}
        self.cuts: list[int | None] = []
        self.stall: int | None = None
        self.refuses = 0
        self.spoils = False
        self.asked: list[tuple[str, str]] = []

    def put(self, body, name="tiny", role=ModelRole.CHAT, **changes):
        """Have a file, and return how the catalogue describes it."""
        digest = hashlib.sha256(body).hexdigest()
        made = Offered(
            **{
                "id": name,
                "name": name.capitalize(),
                "maker": "Somebody",
                "role": role,
                "architecture": "llama",
                "parameters": 500_000_000,
                "bytes": len(body),
                "context_length": 512,
                "context_bytes": 512,
                "languages": "English",
                "good_for": ("answers",),
                "licence": "Apache-2.0",
                "licence_url": "https://www.apache.org/licenses/LICENSE-2.0",
                "repository": f"somebody/{name}-GGUF",
                "revision": REVISION,
                "file": f"{name}.gguf",
                "sha256": digest,
                **changes,
            }
        )
        self.resolved[f"/{made.repository}/resolve/{made.revision}/{made.file}"] = digest
        self.stored[digest] = body
        return made

    @property
    def ranges(self):
        """The Range headers that the storage was asked with."""
        return [wanted for path, wanted in self.asked if path.startswith("/storage/")]


class _Handler(Sender):
    def do_HEAD(self):
        self._answer(body=False)

    def do_GET(self):
        self._answer(body=True)

    def _answer(self, *, body):
        fake, self.close_connection = self.server.fake, True
        path = urlsplit(self.path).path
        fake.asked.append((path, self.headers.get("Range", "")))
        if fake.refuses:
            self.head(fake.refuses, {"Content-Length": "0"})
        elif path.startswith("/storage/"):
            self._store(fake, path.removeprefix("/storage/"), body)
        elif path in fake.resolved:
            self._point(fake, fake.resolved[path])
        else:
            self.head(404, {"X-Error-Code": "EntryNotFound", "Content-Length": "0"})

    def _point(self, fake, digest):
        told = f"Found. Redirecting to {digest}".encode()
        self.head(
            302,
            {
                "Location": f"{fake.address}/storage/{digest}?X-Signature=abc",
                "X-Repo-Commit": REVISION,
                "X-Linked-Size": str(len(fake.stored[digest])),
                "X-Linked-Etag": f'"{digest}"',
                "Content-Length": str(len(told)),
            },
        )
        self.wfile.write(told)

    def _store(self, fake, digest, body):
        whole = fake.stored[digest]
        if fake.spoils:
            whole = whole[:-1] + bytes([whole[-1] ^ 1])
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(wanted[1]) if wanted else 0
        if start >= len(whole):
            self.head(416, {"Content-Range": f"bytes */{len(whole)}", "Content-Length": "0"})
            return
        headers = {
            "ETag": f'"{digest}"',
            "Accept-Ranges": "bytes",
            "Content-Length": str(len(whole) - start),
        }
        if wanted:
            headers["Content-Range"] = f"bytes {start}-{len(whole) - 1}/{len(whole)}"
        self.head(206 if wanted else 200, headers)
        if body:
            self.send(whole[start:])
