"""A small model is told what holds now; a large one, and who asks of the past, also what was."""

import pytest

from app.domain import trace
from app.domain.events import Recalled
from app.services.as_it_is import CHANGED
from tests.fakes.openai_server import OpenAIServer, Reply
from tests.unit.services.profile import learn, send

OLD = "My sister Clotilde sews the costumes and lives in Dinant"
NEW = "Clotilde has moved from Dinant to Ciney, close to the station"


@pytest.fixture
def told(services):
    """Return what a model of a name is given for a question, and what was recalled."""
    for said in (OLD, NEW):
        send(services, f"{said}.")
        learn(services)

    def asked(model, question):
        with OpenAIServer() as server:
            server.default = Reply("Hm.")
            services.library.choose_chat(f"server:{server.url}#{model}")
            _, events = send(services, question)
            chats = [r for r in server.requests if r.path.endswith("/chat/completions")]
        recall = next(event.recall for event in events if isinstance(event, Recalled))
        return chats[-1].body["messages"][-1]["content"], recall

    return asked


NOW = "Where does my sister Clotilde live?"


def test_a_small_model_is_not_told_what_changed(told):
    prompt, recall = told("tiny-0.5b", NOW)
    assert NEW in prompt
    assert OLD not in prompt
    (lost,) = [hit for hit in recall.dropped if hit.dropped == trace.OUTDATED]
    assert OLD in lost.text
    assert trace.lost(lost) == f"no longer so: {CHANGED}"
    assert any(step.name == trace.OUTDATED for step in recall.steps)


@pytest.mark.parametrize(
    ("model", "question"),
    [("large-70b", NOW), ("unnamed", NOW), ("tiny-0.5b", "Where did Clotilde live before?")],
)
def test_others_and_who_asks_of_the_past_are_told_all(told, model, question):
    prompt, recall = told(model, question)
    assert OLD in prompt
    assert NEW in prompt
    assert not [hit for hit in recall.dropped if hit.dropped == trace.OUTDATED]


def test_what_does_not_change_an_answer_stays(told, services):
    send(services, "Clotilde likes the station.")
    learn(services)
    prompt, _ = told("tiny-0.5b", "What does Clotilde sew?")
    assert OLD in prompt
