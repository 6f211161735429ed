"""Train the judge: one small BERT that reads two texts together, with a head for each task.

usage: train_judge.py BASE_DIR OUT_DIR [--minutes 60] [--rate 5e-5] [--heads HEADS.npz] [--aside E] [--share 1]

BASE_DIR holds a BERT of 384 dimensions with its tokenizer (model.safetensors, config.json, vocab.txt).
The tasks and the order of their classes stand in app/providers/judging.py. Trained on:

- compare: ``data/pairs_*``, ``data/parts_*`` and, from ``data/lives_*``, what a message changed or ended beside what it
  changed, and statements of one life that have nothing to do with one another; from ``data/contest_*``,
  what answers now beside what it replaced and what still holds;
- entail: ``data/entail_*``, and statements with one number, name or negation changed by rule;
- answer: ``data/answers_*``, the questions and orders of ``data/lives_*`` and ``data/questions_*``
  beside what answers them and what in the same life looks most alike, ``data/asked_*`` beside
  statements of others, ``data/contest_*`` beside others of the same person; questions of
  ``../training/train_*``. The statements offered to a question also compete with one another, and
  of those that do not answer only the ones that the model of the moment finds likeliest are learnt
  from;
- newer: ``data/newer_*``, and from ``data/contest_*`` and ``data/lives_*`` what once answered a
  question beside what answers it now, and what answers beside what was said later.

Token types are all 0, as llama.cpp has them. Prints what each task reaches on the sets that are kept
apart in tests/evals/understanding, and how often the best of a whole life answers its question in the
lives kept aside (``--aside E,G``: those of lives_E and lives_G). export_judge.py makes the shipped files of OUT_DIR.

Needs torch, transformers; two processor cores are enough.
"""

import argparse
import json
import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from transformers import AutoModel, AutoTokenizer

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
HALF = "avx512_bf16" in Path("/proc/cpuinfo").read_text()  # elsewhere it is twenty times slower
RELATIONS = ("same", "adds", "replaces", "ends", "contradicts", "unrelated")
CLASSES = {"compare": 6, "entail": 2, "answer": 2, "newer": 2}
BATCH, LONGEST, TWISTED, STRANGERS, STRANGE, FROZEN = 32, 112, 500, 600, 0.2, 3
LATER, KEPT_LATER = 2, 0.7  # statements said after one that answers, and which share is learnt from
BESIDE_CHANGES = 6  # statements of one life beside each that changes something else
PLAIN = ("pairs_6.jsonl", "pairs_1[0-5].jsonl")  # the plainest, and those that share their words
PLAINLY = 2  # count once more and again
OFFERED, HARDEST = 8, 4  # statements that do not answer: offered to the model, and learnt from
ABOUT = ("forget", "delete_about", "ask_known", "stop_instruct")
NAMES = "Anna Maria Sofia Lena Priya Amara Keiko Fatima Olga Ines Tom Ben Jonas Karim Pedro Kofi Igor Liam Noah Diego".split()
NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()


@dataclass(frozen=True)
class Item:
    """One pair to judge; those that share a group are statements offered to one question."""

    task: str
    one: str
    other: str
    label: int
    group: int = -1


def rows(*patterns: str) -> list[dict]:
    files = [path for pattern in patterns for path in sorted((HERE / "data").glob(pattern))]
    return [
        json.loads(line)
        for path in files
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]


def alone(told: dict) -> str:
    """Return a statement with names in place of what stands for them, as Loci writes it."""
    text = told["q"]
    for word, name in (told.get("refs") or {}).items():
        text = re.sub(rf"\b{re.escape(word)}\b", f"[{name}]", text, count=1)
    return text[:1].upper() + text[1:]


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]{3,}", text.lower()))


def alike(text: str, others: list[str], chance: random.Random) -> list[str]:
    """Return others by how many words they share with a text, most first."""
    mine = words(text)
    return sorted(
        others, key=lambda other: len(mine & words(other)) + chance.random(), reverse=True
    )


def told_in(life: dict) -> list[tuple[int, str, dict]]:
    """Return the statements of a life in order: of which message, as Loci writes it, as labelled."""
    return [(n, alone(x), x) for n, line in enumerate(life["talk"]) for x in line.get("tells", ())]


