from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversation import context
from app.conversation.context import Window
from app.domain import trace
from app.domain.conversation import Message, Part, PartOrigin, Role
from app.domain.memory import Trust
from app.domain.recall import Hit, HitKind, Recall, TraceStep
from app.settings.spec import Settings
from app.settings.table import replace

WINDOW = Window(8192, 1024)


def build(question, history=(), hits=(), settings=None, window=WINDOW, **more):
    settings = settings or Settings()
    return context.build(question, history, hits, settings, window, **more)


def words(text):
    return len(text.split())


@pytest.fixture
def talk(message):
    return [
        message("I am planning a dinner."),
        message("For how many?", Role.ASSISTANT),
    ]


def test_c3_prompt_order(message, hit, talk):
    settings = replace(Settings(), "chat.instructions", "Answer in rhyme.")
    prompt = build(
        message("What may I cook?"), talk, [hit("You are allergic to walnuts")], settings
    )
    assert [turn.role for turn in prompt.turns] == ["system", "user", "assistant", "user"]
    assert "Answer in rhyme." in prompt.turns[0].content
    assert "4 Mar 2026" in prompt.turns[0].content
    assert [turn.content for turn in prompt.turns[1:3]] == [
        "I am planning a dinner.",
        "For how many?",
    ]
    last = prompt.turns[-1].content
    assert last == f"{prompt.known}\n\nWhat may I cook?"
    assert "\nKnown about the user:\n" in last
    assert "1. 12 Jan 2026: You are allergic to walnuts" in last.splitlines()


def test_c3_prompt_order_of_the_reference_puts_the_block_before_the_history(message, hit, talk):
    settings = replace(Settings(), "chat.block_after_history", False)
    prompt = build(
        message("What may I cook?"), talk, [hit("You are allergic to walnuts")], settings
    )
    assert [turn.role for turn in prompt.turns] == ["system", "user", "assistant", "user"]
    assert prompt.turns[0].content.endswith(f"\n\n{prompt.known}")
    assert "\nKnown about the user:\n" in prompt.known
    assert prompt.turns[-1].content == "What may I cook?"


@pytest.mark.parametrize("after", [True, False])
def test_c3_no_facts_no_header(message, talk, after):
    settings = replace(Settings(), "chat.block_after_history", after)
    prompt = build(message("What may I cook?"), talk, settings=settings)
    assert all("Known about the user" not in turn.content for turn in prompt.turns)
    assert prompt.turns[-1].content == "What may I cook?"
    assert prompt.hits == ()


def test_the_block_never_changes_the_message_that_is_stored(message, hit):
    question = message("What may I cook?")
    build(question, hits=[hit("You are allergic to walnuts")])
    assert question.text == "What may I cook?"


def test_hits_are_numbered_in_their_order(message, hit):
    hits = [hit("One", "a"), hit("Two", "b")]
    prompt = build(message("?"), hits=hits)
    assert [h.id for h in prompt.hits] == ["a", "b"]
    assert "2. 12 Jan 2026: Two" in prompt.turns[-1].content


def test_pinned_memories_stand_with_the_instructions(message, hit):
    pinned = [hit("Call me Jo"), hit("From a web page", trust=Trust.EXTERNAL)]
    system = build(message("Hi"), pinned=pinned).turns[0].content
    assert system.endswith("keep in mind:\n- Call me Jo")


def test_what_is_pinned_and_recalled_stands_in_a_prompt_once(message, hit):
    known, other = hit("You are allergic to walnuts", "a", pinned=True), hit("You like tea", "b")
    outside = hit("From a web page", "c", trust=Trust.EXTERNAL, pinned=True)
    prompt = build(message("?"), hits=[known, other, outside], pinned=[known, outside])
    read = "\n".join(turn.content for turn in prompt.turns)
    assert read.count("walnuts") == read.count("From a web page") == 1
    assert "walnuts" in prompt.turns[0].content
    assert "1. 12 Jan 2026: You like tea" in prompt.turns[-1].content
    assert [h.id for h in prompt.hits] == ["b", "c", "a"]
    assert prompt.lines == 2
    system = build(message("?"), hits=[other], pinned=[known, outside]).turns[0].content
    assert system == prompt.turns[0].content, "what is recalled changes nothing before the history"


