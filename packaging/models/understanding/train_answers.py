"""Train the model that chooses which statement of a list answers a question.

usage: train_answers.py BASE_DIR OUT_DIR [--minutes 40] [--rate 4e-5] [--heads HEADS.npz] [--aside E,G,I]

BASE_DIR holds a BERT with its tokenizer (model.safetensors, config.json, vocab.txt). It reads

    [CLS] question [SEP] newest statement [SEP] older statement [SEP] ... oldest statement [SEP]

in one pass, so that what a newer statement changed is seen beside what it changed, and gives each
statement a number and "none of them" another (``app/providers/judging.py``). Each statement that
answers competes with those that do not and with none. A list of one statement judges it alone; a
part of what is learnt from is cut into such. Learnt from:

- ``data/contest_*`` and ``data/answers_*``: questions and orders with statements that were written
  beside them; ``data/asked_*``: questions of one statement, beside those of other people;
- the questions and orders of ``data/lives_*``, ``data/questions_*``, beside what in the same life is
  most alike: told statements, and what messages say that tell nothing.

Prints, for the lives kept aside, how often the best of a list is right, how often a list without an
answer is known to have none, and how often one with an answer is taken to have none.

Needs torch, transformers; two processor cores are enough. export_judge.py makes the shipped files.
"""

import argparse
import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from train_judge import rows, told_in
from transformers import AutoModel, AutoTokenizer

QUESTION, STATEMENT, WHOLE = 64, 60, 460  # tokens
OFFERED, FROZEN, TOKENS = 8, 5, 2400
CUT = 0.3  # of the lists, cut into lists of one or two
ABOUT = ("forget", "delete_about", "ask_known", "stop_instruct")
SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")


@dataclass(frozen=True)
class Question:
    """A question with statements, newest first, and which of them answer."""

    text: str
    statements: tuple[str, ...]
    right: tuple[bool, ...]
    kind: str = ""


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


def _covers(said: str, quote: str) -> bool:
    if said in quote or quote in said:
        return True
    a, b = set(said.split()), set(quote.split())
    return len(a & b) > 0.6 * min(len(a), len(b))


def written() -> list[Question]:
    """Return questions whose statements were written beside them."""
    found = []
    for row in rows("contest_*.jsonl"):
        told = sorted(row["found"], key=lambda one: one["d"])
        found.append(_listed(row["q"], [(o["t"], o["a"] == 2) for o in told], row["kind"]))
    for row in rows("answers_*.jsonl"):
        if row["kind"] != "changed":  # without days, nothing tells which is newer
            told = random.sample(row["found"], len(row["found"]))
            found.append(_listed(row["q"], [(o["t"], o["a"] == 2) for o in told], row["kind"]))
    return found


def of_statements(near: Near, chance: random.Random) -> list[Question]:
    """Return questions that were asked of one statement, beside those of other people."""
    found: list[Question] = []
    asked = rows("asked_*.jsonl")
    texts = sorted({row["t"] for row in asked})
    for row in asked:
        pool = [text for text in chance.sample(texts, min(60, len(texts))) if text != row["t"]]
        shown = [row["t"], *near.first(row["q"], pool)[: OFFERED - 2]]
        chance.shuffle(shown)
        found.append(_listed(row["q"], [(t, t == row["t"]) for t in shown], row["kind"]))
        if row.get("near"):
            found.append(_listed(row["near"], [(t, False) for t in shown], "unknown"))
    return found


def _listed(question: str, told: list[tuple[str, bool]], kind: str) -> Question:
    return Question(question, tuple(t for t, _ in told), tuple(r for _, r in told), kind)


def of_lives(lives: list[dict], near: Near, chance: random.Random) -> list[Question]:
    """Return the questions and orders of lives, beside what in the same life is most alike."""
    found = []
    for life in lives:
        told = told_in(life)
        silent = [
            (n, one.strip())
            for n, line in enumerate(life["talk"])
            if not line.get("tells")
            for one in SENTENCE.findall(line["said"])
            if len(one.split()) > 3 and "?" not in one
        ]
        pool = [(n, text) for n, text, _ in told] + silent
        for question, good, neither in asked_of(life):
            others = list(dict.fromkeys(t for _, t in pool if t not in good and t not in neither))
            first = near.first(question, others)
            chosen = first[: OFFERED - 3 - len(good[:3])] + chance.sample(first[6:26], 2)
            right = set(good[:4])
            when = {text: n for n, text in pool}
            shown = sorted({*chosen, *right, *list(neither)[:1]}, key=lambda t: -when.get(t, 0))
            kind = next((a["kind"] for a in life["asks"] if a["q"] == question), "")
            found.append(_listed(question, [(t, t in right) for t in shown], kind))
    return found


