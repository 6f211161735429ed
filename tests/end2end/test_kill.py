"""``kill -9`` at any moment of a chat loses no message that was answered, and doubles nothing.

The command line itself is killed, in processes forked from one that has read all its modules, so
that a start takes little more than loading the models that understand.
"""

import io
import json
import os
import random
import select
import signal
import subprocess
import sys
from collections import Counter
from datetime import timedelta

import pytest

from app.cli.main import run
from app.domain.ids import utc_now
from app.domain.memory import MemoryFilter
from app.main.program import Program
from app.paths import find
from app.store.messages import Messages
from app.store.profiles import Profiles
from tests.end2end.program import ROOT

KILLS = int(os.environ.get("LOCI_KILLS", "50"))
MOST_ANSWERS = 6
LONGEST_TURN = 0.15
MESSAGES = 200

NURSERY = """
import os, sys
from app.cli.main import run
from app.main.build import build
from app.main.program import Program
import app.services.answer.notebook, app.memory.reading.reader, app.memory.learn.replies
import app.providers.local.hash
for lines in sys.stdin:
    child = os.fork()
    if child == 0:
        os.dup2(os.open(lines.rstrip(), os.O_RDONLY), 0)
        sys.stdin = open(0, closefd=False)
        os._exit(run(Program(), ["chat", "--typed", "--json"]))
    print(child, flush=True)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture
def nursery():
    process = subprocess.Popen(
        [sys.executable, "-c", NURSERY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    yield process
    process.stdin.close()
    process.stdout.close()
    process.kill()
    process.wait(10)


def facts(number):
    """Return what is said in one life: new facts, and one that everybody keeps saying."""
    for at in range(MESSAGES):
        yield (
            "I'm allergic to walnuts." if at % 3 == 0 else f"I own a boat called Wren{number}x{at}."
        )


def a_short_life(nursery, lines, chance):
    """Start a chat, and kill it after some answers; return the answers it gave."""
    pipe = nursery.stdout
    nursery.stdin.write(f"{lines}\n".encode())
    nursery.stdin.flush()
    child = int(pipe.readline())
    answers = [json.loads(pipe.readline()) for _ in range(chance.randrange(MOST_ANSWERS))]
    select.select([pipe], [], [], chance.uniform(0, LONGEST_TURN))
    os.kill(child, signal.SIGKILL)
    while (line := pipe.readline()) != b"gone\n":
        if line.endswith(b"gone\n"):
            break
        answers.append(json.loads(line))
    return answers


def test_killing_the_chat_fifty_times_loses_and_doubles_nothing(nursery, tmp_path, monkeypatch):
    chance = random.Random(31)
    assert run(Program(), ["models", "--use", "hash"]) == 0
    profiles = Profiles(find(None), find_keyring=lambda: None)
    answers = []
    for number in range(KILLS):
        lines = tmp_path / "lines.txt"
        lines.write_text("\n".join(facts(number)))
        answers += a_short_life(nursery, lines, chance)
        vault = profiles.open("personal")
        try:
            with vault.read() as connection:
                assert connection.execute("PRAGMA quick_check").fetchone()[0] == "ok"
            messages = Messages(vault)
            for answer in answers:
                said = {m.parent_id: m.text for m in messages.branch(answer["conversation"])}
                assert said[answer["message"]] == answer["answer"]
        finally:
            vault.close()
    assert len(answers) > KILLS
    assert any(answer["answer"].startswith("Remembered: ") for answer in answers)

    # An hour later, every message that was stored has been learnt from, each once.
    later = Program(lambda: utc_now() + timedelta(hours=1))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    assert run(later, ["chat"]) == 0
    with later.open(None, None) as services:
        assert services.queue.pending() == 0
        found = Counter()
        for talk in services.conversations.list():
            found.update(m.text for m in services.conversations.messages(talk.id) if m.typed)
        memories = services.memories.list(MemoryFilter(), 0, 100_000)
        assert services.memories.embedding_status().missing == 0
        report = services.doctor.report(thorough=True)
    assert report["ok"], report["problems"]
    known = {f"{m.text}.": m for m in memories}
    assert len(known) == len(memories) > KILLS
    assert set(known) == set(found)
    assert {text: m.seen_count for text, m in known.items()} == dict(found)
