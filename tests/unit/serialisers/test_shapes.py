"""Each shape is what resources/docs/json.md says of it, no field more and none less."""

import inspect
import json
import pkgutil
import re
from collections import Counter
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from app import __version__, serialisers
from app.cli.main import root
from app.domain.backup import Backup
from app.domain.catalogue import CatalogueModel, Fit, Machine, Offered, Trial
from app.domain.consolidation import Cluster, Fold
from app.domain.conversation import Message, Part, PartOrigin, Role
from app.domain.entity import Entity
from app.domain.erasure import Copy, Proof
from app.domain.events import Answered
from app.domain.history import (
    Action,
    AuditReport,
    Burst,
    Difference,
    ForgettingPreview,
    LineageKind,
    MemoryChange,
    MemoryOrigin,
    MemorySource,
    SourceKind,
    Writer,
)
from app.domain.jobs.spending import Spent
from app.domain.jobs.upkeep import JobRun, Planned, RunOutcome, SetAside, Trigger
from app.domain.memory import (
    Evidence,
    JournalEntry,
    Memory,
    MemoryDetail,
    MemoryType,
    Status,
    Trust,
)
from app.domain.model import (
    Failure,
    FoundServer,
    LearnerStatus,
    ModelChoice,
    ModelPlace,
    ModelRole,
    OtherProgramsModels,
    RerankerStatus,
)
from app.domain.profile import Profile, SlotKind
from app.domain.provenance import Passage
from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit, HitKind, Recall, StoredRecall, TraceStep
from app.domain.reply import NOTEBOOK, StatementOutcome
from app.domain.sharing.rule import Shared, SharingRule
from app.domain.transfer import TransferReport
from app.serialisers import (
    backups,
    catalogue,
    consolidation,
    conversations,
    doctor,
    entities,
    erasure,
    history,
    jobs,
    memories,
    models,
    profiles,
    recalls,
    settings,
    sharing,
    transfer,
)
from app.serialisers.version import VERSION, version
from app.services.sharing import Connection
from app.services.upkeep.upkeep import JobStatus
from tests.unit.serialisers.page import COMMANDS, LINKS, MAPS, PAGE, SHAPES, expect_shape

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
PARTS = {"doctor_drift", "doctor_file", "doctor_embedder", "doctor_backups", "doctor_temporary"}
BY_THEMSELVES = {"loci models", "loci profiles"}  # groups that do something without a command
NO_JSON = {"loci settings docs"}

