"""What modes of a conversation promise, and "not this message": what is kept and learnt."""

import json
import signal
import subprocess
import sys
import zipfile
from contextlib import closing
from threading import Event

import pytest

from app.domain.conversation import MemoryMode, Part, PartOrigin, Standing
from app.domain.events import Answered
from app.domain.jobs.kinds import LEARN, LEARN_MORE, REVIEW
from app.domain.jobs.operation import drive
from app.domain.jobs.upkeep import Trigger
from app.domain.memory import Scope
from app.errors import NotFound, Refused
from app.services.tools.offered import NOT_THIS
from app.services.tools.toolbox import ToolScope
from app.store.vault import backup, wipe
from app.store.vault.connection import connect
from app.store.vault.locks import FileLock
from tests.fakes.openai_server import Reply
from tests.unit.services.profile import NOW, learn, memories, send

SECRET = "Zwischenahner"
SAID = f"I keep the {SECRET} papers in the cellar."
FACT = "I'm allergic to walnuts."


def say(services, text, talk=None, **how):
    """Say something; return the conversation and the two messages."""
    parts = [Part(text, PartOrigin.TYPED)]
    changes = drive(services.chat.send(talk, parts, Event(), **how), Event(), lambda event: None)
    (talk,) = changes.conversations
    return talk, *services.conversations.messages(talk)[-2:]


def temporary(services, text=SAID):
    talk = services.conversations.create(MemoryMode.TEMPORARY).id
    say(services, text, talk)
    return talk


def everything(vault):
    """Return the words of every table of a vault."""
    with vault.read() as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        plain = [n["name"] for n in names if "_fts" not in n["name"] and "vec" not in n["name"]]
        return "\n".join(
            str(tuple(row))
            for name in plain
            for row in connection.execute(f'SELECT * FROM "{name}"')
        )


def found_in_file(vault, *words):
    needles = [form for word in words for form in wipe.needles(word)]
    return drive(wipe.scan(vault.path, vault.key, needles), Event()).found


def work_at_night(services):
    services.queue.enqueue(REVIEW, Trigger.NOW)
    drive(services.background.run(upkeep=True), Event())


# -- temporary -------------------------------------------------------------------------------------


def test_of_a_temporary_conversation_nothing_is_left_once_it_is_left(opened, server):
    services, vault = opened.services, opened.store.vault
    server.script(Reply(f"The {SECRET} papers, I see."))
    talk = temporary(services)
    services.conversations.set_draft(talk, f"and {SECRET}")
    opened.store.jobs.enqueue("summarise", f"summarise:{talk}", {"conversation": talk})
    assert SECRET in everything(vault)
    assert found_in_file(vault, SECRET)
    assert services.conversations.leave(talk).conversations == {talk}
    assert SECRET not in everything(vault)
    assert talk not in everything(vault)
    assert found_in_file(vault, SECRET) == 0
    with pytest.raises(NotFound):
        services.conversations.get(talk)


def test_a_long_one_leaves_no_word_in_the_file(opened):
    services, vault = opened.services, opened.store.vault
    for number in range(30):  # others fill the same pages
        send(services, f"The harbour of island {number} has {number} boats and a lighthouse.")
    talk = services.conversations.create(MemoryMode.TEMPORARY).id
    words = [f"quendel{number}bach" for number in range(300)]
    for at in range(0, 300, 10):
        say(services, " ".join(words[at : at + 10]), talk)
    assert found_in_file(vault, *words)
    services.conversations.leave(talk)
    assert found_in_file(vault, *words) == 0


def test_leaving_deletes_no_other_conversation(services):
    talk, *_ = say(services, SAID)
    assert not services.conversations.leave(talk).conversations
    assert services.conversations.messages(talk)


def test_a_temporary_conversation_is_found_listed_and_exported_nowhere(opened, tmp_path):
    services = opened.services
    kept, *_ = say(services, "The boat is called Marie.")
    temporary(services)
    assert [one.id for one in services.conversations.list()] == [kept]
    assert services.conversations.search(SECRET) == []
    assert services.conversations.search("boat")
    drive(services.transfer.export(tmp_path / "all.zip"), Event())
    with zipfile.ZipFile(tmp_path / "all.zip") as bundle:
        texts = {name: bundle.read(name).decode() for name in bundle.namelist()}
    assert not [name for name, text in texts.items() if SECRET in text]
    rows = [json.loads(line) for line in texts["data/messages.jsonl"].splitlines()]
    assert {row["conversation"] for row in rows} == {kept}
    recalls = texts["data/recalls.jsonl"].splitlines()
    assert len(recalls) == 1


def test_a_backup_has_none_of_it(opened):
    services, vault = opened.services, opened.store.vault
    say(services, "The boat is called Marie.")
    temporary(services)
    made = drive(services.backups.make(), Event())
    copy = connect(made.path, vault.key, cache_kb=1000, read_only=True)
    texts = [row["text"] for row in copy.execute("SELECT text FROM messages")]
    copy.close()
    assert "The boat is called Marie." in texts
    assert SAID not in texts
    assert backup.verify(made.path, vault.key)["conversations"] == 1
    scanned = drive(wipe.scan(made.path, vault.key, wipe.needles(SECRET)), Event())
    assert scanned.found == 0


