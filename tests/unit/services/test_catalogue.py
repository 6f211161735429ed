"""A model of the catalogue gets onto this computer, is checked, and answers."""

import threading

import pytest

from app.domain.catalogue import Fit, Machine
from app.domain.jobs.operation import drive
from app.domain.model import ModelRole
from app.errors import Cancelled, EndpointError, ModelError, ModelFileError, NotFound, Refused
from app.providers.local import download
from tests.fakes.hub import Hub
from tests.fakes.tiny_gguf import chat_model

GB = 1_000_000_000
PADDING = 400_000  # after the last tensor, where llama.cpp does not look


@pytest.fixture
def hub():
    with Hub() as made:
        yield made


@pytest.fixture
def tiny(tmp_path, hub):
    """A model on the hub, as the catalogue describes it."""
    body = chat_model(tmp_path / "made.gguf").read_bytes()
    return hub.put(body + bytes(PADDING))


@pytest.fixture
def catalogue(services, hub, tiny):
    services.preferences.set("models.mirror", hub.address)
    services.catalogue.offered = lambda: (tiny,)
    services.catalogue.look = lambda _ours: Machine(8 * GB, 6 * GB, 4)
    return services.catalogue


@pytest.fixture
def target(services, tiny):
    return services.library.folder / tiny.file


def part(target):
    return target.with_name(target.name + download.SUFFIX)


def get(catalogue, stop=None, again=False):
    return list(catalogue.download("tiny", stop or threading.Event(), again))


def only(catalogue):
    (found,) = catalogue.candidates(ModelRole.CHAT)
    return found


def test_a_model_is_listed_with_what_it_needs_and_whether_it_runs(catalogue, tiny):
    found = only(catalogue)
    assert found.offered is tiny
    assert found.memory_bytes == round(tiny.bytes * 1.6) + 512 * 512
    assert (found.fit, found.recommended) == (Fit.WELL, True)
    assert (found.present, found.fetched, found.in_use) == (False, 0, False)
    catalogue.look = lambda _ours: Machine(GB, GB, 4)
    found = only(catalogue)
    assert (found.fit, found.recommended) == (Fit.NONE, False)


def test_it_is_downloaded_used_and_answers(catalogue, services, hub, target, tiny):
    steps = get(catalogue)
    assert (steps[-1].done, steps[-1].total) == (tiny.bytes, tiny.bytes)
    assert target.read_bytes() == hub.stored[tiny.sha256]
    assert only(catalogue).present
    changes = catalogue.use("tiny")
    assert changes.models
    assert services.preferences.values().chat.model == "file:tiny.gguf"
    assert only(catalogue).in_use
    trial = drive(catalogue.try_out(threading.Event()), threading.Event())
    assert trial.text
    assert trial.tokens_per_second > 0
    assert trial.seconds > 0


def test_what_is_there_already_is_not_asked_for(catalogue, hub):
    get(catalogue)
    hub.asked.clear()
    assert get(catalogue) == []
    assert hub.asked == []


def test_a_download_that_is_cut_off_goes_on_by_itself(catalogue, hub, target, tiny):
    hub.cuts = [200_000, 100_000, None]
    get(catalogue)
    assert hub.ranges == ["", "bytes=200000-", "bytes=300000-"]
    assert target.read_bytes() == hub.stored[tiny.sha256]


def test_a_pause_keeps_what_came_and_it_goes_on_later(catalogue, hub, target, tiny):
    hub.stall, stop = 200_000, threading.Event()
    steps = catalogue.download("tiny", stop)
    while next(steps).done < 200_000:
        pass
    stop.set()
    with pytest.raises(Cancelled):
        next(steps)
    assert only(catalogue).fetched == 200_000
    hub.stall = None
    get(catalogue)
    assert hub.ranges[-1] == "bytes=200000-"
    assert target.read_bytes() == hub.stored[tiny.sha256]


def test_a_cancelled_download_leaves_nothing(catalogue, target):
    target.parent.mkdir()
    part(target).write_bytes(b"GGUF" * 100)
    assert only(catalogue).fetched == 400
    assert catalogue.discard("tiny").models
    assert not part(target).exists()
    assert catalogue.discard("tiny").models, "twice is no error"


def test_what_is_being_downloaded_is_not_discarded(catalogue, target):
    steps = catalogue.download("tiny", threading.Event())
    next(steps)
    with pytest.raises(ModelFileError, match="being downloaded already"):
        catalogue.discard("tiny")
    list(steps)
    assert target.exists()


def test_a_file_with_the_wrong_checksum_is_not_kept(catalogue, hub, target):
    hub.spoils = True
    with pytest.raises(ModelFileError, match=r"checksum is wrong\. Nothing of it was kept\."):
        get(catalogue)
    assert not target.exists()
    assert not part(target).exists()
    with pytest.raises(ModelError, match="not on this computer yet"):
        catalogue.use("tiny")


def test_a_file_that_is_gone_is_a_sentence(catalogue, hub):
    hub.resolved.clear()
    with pytest.raises(EndpointError, match=r"does not have tiny\.gguf any more\."):
        get(catalogue)


@pytest.mark.parametrize(("status", "says"), [(429, "no more requests for now"), (503, "busy")])
def test_a_hub_that_refuses_is_a_sentence_and_keeps_what_came(catalogue, hub, target, status, says):
    target.parent.mkdir()
    part(target).write_bytes(hub.stored[only(catalogue).offered.sha256][:1000])
    hub.refuses = status
    with pytest.raises(EndpointError, match=says):
        get(catalogue)
    assert only(catalogue).fetched == 1000


