"""One person's first day, with keyboard and mouse, in the real window of the real program."""

import json
import zipfile

from tests.end2end.program import wait_for


def begin(program):
    """First run: no model for now."""
    window = program()
    window.click("choose_notebook")
    window.click("first_run_start")
    window.wait("composer_text")
    return window


def say(window, text):
    window.type("composer_text", text)
    window.key("Return", "composer_text")


def memories(loci):
    return json.loads(loci("memories", "list", "--json").stdout)


def texts(loci):
    return {m["text"] for m in memories(loci) if m["status"] == "active"}


def test_from_first_run_to_erasing_everything(program, loci, tmp_path):
    window = begin(program)
    say(window, "I live in Ghent and I'm allergic to walnuts.")
    window.sees("Remembered: I live in Ghent; I'm allergic to walnuts.")
    wait_for(lambda: texts(loci) == {"I live in Ghent", "I'm allergic to walnuts"})
    window.kill()

    window = program()
    window.wait("composer_text")
    window.key("Ctrl+N")
    say(window, "What am I allergic to?")
    window.wait("chip_1")
    window.sees("allergic to walnuts” (")
    assert "I'm allergic to walnuts" in window.text("chip_1")

    window.click("show_memory")
    window.wait("memory_table")
    window.click_row("memory_table", "walnuts")
    window.click("detail_edit")
    window.replace("editor_text", "I'm allergic to hazelnuts")
    window.click("editor_save")
    wait_for(lambda: "I'm allergic to hazelnuts" in texts(loci), "the edit in the vault")
    window.sees("I'm allergic to hazelnuts")

    window.click("show_settings")
    window.click("settings_show_your_data")
    window.click("export_everything")
    target = tmp_path / "everything.zip"
    window.replace("fileNameEdit", str(target))
    window.key("Return", "fileNameEdit")
    wait_for(target.exists, "the export")
    with zipfile.ZipFile(target) as bundle:
        assert "hazelnuts" in bundle.read("readable/memories.md").decode()

    folder = tmp_path / "home" / "loci" / "profiles" / "personal"
    assert (folder / "vault.db").exists()
    window.click("erase_everything")
    window.type("erasure_name", "Personal")
    window.click("erasure_confirm")
    window.wait("erasure_done")
    assert not folder.exists()
    window.picture(tmp_path / "proof.png")
    window.click("erasure_done")
    window.wait("choose_notebook")
    assert memories(loci) == []
    assert window.close() == 0
    assert "Traceback" not in window.said_on_stderr()
