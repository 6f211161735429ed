"""What is seen of a model at work: loading, reading, writing, and how full its window is."""

import pytest

from app.domain.jobs.working import Working, WorkStage
from app.gui.chat.composer import meter
from app.providers.base import ModelUse

LOADING = Working(WorkStage.LOADING, "Scripted 1B", 40, 100, memory_bytes=900_000_000)
READING = Working(WorkStage.READING, "Scripted 1B", 1_050, 3_000)
USE = ModelUse(3_000, 120, counted=True, kept_tokens=900, read_seconds=4.2, write_seconds=9.0)


def waiting(talk):
    """Return what is said in place of the answer, once there is an answer in the making."""
    talk.until(lambda: talk.pane.model.turns and talk.pane.model.turns[-1].live)
    talk.until(lambda: talk.find("answer_waiting"))
    return talk.find("answer_waiting")[0]


def figures(talk):
    return talk.pane.composer.meter._figures.text()


@pytest.mark.parametrize(
    ("loads", "reads", "said"),
    [
        ([LOADING], [], "Loading Scripted 1B… 40% (900 MB)"),
        ([], [READING], "Reading… 35%"),
        ([], [READING, Working(WorkStage.READING, "", 3_000, 3_000)], "Thinking…"),
        ([Working(WorkStage.WAITING, "localhost:1234")], [], "Waiting for localhost:1234…"),
    ],
)
def test_what_the_model_is_at_stands_where_the_answer_will(talk, brain, loads, reads, said):
    brain.loads, brain.reads = loads, reads
    brain.gate.clear()
    talk.say("Hello there.", wait=False)
    label = waiting(talk)
    talk.until(lambda: label.text() == said)
    brain.gate.set()
    talk.settle()
    assert not talk.find("answer_waiting")
    assert talk.turns()[-1] == (False, "Fine.")


def test_a_stop_while_it_loads_is_no_failure(talk, brain):
    brain.loads = [LOADING]
    brain.gate.clear()
    talk.say("Hello there.", wait=False)
    label = waiting(talk)
    talk.until(lambda: label.text().startswith("Loading"))
    assert talk.screen.escape()
    talk.settle()
    assert [own for own, _ in talk.turns()] == [True]
    assert not talk.find("answer_failure")


def test_the_meter_counts_as_the_model_does(talk, brain):
    brain.last_use = USE
    talk.say("Hello there.")
    assert figures(talk) == "3.1k of 8k tokens"
    assert "counted them itself" in talk.pane.composer.meter.toolTip()
    conversation = talk.id
    talk.screen.start_new()
    assert talk.pane.composer.meter.isHidden()
    talk.screen.open(conversation)
    talk.settle()
    assert figures(talk) == "3.1k of 8k tokens", "it is kept with the answer"


def test_the_meter_estimates_what_no_model_counted(talk, brain):
    brain.says = "word " * 2_000
    talk.say("Hello there.")
    assert figures(talk).endswith(" of 8k tokens")
    assert "estimated" in talk.pane.composer.meter.toolTip()


def test_the_meter_estimates_digits_and_hindi_as_what_they_take(talk, brain):
    for said in ("4051 " * 1_000, "नमस्ते " * 1_000):
        brain.says = said
        talk.screen.start_new()
        talk.say("Hello there.")
        told = figures(talk).split("k of")[0]
        assert float(told) > 4, "a letter in four would be 1.7k at most"


def test_of_a_giant_text_the_meter_weighs_no_more_than_fills_the_window(talk, brain, monkeypatch):
    lengths = []
    monkeypatch.setattr(meter, "estimated", lambda text: lengths.append(len(text)) or 8192)
    brain.says = "word " * 100_000
    talk.say("Hello there.")
    assert figures(talk) == "8k of 8k tokens"
    assert max(lengths) <= 8192 * 8, "it is weighed again with every token that comes"


def test_the_meter_knows_the_prompt_while_it_is_read(talk, brain):
    brain.reads = [READING]
    brain.gate.clear()
    talk.say("Hello there.", wait=False)
    talk.until(lambda: figures(talk) == "3k of 8k tokens")
    brain.gate.set()
    talk.settle()


def test_what_an_answer_took_stands_in_the_drawer(talk, brain):
    brain.last_use = USE
    talk.say("Hello there.")
    talk.pane.show_why(True)
    told = talk.find("why_foot")[0].text()
    assert (
        "read 3,000 tokens (900 of them still known) in 4.2 s and wrote 120 at 13 tokens/s" in told
    )


def test_there_is_less_to_read_where_there_is_little_room(talk, brain):
    brain.last_use = USE
    talk.say("Hello there.")
    talk.pane.resize(400, 700)
    talk.until(lambda: figures(talk) == "3.1k of 8k")


def test_a_long_name_of_a_model_leaves_room_for_the_rest_of_the_header(talk):
    header = talk.pane.header
    long = "DeepSeek-R1-Distill-Qwen-14B-Uncensored-i1-Q4_K_M"
    header.set_model(long, "on this computer")
    for width in (1000, 700, 480):
        talk.pane.resize(width, 700)
        talk.until(lambda width=width: header.width() == width)
        talk.until(lambda: header.model_chip.width() >= header.model_chip.sizeHint().width())
        talk.until(lambda: header.why_button.width() >= header.why_button.sizeHint().width())
    assert header.model_chip.text().endswith("…")
    assert long in header.model_chip.toolTip()
    assert long in header.model_chip.accessibleName()
