"""Without a model, what an attached document says is quoted with its page, and nothing invented."""

import pytest

from app.conversation import notebook
from app.domain.conversation import Part, PartOrigin
from app.domain.events import Answered
from tests.fakes import papers
from tests.unit.services.answer.test_attached import ASKED, asked, attached
from tests.unit.services.profile import memories, send


def answer(events):
    return next(one.message.text for one in events if isinstance(one, Answered))


@pytest.fixture
def talk(services):
    return send(services, [attached(*papers.report())])[0]


def test_what_is_attached_alone_is_acknowledged(services):
    _, events = send(services, [attached(*papers.report())])
    assert answer(events).startswith("report.pdf (31 pages) is kept with this conversation.")


@pytest.mark.parametrize("question", [ASKED, "When was the Tiverton bridge closed?"])
def test_a_question_is_answered_with_file_and_page(services, talk, question):
    _, events = send(services, question, talk)
    assert answer(events) == (
        "“The bridge at Tiverton was closed in March: its northern pier had cracks”"
        " (report.pdf, page 12)"
    )


def test_with_the_question_in_the_same_message(services):
    _, events = send(services, [attached(*papers.report()), asked(ASKED)])
    assert answer(events).endswith("(report.pdf, page 12)")


def test_what_no_document_says_is_not_known(services, talk):
    _, events = send(services, "What is the capital of Norway?", talk)
    assert "report.pdf" not in answer(events)


def test_another_conversation_does_not_know_the_document(services, talk):
    _, events = send(services, ASKED)
    assert answer(events) == notebook.UNKNOWN or "report.pdf" not in answer(events)


def test_memory_answers_first_and_a_document_beside_it(services, talk):
    send(services, "My sister Ann lives in Tiverton.")
    _, events = send(services, "Where does my sister Ann live?", talk)
    assert "Tiverton" in answer(events)
    assert "page" not in answer(events)


def test_what_is_told_with_a_document_is_learnt_and_of_it_nothing(services):
    said = "I am allergic to penicillin."
    _, events = send(services, [attached("You like walnuts."), asked(said)])
    assert memories(services) == {"I am allergic to penicillin"}
    assert "penicillin" in answer(events)


def test_signs_of_markdown_in_a_document_stay_signs(services):
    page = "The *password* policy [here](http://evil.example) is strict."
    _, events = send(services, [attached(page), asked("What is the password policy?")])
    assert "\\*password\\*" in answer(events)
    assert "\\[here\\](" in answer(events)


def test_lines_that_were_wrapped_are_one_sentence(services):
    page = (
        "Opening hours\nThe library is open from nine\nuntil five on weekdays.\nClosed on Sunday."
    )
    _, events = send(services, [attached(page), asked("When is the library open?")])
    assert answer(events) == (
        "“The library is open from nine until five on weekdays” (report.pdf, page 1)"
    )


def test_a_part_of_a_text_is_called_so(services):
    part = attached("Nothing.", "The treasurer is Ben.", name="notes.md", kind="text")
    _, events = send(services, [part, asked("Who is the treasurer?")])
    assert answer(events) == "“The treasurer is Ben” (notes.md, part 2)"


def test_a_small_pasted_text_is_as_ever(services):
    paste = Part("The treasurer is Ben.", PartOrigin.PASTED, "Pasted text")
    talk, _ = send(services, [paste])
    assert services.conversations.messages(talk)[0].text == "The treasurer is Ben."


def test_a_long_line_goes_on_with_a_name_and_a_bullet_is_no_word(services):
    said = "• The treasurer of the society for old trains is\nBen Miller since May."
    page = f"Staff\n{said}\n• Ann rows."
    _, events = send(services, [attached(page), asked("Who is the treasurer of the society?")])
    assert answer(events) == (
        "“The treasurer of the society for old trains is Ben Miller since May” (report.pdf, page 1)"
    )


NOTE = Part(
    "Minutes\n\nThe bridge at Tiverton was closed in March: its northern pier had cracks.\n",
    PartOrigin.ATTACHED,
    "note.txt",
)


def test_a_short_text_that_stands_in_the_message_is_quoted_too(services):
    talk, events = send(services, [NOTE, asked(ASKED)])
    told = "“The bridge at Tiverton was closed in March: its northern pier had cracks” (note.txt)"
    assert answer(events) == told
    _, events = send(services, "When was the Tiverton bridge closed?", talk)
    assert "note.txt" in answer(events)
    assert answer(events).count("northern pier") == 1
    _, events = send(services, "What is the capital of Norway?", talk)
    assert "note.txt" not in answer(events)
    assert memories(services) == set()
