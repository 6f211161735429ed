"""Conversations keep every branch, and lose nothing but what is deleted."""

from datetime import timedelta

import pytest

from app.domain.conversation import MemoryMode, Part, PartOrigin, Role
from app.errors import Conflict, NotFound


def texts(messages):
    return [message.text for message in messages]


def test_a_new_conversation_is_what_was_asked_for(conversations, clock):
    talk = conversations.create(1, title="Trip", mode=MemoryMode.OFF)
    assert conversations.get(talk.id) == talk
    assert (talk.title, talk.mode, talk.message_count) == ("Trip", MemoryMode.OFF, 0)
    assert talk.created_at == talk.updated_at == clock()


def test_messages_come_back_in_order_with_their_parts(conversations, messages, clock):
    talk = conversations.create(1)
    parts = (Part("Read this: ", PartOrigin.TYPED), Part("a page", PartOrigin.PASTED, "page.txt"))
    asked = messages.add(talk.id, Role.USER, parts, speaker="Ana")
    clock.forward(seconds=3)
    answered = messages.add(talk.id, Role.ASSISTANT, [Part("Done", PartOrigin.MODEL)], model="m")
    assert messages.branch(talk.id) == [asked, answered]
    assert asked.parts == parts
    assert asked.text == "Read this: a page"
    assert asked.typed == "Read this: "
    assert answered.parent_id == asked.id
    again = conversations.get(talk.id)
    assert again.message_count == 2
    assert again.updated_at == clock()


def test_an_edit_makes_a_branch_and_each_branch_can_be_brought_back(conversations, messages, say):
    talk = conversations.create(1)
    say(talk, "hello")
    first = say(talk, "hi", Role.ASSISTANT)
    question = say(talk, "where is it?")
    say(talk, "there", Role.ASSISTANT)
    edited = say(talk, "where is he?", parent_id=first.id)
    say(talk, "at home", Role.ASSISTANT)

    assert texts(messages.branch(talk.id)) == ["hello", "hi", "where is he?", "at home"]
    assert messages.get(question.id).siblings == (2, 1)
    assert messages.get(edited.id).siblings == (2, 2)
    assert messages.switch_branch(question.id) == talk.id
    assert texts(messages.branch(talk.id)) == ["hello", "hi", "where is it?", "there"]
    messages.switch_branch(edited.id)
    assert texts(messages.branch(talk.id))[-1] == "at home"
    assert texts(messages.children(first.id, talk.id)) == ["where is it?", "where is he?"]


def test_switching_to_a_branch_that_is_current_stays_where_it_is(conversations, messages, say):
    talk = conversations.create(1)
    asked = say(talk, "tell me a joke")
    say(talk, "one", Role.ASSISTANT)
    other = say(talk, "two", Role.ASSISTANT, parent_id=asked.id)
    say(talk, "three", Role.ASSISTANT, parent_id=asked.id)
    messages.switch_branch(other.id)
    messages.switch_branch(asked.id)
    assert texts(messages.branch(talk.id)) == ["tell me a joke", "two"]


def test_a_branch_is_taken_up_where_it_last_grew(conversations, messages, say):
    talk = conversations.create(1)
    first = say(talk, "first")
    say(talk, "old answer", Role.ASSISTANT)
    say(talk, "new answer", Role.ASSISTANT, parent_id=first.id)
    say(talk, "second", parent_id=None)
    messages.switch_branch(first.id)
    assert texts(messages.branch(talk.id)) == ["first", "new answer"]


def test_the_very_first_message_can_have_versions_too(conversations, messages, say):
    talk, other = conversations.create(1), conversations.create(1)
    say(other, "elsewhere")
    first = say(talk, "one")
    second = say(talk, "two", parent_id=None)
    assert messages.get(first.id).siblings == (2, 1)
    assert messages.get(second.id).siblings == (2, 2)
    assert texts(messages.children(None, talk.id)) == ["one", "two"]


def test_a_message_cannot_answer_one_of_another_conversation(conversations, messages, say):
    talk, other = conversations.create(1), conversations.create(1)
    foreign = say(other, "elsewhere")
    with pytest.raises(NotFound):
        say(talk, "hello", parent_id=foreign.id)
    assert messages.branch(talk.id) == []


def test_pinned_conversations_stand_first_then_the_latest(conversations, say, clock):
    old, middle, new = (conversations.create(1, title=t) for t in ("old", "middle", "new"))
    for talk in (old, middle, new):
        clock.forward(minutes=1)
        say(talk, "hello")
    conversations.pin(old.id, True)
    conversations.archive(middle.id, True)
    assert [c.title for c in conversations.list(1)] == ["old", "new"]
    assert [c.title for c in conversations.list(1, archived=True)] == ["middle"]
    conversations.pin(old.id, False)
    conversations.archive(middle.id, False)
    assert [c.title for c in conversations.list(1)] == ["new", "middle", "old"]


def test_a_title_the_person_gave_is_not_replaced_by_a_program(conversations):
    talk = conversations.create(1)
    conversations.rename(talk.id, "Guessed", by_user=False)
    assert conversations.get(talk.id).title == "Guessed"
    conversations.rename(talk.id, "Mine")
    conversations.rename(talk.id, "Guessed again", by_user=False)
    assert conversations.get(talk.id).title == "Mine"


