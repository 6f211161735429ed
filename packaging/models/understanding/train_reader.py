"""Train the reader's weights from labelled messages.

usage: train_reader.py CACHE_DIR OUT.npz [--epochs 8] [--threads 2] [--start WEIGHTS.npz] [--rate 1.5e-3]
       train_reader.py CACHE_DIR OUT_DIR --encoder BASE_DIR --minutes 45 --start WEIGHTS.npz [--again FILES]
       train_reader.py CACHE_DIR READER.npz --leans

CACHE_DIR is what embed_messages.py made. The network is that of app/providers/reading.py; what each
output means stands there and in app/domain/language/reading.py, what is learnt from in labels.py. The lives kept aside
(``--aside``) and a tenth of the rest are not learnt from; what the weights reach there is printed.

With ``--encoder`` the model that gives the token vectors is taught along with the network, for so many
minutes; unquantise.py makes BASE_DIR of a shipped file, and export_judge.py the shipped files of OUT_DIR. Files of
messages named with ``--again messages_24,messages_25`` count three times, so that what is new is learnt in little time.

With ``--leans``, the last step, a head is added to READER.npz that tells which sentences lean on the one before
them (leaning.py); it reads what the shipped reader sees, with Loci's own packages, and so follows
export_judge.py. CACHE_DIR is not read then.

Needs torch and gguf beside numpy, transformers for an encoder; three minutes an epoch on one processor
core without one.
"""

import argparse
import hashlib
import json
import random
import re
import sys
import time
from pathlib import Path

import gguf
import numpy as np
import torch
from gguf.quants import dequantize
from torch import nn
from torch.nn import functional as F

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT))
from app.domain.language.reading import Act, Change, StatementKind
from app.providers.reading import (
    CONTEXT,
    LONGEST,
    REACH,
    SEGMENTS,
    SIGNS,
    Piece,
    aligned,
    inputs,
)
from labels import bare, labelled, rows

ACTS, KINDS, CHANGES = list(Act), list(StatementKind), list(Change)
DIMS, HEADS, LAYERS, WORD, REFER = 192, 4, 2, 64, 48
RATE, BATCH, TWICE, SHARE = 1.5e-3, 48, 3, 0.4
TOGETHER, SLOWLY, FROZEN, SHARE_WHOLE = 24, 6e-5, 3, 0.15  # with an encoder
SPECIAL = (0, 101, 102)
STANDS_FOR = set((ROOT / "resources/reading/words.toml").read_text("utf-8").split('"""')[1].split())


class Cache:
    """Token vectors by text."""

    def __init__(self, folder: Path) -> None:
        self.pieces = json.loads((folder / "pieces.json").read_text())
        self._at, self._parts = {}, []
        for file in sorted(folder.glob("*.npz")):
            stored = np.load(file)
            ends = np.cumsum(stored["counts"])
            for name, end, count in zip(
                file.with_suffix(".keys").read_text().split(), ends, stored["counts"], strict=True
            ):
                self._at[name] = len(self._parts), end - count, end
            self._parts.append((stored["ids"], stored["states"]))

    def __contains__(self, text: str) -> bool:
        return self._key(text) in self._at

    def __call__(self, text: str) -> Piece:
        part, start, end = self._at[self._key(text)]
        ids, states = (array[start:end] for array in self._parts[part])
        written = ["" if token in SPECIAL else self.pieces[token] for token in ids]
        return Piece(text, ids, states, aligned(text, written))

    @staticmethod
    def _key(text: str) -> str:
        return hashlib.md5(text.encode()).hexdigest()


# -- labels ------------------------------------------------------------------------------------------


