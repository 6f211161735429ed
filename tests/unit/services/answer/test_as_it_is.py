"""No model is told what was replaced, a small one nothing that changed; who asks of the past is."""

from datetime import UTC, datetime

import pytest

from app.domain import trace
from app.domain.conversation import Message, Part, PartOrigin, Role
from app.domain.events import Recalled
from app.domain.reason import words
from app.domain.recall import Hit, HitKind, Recall
from app.services.answer.as_it_is import CHANGED, as_it_is
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


NOW_IS = datetime(2026, 11, 20, tzinfo=UTC)
NOW = "Where does my sister Clotilde live?"


class Judged:
    """A judge who holds that the last of what it is given has changed."""

    def outdated(self, question, hits):
        return [hits[-1]] if question == NOW else []


def test_a_small_model_is_not_told_what_changed(told):
    prompt, recall = told("tiny-0.5b", NOW)
    assert NEW in prompt
    assert OLD not in prompt
    (lost,) = [hit for hit in recall.dropped if hit.dropped == trace.OUTDATED]
    assert OLD in lost.text
    assert trace.lost(lost) == f"no longer true: {words(CHANGED)}"
    assert any(step.name == trace.OUTDATED for step in recall.steps)


@pytest.mark.parametrize("model", ["large-70b", "unnamed"])
def test_no_model_is_told_what_a_memory_took_the_place_of(told, model):
    prompt, recall = told(model, NOW)
    assert NEW in prompt
    assert OLD not in prompt
    assert [hit.text for hit in recall.dropped if hit.dropped == trace.OUTDATED] == [OLD]


def test_what_no_memory_replaced_is_judged_for_small_models_alone():
    said = [Hit(text, HitKind.MESSAGE, text, NOW_IS) for text in (NEW, OLD)]
    question = Message("q", "talk", Role.USER, (Part(NOW, PartOrigin.TYPED),), NOW_IS)
    small = as_it_is(question, Recall(said), Judged())
    assert [hit.text for hit in small.hits] == [NEW]
    assert as_it_is(question, Recall(said)).hits == said


@pytest.mark.parametrize("model", ["large-70b", "tiny-0.5b"])
def test_who_asks_of_the_past_is_told_all(told, model):
    prompt, recall = told(model, "Where did Clotilde live before?")
    assert OLD in prompt
    assert NEW in prompt
    assert not [hit for hit in recall.dropped if hit.dropped == trace.OUTDATED]


def test_what_does_not_change_an_answer_stays(told, services):
    send(services, "Clotilde likes the station.")
    learn(services)
    prompt, _ = told("tiny-0.5b", "What does Clotilde sew?")
    assert "My sister Clotilde sews the costumes" in prompt
