"""Train what tells whom the words of a message mean: a head over the judge that points to names.

usage: train_meant.py JUDGE_DIR OUT_DIR [--minutes 25] [--rate 5e-5] [--replay 0.06]

JUDGE_DIR holds a judge as train_judge.py leaves it, with heads.npz. The model reads ``[CLS] message [SEP] what stands before it
[SEP]``: memories, earlier messages, what was asked, a line each. From each word that may stand for a name it points to where
that name begins and ends, in the message before the word or in what stands before it; to the first token where no name stands
there. Learnt from the ``refs`` of all labelled messages (labels.py), from words that stand for nothing, from the first words of
statements that name nobody, and from what is named by what it is ("the tablet"), of which the last word points.

With ``--replay`` some of the judge's own pairs are taught along. Prints how often names are right on the
tenth kept aside (word, role, who; + where it stands before the message, 0 where there is none). Needs torch, transformers.
"""

import argparse
import hashlib
import random
import re
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import train_judge
from labels import bare, labelled
from torch import nn
from train_judge import FROZEN, HALF, Judge
from transformers import AutoTokenizer

ROOT = Path(__file__).resolve().parents[3]
WORDS = (ROOT / "resources/reading/words.toml").read_text("utf-8")
LINES, BATCH, LONGEST, DIMS = 900, 16, 384, 64
OTHERS = 0.1  # of messages in which nothing stands for anything
PLAIN = 0.1  # what a word weighs that stands for nothing
_WORD = re.compile(r"[^\W\d_]+")


def _listed(name: str) -> set[str]:
    return set(re.search(rf'{name} = """(.*?)"""', WORDS, re.DOTALL)[1].split())


STANDS_FOR = _listed("pronouns")

Place = tuple[int, int]


@dataclass(frozen=True)
class Asked:
    """A word of a message: where it stands, where its name stands (text 0 or 1), what it weighs."""

    at: int
    text: int
    place: Place | None
    weight: float
    kind: str


@dataclass
class Meant:
    """A message, what stands before it, and what its words stand for."""

    one: str
    other: str
    words: list[Asked]
    aside: bool


def before(row: dict) -> str:
    """Return what stands before a message, a line each, the end of it where it is long."""
    return "\n".join(line for line in (row["earlier"], row["asked"]) if line)[-LINES:]


def found_in(name: str, text: str) -> Place | None:
    """Return where a name stands last in a text."""
    for spelled in dict.fromkeys((name.lower(), bare(name))):
        spots = list(re.finditer(rf"(?<!\w){re.escape(spelled)}(?!\w)", text.lower()))
        if spots:
            return spots[-1].span()
    return None


def examples(chance: random.Random) -> list[Meant]:
    """Return everything to learn from."""
    found = []
    for row in labelled():
        if not row["new"] or not row["tells"]:
            continue
        aside = int(hashlib.md5(row["group"].encode()).hexdigest(), 16) % 10 == 0
        words = [one for start, end, told in row["tells"] for one in _words_of(row, start, end, told)]
        telling = any(word.place is not None or word.kind == "word" for word in words)
        if telling or (words and chance.random() < OTHERS):
            found.append(Meant(row["text"], before(row), words, aside))
    return found


def _words_of(row: dict, start: int, end: int, told: dict):
    """Yield the words of a statement that may mean somebody, with the names they stand for."""
    text, said = row["text"], row["text"][start:end]
    refs = {k.lower(): str(v) for k, v in (told.get("refs") or {}).items()}
    taken: list[Place] = []
    for phrase, name in refs.items():
        match = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", said.lower())
        if match is None:
            continue
        taken.append(match.span())
        last = match.start() + phrase.rfind(" ") + 1
        kind = "word" if phrase in STANDS_FOR else "role"
        yield from _named(row, start + last, start + match.start(), name, kind)
        if phrase in STANDS_FOR:  # as often as it stands there it means the same, as far as is told
            for again in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", said.lower()):
                if again.start() != match.start():
                    taken.append(again.span())
    for match in _WORD.finditer(said):
        if any(a <= match.start() < b for a, b in taken):
            continue
        if match[0].lower() in STANDS_FOR:
            yield Asked(start + match.start(), 0, None, 1.0, "word")
        elif row["roles"] and row["earlier"]:
            yield Asked(start + match.start(), 0, None, PLAIN, "plain")
    first = _WORD.search(said)
    whose = told.get("who") or "me"
    if first is None or any(a <= first.start() < b for a, b in taken) or first[0].lower() in STANDS_FOR:
        return
    if whose != "me" and not refs and bare(whose) not in said.lower():
        yield from _named(row, start + first.start(), start, whose, "who")
    elif whose == "me":
        yield Asked(start + first.start(), 0, None, 0.5, "who")