def encoded(row: dict, cache: Cache) -> dict:
    """Return a sample as arrays; -1 is a label that is not known."""
    asked = cache(row["asked"]) if row["asked"] else None
    given = inputs(cache(row["text"]), asked)
    signs = given.signs.copy()
    signs[:, SIGNS + 4] = not row["new"]
    count, first, places = len(given.ids), given.start, given.places
    label = {
        name: np.full(count, -1, np.int64)
        for name in ("bio", "target", "kind", "safe", "change", "me")
    }
    own = np.array([float(i >= first and places[i][1] >= 0) for i in range(count)], np.float32)
    if row["tells"] is not None:
        label["bio"][own > 0] = 0
    if row["act"] is not None:
        label["target"][own > 0] = 0
    refers: dict[int, tuple[int, int]] = {}
    for start, end, told in row["tells"] or ():
        inside = [
            i
            for i in range(first, count)
            if places[i][1] >= start and places[i][2] <= end and places[i][1] >= 0
        ]
        label["bio"][inside] = 2
        label["bio"][inside[:1]] = 1
        if told is None:
            continue
        label["kind"][inside] = KINDS.index(told["kind"])
        label["safe"][inside] = int(bool(told.get("safety")))
        label["change"][inside] = CHANGES.index(told.get("change") or "")
        label["me"][inside] = int(told.get("who") == "me")
        refers |= references(row, told, start, end, places, first)
    if row["target"]:
        inside = [
            i
            for i in range(first, count)
            if places[i][1] >= row["target"][0] and places[i][2] <= row["target"][1]
        ]
        label["target"][inside] = 2
        label["target"][inside[:1]] = 1
    act = ACTS.index(row["act"]) if row["act"] in ACTS else -1
    many = -1 if row["many"] is None else int(row["many"])
    return {
        "many": many,
        "ids": given.ids,
        "st": given.states.astype(np.float16),
        "ft": signs,
        "own": own,
        "act": act,
        "refers": refers,
        "start": first,
        "row": row,
        "asked": [] if asked is None else asked.ids,
        "message": cache(row["text"]).ids,
        **label,
    }


def references(
    row: dict, told: dict, start: int, end: int, places: list, first: int
) -> dict[int, tuple[int, int]]:
    """Return for each word that stands for something which tokens name it; the first token: nothing.

    The first token of a statement that names nobody ("type 2 diabetic") stands for whose it is.
    """
    known = {word.lower(): str(name) for word, name in (told.get("refs") or {}).items()}
    found = {}
    for word in re.finditer(r"[^\W\d_]+", row["text"][start:end]):
        at, low = start + word.start(), word.group().lower()
        token = next((i for i in range(first, len(places)) if places[i][1] == at), None)
        name = known.get(low, known.get(low + "'s"))
        if token is None or (name is None and low not in STANDS_FOR):
            continue
        found |= _pointed(row, token, at, name, places, first)
    begin = next((i for i in range(first, len(places)) if places[i][1] >= start), None)
    if begin is not None and begin not in found:
        whose = told.get("who") or "me"
        named = whose != "me" and not known and bare(whose) not in row["text"][start:end].lower()
        found |= _pointed(row, begin, start, whose if named else None, places, first)
    return found


def _pointed(
    row: dict, token: int, at: int, name: str | None, places: list, first: int
) -> dict[int, tuple[int, int]]:
    """Return to which tokens a token points: where a name stands nearest before it, else behind it."""
    if name is None:
        return {token: (first, first)}
    for number, text in enumerate((row["text"], row["asked"])):
        for spelled in dict.fromkeys((name.lower(), bare(name))):
            spots = [
                m.start() for m in re.finditer(rf"(?<!\w){re.escape(spelled)}(?!\w)", text.lower())
            ]
            if number == 0:
                spots = sorted(
                    (s for s in spots if not s <= at < s + len(spelled)),
                    key=lambda s: (s > at, abs(s - at)),
                )
            else:
                spots.reverse()
            if spots:
                named = [
                    i
                    for i, p in enumerate(places)
                    if p[0] == number and spots[0] <= p[1] and p[2] <= spots[0] + len(spelled)
                ]
                if named:
                    return {token: (named[0], named[-1])}
    words = set(re.findall(r"\w+", f"{row['text']} {row['asked']}".lower()))
    nowhere = words.isdisjoint(re.findall(r"\w+", bare(name)))  # else perhaps in other words
    return {token: (first, first)} if nowhere else {}


# -- the network -------------------------------------------------------------------------------------


