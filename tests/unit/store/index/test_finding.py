"""Search by hand finds words, titles and pieces, and takes any text for a query."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.conversation import MemoryMode, Role
from app.domain.memory import DEFAULT_SCOPE


def found(conversations, text):
    return [(f.conversation_title, f.snippet) for f in conversations.search(text, 1)]


def test_words_are_found_in_every_conversation_and_marked(conversations, say):
    one, two = conversations.create(1, title="One"), conversations.create(1, title="Two")
    say(one, "The ferry to Naxos leaves at nine")
    say(two, "Is Naxos far?", Role.ASSISTANT)
    say(two, "Paros then")
    assert sorted(found(conversations, "naxos")) == [
        ("One", "The ferry to \u2068Naxos\u2069 leaves at nine"),
        ("Two", "Is \u2068Naxos\u2069 far?"),
    ]


def test_all_words_must_occur_and_the_last_may_be_unfinished(conversations, say):
    talk = conversations.create(1)
    say(talk, "The ferry leaves at nine")
    say(talk, "The train leaves at ten")
    assert [s for _, s in found(conversations, "leaves fer")] == [
        "The \u2068ferry\u2069 \u2068leaves\u2069 at nine"
    ]
    assert found(conversations, "fer leaves boat") == []


def test_titles_are_found(conversations, say):
    talk = conversations.create(1, title="Plans for Crete")
    tip = say(talk, "hello")
    hit = conversations.search("crete", 1)[0]
    assert (hit.message_id, hit.snippet) == (tip.id, "Plans for \u2068Crete\u2069")


def test_scripts_without_spaces_are_found_by_their_pieces(conversations, say):
    talk = conversations.create(1)
    say(talk, "昨日は東京タワーに行きました")
    assert [s for _, s in found(conversations, "東京")] == [
        "昨日は\u2068東京\u2069タワーに行きました"
    ]
    assert [s for _, s in found(conversations, "タワー 昨日")] != []
    assert found(conversations, "大阪") == []


def test_a_piece_of_a_word_is_found_where_no_word_is(conversations, say):
    talk = conversations.create(1)
    say(talk, "see app_settings.toml, 100% sure")
    assert found(conversations, "settings.tom") != []
    assert found(conversations, "ettings") != []
    assert found(conversations, "0% s") != []
    assert found(conversations, "%") != []
    assert found(conversations, "_%") == []


def test_every_mode_can_be_searched_by_hand_but_no_other_agent(conversations, say, vault):
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    say(conversations.create(1, mode=MemoryMode.OFF), "walrus")
    say(conversations.create(agent_pk=2), "walrus")
    assert len(conversations.search("walrus", 1)) == 1
    assert len(conversations.search("walrus", agent_pk=2)) == 1


@pytest.mark.parametrize(
    "text", ["", " ", '"', "foo OR (", "NEAR(", "a* b*", "-x", "{text}:y", "AND", "^", "\x00", "''"]
)
def test_syntax_is_only_text(conversations, say, text):
    say(conversations.create(1), "foo or bar")
    conversations.search(text, 1)


@settings(
    max_examples=60,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=30))
def test_no_text_breaks_a_search(conversations, memories, text):
    from app.domain.memory import MemoryFilter

    conversations.search(text, 1)
    memories.list(DEFAULT_SCOPE, MemoryFilter(text=text, order="relevance"))
    memories.count(DEFAULT_SCOPE, MemoryFilter(text=text))