def test_a_temporary_conversation_teaches_nothing_and_recalls_nothing(opened):
    services = opened.services
    say(services, FACT)
    learn(services)
    talk = temporary(services, "I play the piano.")
    work_at_night(services)
    assert memories(services) == {"I'm allergic to walnuts"}
    _, _, answer = say(services, "What am I allergic to?", talk)
    assert "walnuts" not in answer.text
    _, _, elsewhere = say(services, "What do I play?")
    assert "piano" not in elsewhere.text


def test_only_an_empty_conversation_becomes_temporary(services):
    empty = services.conversations.create()
    services.conversations.set_mode(empty.id, MemoryMode.TEMPORARY)
    assert services.conversations.get(empty.id).mode is MemoryMode.TEMPORARY
    services.conversations.set_mode(empty.id, MemoryMode.READS_ONLY)
    begun, *_ = say(services, SAID)
    with pytest.raises(Refused, match="without messages"):
        services.conversations.set_mode(begun, MemoryMode.TEMPORARY)
    assert services.conversations.get(begun).mode is MemoryMode.REMEMBERS


def test_a_temporary_conversation_is_kept_by_saying_so_and_in_no_other_way(services):
    talk = temporary(services)
    with pytest.raises(Refused, match="Keep it"):
        services.conversations.set_mode(talk, MemoryMode.REMEMBERS)
    services.conversations.keep(talk)
    services.conversations.leave(talk)
    assert [one.id for one in services.conversations.list()] == [talk]
    work_at_night(services)
    assert memories(services) == set()  # it was promised that nothing is learnt


HOLDER = """
import sys, time
from datetime import datetime
from pathlib import Path
from app.domain.conversation import MemoryMode, Part, PartOrigin, Role
from app.main.build import build
from app.paths import Paths
from app.store.profiles import Profiles

profiles = Profiles(Paths(Path(sys.argv[1])), find_keyring=lambda: None)
profile, now = profiles.list()[0], datetime.fromisoformat(sys.argv[2])
vault = profiles.open(profile.slug)
vault.clock = lambda: now
opened = build(profiles, profile, vault, vault.clock)
talk = opened.services.conversations.create(MemoryMode.TEMPORARY)
opened.store.messages.add(talk.id, Role.USER, [Part(sys.argv[3], PartOrigin.TYPED)])
print(talk.id, flush=True)
time.sleep(600)
"""


def test_what_a_killed_program_left_is_deleted_at_the_next_start_and_not_before(opened):
    vault = opened.store.vault
    command = [sys.executable, "-c", HOLDER, str(vault.path.parents[2]), NOW.isoformat(), SAID]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        try:
            talk = holder.stdout.readline().strip()
            opened.services.background.recover()
            assert opened.services.conversations.messages(talk)  # it is open there
        finally:
            holder.send_signal(signal.SIGKILL)
    opened.services.background.recover()
    with pytest.raises(NotFound):
        opened.services.conversations.get(talk)
    assert found_in_file(vault, SECRET) == 0


def test_one_that_is_open_here_survives_a_look_for_what_was_left(services):
    talk = temporary(services)
    services.background.recover()
    assert services.conversations.messages(talk)


def test_nothing_is_held_once_none_is_open(opened):
    """A file that is held could not be removed with the profile everywhere."""
    talks, path = opened.services.conversations, opened.store.vault.path.parent / "temporary.lock"
    first, second = temporary(opened.services), temporary(opened.services)
    with closing(FileLock(path)) as lock:
        talks.leave(first)
        assert not lock.acquire(exclusive=True, seconds=0)
        talks.keep(second)
        assert lock.acquire(exclusive=True, seconds=0)


def test_an_answer_that_comes_after_all_brings_nothing_back(opened, server):
    services = opened.services
    talk = services.conversations.create(MemoryMode.TEMPORARY).id
    server.script(Reply(f"{SECRET} it is."))

    def leave(event):
        if not isinstance(event, Answered):
            services.conversations.leave(talk)

    parts = [Part(SAID, PartOrigin.TYPED)]
    with pytest.raises(NotFound):
        drive(services.chat.send(talk, parts, Event()), Event(), leave)
    assert SECRET not in everything(opened.store.vault)


# -- only writing ----------------------------------------------------------------------------------


def test_a_conversation_that_only_writes_learns_and_recalls_nothing(services):
    say(services, FACT)
    learn(services)
    talk = services.conversations.create(MemoryMode.WRITES_ONLY).id
    _, _, answer = say(services, "What am I allergic to?", talk)
    assert "walnuts" not in answer.text
    say(services, "I play the piano.", talk)
    learn(services)
    assert memories(services) == {"I'm allergic to walnuts", "I play the piano"}


# -- not this message ------------------------------------------------------------------------------