TEA = Memory("m1", "I like tea.", AT, AT, 1)
CITY = Memory(
    "m2",
    "I live in Ghent.",
    AT,
    AT,
    1,
    key="home_city",
    value={"city": "Ghent"},
    status=Status.SUPERSEDED,
    category="fact",
    tags=("safety",),
    occurred_at=AT,
    valid_to=AT,
    expires_at=AT,
    superseded_by="m1",
    proof_count=2,
    confidence=0.5,
    last_accessed_at=AT,
)
ENTRY = JournalEntry("j", "b", AT, "user", "add", "m1", {}, {"text": "I like tea."})
SAID = Evidence("I like tea.", AT, "msg", "talk", "Tea")
SOURCE = MemorySource(SourceKind.CONVERSATION, "talk", "Tea", 2, 1, AT, AT)
WRITER = Writer("user", "conversation", 2, 1, AT, AT)
BURST = Burst("import", AT, AT, 40, ("b",))
HIT = Hit(
    "m2",
    HitKind.MEMORY,
    "I live in Ghent.",
    AT,
    0.1234567,
    trust=Trust.CLAIMED,
    superseded_by="m1",
    memory=CITY,
    relevance=0.7654321,
    lanes={"fts": 1},
    base=0.5,
    factors={"recency": 0.9999999},
    reasons=(Reason(ReasonKind.PLACE, "fts", (1,)),),
)
PLAIN_HIT = Hit("m1", HitKind.MEMORY, "I like tea.", AT)
STEP = TraceStep("fts", 0, 2, 1.23456, "note")
RECALL = Recall((HIT, PLAIN_HIT), (HIT,), (STEP,), ("The embedder did not answer.",), 3.21987)
RUN = JobRun("r", "dream", Trigger.NOW, AT, AT, RunOutcome.DONE, {"deleted": 1}, "b")
UNENDED = JobRun("r", "dream", Trigger.NOW, AT)
JOB = JobStatus("dream", "Dream", "Thins.", True, True, AT, "", False, False, RUN)
HOURLESS = JobStatus("dream", "Dream", "Thins.", True, False, None, "", False, False, None)
ASIDE = SetAside("j", "Learn", "I like …", "It failed.", AT)
PLANNED = Planned("Forget", "I like tea.", (TEA,))
SPENT = Spent("chat", "Qwen", True, 3, 10, 20, True, 0.12345678)
CLUSTER = Cluster("I like tea.", (TEA, CITY))
FOLD = Fold(TEA, None, "I like tea.", (CITY,), frozenset({"m2"}))
RENEWED = Fold(TEA, "I drink tea.", "I like tea.")
MODEL = ModelChoice("file:a.gguf", "A", ModelRole.CHAT, ModelPlace.FILE, loaded_bytes=5)
SERVED = ModelChoice("server:x#a", "A", ModelRole.CHAT, ModelPlace.SERVER)
RANKS, LEARNS = RerankerStatus("r.gguf", False, True), LearnerStatus("file:a.gguf", "A")
FAILED = LearnerStatus("file:a.gguf", "A", failed=Failure.SLOW)
SHARED = Connection(
    "http://x/v1",
    local=False,
    rule=SharingRule(Shared.SOME, frozenset({MemoryType.SEMANTIC}), frozenset({"work"}), True),
    model="a",
)
UNASKED = Connection("http://y/v1", local=False, rule=None)
SERVER = FoundServer("Ollama", "http://127.0.0.1:11434/v1", ("llama",))
OTHERS = OtherProgramsModels((MODEL,), "There is more.")
OFFERED = Offered(
    *("a", "A", "Maker", ModelRole.CHAT, "qwen2", 10, 20, 30, "29 languages", ("answers",)),
    *("Apache-2.0", "https://x.org", "x/a", "0" * 40, "a.gguf", "1" * 64),
)
CANDIDATE = CatalogueModel(OFFERED, 40, Fit.WELL)
MACHINE, TRIAL = Machine(3, 2, 1), Trial("Hello.", 5.5, 2.0)
PROFILE = Profile("ana", "Ana", (SlotKind.KEYRING,), 5, AT)
COPY = Copy("message:m", "evidence", "Your message", why="says the same")
PROOF = Proof(("a memory",), 10, 1, 0, ("A snapshot.",), left=("a title",), owed="A backup.")
LINEAGE = MemoryOrigin(
    LineageKind.MEMORY, "m1", "I like tea.", AT, sources=(MemoryOrigin(LineageKind.GONE, "m0"),)
)
CHANGE = MemoryChange(ENTRY, Action.REMEMBERED, "Remembered", (Difference("text", "", "Tea"),))
ENTITY = Entity("e", "Bob", ("Robert",), 3)
FOUND = ForgettingPreview(("m1",), protected=(("m2", "I live in Ghent."),), elsewhere=("m3",))


def answered(model="qwen", recall=True):
    parts = (Part(r"You like \*tea\* [1].", PartOrigin.MODEL),)
    message = Message("a", "talk", Role.ASSISTANT, parts, AT, model=model)
    return Answered(message, StoredRecall("r", "a", RECALL, ("m2",)) if recall else None)


def listed(warning=""):
    return models.models(
        "file:a.gguf",
        "bundled",
        "/models",
        (MODEL, SERVED),
        beside=(RANKS, LEARNS),
        servers=(SERVER,),
        elsewhere=OTHERS,
        warning=warning,
    )


