"""No text that reaches the full-text index is read as syntax, whatever way it takes there."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.domain.memory import DEFAULT_SCOPE, MemoryFilter, Scope, Trust
from app.memory.text import query, scripts
from app.store.index import match, words
from app.store.index.frequency import Frequency
from app.store.index.holding import RowsHolding, phrase
from app.store.links import Links, LinkScope, Named
from app.store.search import WordSearch

EVERY = frozenset(Trust)
SYNTAX = ('"', '""', "*", "NEAR(a, b)", "NEAR", "text : x", "{text}:y", "AND", " OR ", "NOT", "^a")
TEXTS = st.lists(
    st.sampled_from((*SYNTAX, "-", "+", "(", "\x00", "🙂", "\ud83d", "tea", "שיר"))
    | st.text(st.characters(codec=None, exclude_categories=()), max_size=8),
    max_size=6,
).map("".join)
anything = settings(
    max_examples=150,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture
def spoken(remember, say, conversations):
    remember('drinks "green" tea')
    say(conversations.create(1), 'I said "tea" OR coffee')


@anything
@given(TEXTS)
@example('"')
@example('who wrote "Dune"?')
def test_no_text_breaks_a_query(spoken, vault, clock, conversations, memories, text):
    pieces = [text, *text.split()]
    frequency, scope = Frequency(vault), Scope(1)
    assert set(frequency.of(pieces, scope)) == set(pieces)
    frequency.unheard(pieces, scope, EVERY, clock())
    conversations.search(text, 1)
    memories.list(DEFAULT_SCOPE, MemoryFilter(text=text, order="relevance"))
    search, holding, links = WordSearch(vault), RowsHolding(vault), Links(vault)
    queries = [query.match(text), scripts.match(text), phrase(text), match.either(pieces)]
    for one in filter(None, [*queries, match.quoted(text), f"{match.quoted(text)}*"]):
        search.memories(one, scope, EVERY, clock(), 9)
        search.messages(one, scope, 9)
        holding.count(one, 9)
    links.messages([Named((), (text,))], LinkScope(scope, EVERY, clock()), [], 9)


@pytest.mark.parametrize("text", ["tea OR x", "t*", "text : tea", 'x" OR "tea', "NEAR(tea said)"])
def test_a_quoted_word_is_no_syntax(spoken, vault, clock, text):
    assert Frequency(vault).of([text, "tea", '"tea"'], Scope(1)) == {text: 0, "tea": 2, '"tea"': 2}
    assert WordSearch(vault).messages(match.either([text]), Scope(1), 9) == []
    assert len(WordSearch(vault).messages(match.either([text, '"tea"']), Scope(1), 9)) == 1


def test_of_many_rows_those_with_a_rare_word_are_ranked_whatever_signs_it_has(
    spoken, vault, say, conversations, monkeypatch
):
    monkeypatch.setattr(words, "RANKED", 1)
    say(conversations.create(1), "tea, and tea again")
    found = WordSearch(vault).messages(match.either(["tea", '"coffee"']), Scope(1), 9)
    assert len(found) == 1
