"""Train the judge: one small BERT that reads two texts together, with a head for each task.

usage: train_judge.py BASE_DIR OUT_DIR [--epochs 2] [--rate 6e-5] [--heads HEADS.npz]

BASE_DIR holds a BERT of 384 dimensions with its tokenizer (model.safetensors, config.json, vocab.txt).
The tasks and the order of their classes stand in app/providers/judging.py. Trained on:

- compare: ``data/pairs_*`` and, from ``data/lives_*``, what a message changed or ended beside what it
  changed, and statements of one life that have nothing to do with one another;
- entail: ``data/entail_*``, and statements with one number, name or negation changed by rule;
- answer: ``data/answers_*``, the questions and orders of ``data/lives_*`` beside what answers them and what
  only looks alike, and questions of ``../training/train_*``.

Token types are all 0, as llama.cpp has them. Prints what each task reaches on the sets that are kept
apart in tests/evals/understanding. export_judge.py makes the shipped files of OUT_DIR.

Needs torch, transformers; half an hour (6 layers) to an hour (12 layers) on two processor cores.
"""

import argparse
import json
import random
import re
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from transformers import AutoModel, AutoTokenizer

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RELATIONS = ("same", "adds", "replaces", "ends", "contradicts", "unrelated")
CLASSES = {"compare": 6, "entail": 2, "answer": 2}
BATCH, LONGEST, TWISTED, STRANGERS = 24, 96, 500, 600
ABOUT = ("forget", "delete_about", "ask_known", "stop_instruct")
NAMES = "Anna Maria Sofia Lena Priya Amara Keiko Fatima Olga Ines Tom Ben Jonas Karim Pedro Kofi Igor Liam Noah Diego".split()
NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()

Item = tuple[str, str, str, int]  # task, one text, the other, class


def rows(*patterns: str) -> list[dict]:
    files = [path for pattern in patterns for path in sorted((HERE / "data").glob(pattern))]
    return [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines() if line.strip()]


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
    return sorted(others, key=lambda other: len(mine & words(other)) + chance.random(), reverse=True)


def of_lives(chance: random.Random) -> list[Item]:
    """Return questions, orders and changes as they occur in lives."""
    found: list[Item] = []
    for life in rows("lives_*.jsonl"):
        told = [(n, alone(x), x) for n, line in enumerate(life["talk"]) for x in line.get("tells", ())]
        for ask in life["asks"]:
            quotes = [ask["quote"]] if isinstance(ask.get("quote"), str) else ask.get("quote") or []
            home = set(ask.get("from") or ())
            good = [t for n, t, x in told if n in home and any(_covers(x["q"], quote) for quote in quotes)]
            good = [t for t in good if not any(wrong.lower() in t.lower() for wrong in ask.get("not", ()))]
            bad = alike(ask["q"], [t for n, t, _ in told if n not in home], chance)
            found += [("answer", ask["q"], t, 1) for t in good[:3]]
            found += [("answer", ask["q"], t, 0) for t in (*bad[:3], *chance.sample(bad[3:], min(1, len(bad[3:]))))]
        for order in life["orders"]:
            if order["kind"] in ABOUT:
                named = [w.lower() for w in order["kept" if order["kind"] == "ask_known" else "gone"]]
                meant = [t for _, t, _ in told if any(w in t.lower() for w in named)]
                others = alike(order["said"], [t for _, t, _ in told if t not in meant], chance)
                found += [("answer", order["said"], t, 1) for t in meant[:4]]
                found += [("answer", order["said"], t, 0) for t in others[:6]]
        found += _changes(life, told, chance)
    return found


def _covers(said: str, quote: str) -> bool:
    if said in quote or quote in said:
        return True
    a, b = set(said.split()), set(quote.split())
    return len(a & b) > 0.6 * min(len(a), len(b))