def test_not_this_message_is_answered_and_never_learnt_from(services):
    talk, said, answer = say(services, FACT, aside=True)
    assert said.text == FACT
    assert (said.standing, answer.standing) == (Standing.ASIDE, Standing.ASIDE)
    assert "You asked that this message is not remembered." in answer.text
    assert services.queue.learns_more(said.id) is False
    learn(services)
    work_at_night(services)
    assert memories(services) == set()
    say(services, "I play the piano.", talk)
    work_at_night(services)
    assert memories(services) == {"I play the piano"}


def test_no_job_learns_from_it_however_it_came_to_be_queued(opened):
    services = opened.services
    _, said, _ = say(services, FACT, aside=True)
    for kind in (LEARN, LEARN_MORE):
        opened.store.jobs.enqueue(kind, f"{kind}:{said.id}", {"message": said.id})
    learn(services)
    assert memories(services) == set()


def test_no_learning_model_reads_not_this_message(opened, server):
    services = opened.services
    seen = []

    def respond(body):
        seen.append((json.dumps(body["messages"]), "response_format" in body))
        return Reply('{"memories": []}' if "response_format" in body else "Fine.")

    server.respond = respond
    services.preferences.set("upkeep.costs.background", True)
    services.preferences.set("upkeep.review.min_messages", 1)
    talk, *_ = say(services, SAID, aside=True)
    say(services, "And the boat in Split is called Marie, my sister says.", talk)
    work_at_night(services)
    learnt = [text for text, learning in seen if learning]
    assert any("Marie" in text for text in learnt)
    assert not any(SECRET in text for text in learnt)
    assert any(SECRET in text for text, learning in seen if not learning)  # in its conversation


def test_not_this_message_is_recalled_in_no_other_conversation(services):
    say(services, FACT, aside=True)
    learn(services)
    _, _, answer = say(services, "What am I allergic to?")
    assert "walnuts" not in answer.text
    assert services.conversations.search("walnuts")  # by hand it is found


def test_a_conversation_is_not_named_after_it(services):
    talk, *_ = say(services, FACT, aside=True)
    assert services.conversations.get(talk).title == ""
    say(services, "I play the piano.", talk)
    assert services.conversations.get(talk).title == "I play the piano"


def test_what_follows_is_not_understood_by_it(opened, server):
    services, reader = opened.services, opened.services.chat._notebook._remember.reader
    server.script(Reply("Which medicine do you take?"), Reply("Noted."))
    talk, *_ = say(services, "I have an ulcer.", aside=True)
    _, said, _ = say(services, "Omeprazole.", talk)
    heard = reader.in_context(said)
    assert (heard.earlier, heard.asked) == ((), "")
    whole = services.conversations.messages(talk)
    found = {one.message.id: one for one in reader.in_order(whole)}
    assert found[said.id].earlier == ()


def test_a_game_that_it_begins_is_a_game_all_the_same(services):
    talk, *_ = say(services, "Let us pretend that I am a pirate.", aside=True)
    say(services, "My ship is called Marie.", talk)
    learn(services)
    work_at_night(services)
    assert memories(services) == set()


def test_an_answer_given_again_stays_aside_and_a_new_version_is_what_it_is_said_to_be(services):
    talk, said, answer = say(services, FACT, aside=True)
    drive(services.chat.regenerate(answer.id, Event()), Event(), lambda event: None)
    assert {one.standing for one in services.conversations.messages(talk)} == {Standing.ASIDE}
    parts = [Part("I play the piano.", PartOrigin.TYPED)]
    drive(services.chat.edit(said.id, parts, Event()), Event(), lambda event: None)
    assert {one.standing for one in services.conversations.messages(talk)} == {Standing.OWN}
    drive(services.chat.edit(said.id, parts, Event(), aside=True), Event(), lambda event: None)
    assert {one.standing for one in services.conversations.messages(talk)} == {Standing.ASIDE}


def test_it_stays_aside_in_a_conversation_that_goes_on_from_it(services):
    talk, *_ = say(services, "I play the piano.")
    _, _, answer = say(services, FACT, talk, aside=True)
    (new,) = services.conversations.fork(answer.id).conversations
    standings = [one.standing for one in services.conversations.messages(new)]
    assert standings == [Standing.COPY, Standing.COPY, Standing.ASIDE, Standing.ASIDE]


def test_tools_write_nothing_while_it_is_answered(opened):
    services = opened.services
    talk, said, _ = say(services, FACT, aside=True)
    offered = services.memory_tools.offered(ToolScope(talk, said.id, Scope(1)))
    names = {tool.spec.name for tool in offered.tools}
    assert offered.why == NOT_THIS
    assert "memory_search" in names
    assert "memory_store" not in names


def test_it_is_exported_and_brought_back_as_it_is(opened, tmp_path):
    services = opened.services
    talk, *_ = say(services, FACT, aside=True)
    drive(services.transfer.export(tmp_path / "all.zip"), Event())
    opened.store.conversations.delete(talk)
    drive(services.transfer.import_file(tmp_path / "all.zip"), Event())
    back = services.conversations.messages(talk)
    assert [one.standing for one in back] == [Standing.ASIDE, Standing.ASIDE]