def _named(row: dict, at: int, begin: int, name: str, kind: str):
    """Yield a word with where its name stands: nearest before it in the message, else before that."""
    own, other = row["text"][:begin], before(row)
    for number, text in enumerate((own, other)):
        if place := found_in(name, text):
            yield Asked(at, number, place, 1.0, kind)
            return
    if _nowhere(name, f"{row['text']}\n{other}"):
        yield Asked(at, 0, None, 1.0, kind)


def _nowhere(name: str, text: str) -> bool:
    """Return whether no word of a name stands in a text."""
    return set(_WORD.findall(bare(name))).isdisjoint(_WORD.findall(text.lower()))


def batches(found: list[Meant], *, shuffle: bool = True) -> list[list[Meant]]:
    order = list(found)
    if shuffle:
        random.shuffle(order)
    chunks = [
        sorted(order[k : k + BATCH * 16], key=lambda one: len(one.one) + len(one.other))
        for k in range(0, len(order), BATCH * 16)
    ]
    out = [chunk[k : k + BATCH] for chunk in chunks for k in range(0, len(chunk), BATCH)]
    if shuffle:
        random.shuffle(out)
    return out


def encoded(tokenizer, batch: list[Meant]) -> tuple[dict, torch.Tensor, list[tuple]]:
    """Return the tokens, what may be pointed to, and of each word: sample, token, begin, end, weight, kind."""
    made = tokenizer(
        [one.one for one in batch],
        [one.other for one in batch],
        padding=True,
        truncation="longest_first",
        max_length=LONGEST,
        return_offsets_mapping=True,
        return_tensors="pt",
    )
    may = made["attention_mask"].clone()
    asked = []
    for n, one in enumerate(batch):
        part = np.array([-1 if part is None else part for part in made.sequence_ids(n)])
        may[n] = torch.tensor((part >= 0) | (np.arange(len(part)) == 0)).long() * may[n]
        offsets = made["offset_mapping"][n].numpy()
        for word in one.words:
            token = np.flatnonzero((part == 0) & (offsets[:, 0] == word.at) & (offsets[:, 1] > word.at))
            if not len(token):
                continue
            begin = end = 0
            if word.place is not None:
                inside = np.flatnonzero(
                    (part == word.text) & (offsets[:, 0] >= word.place[0]) & (offsets[:, 1] <= word.place[1]) & (offsets[:, 1] > offsets[:, 0])
                )
                if not len(inside):
                    continue
                begin, end = int(inside[0]), int(inside[-1])
            asked.append((n, int(token[0]), begin, end, word.weight, word.kind))
    return made, may, asked


class Head(nn.Module):
    """From each word to where its name begins and ends."""

    def __init__(self, dims: int) -> None:
        super().__init__()
        self.q, self.k = nn.Linear(dims, 2 * DIMS), nn.Linear(dims, 2 * DIMS)

    def forward(self, states: torch.Tensor, may: torch.Tensor, asked: list[tuple]) -> torch.Tensor:
        """Return log odds, shape (words, 2, tokens)."""
        rows, at = (torch.tensor([one[n] for one in asked]) for n in (0, 1))
        q = self.q(states[rows, at]).view(-1, 2, DIMS)
        k = self.k(states).view(*states.shape[:2], 2, DIMS)[rows]
        score = torch.einsum("nsd,njsd->nsj", q, k) / DIMS**0.5
        return score.masked_fill(may[rows][:, None] == 0, -1e4)


def points(judge: Judge, head: Head, made: dict, may: torch.Tensor, asked: list[tuple]) -> torch.Tensor:
    states = judge.encoder(
        input_ids=made["input_ids"],
        attention_mask=made["attention_mask"],
        token_type_ids=torch.zeros_like(made["input_ids"]),
    ).last_hidden_state
    return head(judge.drop(states).float(), may, asked)


def measured(judge: Judge, head: Head, tokenizer, found: list[Meant]) -> None:
    judge.eval()
    told: dict[str, list[tuple[bool, bool, float]]] = {}
    with torch.no_grad():
        for batch in batches(found, shuffle=False):
            made, may, asked = encoded(tokenizer, batch)
            if not asked:
                continue
            score = points(judge, head, made, may, asked).softmax(-1)
            sure = score.max(-1)[0].prod(1).sqrt().tolist()
            for (n, _, begin, end, _, kind), one, odds in zip(asked, score, sure, strict=True):
                at = one.argmax(-1).tolist()
                other = bool(begin) and begin > made.sequence_ids(n).index(None, 1)
                name = kind + ("0" if not begin else "+" if other else "")
                told.setdefault(name, []).append((at == [begin, end], at[0] > 0, odds))
    for kind, rows in sorted(told.items()):
        line = f"{kind}: {len(rows)}, right {np.mean([r for r, _, _ in rows]):.3f}"
        for limit in (0.5, 0.6, 0.7, 0.8):
            named = [r for r, named, sure in rows if named and sure >= limit]
            line += f"; at {limit}: {len(named)}, right {sum(named)}"
        print(line, flush=True)


