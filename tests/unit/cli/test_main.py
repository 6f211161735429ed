import click
import pytest

from app import __version__
from app.cli.main import root, run
from app.errors import VaultBusy
from app.main import MORE_COMMANDS
from app.main.program import Program
from app.serialisers.version import VERSION


def commands(group, path=()):
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


EVERY = dict(commands(root(MORE_COMMANDS)))


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_every_command_explains_itself(loci, path):
    shown = loci(*path, "--help").out
    assert shown.startswith("Usage: loci ")
    assert "Show this message and exit" in shown
    assert "``" not in shown
    for parameter in EVERY[path].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


def test_the_version_is_told_with_that_of_what_is_printed_as_json(loci):
    assert loci("--version").out == f"Loci, version {__version__}\n"
    for arguments in (("--version", "--json"), ("--json", "--version")):
        assert loci(*arguments).data == {"loci": __version__, "json": VERSION}


def test_options_are_taken_before_and_after_the_command(loci, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    loci("--data-dir", elsewhere, "remember", "I like tea.")
    after = loci("memories", "list", "--data-dir", elsewhere, "--json").data
    before = loci("--json", "--data-dir", elsewhere, "memories", "list").data
    between = loci("memories", "--json", "--data-dir", elsewhere, "list", "--profile", "Personal")
    assert before == after == between.data
    assert [m["text"] for m in after] == ["I like tea."]
    assert loci("memories", "list", "--json").data == []


def test_loci_home_says_where_everything_is_kept(loci, tmp_path, monkeypatch):
    monkeypatch.setenv("LOCI_HOME", str(tmp_path / "other"))
    loci("remember", "I like tea.")
    assert (tmp_path / "other" / "profiles" / "personal" / "vault.db").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("memories", "nonsense"),
        ("chat", "--nonsense"),
        ("recall",),
        ("recall", "x", "-k", "0"),
        ("memories", "list", "--type", "nonsense"),
        ("memories", "clear"),
        ("memories", "clear", "--since", "2026-13-01"),
        ("settings", "set", "rag.enabled"),
        ("import", "."),
        ("erase",),
        ("bench", "recall", "x.json", "--set", "nonsense"),
    ],
)
def test_wrong_usage_exits_with_2(loci, arguments):
    done = loci(*arguments, code=2)
    assert done.out == ""
    assert "Usage: loci" in done.err or "Error" in done.err


def test_an_expected_failure_is_one_sentence_on_standard_error(loci):
    done = loci("memories", "list", "--profile", "nobody", code=1)
    assert done.out == ""
    assert done.err == "There is no profile called 'nobody'.\n"


class Broken(Program):
    """Fails in whatever way it is told to."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def which(self, data_dir, profile):
        raise self.error


@pytest.mark.expects_warnings
@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (VaultBusy("It is busy."), "It is busy.\n"),
        (PermissionError(13, "Permission denied", "/x"), "That did not work: /x: Permission"),
        (KeyboardInterrupt(), "Stopped.\n"),
        (ValueError("secret words"), "Loci made a mistake (ValueError in program.py, line"),
    ],
)
def test_no_failure_shows_a_traceback(error, sentence, capsys):
    assert run(Broken(error), ["recall", "x"]) == 1
    err = capsys.readouterr().err
    assert sentence in err
    assert "Traceback" not in err
    assert "secret" not in err


def test_a_bug_can_be_looked_at(monkeypatch, capsys):
    monkeypatch.setenv("LOCI_TRACEBACK", "1")
    assert run(Broken(ValueError("why\x1b[2J")), ["recall", "x"]) == 1
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert "ValueError: why\ufffd[2J" in err


class Windowed(Program):
    """Opens no real window."""

    def window(self, data_dir, profile):
        self.asked = (data_dir, profile)
        return 0


def test_without_a_command_the_window_opens(tmp_path):
    program = Windowed()
    assert run(program, ["--data-dir", str(tmp_path), "--profile", "ann"]) == 0
    assert program.asked == (tmp_path, "ann")


def test_where_there_is_no_display_the_chat_opens_in_the_terminal(loci, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    done = loci(say=b"Who am I?\n")
    assert "no display" in done.err
    assert done.out == "I don’t know that.\n"


@pytest.mark.expects_warnings
def test_a_home_that_is_a_file_is_a_sentence(loci, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("LOCI_HOME", str(tmp_path / "file"))
    assert "could not be used" in loci("memories", "list", code=1).err
