"""Which turns a conversation has, and what stands under each answer."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt

from app.domain.conversation import Message, Part, PartOrigin, Receipt, Role
from app.domain.memory import Memory, Status, Trust
from app.domain.provenance import Passage
from app.domain.reason import Reason, ReasonKind, measure
from app.domain.recall import Hit, HitKind, Recall, StoredRecall, TraceStep
from app.domain.reply import NOTEBOOK, Became, StatementOutcome
from app.domain.trace import lost
from app.gui.chat.model import (
    MOST_CHIPS,
    TAKEN_BACK,
    ChatTurn,
    TranscriptModel,
    TurnRole,
    chips,
    outcomes,
    sources,
    turns_of,
)
from app.gui.chat.wording import chip_date, tokens
from app.gui.trace.wording import (
    bars,
    dry_run_line,
    found_by,
    full_date,
    kind_line,
    noted,
    recall_line,
    replaced,
    source_line,
    step_bars,
    why,
)

NOW = datetime(2026, 11, 21, 18, tzinfo=UTC)
FIRST = Reason(ReasonKind.PLACE, "fts", (1,))
MEASURED = (FIRST, measure("meaning", 0.64), measure("words", 0.72), measure("relevance", 0.713))
MANY = (TraceStep("rows", 1201, 1201, 1.0), TraceStep("budget", 1201, 1, 1.0))


def message(key, role=Role.USER, text="", parent=None):
    origin = PartOrigin.TYPED if role is Role.USER else PartOrigin.MODEL
    part = Part(text or key, origin)
    return Message(key, "c", role, (part,), NOW, parent_id=parent)


def memory(key, **more):
    return Memory(key, f"text of {key}", NOW - timedelta(days=40), NOW, **{"agent_pk": 1, **more})


def hit(key, **more):
    known = more.pop("memory", None) or memory(key)
    return Hit(key, HitKind.MEMORY, known.text, known.created_at, memory=known, **more)


def recalled(hits=("m1", "m2", "m3"), dropped=(), in_prompt=(), cited=()):
    recall = Recall(
        [hit(key) for key in hits], [hit(key, dropped="below the floor") for key in dropped]
    )
    return StoredRecall("r", "a", recall, in_prompt, cited)


def test_a_receipt_goes_under_the_answer_of_its_exchange():
    talk = [message("u1"), message("a1", Role.ASSISTANT), message("u2")]
    first, last = (Receipt(key, f"b-{key}", (("m", "text"),)) for key in ("u1", "u2"))
    by_answer = Receipt("a1", "b-a1", (("m", "text"),))
    turns = turns_of(talk, [first, last, by_answer], {})
    assert [turn.receipts for turn in turns] == [(), (first, by_answer), (last,)]


def test_without_anything_written_there_is_no_receipt():
    assert all(not turn.receipts for turn in turns_of([message("u1")], [], {}))


def test_with_a_model_what_else_became_of_a_message_goes_under_its_answer():
    talk = [message("u1"), message("a1", Role.ASSISTANT, parent="u1")]
    became = {"u1": [Became(StatementOutcome.KNOWN, "I sail"), Became(StatementOutcome.ONLY_HERE)]}
    _, answer = turns_of(talk, [], {}, became)
    assert [part.text for part in outcomes(answer)] == [
        "I knew that already: “I sail”.",
        "Kept in this conversation only.",
    ]
    by_notebook = replace(talk[1], model=NOTEBOOK)
    assert outcomes(turns_of([talk[0], by_notebook], [], {}, became)[1]) == []


def told(**outcomes):
    """Return an answer without a model that tells what became of statements."""
    parts = [Part("Yes.", PartOrigin.MODEL)]
    parts += [Part(f"\n\n{text}", PartOrigin.MODEL, name) for name, text in outcomes.items()]
    return replace(message("a", Role.ASSISTANT), parts=tuple(parts), model=NOTEBOOK)


def test_what_a_receipt_says_now_is_not_said_by_the_answer_too():
    turn = ChatTurn(told(remembered="Remembered: “A”.", refused="Not kept. A key."))
    assert (turn.words, turn.by_model) == ("Yes.", False)
    receipt = Receipt("u1", "b", (("m", "A"),))
    (refused,) = outcomes(replace(turn, receipts=(receipt,)))
    assert (refused.name, refused.text.strip()) == (StatementOutcome.REFUSED, "Not kept. A key.")
    assert [part.text.strip() for part in outcomes(turn)] == [TAKEN_BACK, "Not kept. A key."]


def test_what_was_kept_only_here_says_so_until_it_is_remembered():
    turn = ChatTurn(told(only_here="Kept in this conversation only."))
    assert [part.name for part in outcomes(turn)] == [StatementOutcome.ONLY_HERE]
    assert outcomes(replace(turn, receipts=(Receipt("u1", "b", (("m", "A"),)),))) == []


def test_no_answer_has_a_wall_of_chips():
    ids = tuple(f"m{n}" for n in range(MOST_CHIPS + 3))
    found = Recall([hit(key) for key in ids])
    shown, more = chips(
        ChatTurn(message("a", Role.ASSISTANT), StoredRecall("r", "a", found, ids, ids))
    )
    assert (len(shown), more) == (MOST_CHIPS, 3)


def test_chips_show_what_was_used_and_nothing_else():
    answer = message("a", Role.ASSISTANT)
    cited = ChatTurn(answer, recalled(dropped=("m4",), in_prompt=("m2", "m1"), cited=("m1",)))
    shown, more = chips(cited)
    assert [(s.hit.id, s.number) for s in shown] == [("m1", 2)]
    assert more == 3
    assert chips(ChatTurn(answer, recalled(in_prompt=("m2", "m1")))) == ([], 3)
    assert chips(ChatTurn(answer)) == ([], 0)
    many = recalled(("m1",), in_prompt=("m1",), cited=("m1",))
    many = replace(many, recall=replace(many.recall, steps=MANY))
    assert chips(ChatTurn(answer, many))[1] == 1200


def test_sources_come_in_the_order_of_their_numbers():
    found = sources(ChatTurn(message("a", Role.ASSISTANT), recalled(in_prompt=("m3", "m1"))))
    assert [(s.hit.id, s.number) for s in found] == [("m3", 1), ("m1", 2), ("m2", 0)]


def test_a_forgotten_memory_is_known_as_gone():
    gone = memory("m1", status=Status.FORGOTTEN)
    stored = StoredRecall("r", "a", Recall([hit("m1", memory=gone)]), ("m1",))
    (source,) = sources(ChatTurn(message("a", Role.ASSISTANT), stored))
    assert source.gone


@pytest.fixture
def model():
    made = TranscriptModel()
    made.restart(turns_of([message("u1"), message("a1", Role.ASSISTANT)], [], {}))
    return made


def test_the_model_keeps_qts_rules(model, qtmodeltester):
    qtmodeltester.check(model)
    index = model.index(1)
    assert index.data(TurnRole.TURN).key == "a1"
    assert index.data(Qt.ItemDataRole.DisplayRole) == "a1"
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Loci: a1"


def test_a_later_state_tells_only_of_the_rows_it_touches(model, qtbot):
    changed, inserted, removed = [], [], []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    model.rowsInserted.connect(lambda _p, first, last: inserted.append((first, last)))
    model.rowsRemoved.connect(lambda _p, first, last: removed.append((first, last)))
    turns = list(model.turns)
    model.update([turns[0], replace(turns[1], notices=("late",)), ChatTurn(message("u2"))])
    assert (changed, inserted, removed) == ([(1, 1)], [(2, 2)], [])
    model.update([turns[0], ChatTurn(message("a9", Role.ASSISTANT))])
    assert [turn.key for turn in model.turns] == ["u1", "a9"]
    assert removed == [(1, 2)]
    model.update(list(model.turns))
    assert changed == [(1, 1)]


def test_dates_are_said_as_people_say_them():
    def days(n):
        return NOW - timedelta(days=n)

    assert chip_date(NOW - timedelta(minutes=5), NOW) == "now"
    assert chip_date(days(1), NOW) == "yesterday"
    assert chip_date(days(3), NOW) == "Wednesday"
    assert chip_date(datetime(2026, 5, 14, 12, tzinfo=UTC), NOW) == "May"
    assert chip_date(datetime(2024, 5, 14, 12, tzinfo=UTC), NOW) == "May 2024"
    assert full_date(NOW, NOW) == "just now"
    assert full_date(datetime(2026, 5, 14, 12, tzinfo=UTC), NOW) == "14 May 2026"


def test_a_find_says_what_it_is_and_why_it_was_found():
    found = hit(
        "m1",
        lanes={"fts": 1, "vector": 3},
        base=0.82,
        factors={"recency": 1.1, "trust": 1.0, "proof": 1.0},
        trust=Trust.LEARNED,
    )
    assert why(found) == "Found by its words (#1) and its meaning (#3); raised by recency ×1.10."
    assert [bar.name for bar in bars(found)] == ["words", "meaning", "together", "recency", "trust"]
    assert all(0 <= bar.share <= 1 for bar in bars(found))
    measured = replace(found, reasons=MEASURED)
    assert [(bar.name, bar.value) for bar in bars(measured)][:3] == [
        ("words", "0.72"),
        ("meaning", "0.64"),
        ("relevance", "0.71"),
    ]
    assert kind_line(found, NOW) == ["fact", "learned from you", "12 Oct 2026"]
    safe = replace(found, memory=memory("m1", tags=("safety",)))
    assert kind_line(safe, NOW)[0] == "safety"
    where = "in something you pasted, not verified"
    pasted = replace(found, kind=HitKind.MESSAGE, role=Role.USER, passages=(Passage("a", where),))
    assert kind_line(pasted, NOW)[1:-1] == [where]
    mixed = replace(pasted, passages=(Passage("b"), *pasted.passages))
    assert kind_line(mixed, NOW)[1:-1] == ["said by you", where]
    said = replace(found, kind=HitKind.MESSAGE, role=Role.ASSISTANT, conversation_title="Dinner")
    assert kind_line(said, NOW)[:2] == ["past message", "said by Loci"]
    assert source_line(said, NOW) == "From “Dinner”, 12 Oct 2026"


def test_what_lost_says_why():
    low = hit(
        "m1",
        dropped="below_floor",
        reasons=(FIRST, Reason(ReasonKind.TOO_LOW, numbers=(0.12, 0.3))),
    )
    assert lost(low) == "not about this: relevance 0.12 is below 0.30"
    assert lost(hit("m1", dropped="superseded")) == "superseded"
    assert lost(hit("m1")) == ""


def test_what_took_the_place_of_a_find_and_each_step_are_told():
    old = hit("m1", superseded_by="m2", replaced_by="Ruth is vegetarian")
    assert replaced(old) == "replaced by “Ruth is vegetarian”"
    until = memory("m1", status=Status.SUPERSEDED, superseded_by="m2", valid_to=NOW)
    assert replaced(replace(old, memory=until)) == (
        "replaced on 21 Nov 2026 by “Ruth is vegetarian”"
    )
    assert replaced(hit("m1", superseded_by="m2")) == "replaced since"
    assert replaced(hit("m1", disputed=Reason(ReasonKind.DOUBTED))).endswith("otherwise")
    assert replaced(hit("m1")) == ""
    assert found_by(hit("m1", lanes={"message_fts": 2, "vector": 1})) == (
        "Found by words #2, meaning #1"
    )
    steps = (
        TraceStep("fts", 0, 3, 4.04),
        TraceStep("floor", 3, 1, 0.01),
        TraceStep("scoring", 0, 0, 40.4),
    )
    told = [(bar.name, bar.value) for bar in step_bars(Recall(steps=steps))]
    assert told == [
        ("words in memories", "3 found · 4.0 ms"),
        ("floor", "3 → 1 · <0.1 ms"),
        ("factors", "40 ms"),
    ]
    assert noted(hit("m1", reasons=(FIRST, Reason(ReasonKind.UNKNOWN, text="Bob")))) == (
        "Nothing is known of Bob."
    )


def test_the_drawers_foot_counts():
    recall = Recall([hit("m1", lanes={"fts": 1})], [hit("m2", lanes={"vector": 2})], (), (), 38.4)
    assert recall_line(recall, 1) == "Recall took 38 ms: 2 lanes, 2 found, 1 in the prompt."
    many = replace(recall, steps=MANY)
    assert recall_line(many, 1) == "Recall took 38 ms: 2 lanes, 1,201 found, 1 in the prompt."
    assert dry_run_line(many) == "An answer would draw on 1 of 1,201 results  ·  38 ms"


@pytest.mark.parametrize(
    ("count", "words"), [(12, "12"), (2_800, "2.8k"), (8_192, "8k"), (3_000, "3k"), (40_960, "40k")]
)
def test_tokens_are_said_shortly(count, words):
    assert tokens(count) == words