def _changes(life: dict, told: list[tuple[int, str, dict]], chance: random.Random) -> list[Item]:
    found: list[Item] = []
    changed = set()
    for fact in (one for one in life["facts"] if one["until"] is not None):
        held = [t for n, t, _ in told if n in fact["from"] and all(any(w.lower() in t.lower() for w in group) for group in fact["must"])]
        news = [(t, x) for n, t, x in told if n == fact["until"] and x.get("change")]
        if held and len(news) == 1:
            relation = "ends" if news[0][1]["change"] == "ends" else "replaces"
            found.append(("compare", held[0], news[0][0], RELATIONS.index(relation)))
            changed.add((held[0], news[0][0]))
    for n, text, x in told:
        near = alike(text, [t for m, t, _ in told if m < n], chance)[:2] + [t for m, t, _ in told if m == n and t != text][:1]
        for other in near:
            shared = len(words(text) & words(other))
            if (other, text) not in changed and not (x.get("change") and shared) and chance.random() < 0.4:
                found.append(("compare", other, text, RELATIONS.index("unrelated" if shared < 3 else "adds")))
    return found


def twisted(text: str, chance: random.Random) -> str | None:
    """Return a statement with one number, name or negation changed; None where it has none."""
    ways = []
    for pattern, others in ((r"\b\d+\b", None), (rf"\b(?:{'|'.join(NUMBERS)})\b", NUMBERS), (r"(?<=[a-z,] )[A-Z][a-z]{2,}\b", NAMES)):
        if spots := list(re.finditer(pattern, text)):
            spot = chance.choice(spots)
            new = chance.choice([w for w in others if w != spot.group().lower()]) if others else str(int(spot.group()) + chance.choice([1, 2, 5, 10]))
            ways.append(text[: spot.start()] + new + text[spot.end() :])
    if re.search(r"\b(?:not|never)\b|n't\b", text):
        ways.append(re.sub(r"\b(?:not|never) |n't\b", "", text, count=1))
    elif re.search(r"\b(?:am|is|are|was|has|have|had|will|can)\b", text):
        ways.append(re.sub(r"\b(am|is|are|was|has|have|had|will|can)\b", r"\1 not", text, count=1))
    return chance.choice(ways) if ways else None


def third_person(text: str) -> str:
    for pattern, put in ((r"\bI(?:'m| am)\b", "The user is"), (r"\b[Mm]y\b", "the user's"), (r"\bI\b", "The user")):
        text = re.sub(pattern, put, text)
    return text


def items(chance: random.Random) -> list[Item]:
    """Return everything there is to learn from."""
    found: list[Item] = [("compare", r["a"], r["b"], RELATIONS.index(r["label"])) for r in rows("pairs_*.jsonl")]
    found += [("entail", r["said"], r["written"], int(r["label"] == "faithful")) for r in rows("entail_*.jsonl")]
    for row in rows("answers_*.jsonl"):
        others = [f for f in row["found"] if f["a"] != 2]
        chance.shuffle(others)
        found += [("answer", row["q"], f["t"], int(f["a"] == 2)) for f in [f for f in row["found"] if f["a"] == 2] + others[:3]]
    lines = [line for life in rows("lives_*.jsonl") for line in life["talk"]] + rows("messages_*.jsonl")
    said = [alone(x) for line in lines for x in line.get("tells", ())]
    for text in chance.sample(said, TWISTED):
        if changed := twisted(text, chance):
            person = third_person if chance.random() < 0.5 else str
            found += [("entail", text, person(changed), 0), ("entail", text, person(text), 1)]
    found += of_lives(chance)
    return found + chance.sample(strangers(chance), STRANGERS)


def strangers(chance: random.Random) -> list[Item]:
    """Return questions over conversations of other people, from what the embedder was tuned on."""
    found: list[Item] = []
    for path in sorted((HERE.parent / "training").glob("train_*.json")):
        for talk in json.loads(path.read_text("utf-8")):
            said = [m["t"] if talk["kind"] == "assistant" else f"{m['s']}: {m['t']}" for m in talk["messages"]]
            for question in (q for q in talk["questions"] if q["e"]):
                others = alike(question["q"], [s for n, s in enumerate(said) if n not in question["e"]], chance)
                found.append(("answer", question["q"], said[question["e"][0]], 1))
                found += [("answer", question["q"], other, 0) for other in others[:2]]
    return found


