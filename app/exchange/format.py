"""The export format: names, manifest and signature.

An export is a ZIP::

    README.md                how to read it without Loci
    manifest.json            version, date, sha256 and number of rows of every file, signature
    data/<table>.jsonl       one JSON object a line, as described in README.md
    readable/memories.md     what is remembered, to read
    readable/conversations/  each conversation with all its branches, to read

The manifest is signed (Ed25519) with a key that never leaves the vault. Only the vault that wrote
an export can therefore tell that it is unchanged; every other file is only a claim.
"""

import json
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT = "loci-export"
VERSION = 1
SIGNING_KEY = "signing_key"
README = """# An export of Loci

Nothing in here is encrypted: whoever has this file can read all of it.

`readable/` is for people, `data/` for programs: JSON Lines, UTF-8, one object a line.

| file | one line is |
|---|---|
| `agents.jsonl`, `groups.jsonl`, `agent_groups.jsonl` | a persona, a group, a membership |
| `conversations.jsonl` | a conversation; `tip` is the id of its last message |
| `messages.jsonl` | a message; `parent` is the id of the one it answers |
| `message_parts.jsonl` | a span of a message and its origin: typed, pasted, attached, tool, model |
| `documents.jsonl`, `document_passages.jsonl` | an attached file, and its text by pages |
| `memories.jsonl` | a memory: text, type, trust, origin, status, key and value, times |
| `evidence.jsonl` | the words of a message that a memory rests on |
| `entities.jsonl`, `entity_links.jsonl` | names, and the memories they occur in |
| `recalls.jsonl`, `recall_hits.jsonl` | what was found for an answer, and why |
| `journal.jsonl` | every change to a memory: before and after |
| `usefulness.jsonl`, `causal_edges.jsonl`, `tool_calls.jsonl`, `scores.jsonl` | as named |
| `tombstones.jsonl` | keyed digests of what was erased and must not come back |
| `settings.jsonl` | settings that differ from their default |

Times are milliseconds since 1970, UTC. Fields that hold JSON (`value`, `tags`, `before`, `after`,
`lanes`, `factors`, `reasons`, `steps`) are JSON inside a string. Digests are hexadecimal. Vectors
are left out: Loci makes them anew.

`manifest.json` gives the sha256 of every file and a signature (Ed25519 over the manifest without
its `signature`, keys sorted, no spaces). Importing an unchanged export into the vault that wrote it
brings the same data back. Any other file comes in as a claim: origin "import", trust "claimed" at
most, which stands below "learned"; unless whoever imports it says that it is their own.
"""


def sign(manifest: dict[str, Any], key: bytes) -> dict[str, Any]:
    """Return the manifest with its signature; ``key`` is 32 bytes."""
    private = Ed25519PrivateKey.from_private_bytes(key)
    return manifest | {"signature": private.sign(_canonical(manifest)).hex()}


def holds(manifest: dict[str, Any], key: bytes) -> bool:
    """Say whether this vault's key signed the manifest."""
    try:
        signature = bytes.fromhex(str(manifest.get("signature", "")))
        public = Ed25519PrivateKey.from_private_bytes(key).public_key()
        public.verify(signature, _canonical(manifest))
    except (InvalidSignature, ValueError):
        return False
    return True


def _canonical(manifest: dict[str, Any]) -> bytes:
    bare = {k: v for k, v in manifest.items() if k != "signature"}
    return json.dumps(bare, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
