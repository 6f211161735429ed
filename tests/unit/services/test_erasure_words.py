"""What an erasure of a conversation seeks elsewhere: rare words in any letters, up to limits."""

from threading import Event

import numpy as np
import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.jobs.operation import drive
from app.memory.erasure import elsewhere, erase, sought
from app.memory.erasure.restated import Restated
from app.memory.learn.index import Indexer
from app.providers.local.hash import HashEmbedder
from app.services.erasure import ErasureService
from app.services.upkeep.scrub import Scrubber
from app.store.index.vectors import Vectors
from app.store.store import Store
from tests.fakes.understanding import Understanding
from tests.unit.services.profile import NOW


def say(home, talk, text, role=Role.USER):
    origin = PartOrigin.TYPED if role is Role.USER else PartOrigin.MODEL
    return home.messages.add(talk.id, role, (Part(text, origin),)).id


def said(home, text, title="A talk"):
    """Return a conversation in which something was said, and the message."""
    talk = home.talks.create(1, title=title)
    return talk.id, say(home, talk, text)


def erased(service, talk_id, keep=()):
    inventory = service.of_conversation(talk_id)
    ticked = frozenset(c.key for c in inventory.copies if c.ticked and c.key not in keep)
    return inventory, drive(service.erase_conversation(talk_id, ticked), Event())


def test_a_number_goes_from_elsewhere_however_its_digits_are_grouped(home):
    talk_id, _ = said(home, "My insurance number is 711178002.", "Insured")
    _, other = said(home, "On the form it is 711 178-002. Bye.")
    _, unlike = said(home, "It took 71 days and 02 hours.")
    inventory, _ = erased(home.service, talk_id)
    assert home.messages.get(other).text == "On the form it is [erased]. Bye."
    assert f"message:{unlike}" not in {copy.key for copy in inventory.copies}


@pytest.mark.parametrize(
    ("text", "other", "word", "left"),
    [
        ("I have had an ileostomy.", "Is my ileostomy red?", "ileostomy", "Is my [erased] red?"),
        ("I take methadone.", "Is METHADONE bitter? Hm.", "METHADONE", "Is [erased] bitter? Hm."),
        ("У меня диабет.", "Что есть при диабете?", "диабет", "Что есть при [erased]?"),
        ("عندي سرطان", "كيف يعالج السرطان؟ شكرا", "سرطان", "كيف يعالج [erased]؟ شكرا"),
        ("יש לי סוכרת", "מה אוכלים עם הסוכרת?", "סוכרת", "מה אוכלים עם [erased]?"),
        ("मुझे मधुमेह है।", "मधुमेह में आम खाऊँ? धन्यवाद", "मधुमेह", "[erased] में आम खाऊँ? धन्यवाद"),
        ("我有糖尿病。", "糖尿病能吃蛋糕吗？你好。", "糖尿病", "[erased]能吃蛋糕吗？你好。"),
        ("私は糖尿病です。", "糖尿病にパンは？", "糖尿病", "[erased]にパンは？"),
    ],
    ids=["ileostomy", "capitals", "Russian", "Arabic", "Hebrew", "Hindi", "Chinese", "Japanese"],
)  # fmt: skip
def test_a_rare_word_goes_from_elsewhere_whatever_its_letters(home, text, other, word, left):
    talk_id, _ = said(home, text)
    _, message = said(home, other, "Another talk")
    inventory, proof = erased(home.service, talk_id)
    (copy,) = [c for c in inventory.copies if c.key == f"message:{message}"]
    assert copy.ticked
    assert copy.why.startswith("holds “")
    assert home.messages.get(message).text == left
    assert proof.found_after == 0
    assert home.found(word).found == 0


def test_an_everyday_word_is_not_sought_alone_which_is_told(home):
    talk_id, _ = said(home, "I lost my job in the kitchen.")
    _, message = said(home, "The kitchen needs paint.")
    inventory, proof = erased(home.service, talk_id)
    assert f"message:{message}" not in {c.key for c in inventory.copies}
    (line,) = [c.label for c in inventory.copies if c.fixed]
    assert line.startswith("“kitchen” stands in other places too, and was not sought alone")
    assert line in proof.left
    assert home.messages.get(message).text == "The kitchen needs paint."


