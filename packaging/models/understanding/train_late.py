"""Train the model that reads a question and a statement each alone and compares them word by word.

usage: train_late.py BASE_DIR OUT_DIR [--minutes 45] [--rate 6e-5] [--heads HEADS.npz] [--seed 2]

Late interaction, as in ColBERT: how well a statement answers is the mean over the question's tokens of the
best cosine with a token of the statement, scaled and shifted to log odds (``late.scale``, ``late.shift``).
BASE_DIR and the questions are those of train_judge.py; begun from answerai-colbert-small-v1, without its
last projection. Three losses: each pair alone, a question's right statements among those offered to
it, and among all statements of the batch.

Saves every eight minutes, and prints what it reaches on tests/evals/understanding/contest.jsonl; export_judge.py with TASKS "late" makes the shipped files of OUT_DIR.
"""

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
import train_judge as judge
from torch import nn
from transformers import AutoModel, AutoTokenizer

SCALE, SHIFT = 25.0, -15.0
FROZEN = 4  # layers
AMONG_OFFERED, AMONG_ALL = 0.7, 0.3
SAVED = 8 * 60  # seconds


class Late(nn.Module):
    """An encoder, and what makes log odds of word-by-word likeness."""

    def __init__(self, base: str, tokenizer) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(base, add_pooling_layer=False)
        self.tokenizer = tokenizer
        self.late = nn.ParameterDict(
            {"scale": torch.tensor(SCALE), "shift": torch.tensor(SHIFT)}
        )

    def vectors(self, texts: list[str]) -> tuple[torch.Tensor, torch.Tensor]:
        made = self.tokenizer(
            texts, padding=True, truncation=True, max_length=judge.LONGEST, return_tensors="pt"
        )
        ids, mask = made["input_ids"], made["attention_mask"]
        states = self.encoder(
            input_ids=ids, attention_mask=mask, token_type_ids=torch.zeros_like(ids)
        ).last_hidden_state
        return nn.functional.normalize(states, dim=-1), mask

    def forward(self, questions: list[str], texts: list[str]) -> torch.Tensor:
        """Return the log odds that each text answers each question, shape (questions, texts)."""
        asked, asked_mask = self.vectors(questions)
        said, said_mask = self.vectors(texts)
        alike = torch.einsum("qid,tjd->qtij", asked, said)
        best = alike.masked_fill(said_mask[None, :, None, :] == 0, -9).max(-1).values
        weight = asked_mask[:, None, :].float()
        mean = (best * weight).sum(-1) / weight.sum(-1)
        return mean * self.late["scale"] + self.late["shift"]


def loss(model: Late, batch: list[judge.Item]) -> torch.Tensor:
    questions = list(dict.fromkeys(one.one for one in batch))
    texts = list(dict.fromkeys(one.other for one in batch))
    odds = model(questions, texts)
    q, t = ({text: n for n, text in enumerate(found)} for found in (questions, texts))
    mine = torch.stack([odds[q[one.one], t[one.other]] for one in batch])
    right = torch.tensor([float(one.label) for one in batch])
    lost = nn.functional.binary_cross_entropy_with_logits(mine, right * 0.95 + 0.025)
    groups: dict[int, list[int]] = {}
    for n, one in enumerate(batch):
        groups.setdefault(one.group, []).append(n)
    offered = [
        -(mine[rows].log_softmax(0) * right[rows]).sum() / right[rows].sum()
        for rows in groups.values()
        if 0 < right[rows].sum() < len(rows)
    ]
    if offered:
        lost = lost + AMONG_OFFERED * torch.stack(offered).mean()
    answers = torch.zeros_like(odds)
    for one in batch:
        if one.label:
            answers[q[one.one], t[one.other]] = 1
    some = answers.sum(1) > 0
    if some.any():
        likely = (odds[some].log_softmax(1) * answers[some]).sum(1) / answers[some].sum(1)
        lost = lost - AMONG_ALL * likely.mean()
    return lost


def save(model: Late, out: Path) -> None:
    model.encoder.save_pretrained(out)
    model.tokenizer.save_pretrained(out)
    held = {f"late.{name}": value.detach().numpy() for name, value in model.late.items()}
    np.savez(out / "heads.npz", **held)


def reached(model: Late) -> tuple[float, float]:
    """Return how often a right statement of a contest kept apart is best, and the area under the curve.

    The curve tells questions that are answered from those that are not, by their best statement.
    """
    right, known, unknown = [], [], []
    path = judge.ROOT / "tests/evals/understanding/contest.jsonl"
    model.eval()
    with torch.no_grad():
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            offered = [one for one in row["found"] if not one.get("stale")]
            odds = model([row["q"]], [one["t"] for one in offered])[0].numpy()
            if any(one["a"] == 2 for one in offered):
                right.append(offered[int(odds.argmax())]["a"] == 2)
                known.append(odds.max())
            else:
                unknown.append(odds.max())
    return float(np.mean(right)), float(np.mean([[k > u for u in unknown] for k in known]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base")
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--heads", help="scale and shift to begin with")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--aside", default="E,G,I", help="lives that are not learnt from")
    given = parser.parse_args()
    random.seed(given.seed)
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    tokenizer = AutoTokenizer.from_pretrained(given.base)
    model = Late(given.base, tokenizer)
    if given.heads:
        for name, value in np.load(given.heads).items():
            model.late[name.partition(".")[2]].data.fill_(float(value))
    aside = {r["id"] for a in given.aside.split(",") for r in judge.rows(f"lives_{a}.jsonl")}
    lives = [life for life in judge.rows("lives_*.jsonl") if life["id"] not in aside]
    near = judge.Near(
        tokenizer,
        model.encoder.embeddings.word_embeddings.weight.detach().clone(),
        [t for life in lives for _, t, _ in judge.told_in(life)],
    )
    found = [one for one in judge.items(lives, near, random.Random(given.seed)) if one.task == "answer"]
    print(len(found), "pairs of", len({one.group for one in found}), "questions", flush=True)
    for part in (model.encoder.embeddings, *model.encoder.encoder.layer[:FROZEN]):
        part.requires_grad_(False)
    groups = [
        {"params": [p for p in model.encoder.parameters() if p.requires_grad], "lr": given.rate},
        {"params": model.late.parameters(), "lr": 0.02},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    rates = [group["lr"] for group in groups]
    started = saved = time.time()
    step, queue, told = 0, [], []
    while (done := (time.time() - started) / 60 / given.minutes) < 1:
        queue = queue or judge.batches(found)
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * min(1, done / 0.06 + 0.02) * (1 - done)
        model.train()
        lost = loss(model, queue.pop())
        optimiser.zero_grad()
        lost.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step, told = step + 1, [*told[-200:], lost.item()]
        if step % 50 == 0:
            print(f"{step}: {np.mean(told):.3f}, {time.time() - started:.0f} s", flush=True)
        if time.time() - saved > SAVED:
            saved = time.time()
            save(model, given.out)
    save(model, given.out)
    print("first %.3f, area %.3f" % reached(model))


if __name__ == "__main__":
    main()
