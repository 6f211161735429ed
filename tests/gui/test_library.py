from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.domain.changes import Changes
from app.domain.model import EmbeddingStatus, FoundServer, ModelChoice, ModelPlace, ModelRole
from app.errors import EndpointError
from app.gui.library import controller as module
from app.gui.library.controller import searched_words
from app.gui.library.model import (
    best_first,
    embedding_words,
    icon,
    is_near,
    needs_key,
    ordered,
    server_choices,
)
from app.gui.library.option_row import OptionRow

OLLAMA = FoundServer("Ollama", "http://127.0.0.1:11434/v1", ("llama3.2", "mistral"))
FILE = ModelChoice(
    "file:q.gguf",
    "Qwen",
    ModelRole.CHAT,
    ModelPlace.FILE,
    "On this computer, 2.5 GB",
    2_500_000_000,
)
CLOUD = ModelChoice("server:https://api.x.com/v1#m", "m", ModelRole.CHAT, ModelPlace.SERVER)
NONE = ModelChoice("notebook", "No model", ModelRole.CHAT, ModelPlace.BUILT_IN)


def test_servers_add_only_what_is_not_listed():
    listed = [ModelChoice(f"server:{OLLAMA.base_url}#mistral", "mistral", ModelRole.CHAT,
                          ModelPlace.SERVER)]  # fmt: skip
    found = server_choices([OLLAMA], listed)
    assert [c.id for c in found] == ["server:http://127.0.0.1:11434/v1#llama3.2"]
    assert "running on this computer" in found[0].detail
    assert [c.id for c in ordered([FILE, NONE], found)] == [FILE.id, found[0].id, NONE.id]


def test_near_and_far():
    near = server_choices([OLLAMA], [])[0]
    assert is_near(near)
    assert is_near(FILE)
    assert not is_near(CLOUD)
    assert icon(near) != icon(CLOUD)


def test_a_row_says_where_a_model_is_and_how_big(qtbot, theme):
    row = OptionRow(theme, FILE, chosen=False)
    qtbot.addWidget(row)
    assert row.accessibleDescription() == "On this computer, 2.5 GB"
    assert row.findChild(QWidget, f"model_at.{FILE.id}").text() == "On this computer, 2.5 GB"


def test_which_embedder_wants_a_key():
    assert needs_key(ModelChoice("voyage:voyage-3", "v", ModelRole.EMBED, ModelPlace.SERVER))
    assert not needs_key(FILE)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (EmbeddingStatus("e", 0, 0, 0), "Everything can be found by meaning."),
        (EmbeddingStatus("e", 50, 0, 0), "All 50 memories and messages can be found by meaning."),
        (
            EmbeddingStatus("e", 1000, 300, 200),
            "700 of 1,000 can be found by meaning; 300 to go, 200 of them to be embedded again. "
            "Until then they are found by words.",
        ),
    ],
)
def test_how_far_the_memories_are_embedded(status, said):
    assert embedding_words(status) == said


def test_what_a_look_for_servers_brought():
    assert searched_words([OLLAMA]) == "Found Ollama with 2 models."
    assert "No server" in searched_words([])


def test_an_option_with_a_problem_cannot_be_chosen(qtbot, theme):
    broken = ModelChoice("file:b", "b", ModelRole.CHAT, ModelPlace.FILE, problem="Cut short.")
    row = OptionRow(theme, broken, chosen=False)
    qtbot.addWidget(row)
    assert not row.isEnabled()
    assert row.accessibleDescription() == "Cut short."


def test_an_option_with_a_warning_can_be_chosen_and_says_it(qtbot, theme):
    base = replace(FILE, warning="Probably a base model.")
    row = OptionRow(theme, base, chosen=False)
    qtbot.addWidget(row)
    assert row.isEnabled()
    assert row.accessibleDescription() == "On this computer, 2.5 GB. Probably a base model."
    assert row.findChild(QWidget, f"warning.{FILE.id}").text() == "Probably a base model."


def test_what_nothing_speaks_against_comes_first():
    warned, broken = replace(FILE, warning="w"), replace(FILE, problem="p")
    assert best_first([broken, warned, NONE, CLOUD, FILE]) == [FILE, warned, broken]


# With the real services; servers are made up.


@pytest.fixture
def servers(servers):
    servers.append(OLLAMA)
    return servers


def names(library):
    return [row.choice.name for row in library.pane.chat_list.rows() if row.isVisible()]


def chosen(library):
    return [row.choice.id for row in library.pane.chat_list.rows() if row.isChecked()]


def option(library, choice_id):
    return library.pane.findChild(OptionRow, f"model.{choice_id}")


def test_no_port_is_asked_before_the_person_wants_it(qtbot, library, servers):
    assert len(names(library)) == 1
    library.pane.look_button.click()
    qtbot.waitUntil(lambda: names(library)[:2] == ["llama3.2", "mistral"])
    assert library.pane.look_button.text() == "Look again"
    servers.clear()
    library.pane.look_button.click()
    qtbot.waitUntil(lambda: "No server" in library.pane._searched.text())
    qtbot.waitUntil(lambda: len(names(library)) == 1)