def test_without_a_connection_it_says_so_and_keeps_what_came(catalogue, services, target):
    target.parent.mkdir()
    part(target).write_bytes(b"GGUF")
    with Hub() as gone:
        pass
    services.preferences.set("models.mirror", gone.address)
    with pytest.raises(
        EndpointError,
        match=rf"^No connection to 127\.0\.0\.1:{gone.port}\. What was fetched is kept; try again",
    ):
        get(catalogue)
    assert part(target).read_bytes() == b"GGUF"
    catalogue.discard("tiny")
    with pytest.raises(EndpointError, match=r"\. Try again later, or .+ \(models\.mirror\)\.$"):
        get(catalogue)


def test_too_small_a_disk_is_said_before_anything_is_asked(catalogue, hub, monkeypatch):
    monkeypatch.setattr(download.shutil, "disk_usage", lambda _: type("", (), {"free": 1}))
    with pytest.raises(ModelFileError, match="MB free for the download"):
        get(catalogue)
    assert hub.asked == []


def test_a_disk_that_fills_up_meanwhile_keeps_what_came(catalogue, target, monkeypatch):
    import errno

    keep = download._Fetching._keep

    def full(self, chunk):
        if self._have > 100_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        keep(self, chunk)

    monkeypatch.setattr(download._Fetching, "_keep", full)
    with pytest.raises(ModelFileError, match=r"the disk is full\. What was fetched is kept"):
        get(catalogue)
    assert only(catalogue).fetched > 100_000
    monkeypatch.setattr(download._Fetching, "_keep", keep)
    get(catalogue)
    assert target.exists()


def test_another_file_of_that_name_is_not_overwritten(catalogue, hub, target):
    target.parent.mkdir()
    target.write_bytes(b"mine")
    with pytest.raises(Refused, match="Another file called"):
        get(catalogue)
    with pytest.raises(Refused, match="Another file called"):
        catalogue.use("tiny")
    assert target.read_bytes() == b"mine"
    assert hub.asked == []


def wrong(kind, body):
    """Return a file that could be taken for the model."""
    return {
        "zeros": bytes(len(body)),
        "one byte": body[:-1] + b"\1",
        "shorter": body[:-1],
    }[kind]


@pytest.mark.parametrize("kind", ["zeros", "one byte", "shorter"])
def test_another_file_is_told_of_and_put_aside_by_downloading_again(
    catalogue, services, hub, target, tiny, kind
):
    body = hub.stored[tiny.sha256]
    other = wrong(kind, body)
    target.parent.mkdir()
    target.write_bytes(other)
    services.preferences.set("chat.model", "file:tiny.gguf")
    drive(catalogue.check(threading.Event()), threading.Event())
    found = only(catalogue)
    assert (found.present, found.unchecked, found.in_use) == (False, False, False)
    assert found.aside == "tiny-other.gguf"
    with pytest.raises(Refused, match=r"the other file is then called tiny-other\.gguf"):
        get(catalogue)
    assert hub.asked == []
    get(catalogue, again=True)
    assert target.read_bytes() == body
    assert target.with_name("tiny-other.gguf").read_bytes() == other
    found = only(catalogue)
    assert (found.present, found.unchecked, found.aside, found.in_use) == (True, False, "", True)


def test_a_download_that_fails_leaves_the_other_file_where_it_is(catalogue, hub, target):
    target.parent.mkdir()
    target.write_bytes(b"mine")
    hub.spoils = True
    with pytest.raises(ModelFileError, match="checksum is wrong"):
        get(catalogue, again=True)
    assert [path.name for path in target.parent.iterdir()] == ["tiny.gguf"]
    assert target.read_bytes() == b"mine"


def test_a_file_is_read_once_to_see_that_it_is_the_right_one(catalogue, hub, target, tiny):
    target.parent.mkdir()
    target.write_bytes(hub.stored[tiny.sha256])
    assert (only(catalogue).present, only(catalogue).unchecked) == (True, True)
    steps = list(catalogue.check(threading.Event()))
    assert (steps[-1].label, steps[-1].done) == ("Checking tiny.gguf", tiny.bytes)
    assert (only(catalogue).present, only(catalogue).unchecked) == (True, False)
    assert list(catalogue.check(threading.Event())) == []
    assert get(catalogue) == []
    assert hub.asked == []


def test_checking_is_stopped(catalogue, hub, target, tiny):
    target.parent.mkdir()
    target.write_bytes(hub.stored[tiny.sha256])
    stop = threading.Event()
    steps = catalogue.check(stop)
    next(steps)
    stop.set()
    with pytest.raises(Cancelled):
        next(steps)
    assert only(catalogue).unchecked


def test_an_unknown_model_is_a_sentence(catalogue):
    for call in (catalogue.candidate, catalogue.use, catalogue.discard):
        with pytest.raises(NotFound, match="There is no model called 'x'"):
            call("x")


def test_the_memory_of_the_model_in_use_counts_as_free(catalogue):
    get(catalogue)
    catalogue.use("tiny")
    drive(catalogue.try_out(threading.Event()), threading.Event())
    asked = []
    catalogue.look = lambda ours: asked.append(list(ours)) or Machine(GB, GB, 1)
    catalogue.machine()
    assert len(asked[0]) == 1