class Block(nn.Module):
    def __init__(self, dims: int, drop: float = 0.15) -> None:
        super().__init__()
        self.n1, self.n2, self.n3 = (nn.LayerNorm(dims) for _ in range(3))
        self.conv = nn.Conv1d(dims, dims, 5, padding=2, groups=4)
        self.qkv, self.o = nn.Linear(dims, 3 * dims), nn.Linear(dims, dims)
        self.f1, self.f2 = nn.Linear(dims, 2 * dims), nn.Linear(2 * dims, dims)
        self.rel = nn.Parameter(torch.zeros(HEADS, 2 * REACH + 1))
        self.drop = nn.Dropout(drop)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, tokens, dims = x.shape
        near = self.conv((self.n1(x) * mask[..., None]).transpose(1, 2)).transpose(1, 2)
        x = x + self.drop(F.gelu(near, approximate="tanh"))
        q, k, v = (
            self.qkv(self.n2(x)).view(batch, tokens, 3, HEADS, dims // HEADS).permute(2, 0, 3, 1, 4)
        )
        at = torch.arange(tokens)
        apart = (at[None] - at[:, None]).clamp(-REACH, REACH) + REACH
        weight = q @ k.transpose(-1, -2) / (dims // HEADS) ** 0.5 + self.rel[:, apart][None]
        weight = weight.masked_fill(~mask[:, None, None].bool(), -1e4).softmax(-1)
        x = x + self.drop(self.o((weight @ v).transpose(1, 2).reshape(batch, tokens, dims)))
        return x + self.drop(self.f2(F.gelu(self.f1(self.n3(x)), approximate="tanh")))


class Reader(nn.Module):
    def __init__(self, words: torch.Tensor) -> None:
        super().__init__()
        self.nin, self.inp = nn.LayerNorm(384), nn.Linear(384, DIMS)
        self.emb = nn.Embedding.from_pretrained(words, freeze=False)
        self.emb_in, self.fin = nn.Linear(words.shape[1], DIMS), nn.Linear(SIGNS + SEGMENTS, DIMS)
        self.blocks = nn.ModuleList(Block(DIMS) for _ in range(LAYERS))
        self.nout, self.drop, self.din = nn.LayerNorm(DIMS), nn.Dropout(0.25), nn.Dropout(0.2)
        self.bio, self.target, self.change = (nn.Linear(DIMS, 3) for _ in range(3))
        self.kind, self.safe, self.me = (
            nn.Linear(DIMS, len(KINDS)),
            nn.Linear(DIMS, 1),
            nn.Linear(DIMS, 1),
        )
        self.ref_q, self.ref_k = nn.Linear(DIMS, 2 * REFER), nn.Linear(DIMS, 2 * REFER)
        self.pool, self.act, self.many = (
            nn.Linear(DIMS, 1),
            nn.Linear(2 * DIMS, len(ACTS)),
            nn.Linear(2 * DIMS, 1),
        )

    def forward(
        self,
        st: torch.Tensor,
        ids: torch.Tensor,
        ft: torch.Tensor,
        mask: torch.Tensor,
        own: torch.Tensor,
    ) -> dict[str, torch.Tensor]:
        x = self.inp(self.din(self.nin(st))) + self.emb_in(self.din(self.emb(ids))) + self.fin(ft)
        for block in self.blocks:
            x = block(x, mask)
        x = self.drop(self.nout(x))
        weight = self.pool(x)[..., 0].masked_fill(own == 0, -1e4).softmax(-1)
        pooled = (x * weight[..., None]).sum(1)
        mean = (x * own[..., None]).sum(1) / own.sum(1, keepdim=True).clamp(min=1)
        out = {name: getattr(self, name)(x) for name in ("bio", "kind", "change", "target")}
        whole = torch.cat([pooled, mean], -1)
        return out | {
            "x": x,
            "safe": self.safe(x)[..., 0],
            "me": self.me(x)[..., 0],
            "act": self.act(whole),
            "many": self.many(whole)[:, 0],
        }

    def refers(
        self, x: torch.Tensor, mask: torch.Tensor, at: list[tuple[int, int]]
    ) -> torch.Tensor:
        row, token = (torch.tensor(part) for part in zip(*at, strict=True))
        asking = self.ref_q(x[row, token]).view(-1, 2, REFER)
        named = self.ref_k(x).view(*x.shape[:2], 2, REFER)[row]
        score = torch.einsum("nsr,njsr->nsj", asking, named) / REFER**0.5
        return score.masked_fill(~mask[row][:, None].bool(), -1e4)


def word_vectors() -> torch.Tensor:
    """Return the embedder's own table of tokens, by its first principal components."""
    file = gguf.GGUFReader(ROOT / "resources/models/loci-minilm-v2-Q8_0.gguf")
    table = next(t for t in file.tensors if t.name == "token_embd.weight")
    words = dequantize(table.data, table.tensor_type).astype(np.float32)
    words -= words.mean(0)
    axes = np.linalg.svd(words[:12000], full_matrices=False)[2][:WORD]
    found = words @ axes.T
    return torch.tensor(found / found.std() * 0.5)


class Encoder(nn.Module):
    """The model that gives the token vectors; what stands before a message is only read."""

    def __init__(self, base: Path) -> None:
        super().__init__()
        from transformers import AutoModel

        self.bert = AutoModel.from_pretrained(base, add_pooling_layer=False)
        frozen = len(self.bert.encoder.layer) // FROZEN
        for part in (self.bert.embeddings, *self.bert.encoder.layer[:frozen]):
            part.requires_grad_(False)

    def read(self, texts: list[np.ndarray]) -> torch.Tensor:
        longest = max(map(len, texts))
        ids, mask = torch.zeros(2, len(texts), longest, dtype=torch.long)
        for row, seen, text in zip(ids, mask, texts, strict=True):
            row[: len(text)] = torch.from_numpy(np.asarray(text, np.int64))
            seen[: len(text)] = 1
        kinds = torch.zeros_like(ids)
        return self.bert(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state

    def forward(self, samples: list[dict], longest: int) -> torch.Tensor:
        """Return the vectors of samples as the network reads them, shape (samples, longest, dims)."""
        out = torch.zeros(len(samples), longest, 384)
        asked = [(n, one["asked"]) for n, one in enumerate(samples) if len(one["asked"])]
        if asked:
            with torch.no_grad():
                states = self.read([ids for _, ids in asked])
            for (n, ids), read in zip(asked, states, strict=True):
                kept = read[: len(ids)][-CONTEXT:]
                out[n, : len(kept)] = kept
        states = self.read([one["message"] for one in samples])
        rows_of = []
        for n, one in enumerate(samples):
            kept = states[n, : len(one["message"])][:LONGEST]
            rest = longest - one["start"] - len(kept)
            rows_of.append(torch.cat([out[n, : one["start"]], kept, out.new_zeros(rest, 384)]))
        return torch.stack(rows_of)


# -- training ----------------------------------------------------------------------------------------


def collated(samples: list[dict], encoder: Encoder | None = None) -> tuple[dict, dict]:
    longest = max(len(one["ids"]) for one in samples)

    def padded(name: str, fill: int, kind: type, shape: tuple = ()) -> torch.Tensor:
        out = np.full((len(samples), longest, *shape), fill, kind)
        for row, one in zip(out, samples, strict=True):
            row[: len(one["ids"])] = one[name]
        return torch.from_numpy(out)

    mask = torch.zeros(len(samples), longest)
    for row, one in zip(mask, samples, strict=True):
        row[: len(one["ids"])] = 1
    x = {
        "st": encoder(samples, longest) if encoder else padded("st", 0, np.float32, (384,)),
        "ids": padded("ids", 0, np.int64),
        "ft": padded("ft", 0, np.float32, (SIGNS + SEGMENTS,)),
        "own": padded("own", 0, np.float32),
        "mask": mask,
    }
    y = {
        name: padded(name, -1, np.int64)
        for name in ("bio", "kind", "safe", "change", "me", "target")
    }
    y["act"] = torch.tensor([one["act"] for one in samples])
    y["many"] = torch.tensor([one["many"] for one in samples])
    y["refers"] = [
        (i, token, *named)
        for i, one in enumerate(samples)
        for token, named in one["refers"].items()
    ]
    return x, y


def loss(model: Reader, x: dict, y: dict, weights: torch.Tensor) -> torch.Tensor:
    out = model(**x)

    def classes(name: str) -> torch.Tensor | float:
        wanted = y[name].flatten()
        return (
            F.cross_entropy(out[name].flatten(0, 1), wanted, ignore_index=-1)
            if (wanted >= 0).any()
            else 0.0
        )

    def yes(name: str) -> torch.Tensor | float:
        wanted = y[name].flatten()
        known = wanted >= 0
        return (
            F.binary_cross_entropy_with_logits(out[name].flatten()[known], wanted[known].float())
            if known.any()
            else 0.0
        )

    total = (
        classes("bio")
        + 0.2 * classes("kind")
        + 0.5 * yes("safe")
        + 0.4 * classes("change")
        + 0.15 * yes("me")
        + 0.7 * classes("target")
        + 0.3 * yes("many")
    )
    known = y["act"] >= 0
    if known.any():
        total = total + 0.5 * F.cross_entropy(
            out["act"][known], y["act"][known], weight=weights, label_smoothing=0.05
        )
    if y["refers"]:
        score = model.refers(out["x"], x["mask"], [one[:2] for one in y["refers"]])
        begin, end = (torch.tensor([one[n] for one in y["refers"]]) for n in (2, 3))
        total = total + 0.3 * (
            F.cross_entropy(score[:, 0], begin) + F.cross_entropy(score[:, 1], end)
        )
    return total


def batches(samples: list[dict], *, shuffle: bool = True, size: int = BATCH) -> list[list[int]]:
    order = list(range(len(samples)))
    if shuffle:
        random.shuffle(order)
    chunks = [
        sorted(order[k : k + size * 16], key=lambda i: len(samples[i]["ids"]))
        for k in range(0, len(order), size * 16)
    ]
    found = [chunk[k : k + size] for chunk in chunks for k in range(0, len(chunk), size)]
    if shuffle:
        random.shuffle(found)
    return found


def train(samples: list[dict], epochs: int, start: Path | None, rate: float) -> Reader:
    """Return weights learnt from samples."""
    old, new = ([one for one in samples if one["row"]["new"] is kind] for kind in (False, True))
    told = [one for one in new if one["row"]["many"] is None]  # what is only asked counts once
    model = Reader(word_vectors())
    if start is not None:
        known = np.load(start)
        model.load_state_dict({n: torch.tensor(known[n].astype(np.float32)) for n in known.files})
    others = [p for name, p in model.named_parameters() if name != "emb.weight"]
    groups = [
        {"params": others, "lr": rate, "weight_decay": 0.03},
        {"params": [model.emb.weight], "lr": rate * 0.3, "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups)
    again = told * (TWICE - 1)
    steps = (int((len(old) * SHARE + len(new) + len(again)) / BATCH) + 40) * epochs
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, [rate, rate * 0.3], total_steps=steps, pct_start=0.1
    )
    seen = np.bincount([one["act"] for one in new if one["act"] >= 0], minlength=len(ACTS)) + 5
    weights = torch.tensor((seen.sum() / seen / len(seen)) ** 0.5, dtype=torch.float32)
    started = time.time()
    for epoch in range(epochs):
        pool, losses = random.sample(old, int(len(old) * SHARE)) + new + again, []
        model.train()
        for batch in batches(pool):
            x, y = collated([pool[i] for i in batch])
            found = loss(model, x, y, weights)
            optimiser.zero_grad()
            found.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            losses.append(found.item())
        print(
            f"epoch {epoch + 1}: loss {np.mean(losses):.3f}, {time.time() - started:.0f} s",
            flush=True,
        )
    return model


def train_whole(
    samples: list[dict], base: Path, start: Path, minutes: float, again: frozenset[str]
) -> tuple[Reader, Encoder]:
    """Return a network and its encoder, learnt together for a time."""
    old, new = ([one for one in samples if one["row"]["new"] is kind] for kind in (False, True))
    new += [one for one in new if one["row"]["file"] in again] * (TWICE - 1)
    model, encoder = Reader(word_vectors()), Encoder(base)
    known = np.load(start)
    model.load_state_dict({n: torch.tensor(known[n].astype(np.float32)) for n in known.files})
    groups = [
        {"params": [p for p in encoder.parameters() if p.requires_grad], "lr": SLOWLY},
        {"params": model.parameters(), "lr": 6 * SLOWLY},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    rates = [group["lr"] for group in groups]
    seen = np.bincount([one["act"] for one in new if one["act"] >= 0], minlength=len(ACTS)) + 5
    weights = torch.tensor((seen.sum() / seen / len(seen)) ** 0.5, dtype=torch.float32)
    started, step, losses = time.time(), 0, []
    pool, queue = [], []
    while (done := (time.time() - started) / 60 / minutes) < 1:
        if not queue:
            pool = random.sample(old, int(len(old) * SHARE_WHOLE)) + new
            queue = batches(pool, size=TOGETHER)
            print(len(queue), "steps an epoch", flush=True)
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * min(1, done / 0.06 + 0.02) * (1 - done)
        model.train(), encoder.train()
        x, y = collated([pool[i] for i in queue.pop()], encoder)
        found = loss(model, x, y, weights)
        optimiser.zero_grad()
        found.backward()
        nn.utils.clip_grad_norm_([*model.parameters(), *encoder.parameters()], 1.0)
        optimiser.step()
        step, losses = step + 1, [*losses[-200:], found.item()]
        if step % 50 == 0:
            print(f"{step}: {np.mean(losses):.3f}, {time.time() - started:.0f} s", flush=True)
    return model, encoder


def measured(
    model: Reader, samples: list[dict], encoder: Encoder | None = None
) -> dict[str, float]:
    """Return what weights reach: tokens of statements (F1), messages, acts, targets, names."""
    counts, act, many = np.zeros((2, 3)), [], []
    names: dict[int, list[bool]] = {-1: [], 0: [], 1: []}
    model.eval()
    if encoder:
        encoder.eval()
    with torch.no_grad():
        for batch in batches(samples, shuffle=False):
            x, y = collated([samples[i] for i in batch], encoder)
            out = model(**x)
            for n, name in enumerate(("bio", "target")):
                known, wanted, told = y[name] >= 0, y[name] > 0, out[name].argmax(-1) > 0
                counts[n] += [
                    int((known & a & b).sum())
                    for a, b in ((wanted, told), (~wanted, told), (wanted, ~told))
                ]
            right = y["act"] >= 0
            act += (out["act"].argmax(-1) == y["act"])[right].tolist()
            asks = y["many"] >= 0
            many += ((out["many"] > 0) == (y["many"] > 0))[asks].tolist()
            if y["refers"]:
                score = model.refers(out["x"], x["mask"], [one[:2] for one in y["refers"]])
                found = score[:, 0].argmax(-1) == torch.tensor([one[2] for one in y["refers"]])
                for right, (i, _, begin, *_) in zip(found.tolist(), y["refers"], strict=True):
                    start = samples[batch[i]]["start"]
                    names[(begin > start) - (begin < start)].append(right)
    f1 = [2 * hit / max(1, 2 * hit + false + missed) for hit, false, missed in counts]
    return {
        "statements_f1": f1[0],
        "targets_f1": f1[1],
        "acts": float(np.mean(act)),
        "names": float(np.mean(names[1] or 0)),
        "names_asked": float(np.mean(names[-1] or 0)),
        "no_names": float(np.mean(names[0] or 0)),
        "lists": float(np.mean(many)),
    }


def _tenth(group: str) -> bool:
    return int(hashlib.md5(group.encode()).hexdigest(), 16) % 10 == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cache", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--aside", default="E,G,I", help="lives that are not learnt from")
    parser.add_argument("--encoder", type=Path, help="a model that is taught along")
    parser.add_argument("--again", default="", help="files of messages that count more")
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--leans", action="store_true", help="only add the head of leaning.py")
    given = parser.parse_args()
    if given.leans:
        import leaning

        leaning.train(given.out)
        return
    random.seed(1)
    torch.manual_seed(1)
    torch.set_num_threads(given.threads)
    cache = Cache(given.cache)
    samples = [
        encoded(row, cache)
        for row in labelled()
        if not row["earlier"] and all(not row[n] or row[n] in cache for n in ("text", "asked"))
    ]
    print(len(samples), "messages")
    lives = {
        life["id"]
        for name in given.aside.split(",")
        for life in rows(HERE / "data" / f"lives_{name}.jsonl")
    }
    aside = [
        one["row"]["new"] and (one["row"]["group"] in lives or _tenth(one["row"]["group"]))
        for one in samples
    ]
    learnt_from = [one for one, out in zip(samples, aside, strict=True) if not out]
    kept = [one for one, out in zip(samples, aside, strict=True) if out]
    if given.encoder:
        again = frozenset(given.again.split(","))
        model, encoder = train_whole(
            learnt_from, given.encoder, given.start, given.minutes, again
        )
        encoder.bert.save_pretrained(given.out)
        weights_file = given.out / "heads.npz"
    else:
        model, encoder = train(learnt_from, given.epochs, given.start, given.rate), None
        weights_file = given.out
    print(measured(model, kept, encoder))
    np.savez_compressed(
        weights_file,
        **{
            name: value.detach().numpy().astype(np.float16)
            for name, value in model.state_dict().items()
        },
    )


if __name__ == "__main__":
    main()
