"""Answers are given marks in the background, where the person wants that."""

import json
from dataclasses import replace
from threading import Event

import pytest

from app.domain.conversation import MemoryMode, Part, PartOrigin
from app.domain.jobs.kinds import JUDGE
from app.domain.jobs.operation import drive
from app.domain.prompting.judge import AnswerJudge
from app.errors import Refused
from app.services.upkeep.scoring import ScoringService
from tests.fakes.openai_server import Reply
from tests.unit.services.profile import NOW, send

MARKS = json.dumps({"1": {"score": 9, "reasoning": "It says it."}, "2": {"score": 6.5}})


def judging(body):
    return "judge an answer" in body["messages"][0]["content"]


@pytest.fixture
def judged(services, server):
    """A profile whose answers are judged; what judges were asked is kept."""
    server.asked, server.marks = [], Reply(MARKS)

    def respond(body):
        if judging(body):
            server.asked.append(body)
            return server.marks
        return Reply('{"memories": []}' if "response_format" in body else "You live in Porto.")

    server.respond = respond
    services.preferences.set("judge.enabled", True)
    services.preferences.set("judge.criteria", "It answers.\nIt is short.")
    return services


def work(services):
    drive(services.background.run(), Event())


def scores(services, talk):
    return [
        (one.judge, one.criterion, one.score, one.reasoning)
        for found in services.scoring.of_conversation(talk).values()
        for one in found
    ]


def failed(services):
    return [one.kind for one in services.failed_jobs.list()]


def test_it_is_off_by_default(services, server):
    talk, _ = send(services, "Where do I live?")
    work(services)
    assert scores(services, talk) == []
    assert not any(judging(one.body) for one in server.requests if "messages" in (one.body or {}))


def test_an_answer_is_given_a_mark_for_each_criterion_in_one_call(judged, server):
    talk, _ = send(judged, "Where do I live?")
    assert scores(judged, talk) == []  # it delays no answer
    work(judged)
    assert scores(judged, talk) == [
        ("Judge", "It answers.", 9.0, "It says it."),
        ("Judge", "It is short.", 6.5, ""),
    ]
    assert len(server.asked) == 1
    told = server.asked[0]["messages"][-1]["content"]
    assert "Where do I live?" in told
    assert "You live in Porto." in told
    (answer,) = judged.scoring.of_conversation(talk)
    assert answer == judged.conversations.messages(talk)[-1].id
    (day,) = judged.scoring.by_day()
    assert (day.agent, day.answers, day.mean) == ("Loci", 1, 7.75)
    assert day.day == NOW.astimezone().date()


@pytest.mark.parametrize(
    "reply",
    [Reply("no idea"), Reply("{}"), Reply("down", status=500), Reply('{"9": {"score": 1}}')],
)
def test_what_fails_is_left_and_the_job_ends_well(judged, server, reply):
    server.marks = reply
    talk, _ = send(judged, "Where do I live?")
    work(judged)
    assert scores(judged, talk) == []
    assert failed(judged) == []
    assert judged.queue.pending() == 0


def test_marks_go_with_their_answer(judged, opened):
    """C8: what belongs to a message is gone with it."""
    talk, _ = send(judged, "Where do I live?")
    work(judged)
    opened.store.conversations.delete(talk)
    with opened.store.vault.read() as connection:
        assert connection.execute("SELECT count(*) FROM scores").fetchone()[0] == 0
    assert judged.scoring.by_day() == []


def test_what_is_erased_from_an_answer_is_erased_from_the_reasons(judged, opened, server):
    server.marks = Reply(json.dumps({"1": {"score": 2, "reasoning": "It names Quetzalcoatlus."}}))
    talk, _ = send(judged, "I keep a Quetzalcoatlus in the cellar.")
    work(judged)
    inventory = judged.erasure.of_conversation(talk)
    ticked = frozenset(one.key for one in inventory.copies)
    proof = drive(judged.erasure.erase_conversation(talk, ticked), Event())
    assert proof.found_after == 0


def drawn(opened, chances, rates):
    """Return which of some judges were drawn for an answer, given what chance says."""
    services, store = opened.services, opened.store
    rules = store.agents.rules(1)
    judges = tuple(AnswerJudge(f"j{n}", ("It answers.",), rate) for n, rate in enumerate(rates))
    (agent,) = services.agents.list()
    services.agents.rule(agent.id, replace(rules, judges=judges))
    talk = services.conversations.create()
    said = [Part("Hello.", PartOrigin.MODEL)]
    answer = store.messages.add(talk.id, "assistant", said, model="fake")
    told = iter(chances)
    scoring = ScoringService(
        store, None, services.preferences.values, lambda: NOW, lambda: next(told)
    )
    scoring.enqueue_if_drawn(talk, answer)
    job = store.job_monitor.by_key(f"{JUDGE}:{answer.id}")
    return job.payload["judges"] if job else []


def test_each_judge_is_drawn_by_itself(opened):
    assert drawn(opened, [0.4, 0.6, 0.6], [0.5, 0.5, 0.7]) == ["j0", "j2"]


@pytest.mark.parametrize(("rate", "chance", "found"), [(1.0, 0.9999, ["j0"]), (0.0, 0.0, [])])
def test_a_share_of_1_is_every_answer_and_of_0_none(opened, rate, chance, found):
    assert drawn(opened, [chance], [rate]) == found


def test_an_agent_has_judges_of_its_own(judged, opened, server):
    (agent,) = judged.agents.list()
    tone = AnswerJudge("Tone", ("It is kind.",))
    judged.agents.rule(agent.id, replace(agent.rules, judges=(tone,)))
    assert judged.agents.get(agent.id).rules.judges == (tone,)
    talk, _ = send(judged, "Where do I live?")
    work(judged)
    assert [(judge, score) for judge, _, score, _ in scores(judged, talk)] == [
        ("Judge", 9.0),
        ("Judge", 6.5),
        ("Tone", 9.0),
    ]
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "judge",
    [AnswerJudge("", ("It is kind.",)), AnswerJudge("Tone", ()), AnswerJudge("Tone", ("x",), 1.5)],
)
def test_a_judge_that_makes_no_sense_is_refused(services, judge):
    (agent,) = services.agents.list()
    with pytest.raises(Refused):
        services.agents.rule(agent.id, replace(agent.rules, judges=(judge,)))


def test_neither_temporary_conversations_nor_answers_without_a_model_are_judged(judged, server):
    talk = judged.conversations.create(MemoryMode.TEMPORARY).id
    send(judged, "Where do I live?", talk)
    work(judged)
    judged.preferences.set("chat.model", "notebook")
    send(judged, "Where do I live?")
    work(judged)
    assert server.asked == []


def test_a_model_elsewhere_judges_only_within_what_may_be_spent(judged, server, monkeypatch):
    monkeypatch.setattr(
        "app.services.upkeep.spending.SpendingService.hindrance", lambda self, info: "Not allowed."
    )
    talk, _ = send(judged, "Where do I live?")
    work(judged)
    assert server.asked == []
    assert scores(judged, talk) == []
    assert failed(judged) == []


def test_what_it_took_is_on_an_account_of_its_own(judged):
    send(judged, "Where do I live?")
    work(judged)
    assert JUDGE in {one.purpose for one in judged.spending.month()}


def test_another_model_judges_where_one_is_chosen(judged, server):
    judged.preferences.set("judge.model", f"server:{server.url}#fake-large")
    talk, _ = send(judged, "Where do I live?")
    work(judged)
    assert [body["model"] for body in server.asked] == ["fake-large"]
    (found,) = judged.scoring.of_conversation(talk).values()
    assert "large" in found[0].model
