"""Train the judge: one small BERT that reads two texts together, with a head for each task.

usage: train_judge.py BASE_DIR OUT_DIR [--minutes 20] [--rate 5e-5] [--heads HEADS.npz] [--aside E,G,I]

BASE_DIR holds a BERT of 384 dimensions with its tokenizer (model.safetensors, config.json, vocab.txt).
The tasks and the order of their classes stand in app/providers/judging.py. Trained on:

- compare: ``data/pairs_*`` and, from ``data/lives_*``, what a message changed or ended beside what it
  changed, and statements of one life that have nothing to do with one another;
- entail: ``data/entail_*``, and statements with one number, name or negation changed by rule.

Token types are all 0, as llama.cpp has them. Prints what each task reaches on the sets that are kept
apart in tests/evals/understanding. export_judge.py makes the shipped files of OUT_DIR.

Needs torch, transformers; two processor cores are enough.
"""

import argparse
import json
import random
import re
import time
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
CLASSES = {"compare": 6, "entail": 2}
BATCH, LONGEST, TWISTED, FROZEN = 32, 96, 500, 3
BESIDE_CHANGES = 6  # statements of one life beside each that changes something else
PLAIN, PLAINLY = "pairs_6.jsonl", 2  # the plainest pairs count once more and again
NAMES = "Anna Maria Sofia Lena Priya Amara Keiko Fatima Olga Ines Tom Ben Jonas Karim Pedro Kofi Igor Liam Noah Diego".split()
NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()


@dataclass(frozen=True)
class Item:
    """One pair to judge."""

    task: str
    one: str
    other: str
    label: int


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


def _changes(life: dict, told: list[tuple[int, str, dict]], chance: random.Random) -> list[Item]:
    found: list[Item] = []
    changed = set()
    for fact in (one for one in life["facts"] if one["until"] is not None):
        held = [
            t
            for n, t, _ in told
            if n in fact["from"]
            and all(any(w.lower() in t.lower() for w in group) for group in fact["must"])
        ]
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


def items(lives: list[dict], chance: random.Random) -> list[Item]:
    """Return everything there is to learn from."""
    found = [
        Item("compare", r["a"], r["b"], RELATIONS.index(r["label"])) for r in rows("pairs_*.jsonl")
    ]
    plain = rows(PLAIN)
    found += [
        Item("compare", r["a"], r["b"], RELATIONS.index(r["label"])) for r in plain * PLAINLY
    ]
    found += [
        Item("entail", r["said"], r["written"], int(r["label"] == "faithful"))
        for r in rows("entail_*.jsonl")
    ]
    lines = [line for life in lives for line in life["talk"]] + rows("messages_*.jsonl")
    said = [alone(x) for line in lines for x in line.get("tells", ())]
    for text in chance.sample(said, TWISTED):
        if changed := twisted(text, chance):
            person = third_person if chance.random() < 0.5 else str
            found += [
                Item("entail", text, person(changed), 0),
                Item("entail", text, person(text), 1),
            ]
    for life in lives:
        found += _changes(life, told_in(life), chance)
    return found


def kept_apart() -> list[Item]:
    folder = ROOT / "tests/evals/understanding"
    pairs, entail = (
        [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
        for name in ("pairs.jsonl", "entail.jsonl")
    )
    found = [Item("compare", r["a"], r["b"], RELATIONS.index(r["label"])) for r in pairs]
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
    """Return items in batches of one task and of like length."""
    out = []
    for task in CLASSES:
        mine = [one for one in found if one.task == task]
        if shuffle:
            random.shuffle(mine)
        for k in range(0, len(mine), BATCH * 8):
            chunk = sorted(mine[k : k + BATCH * 8], key=lambda one: len(one.one) + len(one.other))
            out += [chunk[n : n + BATCH] for n in range(0, len(chunk), BATCH)]
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base")
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--heads", help="heads to begin with")
    parser.add_argument("--tasks", default="compare,entail")
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
    found, apart = items(lives, random.Random(3)), kept_apart()
    found = [one for one in found if one.task in given.tasks.split(",")]
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
        {"params": model.heads.parameters(), "lr": given.rate * (2 if given.heads else 10)},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    rates = [group["lr"] for group in groups]
    started, step, queue, told = time.time(), 0, [], []
    while (done := (time.time() - started) / 60 / given.minutes) < 1:
        queue = queue or batches(found)
        batch = queue.pop()
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * min(1, done / 0.06 + 0.02) * (1 - done)
        model.train()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
            score = model(batch[0].task, *encoded(tokenizer, batch))
        right = torch.tensor([one.label for one in batch])
        lost = nn.functional.cross_entropy(score.float(), right, label_smoothing=0.05)
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


if __name__ == "__main__":
    main()