TOLD = [(StatementOutcome.REMEMBERED, r"Remembered: \*tea\*.")]
EXAMPLES = {
    "version": [version(__version__)],
    "memory": [memories.memory(TEA), memories.memory(CITY)],
    "memory_detail": [
        memories.memory_detail(MemoryDetail(TEA)),
        memories.memory_detail(
            MemoryDetail(CITY, (SAID,), (ENTRY,), ("Ghent",), replaces=(("m1", "I like tea."),))
        ),
    ],
    "evidence": [memories.evidence(SAID), memories.evidence(Evidence("", AT))],
    "entry": [memories.entry(ENTRY)],
    "statement": [memories.statement(TEA)],
    "trusted": [memories.trusted(("m1",))],
    "forgotten": [memories.forgotten(("m1",))],
    "source_forgotten": [memories.source_forgotten(FOUND, protected=True)],
    "cleared": [memories.cleared(3)],
    "hit": [recalls.hit(HIT), recalls.hit(PLAIN_HIT)],
    "passage": [recalls.passage(Passage("Tea", "in a file"))],
    "hit_explained": [recalls.hit_explained(HIT), recalls.hit_explained(PLAIN_HIT)],
    "recall": [recalls.recall("tea", RECALL), recalls.recall("tea", Recall())],
    "step": [recalls.step(STEP)],
    "answer": [
        conversations.answer("talk", "msg", answered(), TOLD),
        conversations.answer("talk", "msg", answered(recall=False), ()),
    ],
    "outcome": [conversations.outcome(*TOLD[0])],
    "change": [history.change(CHANGE)],
    "difference": [history.difference(CHANGE.differences[0])],
    "lineage": [history.lineage(LINEAGE)],
    "source": [history.source(SOURCE), history.source(MemorySource(SourceKind.JOB, "b"))],
    "audit": [history.audit(AuditReport(2, 1, 3, (WRITER,), (SOURCE,), (BURST,)))],
    "writer": [history.writer(WRITER)],
    "burst": [history.burst(BURST)],
    "undone": [history.undone({"m2", "m1"}, ("It was changed since.",))],
    "redone": [history.redone({"m1"}, ())],
    "name": [entities.name(ENTITY)],
    "name_meant": [entities.name_meant(ENTITY)],
    "name_moved": [entities.name_moved(ENTITY)],
    "upkeep": [jobs.upkeep(True, (JOB, HOURLESS), (ASIDE,), ("It failed.",))],
    "job": [jobs.job(JOB), jobs.job(HOURLESS)],
    "run": [jobs.run(RUN), jobs.run(UNENDED)],
    "set_aside": [jobs.set_aside(ASIDE)],
    "planned": [jobs.planned(PLANNED)],
    "paused": [jobs.paused(True)],
    "spent": [jobs.spent(SPENT)],
    "consolidation": [consolidation.consolidation(RUN, (FOLD, RENEWED))],
    "fold": [consolidation.fold(FOLD), consolidation.fold(RENEWED)],
    "cluster": [consolidation.cluster(CLUSTER)],
    "reverted": [consolidation.reverted({"m1"}, ())],
    "transfer": [
        transfer.transfer(TransferReport("/x.zip", {"memories": 1}, notes=("Not encrypted.",))),
        transfer.transfer(TransferReport("/x.zip", {}, verified=False)),
    ],
    "restriction": [transfer.restriction(True)],
    "place": [erasure.place(1, COPY, erases=True)],
    "proof": [erasure.proof(PROOF)],
    "model_state": [doctor.model_state(MODEL)],
    "unopened": [doctor.unopened(__version__, "3.11", "Linux", "It is damaged.")],
    "profile": [
        profiles.profile(PROFILE, current=True),
        profiles.profile(Profile("b", "B"), current=False),
    ],
    "profile_name": [profiles.profile_name(PROFILE)],
    "slots": [profiles.slots((SlotKind.KEYRING,))],
    "recovery_code": [profiles.recovery_code("ABCD")],
    "backup": [backups.backup(Backup(Path("/b.db"), AT, 5))],
    "restored": [
        backups.restored(Path("/b.db"), Path("/old.db")),
        backups.restored(Path("/b.db"), None),
    ],
    "models": [listed(), listed("It is a base model.")],
    "model": [models.model(MODEL), models.model(SERVED)],
    "reranker": [models.reranker(RANKS)],
    "learner": [models.learner(LEARNS), models.learner(FAILED)],
    "server": [models.server(SERVER)],
    "connection": [sharing.connection(SHARED), sharing.connection(UNASKED)],
    "other_programs": [models.other_programs(OTHERS)],
    "catalogue": [catalogue.catalogue(MACHINE, (CANDIDATE,))],
    "machine": [catalogue.machine(MACHINE)],
    "offered": [catalogue.offered(CANDIDATE)],
    "download": [
        catalogue.download("a", Path("/a.gguf"), used=False),
        catalogue.download("a", Path("/a.gguf"), used=True, aside="a-other.gguf", tried=TRIAL),
    ],
    "trial": [catalogue.trial(TRIAL)],
    "settings": [settings.settings({"recall.limit": 5})],
    "setting": [settings.setting("a.b", None)],
    "setting_changed": [
        settings.setting_changed("a.b", 1, ()),
        settings.setting_changed("a.b", 1, ("It is small.",)),
    ],
}


