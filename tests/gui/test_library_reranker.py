"""The reranker on the models screen: what it says, its download, and a file of one's own."""

import hashlib
from dataclasses import replace

import pytest

from app.domain.model import RerankerStatus
from app.gui.library import reranker_controller as module
from app.gui.library.model import download_words, reranker_words
from app.providers.local.download import Offer
from app.settings.rerank import RerankSettings
from tests.fakes.file_server import FileServer
from tests.fakes.tiny_ranker import ranker
from tests.gui.waiting import LONG

NAME = RerankSettings().model
BIG = 635_676_416


@pytest.mark.parametrize(
    ("status", "refused", "said"),
    [
        (
            RerankerStatus("r.gguf", present=True, on=True, bytes=BIG),
            False,
            ("On: r.gguf", "On this computer, 636 MB"),
        ),
        (
            RerankerStatus("r.gguf", present=True, on=False, bytes=BIG),
            True,
            ("Off", "r.gguf. On this computer, 636 MB"),
        ),
        (
            RerankerStatus("r.gguf", present=False, on=False, bytes=BIG, offered=True),
            False,
            ("Not downloaded", "r.gguf. 636 MB, downloaded once."),
        ),
        (
            RerankerStatus("r.gguf", False, False, BIG, offered=True, fetched=213_000_000),
            True,
            ("Off", "r.gguf. 213 of 636 MB downloaded."),
        ),
        (RerankerStatus("mine.gguf", False, on=True), False, ("Not found", "mine.gguf")),
    ],
)
def test_what_is_said_of_it(status, refused, said):
    assert reranker_words(status, refused=refused) == said


def test_the_button_says_how_much_there_is_to_fetch():
    status = RerankerStatus("r.gguf", False, False, BIG, offered=True)
    assert download_words(status) == "Download (636 MB)"
    status = RerankerStatus("r.gguf", False, False, BIG, offered=True, fetched=213_000_000)
    assert download_words(status) == "Resume (423 MB left)"
    assert download_words(replace(status, present=True)) == "Download again"


# With the real services; the file comes from a server on this computer.


@pytest.fixture
def body(tmp_path, off_gui):
    return off_gui(lambda: ranker(tmp_path / "made.gguf").read_bytes())


@pytest.fixture
def server(body):
    with FileServer(body) as server:
        yield server


@pytest.fixture
def section(qtbot, opened, server, library):
    """The part about the reranker, which the server has."""
    checksum = hashlib.sha256(server.body).hexdigest()
    opened.host.rerankers.offers = {NAME: Offer(server.url, checksum, len(server.body))}
    library._reranker.load()
    section = library.pane.reranker
    qtbot.waitUntil(section.download_button.isVisible)
    return section


def is_on(section):
    return section.state.text() == f"On: {NAME}" and section.switch.isChecked()


def test_nothing_is_asked_of_the_network_before_the_person_wants_it(section, server):
    assert section.state.text() == "Not downloaded"
    assert not section.switch.isChecked()
    assert not section.problem.isVisible()
    assert server.asked == []


def test_it_is_downloaded_and_then_on(qtbot, section, server, services, off_gui):
    section.download_button.click()
    assert section.bar.isVisible()
    assert not section.download_button.isVisible()
    qtbot.waitUntil(lambda: is_on(section), timeout=LONG)
    assert not section.bar.isVisible()
    assert not section.download_button.isVisible()
    assert off_gui((services.library.folder / NAME).read_bytes) == server.body
    off_gui(services.reranker.prepare)
    section.switch.click()
    qtbot.waitUntil(lambda: section.state.text() == "Off")
    assert not off_gui(services.reranker.status).on


def test_a_download_is_stopped_and_goes_on_later(qtbot, section, server):
    server.stall = len(server.body) // 2
    section.download_button.click()
    qtbot.waitUntil(lambda: section.bar.value() > 0, timeout=LONG)
    section.stop_button.click()
    qtbot.waitUntil(section.download_button.isVisible, timeout=LONG)
    assert section.state.text() == "Not downloaded"
    assert section.download_button.text().startswith("Resume")
    assert not section.notice.isVisible()
    server.stall = None
    section.download_button.click()
    qtbot.waitUntil(lambda: is_on(section), timeout=LONG)
    assert server.asked[-1].startswith("bytes=")


def test_a_server_that_fails_is_told_of_in_one_sentence(qtbot, section, server):
    server.status = 404
    section.download_button.click()
    qtbot.waitUntil(section.notice.isVisible, timeout=LONG)
    said = section.notice.words.text()
    assert said.count(".") == said.count(NAME) + 4, "an address, a file, one full stop"
    assert said.endswith(f"does not have {NAME} any more.")
    qtbot.waitUntil(section.download_button.isVisible)
    server.status = 200
    section.download_button.click()
    assert not section.notice.isVisible()
    qtbot.waitUntil(lambda: is_on(section), timeout=LONG)


def test_turned_on_without_its_file_it_offers_the_download(qtbot, section, server):
    section.switch.click()
    qtbot.waitUntil(section.problem.isVisible)
    assert "can be downloaded once" in section.problem.text()
    assert section.switch.isChecked()
    assert section.download_button.isVisible()
    section.switch.click()
    qtbot.waitUntil(lambda: section.state.text() == "Off")
    assert not section.problem.isVisible()
    assert server.asked == []
    section.download_button.click()
    qtbot.waitUntil(lambda: is_on(section), timeout=LONG)


def test_a_file_of_ones_own_is_used_where_it_lies(
    qtbot, section, services, tmp_path, monkeypatch, off_gui
):
    mine = tmp_path / "mine.gguf"
    off_gui(lambda: ranker(mine))
    monkeypatch.setattr(module, "choose_file", lambda *args: args[-1](mine))
    section.file_button.click()
    qtbot.waitUntil(lambda: section.state.text() == "On: mine.gguf", timeout=LONG)
    assert off_gui(lambda: services.preferences.values().rag.rerank.model) == str(mine)
    off_gui(services.reranker.prepare)
    off_gui(mine.unlink)
    section.switch.click()
    qtbot.waitUntil(section.reset_button.isVisible)
    assert not section.download_button.isVisible()
    section.reset_button.click()
    qtbot.waitUntil(section.download_button.isVisible)
    assert not section.reset_button.isVisible()


def test_a_file_that_is_no_reranker_is_said_in_place(
    qtbot, section, tmp_path, monkeypatch, off_gui
):
    bad = tmp_path / "bad.gguf"
    off_gui(lambda: bad.write_bytes(b"not a model"))
    monkeypatch.setattr(module, "choose_file", lambda *args: args[-1](bad))
    section.file_button.click()
    qtbot.waitUntil(section.notice.isVisible)
    assert section.state.text() == "Not downloaded"