def test_a_servers_model_is_chosen_with_the_keyboard(qtbot, library, services, off_gui):
    library.pane.look_button.click()
    qtbot.waitUntil(lambda: len(names(library)) == 3)
    rows = library.pane.chat_list.rows()
    rows[0].setFocus()
    QTest.keyClick(rows[0], Qt.Key.Key_Down)
    assert rows[1].hasFocus()
    assert not rows[1].isChecked()
    QTest.keyClick(rows[1], Qt.Key.Key_Return)
    wanted = "server:http://127.0.0.1:11434/v1#mistral"
    qtbot.waitUntil(lambda: chosen(library) == [wanted])
    assert off_gui(lambda: services.preferences.values().chat.model) == wanted


def test_a_choice_that_fails_is_said_in_place(qtbot, library, services, monkeypatch):
    def refuse(choice_id, key=None):
        raise EndpointError("The server refused the key.")

    monkeypatch.setattr(services.library, "choose_chat", refuse)
    option(library, "notebook").click()
    notice = library.pane.notice
    qtbot.waitUntil(notice.isVisible)
    assert notice.words.text() == "The server refused the key."


def test_a_file_that_is_no_model_is_said_in_place(qtbot, library, tmp_path, monkeypatch, off_gui):
    bad = tmp_path / "bad.gguf"
    off_gui(lambda: bad.write_bytes(b"not a model"))
    monkeypatch.setattr(module, "choose_file", lambda *args: args[-1](bad))
    library.pane.file_button.click()
    qtbot.waitUntil(library.pane.notice.isVisible)
    assert len(names(library)) == 1


def test_a_service_is_asked_for_its_models_then_chosen(
    qtbot, library, services, monkeypatch, off_gui
):
    asked = []

    def models(base_url, key=""):
        asked.append((base_url, key))
        if key != "right":
            raise EndpointError("The key is wrong.")
        return ["small", "large"]

    monkeypatch.setattr(services.library, "server_models", models)
    library.pane.service_button.click()
    form = library.pane.form
    assert not form.list_button.isEnabled()
    form.address.setText("https://api.example.com/v1")
    form.key.setText("wrong")
    form.list_button.click()
    qtbot.waitUntil(lambda: form.errors.words.text() == "The key is wrong.")
    form.key.setText("right")
    QTest.keyClick(form.key, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: form.models.count() == 2)
    assert asked[-1] == ("https://api.example.com/v1", "right")
    form.models.setCurrentText("large")
    form.use_button.click()
    wanted = "server:https://api.example.com/v1#large"
    qtbot.waitUntil(lambda: not form.isVisible())
    qtbot.waitUntil(lambda: chosen(library) == [wanted])
    assert off_gui(lambda: services.preferences.values().chat.model) == wanted


def test_escape_closes_the_form(qtbot, library):
    library.pane.service_button.click()
    assert library.escape()
    assert not library.pane.form.isVisible()
    assert not library.escape()


def test_another_embedder_wants_a_yes(qtbot, library, services, off_gui):
    qtbot.waitUntil(lambda: library.pane._meaning.text() != "", timeout=20_000)
    library.pane.embed_button.click()
    row = option(library, "hash")
    row.click()
    sheet = library.pane.window().findChild(QWidget, "change_embedder")
    assert off_gui(lambda: services.preferences.values().models.embedder) == "bundled"
    sheet.accept_button.click()
    qtbot.waitUntil(
        lambda: off_gui(lambda: services.preferences.values().models.embedder) == "hash"
    )
    qtbot.waitUntil(lambda: option(library, "hash").isChecked(), timeout=20_000)


def test_an_embedder_of_a_company_says_what_it_is_sent_and_wants_a_key(
    qtbot, library, services, monkeypatch
):
    calls = []
    monkeypatch.setattr(
        services.library, "choose_embedder", lambda *args: calls.append(args) or Changes()
    )
    qtbot.waitUntil(lambda: library.pane._meaning.text() != "", timeout=20_000)
    library.pane.embed_button.click()
    row = next(r for r in library.pane.embed_list.rows() if r.choice.id.startswith("voyage:"))
    row.click()
    sheet = library.pane.window().findChild(QWidget, "change_embedder")
    said = sheet.findChild(QWidget, "change_embedder_help").text()
    assert "every memory and message is sent" in said
    sheet.fields["key"].setText("k")
    sheet.accept_button.click()
    qtbot.waitUntil(lambda: calls == [(row.choice.id, "k")])


def test_progress_of_embedding_stands_in_the_foot(qtbot, library):
    from app.domain.jobs.progress import Progress

    library.show_progress(Progress("Embedding", 5, 10))
    assert library.pane.foot.isVisible()
    library.show_progress(None)
    assert not library.pane.foot.isVisible()