def kept_apart() -> list[Item]:
    folder = ROOT / "tests/evals/understanding"
    pairs, entail = ([json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()] for name in ("pairs.jsonl", "entail.jsonl"))
    found: list[Item] = [("compare", r["a"], r["b"], RELATIONS.index(r["label"])) for r in pairs]
    return found + [("entail", r["said"], r["written"], int(r["label"] == "faithful")) for r in entail]


class Judge(nn.Module):
    def __init__(self, base: str) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(base, add_pooling_layer=False)
        dims = self.encoder.config.hidden_size
        self.drop = nn.Dropout(0.1)
        self.heads = nn.ModuleDict({task: nn.Sequential(nn.Linear(2 * dims, dims), nn.Tanh(), nn.Dropout(0.1), nn.Linear(dims, n)) for task, n in CLASSES.items()})

    def forward(self, task: str, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        states = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=torch.zeros_like(ids)).last_hidden_state
        weight = mask[..., None].float()
        pooled = torch.cat([states[:, 0], (states * weight).sum(1) / weight.sum(1)], -1)
        return self.heads[task](self.drop(pooled))


def batches(found: list[Item], *, shuffle: bool = True) -> list[list[Item]]:
    out = []
    for task in CLASSES:
        mine = [one for one in found if one[0] == task]
        if shuffle:
            random.shuffle(mine)
        chunks = [sorted(mine[k : k + BATCH * 8], key=lambda one: len(one[1]) + len(one[2])) for k in range(0, len(mine), BATCH * 8)]
        out += [chunk[k : k + BATCH] for chunk in chunks for k in range(0, len(chunk), BATCH)]
    if shuffle:
        random.shuffle(out)
    return out


def encoded(tokenizer, batch: list[Item]) -> tuple[torch.Tensor, torch.Tensor]:
    made = tokenizer([one[1] for one in batch], [one[2] for one in batch], padding=True, truncation=True, max_length=LONGEST, return_tensors="pt")
    return made["input_ids"], made["attention_mask"]


def measured(model: Judge, tokenizer, found: list[Item]) -> dict[str, float]:
    right: dict[str, list[bool]] = {}
    model.eval()
    with torch.no_grad():
        for batch in batches(found, shuffle=False):
            told = model(batch[0][0], *encoded(tokenizer, batch)).argmax(-1).tolist()
            right.setdefault(batch[0][0], []).extend(a == one[3] for a, one in zip(told, batch, strict=True))
    return {task: round(float(np.mean(found)), 3) for task, found in right.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base")
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--heads", help="heads to begin with")
    given = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    found, apart = items(random.Random(3)), kept_apart()
    tokenizer, model = AutoTokenizer.from_pretrained(given.base), Judge(given.base)
    if given.heads:
        model.heads.load_state_dict({k: torch.tensor(v.astype(np.float32)) for k, v in np.load(given.heads).items()})
    groups = [{"params": model.encoder.parameters(), "lr": given.rate}, {"params": model.heads.parameters(), "lr": given.rate * (2 if given.heads else 10)}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = len(batches(found)) * given.epochs
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda k: min(1, (k + 1) / (0.06 * steps + 1)) * max(0, 1 - k / steps))
    started = time.time()
    for epoch in range(given.epochs):
        model.train()
        for batch in batches(found):
            score = model(batch[0][0], *encoded(tokenizer, batch))
            lost = nn.functional.cross_entropy(score, torch.tensor([one[3] for one in batch]), label_smoothing=0.05)
            optimiser.zero_grad()
            lost.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
        print(f"epoch {epoch + 1}: {measured(model, tokenizer, apart)}, {time.time() - started:.0f} s", flush=True)
    model.encoder.save_pretrained(given.out)
    tokenizer.save_pretrained(given.out)
    np.savez(given.out / "heads.npz", **{k: v.detach().numpy().astype(np.float16) for k, v in model.heads.state_dict().items()})


if __name__ == "__main__":
    main()
