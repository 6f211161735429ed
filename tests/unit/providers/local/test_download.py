import hashlib
import stat
import threading

import pytest

from app.errors import Cancelled, EndpointError, ModelFileError
from app.providers.local import download
from app.providers.local.download import Offer, fetch
from tests.fakes.file_server import FileServer

BODY = bytes(range(256)) * 4_000


@pytest.fixture
def server():
    with FileServer(BODY) as made:
        yield made


@pytest.fixture
def target(tmp_path):
    return tmp_path / "models" / "file.gguf"


def offer(server, body=BODY):
    return Offer(server.url, hashlib.sha256(body).hexdigest(), len(body))


def part(target):
    return target.with_name("file.gguf.part")


def names(target):
    return [path.name for path in target.parent.iterdir()]


def left_there(target, body):
    target.parent.mkdir()
    part(target).write_bytes(body)


def run(server, target, cancel=None, body=BODY):
    return list(fetch(offer(server, body), target, cancel or threading.Event()))


def test_a_file_is_fetched_and_only_then_has_its_name(server, target):
    steps = []
    for step in fetch(offer(server), target, threading.Event()):
        assert not target.exists()
        steps.append(step)
    assert target.read_bytes() == BODY
    assert names(target) == ["file.gguf"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert (done[-1], steps[-1].total, steps[-1].label) == (
        len(BODY), len(BODY), "Downloading file.gguf"
    )  # fmt: skip


def test_what_came_before_is_not_fetched_again(server, target):
    left_there(target, BODY[:300_000])
    run(server, target)
    assert target.read_bytes() == BODY
    assert server.asked == ["bytes=300000-"]


def test_a_connection_that_breaks_is_taken_up_where_it_broke(server, target):
    server.cuts = [400_000, 100_000, None]
    run(server, target)
    assert target.read_bytes() == BODY
    assert server.asked == ["", "bytes=400000-", "bytes=500000-"]


def test_a_server_that_always_breaks_off_is_given_up_and_what_came_is_kept(server, target):
    server.cuts = [1_000] * 10
    with pytest.raises(EndpointError, match="broke off"):
        run(server, target)
    assert len(server.asked) == download.MOST_ATTEMPTS
    assert part(target).read_bytes() == BODY[: 1_000 * download.MOST_ATTEMPTS]
    server.cuts = []
    run(server, target)
    assert target.read_bytes() == BODY


def test_an_end_without_a_length_is_no_whole_file(server, target):
    server.length, server.cuts = False, [1_000, 0]
    with pytest.raises(EndpointError, match="ask again to go on"):
        run(server, target)
    assert part(target).read_bytes() == BODY[:1_000]


def test_a_server_that_knows_no_parts_sends_all_of_it_again(server, target):
    server.ranges = False
    left_there(target, BODY[:300_000])
    run(server, target)
    assert target.read_bytes() == BODY


def test_a_wrong_checksum_leaves_nothing(server, target):
    server.body = BODY[:-1] + b"!"
    with pytest.raises(ModelFileError, match=r"checksum is wrong.*Nothing of it was kept"):
        run(server, target)
    assert names(target) == []


def test_a_part_that_was_damaged_is_found_out_and_the_next_time_works(server, target):
    left_there(target, b"!" + BODY[1:300_000])
    with pytest.raises(ModelFileError, match="checksum"):
        run(server, target)
    run(server, target)
    assert target.read_bytes() == BODY


def test_a_part_longer_than_the_file_is_not_used(server, target):
    left_there(target, BODY + b"more")
    run(server, target)
    assert target.read_bytes() == BODY
    assert server.asked == [""]


def test_a_whole_part_needs_no_network(server, target):
    left_there(target, BODY)
    run(server, target)
    assert target.read_bytes() == BODY
    assert server.asked == []


@pytest.mark.parametrize("length", [True, False])
def test_a_file_of_another_size_is_not_taken(server, target, length):
    server.length = length
    with pytest.raises(ModelFileError, match="size is wrong"):
        run(server, target, body=BODY[:-1000])
    assert names(target) == []


@pytest.mark.parametrize(
    ("status", "says"), [(404, "does not have file.gguf"), (403, "refused"), (500, "failed")]
)
def test_a_refusal_is_a_sentence_and_keeps_what_was_there(server, target, status, says):
    server.status = status
    left_there(target, BODY[:10])
    with pytest.raises(EndpointError, match=says):
        run(server, target)
    assert part(target).read_bytes() == BODY[:10]


def test_a_part_that_the_server_refuses_is_begun_anew_the_next_time(server, target):
    server.status = 416
    left_there(target, BODY[:10])
    with pytest.raises(EndpointError):
        run(server, target)
    assert part(target).read_bytes() == b""


def test_nobody_there_is_a_sentence(target):
    with FileServer(BODY) as server:
        pass
    with pytest.raises(
        EndpointError,
        match=r"^No connection to 127.*\d\. Try again later, .+ \(models\.mirror\)\.$",
    ):
        run(server, target)


def test_stopping_keeps_what_came_and_hangs_up(server, target):
    server.stall, cancel = 200_000, threading.Event()
    steps = fetch(offer(server), target, cancel)
    while next(steps).done < 200_000:
        pass
    cancel.set()
    with pytest.raises(Cancelled):
        next(steps)
    assert server.gone.wait(10)
    assert part(target).read_bytes() == BODY[:200_000]
    server.stall = None
    run(server, target)
    assert server.asked[-1] == "bytes=200000-"
    assert target.read_bytes() == BODY


def test_letting_go_at_a_step_keeps_what_came(server, target):
    steps = fetch(offer(server), target, threading.Event())
    next(steps)
    steps.close()
    assert part(target).stat().st_size > 0
    assert not target.exists()


def test_a_redirect_is_followed_with_the_same_question(server, target):
    left_there(target, BODY[:500])
    with FileServer(b"") as front:
        front.move = server.url
        list(fetch(Offer(front.url, offer(server).sha256, len(BODY)), target, threading.Event()))
    assert target.read_bytes() == BODY
    assert server.asked == ["bytes=500-"]


@pytest.mark.parametrize("where", ["", "ftp://127.0.0.1/x", "file:///etc/passwd"])
def test_a_redirect_to_anything_else_is_not_followed(server, target, where):
    server.move = where or server.url
    with pytest.raises(EndpointError, match="does not follow"):
        run(server, target)


def test_redirects_end(server, target):
    with FileServer(b"") as other:
        server.move, other.move = other.url, server.url
        with pytest.raises(EndpointError, match="in circles"):
            run(server, target)


def test_too_little_room_is_said_before_anything_is_asked(server, target, monkeypatch):
    monkeypatch.setattr(download.shutil, "disk_usage", lambda _: type("", (), {"free": 1}))
    with pytest.raises(ModelFileError, match="MB free"):
        run(server, target)
    assert server.asked == []


def test_a_folder_that_cannot_be_written_is_a_sentence(server, tmp_path):
    (tmp_path / "models").write_text("a file")
    with pytest.raises(ModelFileError, match="could not be written"):
        run(server, tmp_path / "models" / "file.gguf")


def test_two_at_once_do_not_write_into_one_file(server, target):
    first = fetch(offer(server), target, threading.Event())
    next(first)
    with pytest.raises(ModelFileError, match="being downloaded already"):
        run(server, target)
    list(first)
    assert target.read_bytes() == BODY
