"""``kill -9`` at any moment loses nothing that was said to be saved."""

import os
import random
import subprocess
import sys

from app.domain.ids import utc_now
from app.store import health
from app.store.conversations import Conversations
from app.store.messages import Messages
from app.store.vault.file import Vault

KILLS = int(os.environ.get("LOCI_KILLS", "10"))

WRITER = """
import sys
from pathlib import Path
from app.domain.conversation import Part, PartOrigin, Role
from app.store.messages import Messages
from app.store.vault.file import Vault

vault = Vault(Path(sys.argv[1]), bytes.fromhex(sys.argv[2]))
messages = Messages(vault)
for number in range(100_000):
    text = f"message {number} of {sys.argv[4]} " + "about nothing " * (number % 50)
    parts = [Part(text, PartOrigin.TYPED)]
    print(messages.add(sys.argv[3], Role.USER, parts).id, flush=True)
    if number % 13 == 12:
        vault.checkpoint()
"""


def test_kill_loses_nothing_that_was_saved(profile_paths, key):
    chance = random.Random(9)
    vault = Vault(profile_paths.vault, key)
    conversation = Conversations(vault).create(1).id
    vault.close()
    saved = []
    for kill in range(KILLS):
        arguments = [str(profile_paths.vault), key.hex(), conversation, str(kill)]
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, *arguments], stdout=subprocess.PIPE, text=True
        ) as writer:
            for _ in range(chance.randrange(40)):
                saved.append(writer.stdout.readline().strip())
            writer.kill()
            saved += [line.strip() for line in writer.stdout if line.endswith("\n")]
        vault = Vault(profile_paths.vault, key, utc_now)
        there = {message.id for message in Messages(vault).branch(conversation)}
        assert set(saved) <= there
        assert all(message.text for message in Messages(vault).branch(conversation))
        report = health.report(vault, thorough=True)
        vault.close()
        assert report["ok"], report["problems"]
    assert saved