def asked_of(life: dict) -> Iterator[tuple[str, list[str], set[str]]]:
    """Yield the questions of a life: what answers each, and what is neither right nor wrong."""
    told = told_in(life)
    for ask in life["asks"]:
        quotes = [ask["quote"]] if isinstance(ask.get("quote"), str) else ask.get("quote") or []
        home = set(ask.get("from") or ())
        good = [
            t for n, t, x in told if n in home and any(_covers(x["q"], quote) for quote in quotes)
        ]
        good = [
            t for t in good if not any(wrong.lower() in t.lower() for wrong in ask.get("not", ()))
        ]
        if good or not ask["answer"]:
            yield ask["q"], good, {t for n, t, _ in told if n in home and t not in good}
    for order in life["orders"]:
        if order["kind"] in ABOUT:
            named = [w.lower() for w in order["kept" if order["kind"] == "ask_known" else "gone"]]
            if meant := [t for _, t, _ in told if any(w in t.lower() for w in named)]:
                yield order["said"], meant, set()
    for row in rows("questions_*.jsonl"):
        if row["life"] == life["id"]:
            partly = {told[n][1] for n in row.get("partly") or ()}
            yield row["q"], [told[n][1] for n in row["good"]], partly


class Near:
    """Ranks texts by likeness: the base's own word vectors, weighted by how rare a token is."""

    def __init__(self, tokenizer, table: torch.Tensor, texts: list[str]) -> None:
        self.tokenizer, self.table = (
            tokenizer,
            table / table.norm(dim=1, keepdim=True).clamp(min=1e-6),
        )
        seen = torch.ones(len(table))
        for text in texts:
            seen[list(set(tokenizer(text)["input_ids"][1:-1]))] += 1
        self.weight = torch.log(len(texts) / seen).clamp(min=0.1)
        self.kept: dict[str, torch.Tensor] = {}

    def vector(self, text: str) -> torch.Tensor:
        if text not in self.kept:
            ids = self.tokenizer(text)["input_ids"][1:-1] or [0]
            summed = (self.table[ids] * self.weight[ids, None]).sum(0)
            self.kept[text] = summed / summed.norm().clamp(min=1e-6)
        return self.kept[text]

    def first(self, text: str, others: list[str]) -> list[str]:
        """Return others, the most alike first."""
        mine = self.vector(text)
        return sorted(others, key=lambda other: float(mine @ self.vector(other)), reverse=True)


def of_lives(lives: list[dict], near: Near, chance: random.Random) -> list[Item]:
    """Return questions, orders and changes as they occur in lives."""
    found: list[Item] = []
    for life in lives:
        told = told_in(life)
        for question, good, neither in asked_of(life):
            others = near.first(
                question, [t for _, t, _ in told if t not in good and t not in neither]
            )
            found += grouped(question, good[:3], offered(others, chance))
        found += [*_changes(life, told, chance), *_newer_of(life, told, near)]
    return found


def _newer_of(life: dict, told: list[tuple[int, str, dict]], near: Near) -> list[Item]:
    """Return what answered or answers the questions of a life, beside what was said later."""
    found = []
    for question, good, neither in asked_of(life):
        at = {text: n for n, text, _ in told}
        for text in good[:1]:
            later = [t for n, t, _ in told if n > at[text] and t not in good and t not in neither]
            one = asked_and_told(question, text)
            found += [Item("newer", one, t, 0) for t in near.first(text, later)[:LATER]]
            found += [
                Item("newer", asked_and_told(question, held), text, 1)
                for fact in life["facts"]
                if fact["until"] == at[text]
                for held in _held(fact, told)
            ]
    return found


def _held(fact: dict, told: list[tuple[int, str, dict]]) -> list[str]:
    """Return the statements that told a fact of a life while it held."""
    return [
        text
        for n, text, _ in told
        if n in fact["from"]
        and all(any(w.lower() in text.lower() for w in group) for group in fact["must"])
    ]


def offered(near: list[str], chance: random.Random) -> list[str]:
    """Return statements that do not answer a question: the most alike, and some others."""
    first, rest = near[: OFFERED - 2], near[OFFERED - 2 :]
    return first + chance.sample(rest, min(2, len(rest)))


def grouped(question: str, good: list[str], bad: list[str]) -> list[Item]:
    """Return a question with statements that answer it and that do not."""
    grouped.number += 1  # type: ignore[attr-defined]
    group = grouped.number  # type: ignore[attr-defined]
    return [Item("answer", question, t, int(t in good), group) for t in (*good, *bad)]


grouped.number = 0  # type: ignore[attr-defined]