class Chooser(nn.Module):
    """The encoder, and what makes a number of each statement and of none."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(base, add_pooling_layer=False)
        dims = self.encoder.config.hidden_size
        self.heads = nn.ModuleDict(
            {
                "answer": nn.Sequential(
                    nn.Linear(2 * dims, dims), nn.Tanh(), nn.Dropout(0.1), nn.Linear(dims, 1)
                ),
                "none": nn.Sequential(
                    nn.Linear(2 * dims, dims), nn.Tanh(), nn.Dropout(0.1), nn.Linear(dims, 1)
                ),
            }
        )

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, spans: torch.Tensor) -> torch.Tensor:
        """Return numbers, shape (lists, 1 + statements); the first is for none.

        Args:
            spans: Shape (lists, 1 + statements, tokens), 1 where a token belongs to the question or
                to a statement; a row of zeros is no statement.
        """
        states = self.encoder(
            input_ids=ids, attention_mask=mask, token_type_ids=torch.zeros_like(ids)
        ).last_hidden_state.float()
        size = spans.sum(-1, keepdim=True)
        means = spans @ states / size.clamp(min=1)
        whole = states[:, :1].expand_as(means)
        pooled = torch.cat([whole, means], -1)
        score = torch.cat([self.heads["none"](pooled[:, :1]), self.heads["answer"](pooled[:, 1:])], 1)
        return score[..., 0].masked_fill(size[..., 0] == 0, -1e4)


def encoded(tokenizer, batch: list[Question]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return token ids, mask and spans of questions."""
    lists, places = [], []
    for one in batch:
        ids = [tokenizer.cls_token_id, *_ids(tokenizer, one.text)[:QUESTION], tokenizer.sep_token_id]
        spans = [(1, len(ids) - 1)]
        for text in one.statements:
            said = _ids(tokenizer, text)[:STATEMENT]
            if len(ids) + len(said) + 1 > WHOLE:
                break
            spans.append((len(ids), len(ids) + len(said)))
            ids += [*said, tokenizer.sep_token_id]
        lists.append(ids)
        places.append(spans)
    longest, most = max(map(len, lists)), max(len(one.statements) for one in batch) + 1
    ids = torch.zeros(len(batch), longest, dtype=torch.long)
    mask = torch.zeros(len(batch), longest, dtype=torch.long)
    spans = torch.zeros(len(batch), most, longest)
    for n, (row, found) in enumerate(zip(lists, places, strict=True)):
        ids[n, : len(row)] = torch.tensor(row)
        mask[n, : len(row)] = 1
        for k, (start, end) in enumerate(found):
            spans[n, k, start:end] = 1
    return ids, mask, spans


_kept: dict[str, list[int]] = {}


def _ids(tokenizer, text: str) -> list[int]:
    if text not in _kept:
        _kept[text] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return _kept[text]


def loss(score: torch.Tensor, batch: list[Question]) -> torch.Tensor:
    """Return how wrong numbers are: each right statement against the wrong ones and none."""
    lost = []
    for row, one in zip(score, batch, strict=True):
        right = [n + 1 for n, r in enumerate(one.right) if r and row[n + 1] > -1e3]
        wrong = [0] + [n + 1 for n, r in enumerate(one.right) if not r and row[n + 1] > -1e3]
        if not right:
            lost.append(F.cross_entropy(row[wrong][None], torch.zeros(1, dtype=torch.long), label_smoothing=0.05))
            continue
        each = [F.cross_entropy(row[[n, *wrong]][None], torch.zeros(1, dtype=torch.long), label_smoothing=0.05) for n in right]
        lost.append(torch.stack(each).mean())
    return torch.stack(lost).mean()