def written():
    """Yield the name of each function that makes a shape."""
    for module in pkgutil.iter_modules(serialisers.__path__, f"{serialisers.__name__}."):
        found = import_module(module.name)
        for name, one in inspect.getmembers(found, inspect.isfunction):
            made = one.__module__ == module.name and one.__annotations__["return"]
            if made == dict[str, Any] and not name.startswith("_"):
                yield name


def test_every_shape_is_documented_and_none_that_is_not_written():
    names = Counter(written())
    assert not [name for name, times in names.items() if times > 1], "a name stands once"
    assert {*names} == {*SHAPES} - PARTS
    assert {*names} - {"doctor"} == {*EXAMPLES}, "the doctor's is tried on a real vault"


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_shape_has_exactly_the_fields_that_are_documented(name):
    for example in EXAMPLES[name]:
        assert json.loads(json.dumps(example)) == example, "it is ready for JSON as it is"
        expect_shape(example, name)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_documented_field_is_written_somewhere(name):
    assert name in MAPS or set().union(*EXAMPLES[name]) == {*SHAPES[name]}


def test_every_shape_that_is_named_is_described_and_is_printed_by_some_command():
    reached, new = set(), {shape for prints in COMMANDS.values() for _, shape in prints}
    while new:
        reached |= new
        new = set().union(*(LINKS[name] for name in new)) - reached
    assert reached == {*SHAPES}


def leaves(group, path=("loci",)):
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        elif not command.hidden and path != ("loci", "bench"):
            yield " ".join((*path, name))


def test_it_is_said_of_every_command_what_it_prints():
    assert {*COMMANDS} - {"loci --version"} == {*leaves(root())} - NO_JSON | BY_THEMSELVES


def test_the_page_names_the_version():
    assert re.search(r"The shapes below are version (\d+);", PAGE)[1] == str(VERSION)


def test_an_answer_without_a_model_is_told_as_it_is_read_and_a_models_as_it_came():
    told = conversations.answer("t", "m", answered(NOTEBOOK), ())
    assert told["answer"] == "You like *tea* [1]."
    assert conversations.answer("t", "m", answered(), ())["answer"] == r"You like \*tea\* [1]."


def test_what_was_used_for_an_answer_is_not_told_again_among_the_rest():
    told = conversations.answer("t", "m", answered(), TOLD)
    assert (told["used"], told["more"]) == (["m2"], ["m1"])
    assert told["became"] == [{"outcome": "remembered", "told": "Remembered: *tea*."}]


def test_numbers_are_rounded_and_ids_sorted():
    assert recalls.hit(HIT)["score"] == 0.123457
    assert recalls.hit_explained(HIT)["factors"] == {"recency": 1.0}
    assert recalls.recall("tea", RECALL)["milliseconds"] == 3.22
    assert jobs.spent(SPENT)["cost"] == 0.123457
    assert history.undone({"m2", "m1"}, ())["undone"] == ["m1", "m2"]


def test_a_find_tells_which_of_its_words_nobody_here_said():
    (told,) = recalls.hit(HIT)["unverified"]
    assert told["text"] == HIT.text
    assert recalls.hit(PLAIN_HIT)["unverified"] == []


def test_what_is_pinned_is_protected_only_where_it_was_spared():
    assert memories.source_forgotten(FOUND, protected=True)["protected"] == ["m2"]
    assert memories.source_forgotten(FOUND, protected=False)["protected"] == []