def _covers(said: str, quote: str) -> bool:
    if said in quote or quote in said:
        return True
    a, b = set(said.split()), set(quote.split())
    return len(a & b) > 0.6 * min(len(a), len(b))


def _changes(life: dict, told: list[tuple[int, str, dict]], chance: random.Random) -> list[Item]:
    found: list[Item] = []
    changed = set()
    for fact in (one for one in life["facts"] if one["until"] is not None):
        held = _held(fact, told)
        news = [(t, x) for n, t, x in told if n == fact["until"] and x.get("change")]
        if held and len(news) == 1:
            relation = "ends" if news[0][1]["change"] == "ends" else "replaces"
            found.append(Item("compare", held[0], news[0][0], RELATIONS.index(relation)))
            changed.add((held[0], news[0][0]))
    for n, text, x in told:
        earlier = [t for m, t, _ in told if m < n and not _ends(life, n, t)]
        near = alike(text, earlier, chance)[: BESIDE_CHANGES if x.get("change") else 2]
        if x.get("change"):  # what is worded alike may be what changed, though no fact says so
            near = [t for t in near if 2 * len(words(text) & words(t)) < len(words(t))]
        near += [t for m, t, _ in told if m == n and t != text][:1]
        for other in near:
            shared = len(words(text) & words(other))
            if (other, text) not in changed and (x.get("change") or chance.random() < 0.4):
                relation = "unrelated" if shared < 3 else "adds"
                found.append(Item("compare", other, text, RELATIONS.index(relation)))
    return found


def _ends(life: dict, number: int, text: str) -> bool:
    """Return whether a message of a life ended a fact that a statement may hold some of."""
    ended = [fact for fact in life["facts"] if fact["until"] == number]
    return any(
        any(word.lower() in text.lower() for group in fact["must"] for word in group)
        for fact in ended
    )


def twisted(text: str, chance: random.Random) -> str | None:
    """Return a statement with one number, name or negation changed; None where it has none."""
    ways = []
    for pattern, others in (
        (r"\b\d+\b", None),
        (rf"\b(?:{'|'.join(NUMBERS)})\b", NUMBERS),
        (r"(?<=[a-z,] )[A-Z][a-z]{2,}\b", NAMES),
    ):
        if spots := list(re.finditer(pattern, text)):
            spot = chance.choice(spots)
            new = (
                chance.choice([w for w in others if w != spot.group().lower()])
                if others
                else str(int(spot.group()) + chance.choice([1, 2, 5, 10]))
            )
            ways.append(text[: spot.start()] + new + text[spot.end() :])
    if re.search(r"\b(?:not|never)\b|n't\b", text):
        ways.append(re.sub(r"\b(?:not|never) |n't\b", "", text, count=1))
    elif re.search(r"\b(?:am|is|are|was|has|have|had|will|can)\b", text):
        ways.append(re.sub(r"\b(am|is|are|was|has|have|had|will|can)\b", r"\1 not", text, count=1))
    return chance.choice(ways) if ways else None


def third_person(text: str) -> str:
    for pattern, put in (
        (r"\bI(?:'m| am)\b", "The user is"),
        (r"\b[Mm]y\b", "the user's"),
        (r"\bI\b", "The user"),
    ):
        text = re.sub(pattern, put, text)
    return text


def items(lives: list[dict], near: Near, chance: random.Random) -> list[Item]:
    """Return everything there is to learn from."""
    found = [
        Item("compare", r["a"], r["b"], RELATIONS.index(r["label"])) for r in rows("pairs_*.jsonl")
    ]
    plain = rows(*PLAIN)
    found += [
        Item("compare", r["a"], r["b"], RELATIONS.index(r["label"])) for r in plain * PLAINLY
    ]
    found += [
        Item("entail", r["said"], r["written"], int(r["label"] == "faithful"))
        for r in rows("entail_*.jsonl")
    ]
    found += [one for row in rows("parts_*.jsonl") * PLAINLY for one in in_parts(row)]
    for row in rows("answers_*.jsonl"):
        bad = [f["t"] for f in row["found"] if f["a"] == 0]
        chance.shuffle(bad)
        found += grouped(row["q"], [f["t"] for f in row["found"] if f["a"] == 2], bad[:OFFERED])
    for row in rows("contest_*.jsonl"):  # what answered once is neither right nor wrong by itself
        bad = [f["t"] for f in row["found"] if f["a"] < 2 and not f.get("stale")]
        chance.shuffle(bad)
        found += grouped(row["q"], [f["t"] for f in row["found"] if f["a"] == 2], bad[:OFFERED])
    found += [pair for row in rows("contest_*.jsonl") for pair in _changed_in(row, chance)]
    found += [
        Item("newer", asked_and_told(r["q"], r["old"]), r["new"], r["label"])
        for r in rows("newer_*.jsonl")
    ]
    found += [one for row in rows("contest_[0-9]*.jsonl") for one in _newer_in(row, near, chance)]
    found += of_statements(near, chance)
    lines = [line for life in lives for line in life["talk"]] + rows("messages_*.jsonl")
    said = [alone(x) for line in lines for x in line.get("tells", ())]
    for text in chance.sample(said, TWISTED):
        if changed := twisted(text, chance):
            person = third_person if chance.random() < 0.5 else str
            found += [
                Item("entail", text, person(changed), 0),
                Item("entail", text, person(text), 1),
            ]
    return found + of_lives(lives, near, chance) + chance.sample(strangers(near, chance), STRANGERS)


