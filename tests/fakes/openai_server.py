"""A real HTTP server on loopback that speaks the OpenAI protocol as a test scripts it.

In a test::

    with OpenAIServer() as server:
        server.script(Reply("Hello there."))
        ...  # talk to server.url
        assert server.requests[0].body["model"] == "fake"

As a program it prints its port and serves until it is ended::

    python -m tests.fakes.openai_server --say "You live in Porto."
"""

import argparse
import dataclasses
import hashlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.local_server import Handler, LocalServer

MODELS = ("fake", "fake-large")


@dataclass
class Reply:
    """How one chat request is answered.

    Attributes:
        text: What is streamed, word by word.
        status: Another status than 200 sends ``body`` (or an OpenAI error with ``text``) instead.
        headers: Sent along.
        raw: Bytes to send as the event stream, instead of one made of ``text``.
        body: Bytes to send as a plain JSON answer.
        before: Waited for before the head is sent.
        between: Waited for before each piece after the first ``free`` ones.
        cut_after: Close the connection after so many pieces.
        newline: Line ends of the event stream.
        done: Whether the stream ends as it should.
        tokens: What the prompt is said to have had; None says nothing.
        calls: The tools that are called after ``text``: names and arguments, as a text that may be
            anything.
        ids: Whether calls have ids; ``call_0`` and so on.
        numbered: Whether calls have the number by which their pieces are told apart.
        size: In pieces of how many characters arguments are sent; 0 for each call in one chunk.
        finish: Why the answer ends; empty for the usual reason.
    """

    text: str = "Hello from the fake server."
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    body: bytes | None = None
    before: threading.Event | None = None
    between: threading.Event | None = None
    free: int = 1
    cut_after: int | None = None
    newline: str = "\n"
    done: bool = True
    tokens: int | None = None
    calls: tuple[tuple[str, str], ...] = ()
    ids: bool = True
    numbered: bool = True
    size: int = 3
    finish: str = ""

    def pieces(self) -> list[bytes]:
        if self.raw is not None:
            return [self.raw]
        words = [word + " " for word in self.text.split(" ")]
        words[-1] = words[-1][:-1]
        chunks = [{"role": "assistant", "content": ""}, *({"content": word} for word in words)]
        chunks += [{"tool_calls": [piece]} for piece in self._called(self.size)]
        frames = [self._frame({"choices": [{"index": 0, "delta": delta}]}) for delta in chunks]
        if self.done and self.cut_after is None:
            reason = self.finish or ("tool_calls" if self.calls else "stop")
            last = {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
            frames.append(self._frame(last))
            if self.tokens is not None:
                usage = {"prompt_tokens": self.tokens, "completion_tokens": len(words)}
                frames.append(self._frame({"choices": [], "usage": usage}))
            frames.append(f"data: [DONE]{self.newline * 2}".encode())
        return frames

    def unstreamed(self) -> bytes:
        """Return the same answer in one piece, as ``body``."""
        message = {"role": "assistant", "content": self.text, "tool_calls": list(self._called(0))}
        reason = self.finish or ("tool_calls" if self.calls else "stop")
        return json.dumps({"choices": [{"message": message, "finish_reason": reason}]}).encode()

    def _called(self, size: int) -> Iterator[dict[str, Any]]:
        for number, (name, arguments) in enumerate(self.calls):
            place = {"index": number} if self.numbered else {}
            named = {"id": f"call_{number}"} if self.ids else {}
            begun = {**place, **named, "type": "function"}
            at = size or len(arguments)
            yield {**begun, "function": {"name": name, "arguments": arguments[:at]}}
            for start in range(at, len(arguments), max(size, 1)):
                yield {**place, "function": {"arguments": arguments[start : start + size]}}

    def _frame(self, chunk: dict[str, Any]) -> bytes:
        chunk = {"object": "chat.completion.chunk", **chunk}
        return f"data: {json.dumps(chunk)}{self.newline * 2}".encode()


@dataclass
class Request:
    """What a client asked."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


def prompt_tokens(body: Any) -> int:
    """Return how many tokens this server finds in a prompt."""
    told = [turn["content"] for turn in body["messages"]]
    told += [json.dumps(tool) for tool in body.get("tools", ())]
    return sum(4 + len(text.split()) for text in told)


def llama_server_row(model: str, *, parameters: Any, window: int | None = None) -> dict[str, Any]:
    """Return what llama-server's list says of its model; ``window`` only where it is a new one."""
    meta = {"vocab_type": 2, "n_vocab": 49152, "n_ctx_train": 8192, "n_embd": 576}
    meta |= {"n_params": parameters, "size": 143_000_000}
    meta |= {"n_ctx": window} if window else {}
    return {
        "id": model,
        "object": "model",
        "created": 1_760_000_000,
        "owned_by": "llamacpp",
        "meta": meta,
    }


def ollama(
    model: str, *, size: Any = "8.0B", counted: Any = None, running: int | None = None
) -> dict[str, Any]:
    """Return what Ollama answers at paths of its own, for ``OpenAIServer.own``.

    Args:
        model: Its name without ``:latest``.
        size: How large it is, in words.
        counted: How many parameters it has; None is not said.
        running: How much it reads at once, where it is loaded.
    """
    details = {
        "parent_model": "",
        "format": "gguf",
        "family": "llama",
        "families": ["llama"],
        "parameter_size": size,
        "quantization_level": "Q8_0",
    }
    name = f"{model}:latest"
    row = {"name": name, "model": name, "details": details, "context_length": running}
    info = {"general.architecture": "llama", "llama.context_length": 8192}
    info |= {} if counted is None else {"general.parameter_count": counted}
    return {
        "/api/ps": {"models": [row] if running else []},
        "/api/show": {"template": "{{ .Prompt }}", "details": details, "model_info": info},
    }


class OpenAIServer(LocalServer):
    """The server; answers with the scripted replies in order, then with ``default``.

    Attributes:
        requests: Everything asked so far.
        respond: Makes a reply of a chat request's body, where no script is left; or None.
        refuse: Path → Reply for anything but chat, such as ``{"/v1/models": Reply(status=500)}``.
        dims: Width of embeddings; two texts of the same words get the same one.
        window: How many words its model reads at once; longer prompts are refused in ``manner``
            (see ``tests.fakes.windows``). None reads everything.
        tokens: Counts a prompt: a token for each word, and four for each message.
        counts: Whether it says what a call took.
        own: Path → JSON of what it answers beside the protocol, such as ``/props``.
        no_tools: How a request that offers tools is refused; None takes them.
    """

    def __init__(self, default: Reply | None = None, *, dims: int = 1536, port: int = 0):
        super().__init__(_Handler, port)
        self.default = default or Reply()
        self.requests: list[Request] = []
        self.respond = None
        self.refuse: dict[str, Reply] = {}
        self.models: Any = MODELS
        self.dims = dims
        self.window: int | None = None
        self.manner: Any = None
        self.tokens = prompt_tokens
        self.counts = False
        self.own: dict[str, Any] = {}
        self.no_tools: Reply | None = None
        self._replies: list[Reply] = []
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"{self.address}/v1"

    def script(self, *replies: Reply) -> None:
        """Answer the next chat requests like this."""
        with self._lock:
            self._replies.extend(replies)

    def next_reply(self, body: Any) -> Reply:
        if self.no_tools is not None and "tools" in body:
            return self.no_tools
        tokens = self.tokens(body)
        if self.window is not None and tokens >= self.window:
            return self.manner(tokens, self.window, body.get("stream", False))
        reply = self._scripted(body)
        return dataclasses.replace(reply, tokens=tokens) if self.counts else reply

    def _scripted(self, body: Any) -> Reply:
        with self._lock:
            if self._replies:
                return self._replies.pop(0)
        return self.respond(body) if self.respond is not None else self.default


class _Handler(Handler):
    def do_GET(self):
        self._note(None)
        if self._refused():
            return
        path = self.path.partition("?")[0]
        if path in self.server.fake.own:
            self._json(200, self.server.fake.own[path])
        elif not path.endswith("/v1/models"):
            self._json(404, {"error": {"message": "no such path"}})
        else:
            data = self.server.fake.models
            rows = None if data is None else [self._row(one) for one in data]
            self._json(200, {"object": "list", "data": rows})

    def _row(self, model):
        return model if isinstance(model, dict) else {"id": model, "object": "model"}

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        self._note(body)
        if self._refused():
            return
        if self.path in self.server.fake.own:
            self._json(200, self.server.fake.own[self.path])
        elif self.path.endswith("/chat/completions"):
            self._chat(self.server.fake.next_reply(body))
        elif self.path.endswith("/embeddings"):
            self._embeddings(body)
        else:
            self._json(404, {"error": {"message": "no such path"}})

    def _note(self, body):
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.fake.requests.append(Request(self.command, self.path, headers, body))

    def _refused(self):
        reply = self.server.fake.refuse.get(self.path)
        if reply is not None:
            self._plain(reply)
        return reply is not None

    def _chat(self, reply):
        if reply.before is not None:
            self._wait(reply.before)
        if reply.status != 200 or reply.body is not None:
            self._plain(reply)
            return
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.cut_after is not None:
            self.send_header("Content-Length", "1000000")
        self.end_headers()
        for number, piece in enumerate(reply.pieces()):
            if number >= reply.free and reply.between is not None:
                self._wait(reply.between)
            if number == reply.cut_after:
                return
            self.wfile.write(piece)
            self.wfile.flush()

    def _wait(self, event):
        """Wait for the test's event, or until the client is gone."""
        self.connection.settimeout(0.02)
        while not event.is_set():
            try:
                if not self.connection.recv(1):
                    raise ConnectionResetError
            except TimeoutError:
                continue
        self.connection.settimeout(None)

    def _embeddings(self, body):
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        rows = [
            {"object": "embedding", "index": at, "embedding": self._vector(text)}
            for at, text in enumerate(texts)
        ]
        self._json(200, {"object": "list", "data": rows[::-1], "model": body["model"]})

    def _vector(self, text):
        counts = [0.0] * self.server.fake.dims
        for word in text.lower().split():
            digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
            counts[int.from_bytes(digest, "big") % len(counts)] += 3.0
        return counts

    def _plain(self, reply):
        error = {"error": {"message": reply.text, "type": "fake"}}
        body = reply.body if reply.body is not None else json.dumps(error).encode()
        self._send(reply.status, body, reply.headers)

    def _json(self, status, found):
        self._send(status, json.dumps(found).encode(), {})

    def _send(self, status, body, headers):
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    """Serve until ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--say", default="Hello from the fake server.")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    with OpenAIServer(Reply(options.say), port=options.port) as server:
        print(server.port, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