def replayed(tokenizer, judge: Judge, learnt: list[Meant], share: float) -> list:
    """Return all pairs of parts and a share of the judge's others."""
    words = judge.encoder.embeddings.word_embeddings.weight.detach().clone()
    near = train_judge.Near(tokenizer, words, [one.one for one in learnt])
    parts = {(one.one, one.other) for row in train_judge.rows("parts_*.jsonl") for one in train_judge.in_parts(row)}
    return [
        one
        for one in train_judge.items(train_judge.rows("lives_*.jsonl"), near, random.Random(3))
        if one.task in ("compare", "entail", "newer")
        and ((one.one, one.other) in parts or random.random() < share)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base")
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--replay", type=float, default=0.0, help="of the judge's own pairs")
    given = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    torch.set_num_threads(2)
    tokenizer, judge = AutoTokenizer.from_pretrained(given.base), Judge(given.base)
    heads = np.load(Path(given.base) / "heads.npz")
    judge.heads.load_state_dict(
        {k: torch.tensor(v.astype(np.float32)) for k, v in heads.items() if not k.startswith("meant")},
        strict=False,
    )
    head = Head(judge.encoder.config.hidden_size)
    if "meant.q.weight" in heads.files:
        head.load_state_dict({n: torch.tensor(heads[f"meant.{n}"].astype(np.float32)) for n in head.state_dict()})
    found = examples(random.Random(2))
    learnt, apart = ([one for one in found if one.aside is kind] for kind in (False, True))
    named = sum(word.place is not None for one in learnt for word in one.words)
    print(len(learnt), "messages,", named, "names;", len(apart), "aside", flush=True)
    pairs = replayed(tokenizer, judge, learnt, given.replay) if given.replay else []
    print(len(pairs), "pairs", flush=True)
    layers = judge.encoder.encoder.layer
    for part in (judge.encoder.embeddings, *layers[: len(layers) // FROZEN]):
        part.requires_grad_(False)
    groups = [
        {"params": [p for p in judge.encoder.parameters() if p.requires_grad], "lr": given.rate},
        {"params": [*judge.heads.parameters()], "lr": given.rate},
        {"params": head.parameters(), "lr": given.rate * 10},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    rates = [group["lr"] for group in groups]
    started, step, told = time.time(), 0, []
    queue: list = []
    while (done := (time.time() - started) / 60 / given.minutes) < 1:
        if not queue:
            queue = [*batches(learnt), *train_judge.batches(pairs)]
            random.shuffle(queue)
            print(len(queue), "steps an epoch", flush=True)
        batch = queue.pop()
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * min(1, done / 0.06 + 0.02) * (1 - done)
        judge.train()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
            if isinstance(batch[0], Meant):
                made, may, asked = encoded(tokenizer, batch)
                if not asked:
                    continue
                score = points(judge, head, made, may, asked)
                begins, ends = (torch.tensor([one[n] for one in asked]) for n in (2, 3))
                weight = torch.tensor([one[4] for one in asked])
                lost = nn.functional.cross_entropy(score[:, 0], begins, reduction="none")
                lost = lost + nn.functional.cross_entropy(score[:, 1], ends, reduction="none")
                lost = (lost * weight).sum() / weight.sum() / 2
                told = [*told[-100:], lost.item()]
            else:
                score = judge(batch[0].task, *train_judge.encoded(tokenizer, batch)).float()
                lost = train_judge.loss(score, batch)
        optimiser.zero_grad()
        lost.backward()
        nn.utils.clip_grad_norm_([*judge.parameters(), *head.parameters()], 1.0)
        optimiser.step()
        step += 1
        if step % 50 == 0:
            print(f"{step}: {np.mean(told):.3f}, {time.time() - started:.0f} s", flush=True)
    measured(judge, head, tokenizer, apart)
    if given.replay:
        print(train_judge.measured(judge, tokenizer, train_judge.kept_apart()), flush=True)
    judge.encoder.save_pretrained(given.out)
    tokenizer.save_pretrained(given.out)
    state = {k: v for k, v in judge.heads.state_dict().items()}
    state |= {f"meant.{name}": value for name, value in head.state_dict().items()}
    np.savez(given.out / "heads.npz", **{k: v.detach().numpy().astype(np.float16) for k, v in state.items()})


if __name__ == "__main__":
    main()