@pytest.mark.parametrize("after", [True, False])
def test_a_bare_prompt_differs_in_its_block_alone(message, hit, talk, after):
    settings = replace(Settings(), "chat.block_after_history", after)
    hits = [hit("I am allergic to walnuts"), hit("Obey", "o", trust=Trust.EXTERNAL)]
    prompt = build(message("What may I cook?"), talk, hits, settings)
    bare = prompt.bare()
    assert [turn.role for turn in bare.turns] == [turn.role for turn in prompt.turns]
    assert bare.turns[1:3] == prompt.turns[1:3]
    told = bare.turns[-1 if after else 0].content
    assert "\n- I am allergic to walnuts (said on 12 Jan 2026)" in told
    assert bare.turns[-1].content.endswith("What may I cook?")
    read = "\n".join(turn.content for turn in bare.turns)
    assert "12 Jan 2026:" not in read
    assert "Obey" not in read
    assert (bare.hits, bare.lines) == (prompt.hits, prompt.lines)


def test_a_prompt_without_a_block_is_bare_as_it_is(message, talk, hit):
    prompt = build(message("What may I cook?"), talk)
    assert prompt.bare() == prompt
    outside = build(message("Hi"), hits=[hit("Obey", trust=Trust.EXTERNAL)]).bare()
    assert outside.turns[-1].content == "Hi"


def test_a_recall_is_told_with_what_became_of_it_in_the_prompt(message, hit):
    pinned = hit("You are allergic to walnuts", "p", pinned=True)
    hits = [hit("One", "a"), pinned, hit("word " * 200, "b"), hit("Two", "c")]
    steps = (TraceStep("rows", 9, 9, 1.0), TraceStep("budget", 9, 4, 1.0))
    recall = Recall(hits, [hit("Three", "d", dropped="below_floor")], steps, ("Late.",), 3.0)
    prompt = build(message("?"), hits=hits, pinned=[pinned], window=Window(900, 60, words))
    told = prompt.told(recall)
    assert [h.id for h in told.hits] == ["a", "p"]
    assert told.hits[0] == hits[0]
    assert told.hits[1].reasons == (trace.KEPT_IN_MIND,)
    assert [(h.id, h.dropped) for h in told.dropped] == [
        ("b", trace.NO_ROOM),
        ("c", trace.NO_ROOM),
        ("d", "below_floor"),
    ]
    assert trace.lost(told.dropped[0]).startswith("no room in the prompt: ")
    assert [step.name for step in told.steps] == ["rows", "budget", "prompt"]
    assert (told.lost, told.found) == (7, 9)
    assert (told.degraded, told.milliseconds) == (("Late.",), 3.0)
    assert build(message("?")).told(Recall()) == Recall()


def test_pinned_memories_are_counted_before_it_is_told_which_history_is_seen(message, hit):
    history = [
        m
        for n in range(6)
        for m in (message(f"{n} " + "word " * 20), message("answer " * 20, Role.ASSISTANT))
    ]
    question, window = message("And now?"), Window(360, 60, words)
    pinned = [hit("pinned " * 60)]
    prompt = build(question, history, pinned=pinned, window=window)
    seen = context.visible(history, window, question, Settings(), pinned)
    assert [m.id for m in seen] == list(prompt.used_message_ids)
    assert len(seen) < len(context.visible(history, window, question, Settings()))


def test_history_keeps_the_newest_whole_exchanges(message):
    history = [
        m
        for n in range(6)
        for m in (message(f"{n} " + "word " * 20), message("answer " * 20, Role.ASSISTANT))
    ]
    question = message("And now?")
    window = Window(360, 60, words)
    prompt = build(question, history, window=window)
    kept = [m for m in history if m.id in prompt.used_message_ids]
    assert kept == history[-len(kept) :]
    assert len(kept) % 2 == 0
    assert 0 < len(kept) < 12
    assert sum(words(turn.content) for turn in prompt.turns) <= 300
    assert [m.id for m in context.visible(history, window, question, Settings())] == list(
        prompt.used_message_ids
    )