@pytest.mark.parametrize(
    ("text", "other", "left"),
    [
        ("i have hiv.", "Is hiv always passed on?", "Is [erased] always passed on?"),
        ("My PIN is 1987.", "I typed 1987 and it said no.", "I typed [erased] and it said no."),
        ("The code of my locker is 317, ok?", "Was 317 right?", "Was [erased] right?"),
    ],
    ids=["letters", "like a year", "digits"],
)  # fmt: skip
def test_short_words_and_the_numbers_a_statement_comes_to_go_from_elsewhere(
    home, text, other, left
):
    talk_id, _ = said(home, text)
    _, message = said(home, other, "Another talk")
    inventory, proof = erased(home.service, talk_id)
    (copy,) = [c for c in inventory.copies if c.key == f"message:{message}"]
    assert copy.ticked
    assert home.messages.get(message).text == left
    assert proof.found_after == 0
    assert any("only rows were searched" in line for line in proof.left)


@pytest.mark.parametrize(
    ("text", "other", "word"),
    [
        ("I have had tb since spring.", "Is tb back?", "tb"),
        ("I was in prison in 2019.", "Was 2019 a good year?", "2019"),
        ("I smoke 40 a day.", "Are 40 too many?", "40"),
    ],
)
def test_what_is_too_short_to_be_sought_alone_is_told_where_it_stands_elsewhere(
    home, text, other, word
):
    talk_id, _ = said(home, text)
    _, message = said(home, other, "Another talk")
    inventory, proof = erased(home.service, talk_id)
    (line,) = [c.label for c in inventory.copies if c.fixed and f"“{word}”" in c.label]
    assert "not sought alone: too short, or like a year" in line
    assert line in proof.left
    assert home.messages.get(message).text == other


def test_what_only_an_answer_said_is_listed_and_named_and_left_to_the_person(home):
    talk_id, _ = said(home, "Why am I so tired?")
    talk = home.talks.get(talk_id)
    say(home, talk, "That may be sarcoidosis.", Role.ASSISTANT)
    other_id, message = said(home, "What helps with sarcoidosis?", "About sarcoidosis")
    inventory, proof = erased(home.service, talk_id)
    listed = {c.key: c for c in inventory.copies}
    for key in (f"message:{message}", f"title:{other_id}"):
        assert not listed[key].ticked
        assert any(line == f"It was not ticked: {listed[key].line}" for line in proof.left)
    assert listed[f"message:{message}"].why == "holds “sarcoidosis”, as an answer did"
    assert home.messages.get(message).text == "What helps with sarcoidosis?"


def test_what_stands_late_in_a_long_sentence_is_sought_too(home):
    talk_id, _ = said(home, f"I told them {'once more ' * 300}of my ileostomy.")
    _, message = said(home, "Is my ileostomy red?", "Another talk")
    erased(home.service, talk_id)
    assert home.messages.get(message).text == "Is my [erased] red?"


def test_a_word_that_the_person_keeps_is_named(home):
    talk_id, _ = said(home, "I have had an ileostomy.")
    _, message = said(home, "Does my ileostomy leak?")
    _, proof = erased(home.service, talk_id, keep={f"message:{message}"})
    assert proof.left[0].startswith("You kept it: Your message in “A talk”")
    assert home.messages.get(message).text == "Does my ileostomy leak?"


class Meaning(HashEmbedder):
    """Takes whatever is of colostomies for alike, and the rest for nothing."""

    def embed(self, texts, purpose):
        found = super().embed(texts, purpose)
        near = np.zeros(self.info.dims, np.float32)
        near[0] = 1
        for embedding, text in zip(found, texts, strict=True):
            if any(word in text for word in ("stoma", "gut", "bag")):
                object.__setattr__(embedding, "vector", near)
        return found


def meaning(home):
    """Return a service that seeks other words."""
    embedder = Meaning()
    drive(Indexer(Vectors(home.vault), lambda: embedder).run(Event()), Event())
    return ErasureService(
        Store(home.vault),
        home.profiles.files(home.profile.slug),
        "Ada",
        Scrubber(Store(home.vault)),
        home.destroy,
        restated=lambda: Restated(Store(home.vault), lambda: embedder, Understanding, lambda: NOW),
    )


def test_what_was_said_and_never_learnt_is_sought_in_other_words(home):
    talk_id, _ = said(home, "They gave me a stoma last spring.")
    _, message = said(home, "Since that operation my gut ends in a bag.")
    inventory = meaning(home).of_conversation(talk_id)
    (copy,) = [c for c in inventory.copies if c.key == f"message:{message}"]
    assert copy.why in ("is close in meaning", "says the same")


def test_a_crowd_that_says_it_hides_nothing_that_says_it_otherwise(home):
    talk_id, _ = said(home, "They gave me a stoma last spring.")
    for number in range(15):
        said(home, f"For the {number}th time: they gave me a stoma last spring!", f"Day {number}")
    _, other = said(home, "Since that operation my gut ends in a bag.")
    inventory, proof = erased(meaning(home), talk_id)
    assert f"message:{other}" in {copy.key for copy in inventory.copies}
    assert not any("close in meaning; only the closest" in line for line in proof.left)