def in_parts(row: dict) -> Iterator[Item]:
    """Yield a memory and its parts beside something newer."""
    newer = row["newer"]
    yield Item("compare", row["memory"], newer, RELATIONS.index(row["whole"]))
    for part in row["parts"]:
        told = part["p"].strip(" ,;.")
        told = told[:1].upper() + told[1:]
        yield Item("compare", told, newer, RELATIONS.index(part["label"]))


def _changed_in(row: dict, chance: random.Random) -> list[Item]:
    """Return the statement of a contest that replaced another, beside it and beside what still holds."""
    right = [f for f in row["found"] if f["a"] == 2]
    old = [f for f in row["found"] if f.get("stale")]
    if len(right) != 1 or len(old) != 1 or old[0]["d"] <= right[0]["d"]:
        return []
    text = right[0]["t"]
    found = [Item("compare", old[0]["t"], text, RELATIONS.index("replaces"))]
    held = [f["t"] for f in row["found"] if f not in (*right, *old) and f["d"] > right[0]["d"]]
    for other in alike(text, held, chance)[:3]:
        relation = "unrelated" if len(words(text) & words(other)) < 3 else "adds"
        found.append(Item("compare", other, text, RELATIONS.index(relation)))
    return found


def asked_and_told(question: str, older: str) -> str:
    """Return a question and what answered it as one text, as app/providers/judging.py has it."""
    return f"{question} | {older}"


def _newer_in(row: dict, near: Near, chance: random.Random) -> list[Item]:
    """Return what answers or once answered the question of a contest, beside what was said later."""
    right = [f for f in row["found"] if f["a"] == 2]
    old = [f for f in row["found"] if f.get("stale")]
    found = []
    for once in old:
        one = asked_and_told(row["q"], once["t"])
        found += [Item("newer", one, f["t"], 1) for f in right if f["d"] < once["d"]][:2]
        later = [f["t"] for f in row["found"] if f["d"] < once["d"] and f["a"] == 0]
        found += [Item("newer", one, text, 0) for text in near.first(once["t"], later)[:LATER]]
    for holds in right[:2]:
        later = [
            f["t"] for f in row["found"] if f["d"] < holds["d"] and f["a"] < 2 and f not in old
        ]
        one = asked_and_told(row["q"], holds["t"])
        found += [Item("newer", one, text, 0) for text in near.first(holds["t"], later)[:LATER]]
    return [one for one in found if one.label or chance.random() < KEPT_LATER]


def of_statements(near: Near, chance: random.Random) -> list[Item]:
    """Return questions that were asked of one statement, beside those of other people."""
    found: list[Item] = []
    asked = rows("asked_*.jsonl")
    texts = sorted({row["t"] for row in asked})
    for row in asked:
        pool = [text for text in chance.sample(texts, min(200, len(texts))) if text != row["t"]]
        others = pool if row.get("g") else near.first(row["q"], pool)
        found += grouped(row["q"], [row["t"]], offered(others, chance))
        if row.get("near"):
            found += grouped(row["near"], [], [row["t"], *near.first(row["near"], pool)[:1]])
    return found


def strangers(near: Near, chance: random.Random) -> list[Item]:
    """Return questions over conversations of other people, from what the embedder was tuned on."""
    found: list[Item] = []
    for path in sorted((HERE.parent / "training").glob("train_*.json")):
        for talk in json.loads(path.read_text("utf-8")):
            said = [
                m["t"] if talk["kind"] == "assistant" else f"{m['s']}: {m['t']}"
                for m in talk["messages"]
            ]
            for question in (q for q in talk["questions"] if q["e"]):
                if chance.random() < STRANGE:
                    others = near.first(
                        question["q"], [s for n, s in enumerate(said) if n not in question["e"]]
                    )
                    found += grouped(question["q"], [said[question["e"][0]]], others[:OFFERED])
    return found