def test_mode_and_draft_are_kept(conversations):
    talk = conversations.create(1)
    conversations.set_mode(talk.id, MemoryMode.READS_ONLY)
    conversations.set_draft(talk.id, "I was about to")
    assert conversations.get(talk.id).mode is MemoryMode.READS_ONLY
    assert conversations.draft(talk.id) == "I was about to"


@pytest.mark.parametrize(
    "ask",
    [
        lambda c: c.get("x"),
        lambda c: c.draft("x"),
        lambda c: c.rename("x", "y"),
        lambda c: c.delete("x"),
    ],
)
def test_what_does_not_exist_is_a_sentence(conversations, ask):
    with pytest.raises(NotFound, match=r"no longer exists\.$"):
        ask(conversations)


@pytest.mark.parametrize(
    "ask",
    [
        lambda m: m.branch("x"),
        lambda m: m.get("x"),
        lambda m: m.switch_branch("x"),
        lambda m: m.add("x", Role.USER, []),
    ],
)
def test_a_message_that_does_not_exist_is_a_sentence(messages, ask):
    with pytest.raises(NotFound, match=r"no longer exists\.$"):
        ask(messages)


def test_an_import_brings_its_own_times_and_comes_once(conversations, messages, clock):
    past = clock() - timedelta(days=400)
    talk = conversations.create(1, title="Old", created_at=past, source_key="zip:1")
    message = messages.add(
        talk.id, Role.USER, [Part("then", PartOrigin.TYPED)], created_at=past, source_key="zip:1:1"
    )
    assert message.created_at == past
    assert conversations.get(talk.id).updated_at == past
    assert conversations.by_source("zip:1") == conversations.get(talk.id)
    assert conversations.by_source("zip:2") is None
    with pytest.raises(Conflict, match="imported before"):
        conversations.create(1, source_key="zip:1")
    with pytest.raises(Conflict, match="imported before"):
        messages.add(talk.id, Role.USER, [], source_key="zip:1:1")
    assert [m.id for m in messages.branch(talk.id)] == [message.id]


def test_redaction_leaves_a_mark_and_the_rest(conversations, messages, say, everything):
    talk = conversations.create(1)
    message = say(talk, "My code is zanzibar, and I like tea.")
    before = messages.redact(message.id, [(11, 19)])
    assert before.text == "My code is [erased], and I like tea."
    assert before.redacted
    assert conversations.search("zanzibar", 1) == []
    assert len(conversations.search("tea", 1)) == 1
    assert "zanzibar" not in everything()


@pytest.mark.parametrize(
    "words", ["erased", "Erased", "[erased]", "eras", "erasing", "code erased"]
)
def test_what_was_erased_is_found_by_no_word(conversations, messages, say, words):
    talk = conversations.create(1)
    message = say(talk, "My code is zanzibar, and I like tea.")
    messages.redact(message.id, [(11, 19)])
    assert conversations.search(words, 1) == []
    said = say(talk, "My code was erased. I erased it while erasing the whiteboard. [erased]")
    assert [one.message_id for one in conversations.search(words, 1)] in ([said.id], [])
    assert [one.message_id for one in conversations.search("erased", 1)] == [said.id]
    assert [one.message_id for one in conversations.search("tea", 1)] == [message.id]


def test_a_deleted_conversation_leaves_nothing(conversations, say, remember, vault, everything):
    talk, kept = conversations.create(1, title="xylophone"), conversations.create(1)
    message = say(talk, "the xylophone is mine")
    say(kept, "something else")
    remember("Plays music", message_id=message.id)
    conversations.delete(talk.id)
    assert "xylophone" not in everything()
    assert [c.id for c in conversations.list(1)] == [kept.id]
    with vault.read() as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_broken_characters_do_not_lose_a_message(conversations, say):
    talk = conversations.create(1, title="a\ud83db")
    message = say(talk, "half \ud83d and whole \U0001f600 and zero \x00 end")
    assert message.text == "half \ufffd and whole \U0001f600 and zero \x00 end"
    conversations.set_draft(talk.id, "\udfff")
    assert conversations.draft(talk.id) == "\ufffd"
    assert conversations.search("\ud83d", 1) == conversations.search("\ufffd", 1)


def test_a_long_conversation_is_read_a_piece_at_a_time(conversations, messages, say):
    talk = conversations.create(1)
    said = [say(talk, str(n)) for n in range(5)]
    other = say(talk, "4 again", parent_id=said[3].id)
    pks = [m.pk for m in said]
    assert messages.after(talk.id, pks[1], 2) == said[2:4]
    assert [m.text for m in messages.after(talk.id, 0, 9)] == [
        "0",
        "1",
        "2",
        "3",
        "4",
        "4 again",
    ]
    assert messages.branch_rows(talk.id) == [*pks[:4], other.pk]
    assert messages.of_rows([pks[2], 999, pks[0]]) == [said[2], said[0]]
    assert texts(messages.before(said[4].id)) == ["0", "1", "2", "3"]
    assert texts(messages.before(said[4].id, 2)) == ["2", "3"]
    assert messages.before(said[4].id, 0) == messages.before(said[0].id) == []