def test_history_stops_at_the_first_exchange_that_does_not_fit(message):
    small = [message("tiny"), message("answer", Role.ASSISTANT)]
    big = [message("big " * 70), message("answer " * 70, Role.ASSISTANT)]
    latest = [message("last"), message("answer", Role.ASSISTANT)]
    prompt = build(message("?"), [*small, *big, *latest], window=Window(320, 60, words))
    assert list(prompt.used_message_ids) == [m.id for m in latest]


def test_one_giant_paste_does_not_brick_the_chat(message):
    paste = "start " + "page " * 5000 + "end"
    window = Window(1000, 200, words)
    asked = build(message(paste), window=window)
    assert asked.turns[-1].content.startswith("start page")
    assert asked.turns[-1].content.endswith("page end")
    assert "characters left out" in asked.turns[-1].content
    assert sum(words(turn.content) for turn in asked.turns) <= 800

    later = build(
        message("What did it say?"),
        [message("before"), message("yes", Role.ASSISTANT), message(paste)],
        window=window,
    )
    assert "characters left out" in later.turns[-1].content
    assert later.turns[-1].content.endswith("What did it say?")
    assert len(later.used_message_ids) == 3


def test_roles_alternate_and_begin_with_the_person(message):
    history = [
        message("orphan", Role.ASSISTANT),
        message("first"),
        message("unanswered, sent again"),
        message("result", Role.TOOL),
        message("answer", Role.ASSISTANT),
        message("failed question"),
    ]
    prompt = build(message("now"), history)
    assert [turn.role for turn in prompt.turns] == ["system", "user", "assistant", "user"]
    assert prompt.turns[1].content == "first\n\nunanswered, sent again"
    assert prompt.turns[-1].content == "failed question\n\nnow"


def test_speakers_of_a_group_are_named(message):
    prompt = build(message("now"), [message("I love salmon", speaker="Ruth")])
    assert prompt.turns[-1].content.startswith("Ruth: I love salmon")


def test_a_tiny_window_still_holds_the_message(message, hit):
    window = Window(512, 1024)
    prompt = build(message("Where do I live?"), hits=[hit("You live in Leeds")], window=window)
    assert prompt.turns[-1].content.endswith("Where do I live?")


def test_memories_take_a_bounded_share_of_the_window(message, hit):
    hits = [hit("word " * 100, str(n)) for n in range(5)]
    small = build(message("?"), hits=hits, window=Window(2048, 512, words))
    large = build(message("?"), hits=hits, window=Window(32000, 512, words))
    assert len(small.hits) < len(large.hits) == 5


@given(
    texts=st.lists(st.text(max_size=400), max_size=8),
    question=st.text(min_size=1, max_size=3000),
    facts=st.lists(st.text(min_size=1, max_size=200), max_size=6),
    tokens=st.integers(512, 3000),
)
def test_a_prompt_always_fits_and_always_ends_with_the_message(texts, question, facts, tokens):
    at = datetime(2026, 1, 1, tzinfo=UTC)

    def made(n, text, role):
        return Message(str(n), "c", role, (Part(text, PartOrigin.TYPED),), at)

    roles = (Role.USER, Role.ASSISTANT)
    history = [made(n, text, roles[n % 2]) for n, text in enumerate(texts)]
    hits = [Hit(str(n), HitKind.MEMORY, fact, at) for n, fact in enumerate(facts)]
    window = Window(tokens, 256)
    prompt = build(made("q", question, Role.USER), history, hits, window=window)
    assert sum(window.count(turn.content) for turn in prompt.turns) <= tokens - 256
    assert prompt.turns[0].role == "system"
    assert prompt.turns[-1].role == "user"
    tail = question[-20:].lstrip()
    assert prompt.turns[-1].content.endswith(tail)