def kept_apart() -> list[Item]:
    folder = ROOT / "tests/evals/understanding"
    pairs, entail, newer = (
        [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
        for name in ("pairs.jsonl", "entail.jsonl", "newer.jsonl")
    )
    found = [Item("compare", r["a"], r["b"], RELATIONS.index(r["label"])) for r in pairs]
    found += [Item("newer", asked_and_told(r["q"], r["old"]), r["new"], r["label"]) for r in newer]
    return found + [
        Item("entail", r["said"], r["written"], int(r["label"] == "faithful")) for r in entail
    ]


class Judge(nn.Module):
    def __init__(self, base: str) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(base, add_pooling_layer=False)
        dims = self.encoder.config.hidden_size
        self.drop = nn.Dropout(0.1)
        self.heads = nn.ModuleDict(
            {
                task: nn.Sequential(
                    nn.Linear(2 * dims, dims), nn.Tanh(), nn.Dropout(0.1), nn.Linear(dims, n)
                )
                for task, n in CLASSES.items()
            }
        )

    def forward(self, task: str, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        states = self.encoder(
            input_ids=ids, attention_mask=mask, token_type_ids=torch.zeros_like(ids)
        ).last_hidden_state
        weight = mask[..., None].float()
        pooled = torch.cat([states[:, 0], (states * weight).sum(1) / weight.sum(1)], -1)
        return self.heads[task](self.drop(pooled))


def batches(found: list[Item], *, shuffle: bool = True) -> list[list[Item]]:
    """Return items in batches of one task and of like length; what shares a group stays together."""
    out = []
    for task in CLASSES:
        groups: dict[int, list[Item]] = {}
        for n, one in enumerate(one for one in found if one.task == task):
            groups.setdefault(one.group if one.group >= 0 else -n - 1, []).append(one)
        mine = list(groups.values())
        if shuffle:
            random.shuffle(mine)
        size = BATCH if task != "answer" else BATCH // HARDEST
        chunks = [
            sorted(
                mine[k : k + size * 8],
                key=lambda group: max(len(one.one) + len(one.other) for one in group),
            )
            for k in range(0, len(mine), size * 8)
        ]
        out += [
            [one for group in chunk[k : k + size] for one in group]
            for chunk in chunks
            for k in range(0, len(chunk), size)
        ]
    if shuffle:
        random.shuffle(out)
    return out


def encoded(tokenizer, batch: list[Item]) -> tuple[torch.Tensor, torch.Tensor]:
    made = tokenizer(
        [one.one for one in batch],
        [one.other for one in batch],
        padding=True,
        truncation=True,
        max_length=LONGEST,
        return_tensors="pt",
    )
    return made["input_ids"], made["attention_mask"]


def hardest(model: Judge, tokenizer, batch: list[Item]) -> list[Item]:
    """Return a batch with, of what does not answer a question, what the model finds likeliest."""
    if batch[0].task != "answer":
        return batch
    model.eval()
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
        score = model("answer", *encoded(tokenizer, batch)).float()
    odds = (score[:, 1] - score[:, 0]).tolist()
    wrong: dict[int, list[int]] = {}
    for n, one in enumerate(batch):
        if not one.label:
            wrong.setdefault(one.group, []).append(n)
    kept = {n for found in wrong.values() for n in sorted(found, key=lambda n: -odds[n])[:HARDEST]}
    return [one for n, one in enumerate(batch) if one.label or n in kept]


def loss(score: torch.Tensor, batch: list[Item]) -> torch.Tensor:
    """Return how wrong scores are: each pair alone, and the best of a question among its statements."""
    lost = nn.functional.cross_entropy(
        score, torch.tensor([one.label for one in batch]), label_smoothing=0.05
    )
    if batch[0].task != "answer":
        return lost
    odds, groups = score[:, 1] - score[:, 0], {}
    for n, one in enumerate(batch):
        groups.setdefault(one.group, []).append(n)
    ranked = []
    for rows_of in groups.values():
        right = torch.tensor([float(batch[n].label) for n in rows_of])
        if 0 < right.sum() < len(rows_of):
            ranked.append(-(odds[rows_of].log_softmax(0) * right).sum() / right.sum())
    return lost + (0.5 * torch.stack(ranked).mean() if ranked else 0.0)


def measured(model: Judge, tokenizer, found: list[Item]) -> dict[str, float]:
    right: dict[str, list[bool]] = {}
    model.eval()
    with torch.no_grad():
        for batch in batches(found, shuffle=False):
            told = model(batch[0].task, *encoded(tokenizer, batch)).argmax(-1).tolist()
            right.setdefault(batch[0].task, []).extend(
                a == one.label for a, one in zip(told, batch, strict=True)
            )
    return {task: round(float(np.mean(found)), 3) for task, found in right.items()}


def chosen(model: Judge, tokenizer, lives: list[dict], near: Near) -> float:
    """Return how often the best of the twelve likest and the right ones answers a question."""
    right = []
    model.eval()
    with torch.no_grad():
        for life in lives:
            for question, good, neither in asked_of(life):
                if good:
                    others = near.first(
                        question,
                        [t for _, t, _ in told_in(life) if t not in good and t not in neither],
                    )
                    batch = grouped(question, good, others[:12])
                    score = model("answer", *encoded(tokenizer, batch))
                    right.append(bool(batch[int((score[:, 1] - score[:, 0]).argmax())].label))
    return round(float(np.mean(right)), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base")
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--heads", help="heads to begin with")
    parser.add_argument("--tasks", default="compare,entail,answer")
    parser.add_argument("--share", type=float, default=1, help="of what is not among the plainest")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--aside", default="", help="lives that are not learnt from")
    given = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    torch.set_num_threads(given.threads)
    tokenizer, model = AutoTokenizer.from_pretrained(given.base), Judge(given.base)
    if given.heads:
        model.heads.load_state_dict(
            {k: torch.tensor(v.astype(np.float32)) for k, v in np.load(given.heads).items()},
            strict=False,
        )
    lives = rows("lives_*.jsonl")
    aside = [one for name in given.aside.split(",") if name for one in rows(f"lives_{name}.jsonl")]
    lives = [life for life in lives if life["id"] not in {one["id"] for one in aside}]
    near = Near(
        tokenizer,
        model.encoder.embeddings.word_embeddings.weight.detach().clone(),
        [t for life in lives for _, t, _ in told_in(life)],
    )
    found, apart = items(lives, near, random.Random(3)), kept_apart()
    found = [one for one in found if one.task in given.tasks.split(",")]
    plain = {(row["a"], row["b"]) for row in rows(*PLAIN)}
    plain |= {(one.one, one.other) for row in rows("parts_*.jsonl") for one in in_parts(row)}
    found = [
        one for one in found if (one.one, one.other) in plain or random.random() < given.share
    ]
    print(
        len(found),
        "pairs,",
        len(batches(found)),
        "batches",
        {task: sum(one.task == task for one in found) for task in CLASSES},
        flush=True,
    )
    for part in (model.encoder.embeddings, *model.encoder.encoder.layer[: len(model.encoder.encoder.layer) // FROZEN]):
        part.requires_grad_(False)
    groups = [
        {"params": [p for p in model.encoder.parameters() if p.requires_grad], "lr": given.rate},
        {"params": model.heads.parameters(), "lr": given.rate * (4 if given.heads else 10)},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    rates = [group["lr"] for group in groups]
    started, step, queue, told = time.time(), 0, [], []
    while (done := (time.time() - started) / 60 / given.minutes) < 1:
        queue = queue or batches(found)
        batch = hardest(model, tokenizer, queue.pop())
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * min(1, done / 0.06 + 0.02) * (1 - done)
        model.train()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
            score = model(batch[0].task, *encoded(tokenizer, batch))
        lost = loss(score.float(), batch)
        optimiser.zero_grad()
        lost.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step, told = step + 1, [*told[-200:], lost.item()]
        if step % 50 == 0:
            print(f"{step}: {np.mean(told):.3f}, {time.time() - started:.0f} s", flush=True)
    print(measured(model, tokenizer, apart), flush=True)
    model.encoder.save_pretrained(given.out)
    tokenizer.save_pretrained(given.out)
    np.savez(
        given.out / "heads.npz",
        **{k: v.detach().numpy().astype(np.float16) for k, v in model.heads.state_dict().items()},
    )
    if aside and "answer" in given.tasks:
        print("best of a life:", chosen(model, tokenizer, aside, near), flush=True)


if __name__ == "__main__":
    main()