def varied(one: Question, chance: random.Random) -> list[Question]:
    """Return a question as it is learnt from this time: whole, fewer statements, or one by one."""
    pairs = list(zip(one.statements, one.right, strict=True))
    draw = chance.random()
    if draw < CUT:
        wrong = [pair for pair in pairs if not pair[1]]
        right = [pair for pair in pairs if pair[1]]
        kept = chance.sample(wrong, min(len(wrong), 2)) + chance.sample(right, min(len(right), 1))
        return [_listed(one.text, [pair], one.kind) for pair in kept]
    if draw < CUT + 0.15:  # what answers may be missing
        pairs = [p for p in pairs if not p[1]] or pairs
    elif draw < CUT + 0.3:
        pairs = [p for p in pairs if p[1] or chance.random() < 0.7]
    return [_listed(one.text, pairs, one.kind)]


def batches(found: list[Question], chance: random.Random) -> list[list[Question]]:
    made = [part for one in found for part in varied(one, chance)]
    chance.shuffle(made)
    out = []
    for k in range(0, len(made), 256):
        chunk = sorted(made[k : k + 256], key=lambda q: sum(map(len, q.statements)))
        batch: list[Question] = []
        for one in chunk:
            size = min(WHOLE, 12 + sum(len(t) for t in one.statements) // 4)
            if batch and size * (len(batch) + 1) > TOKENS:
                out.append(batch)
                batch = []
            batch.append(one)
        out.append(batch)
    chance.shuffle(out)
    return out


def measured(model: Chooser, tokenizer, found: list[Question]) -> dict[str, float]:
    """Return how often the best is right, and how often none is told rightly and wrongly."""
    model.eval()
    first, silent, honest, kinds = [], [], [], {}
    with torch.no_grad():
        for k in range(0, len(found), 8):
            batch = found[k : k + 8]
            for row, one in zip(model(*encoded(tokenizer, batch)), batch, strict=True):
                best = int(row[1:].argmax())
                none = bool(row[0] > row[1 + best])
                if any(one.right):
                    first.append(one.right[best])
                    kinds.setdefault(one.kind, []).append(one.right[best])
                    silent.append(none)
                else:
                    honest.append(none)
    told = {"first": first, "silent": silent, "honest": honest, **kinds}
    return {name: (round(float(np.mean(v)), 3), len(v)) for name, v in told.items() if v}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base")
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--rate", type=float, default=4e-5)
    parser.add_argument("--heads")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--aside", default="E,G,I")
    given = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    torch.set_num_threads(given.threads)
    tokenizer, model = AutoTokenizer.from_pretrained(given.base), Chooser(given.base)
    if given.heads:
        kept = {k: torch.tensor(v.astype(np.float32)) for k, v in np.load(given.heads).items()}
        model.heads.load_state_dict(kept)
    aside = [life for name in given.aside.split(",") for life in rows(f"lives_{name}.jsonl")]
    names = {life["id"] for life in aside}
    lives = [life for life in rows("lives_*.jsonl") if life["id"] not in names]
    near = Near(
        tokenizer,
        model.encoder.embeddings.word_embeddings.weight.detach().clone(),
        [t for life in lives for _, t, _ in told_in(life)],
    )
    chance = random.Random(3)
    apart = of_lives(aside, near, random.Random(5))[::2]
    found = written() + of_statements(near, chance) + of_lives(lives, near, chance)
    print(len(found), "questions,", len(apart), "kept aside", flush=True)
    for part in (model.encoder.embeddings, *model.encoder.encoder.layer[:FROZEN]):
        part.requires_grad_(False)
    groups = [
        {"params": [p for p in model.encoder.parameters() if p.requires_grad], "lr": given.rate},
        {"params": model.heads.parameters(), "lr": given.rate * (2 if given.heads else 10)},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    rates = [group["lr"] for group in groups]
    started, step, queue, told = time.time(), 0, [], []
    while (done := (time.time() - started) / 60 / given.minutes) < 1:
        if not queue:
            queue = batches(found, chance)
            print(len(queue), "batches to go", flush=True)
        batch = queue.pop()
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * min(1, done / 0.06 + 0.02) * (1 - done)
        model.train()
        lost = loss(model(*encoded(tokenizer, batch)), batch)
        optimiser.zero_grad()
        lost.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step, told = step + 1, [*told[-100:], lost.item()]
        if step % 25 == 0:
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