def test_what_lacks_but_the_name_is_found_by_ordinary_words(home):
    talk_id, _ = said(home, "I am moving to Kortrijk because I lost my job.")
    for number in range(8):
        said(home, f"My {number}th job.", "Jobs")
        said(home, f"I lost the keys {number} times.", "Keys")
        said(home, f"We are moving the sofa, again and again: {number}.", "Sofa")
    _, other = said(home, "I lost my job, so I am moving away.")
    inventory = home.service.of_conversation(talk_id)
    (copy,) = [c for c in inventory.copies if c.key == f"message:{other}"]
    assert copy.why == "shares words with it"


def test_of_letters_that_no_model_reads_nothing_says_the_same_and_that_is_told(home):
    talk_id, _ = said(home, "أنا أتناول الليثيوم كل مساء قبل النوم")
    _, other = said(home, "क्या मेथाडोन से नींद आती है")
    inventory, proof = erased(meaning(home), talk_id)
    assert f"message:{other}" not in {copy.key for copy in inventory.copies}
    assert home.messages.get(other).text
    assert any(elsewhere.UNREAD in line for line in proof.left)


def test_what_has_another_name_does_not_say_the_same(home):
    talk_id, _ = said(home, "I own a boat called Wren30x644384.")
    _, other = said(home, "I own a boat called Wren3x570665, painted Wren10x518922.")
    inventory = meaning(home).of_conversation(talk_id)
    (copy,) = [c for c in inventory.copies if c.key == f"message:{other}"]
    assert not copy.ticked


def test_a_sentence_that_stays_beside_one_that_goes_is_named(home):
    talk_id, _ = said(home, "They gave me a stoma in Kortrijk.")
    _, other = said(home, "My stoma is from Kortrijk. My gut hurts at night.")
    _, proof = erased(meaning(home), talk_id)
    left = home.messages.get(other).text
    assert "Kortrijk" not in left
    assert left.endswith(" My gut hurts at night.")
    line = f"“My gut hurts at night” stays in a message, since it {erase.PERHAPS}."
    assert line in proof.left


@pytest.mark.parametrize(
    ("module", "limit", "most", "line"),
    [
        (elsewhere, "MOST_SOURCES", 1, "the first 1 were sought elsewhere, the others were not"),
        (elsewhere, "MOST", 1, "more sentences of it were not sought in other words"),
        (sought, "MOST_WORDS", 1, "1 of them were sought by themselves"),
        (sought, "MOST_ROWS", 1, "older ones were not"),
        (elsewhere, "NEAR", 1, "only the closest were looked at"),
        (erase, "MOST_NEEDLES", 1, "The scan looked for the first 1 of its"),
    ],
)
def test_a_limit_that_was_reached_is_told(home, monkeypatch, module, limit, most, line):
    talk_id, _ = said(home, "They gave me a stoma near Kortrijk. My gut hates lentils.")
    said(home, "That stoma again, near Kortrijk. My gut is fine.")
    said(home, "Another stoma near Kortrijk.")
    for text in ("The bag leaks again.", "Whoever has a bag may be glad."):
        said(home, text)  # close in meaning, and found by no word
    service = meaning(home)
    monkeypatch.setattr(module, limit, most)
    monkeypatch.setattr("app.memory.erasure.restated.NEAR", 1 if limit == "NEAR" else 12)
    inventory, proof = erased(service, talk_id)
    told = [c.label for c in inventory.copies if c.fixed]
    assert [one for one in proof.left if line in one]
    if module is not erase:  # the scan comes later
        assert [one for one in told if line in one]


def test_a_place_that_the_search_did_not_reach_is_named(home, monkeypatch):
    talk_id, _ = said(home, "I have had an ileostomy.")
    for number in range(3):
        said(home, f"Does my ileostomy leak, {number}?")
    inventory = home.service.of_conversation(talk_id)
    ticked = frozenset(c.key for c in inventory.copies if c.ticked)
    monkeypatch.setattr(sought.Sought, "holding", reached(sought.Sought.holding))
    proof = drive(home.service.erase_conversation(talk_id, ticked), Event())
    assert "“ileostomy” still stands in 2 places not listed before." in proof.left


def reached(whole):
    """Return a search that comes to one row the first time, and to all of them later."""
    seen = []

    def holding(self, mark):
        seen.append(mark)
        return whole(self, mark)[: 2 if seen.count(mark) == 1 else None]  # its own, and one

    return holding
