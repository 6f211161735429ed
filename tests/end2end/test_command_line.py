"""The command line as a person or a script runs it: real processes, a fresh home, no model."""

import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from threading import Event

import pytest

from tests.end2end.program import ROOT, wait_for
from tests.fakes.openai_server import OpenAIServer, Reply
from tests.fakes.windows import without_numbers

COMMAND = [sys.executable, "-m", "app"]
PATIENCE = 60


class Home:
    """One home directory, and the program run in it."""

    def __init__(self, folder):
        self.folder = folder
        self.data = folder / "data"
        self.more = {}

    @property
    def environment(self):
        kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "QT_QPA_PLATFORM")}
        places = {"HOME": self.folder, "TMPDIR": self.folder, "XDG_DATA_HOME": self.folder / "xdg"}
        own = {"LOCI_HOME": self.data, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
        return {k: str(v) for k, v in (kept | places | own | self.more).items()}

    def run(self, *arguments, say=b"", code=0, **more):
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=say,
            capture_output=True,
            env=self.environment,
            cwd=ROOT,
            timeout=PATIENCE,
            **more,
        )
        assert done.returncode == code, done
        assert b"Traceback" not in done.stderr
        return done

    def json(self, *arguments, **more):
        return json.loads(self.run(*arguments, "--json", **more).stdout)

    def start(self, *arguments, **more):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(
            [*COMMAND, *arguments], env=self.environment, cwd=ROOT, **(pipes | more)
        )


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A home in which the embedder needs no model."""
    home = Home(tmp_path_factory.mktemp("prepared"))
    home.run("models", "--use", "hash")
    return home


@pytest.fixture
def home(prepared, tmp_path):
    home = Home(tmp_path / "home")
    shutil.copytree(prepared.folder, home.folder)
    return home


@pytest.fixture
def server(home):
    """A model that says what it is told to, and learns nothing."""
    with OpenAIServer() as server:
        server.answers = []
        server.respond = lambda body: (
            Reply('{"memories": []}') if "response_format" in body else server.answers.pop(0)
        )
        home.run("models", "--use", f"server:{server.url}#fake")
        yield server


def test_what_was_said_in_one_process_comes_back_in_another(home):
    told = home.run("chat", "--once", "I'm allergic to walnuts.").stdout.decode()
    assert told == "Remembered: “I'm allergic to walnuts”.\n"
    assert b"walnuts" in home.run("chat", "--once", "What am I allergic to?").stdout
    (hit, *_) = home.json("recall", "Are there walnuts in it?")
    assert hit["text"] == "I'm allergic to walnuts"


def test_any_bytes_are_taken_from_pipes_and_arguments(home):
    home.more = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    home.more |= {"PYTHONIOENCODING": "latin-1"}
    said = b"\xff\xfe\r\nMy caf\xe9 is called Wren.\nI live in K\xc3\xb6ln."
    answers = home.run("chat", "--typed", "--json", say=said).stdout.splitlines()
    assert len(answers) == 3
    home.run("remember", b"I like caf\xe9s")
    listed = {m["text"] for m in home.json("memories", "list")}
    assert {"I live in Köln", "I like caf\ufffds"} <= listed
    assert "I like caf?s" in home.run("memories", "list").stdout.decode("latin-1")


def test_a_reader_that_leaves_early_is_no_failure_worth_words(home):
    listing = home.start("settings", "docs")
    listing.stdout.close()
    listing.stdin.close()
    with listing.stderr as errors:
        assert errors.read() == b""
    assert listing.wait(PATIENCE) == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")  # noqa: PTH110
def test_output_that_cannot_be_written_is_a_sentence(home):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        listing = home.start("settings", "list", stdout=full, stdin=subprocess.DEVNULL)
        assert listing.communicate()[1] == b"That did not work: the disk is full.\n"
    assert listing.returncode == 1


def test_a_folder_that_cannot_be_written_is_a_sentence(home):
    as_others = []
    if os.geteuid() == 0:
        rights = "-dac_override,-dac_read_search,-fowner"
        as_others = ["setpriv", "--bounding-set", rights, "--inh-caps", rights]
        if shutil.which("setpriv") is None:
            pytest.skip("the owner of everything can write anywhere")
    folder = home.data / "profiles" / "personal"
    folder.chmod(0o500)
    done = subprocess.run(
        [*as_others, *COMMAND, "remember", "I like tea."],
        capture_output=True,
        env=home.environment,
        cwd=ROOT,
        timeout=PATIENCE,
        text=True,
    )
    folder.chmod(0o700)
    assert done.returncode == 1
    assert done.stderr.startswith("Loci may not write in ")
    assert len(done.stderr.splitlines()) == 1


def test_it_works_while_another_process_has_the_vault_open(home):
    other = home.start("chat", "--typed", "--json")
    other.stdin.write(b"I work as a nurse in Leeds.\n")
    other.stdin.flush()
    assert json.loads(other.stdout.readline())["state"] == "complete"
    home.run("chat", "--once", "I'm allergic to walnuts.")
    (nurse,) = (m["id"] for m in wait_for(lambda: home.json("memories", "list", "--text", "nurse")))
    home.run("memories", "forget", nurse)
    home.run("memories", "undo")
    assert home.json("doctor")["ok"]
    assert "open in another window" in home.run("erase", "--all", "--yes", code=1).stderr.decode()
    out, err = other.communicate(b"What am I allergic to?\n")
    assert (b"walnuts" in out, err, other.returncode) == (True, b"", 0)
    assert len(home.json("memories", "list", "--status", "active")) == 2


def test_ctrl_c_keeps_the_part_of_an_answer_that_came(home, server):
    held = Event()
    server.answers = [Reply("One two three.", between=held, free=2)]
    talk = home.start("chat", "--once", "Count.")
    assert talk.stdout.read(3) == b"One"
    talk.send_signal(signal.SIGINT)
    _, err = talk.communicate(timeout=PATIENCE)
    held.set()
    assert (talk.returncode, err) == (1, b"Stopped.\n")
    home.run("models", "--use", "notebook")
    exported = home.folder / "all.zip"
    home.run("export", exported)
    shutil.unpack_archive(exported, home.folder / "all")
    rows = (home.folder / "all" / "data" / "messages.jsonl").read_text().splitlines()
    states = [json.loads(row)["state"] for row in rows]
    assert states == ["complete", "partial"]


def test_ctrl_c_between_two_lines_ends_without_a_word_too_many(home):
    talk = home.start("chat", "--typed")
    talk.stdin.write(b"I live in Ghent.\n")
    talk.stdin.flush()
    assert talk.stdout.readline().decode() == "Remembered: “I live in Ghent”.\n"
    wait_for(lambda: home.json("memories", "list"))
    talk.send_signal(signal.SIGINT)
    _, err = talk.communicate(timeout=PATIENCE)
    assert (talk.returncode, err.strip()) == (1, b"Stopped.")


class Keyboard:
    """A terminal with a person at it."""

    def __init__(self, home, *arguments):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            os.execve(COMMAND[0], [*COMMAND, *arguments], home.environment | {"TERM": "dumb"})
        self.seen = ""

    def sees(self, text):
        """Wait for a text; return what stood before it."""
        end = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < end, (text, self.seen)
            if select.select([self.terminal], [], [], 0.5)[0]:
                try:
                    self.seen += os.read(self.terminal, 4096).decode("utf-8", "replace")
                except OSError:
                    assert text in self.seen, (text, self.seen)
        before, _, self.seen = self.seen.partition(text)
        return before

    def types(self, text):
        os.write(self.terminal, text.encode())

    def ended(self):
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status)


def test_a_person_at_a_terminal_is_greeted_answered_and_told_what_is_remembered(home):
    person = Keyboard(home)
    person.sees("There is no display here")
    person.sees("Loci remembers what you say")
    person.sees("> ")
    person.types("I'm allergic to walnuts.\n")
    person.sees("Remembered: “I'm allergic to walnuts”.")
    person.types("\nWhat am I allergic to?\n")
    assert "Remembered" not in person.sees("“I'm allergic to walnuts” (")
    person.sees("> ")
    person.types("\x04")
    assert person.ended() == 0


def test_at_a_terminal_a_message_that_no_model_reads_is_answered_without_it(home):
    def respond(body):
        whole = "".join(turn["content"] for turn in body["messages"])
        return without_numbers(0, 0, streamed=True) if "31415" in whole else Reply("Fine.")

    with OpenAIServer() as server:
        server.respond = respond
        home.run("models", "--use", f"server:{server.url}#fake")
        home.run("settings", "set", "extraction.enabled", "false")
        person = Keyboard(home)
        person.sees("> ")
        person.types("/without\n")
        person.sees("No message here is too large")
        person.types("31415" * 600 + "\n")
        person.sees("which fake refuses to read at once. Your message is safe; /without")
        person.types("/without\n")
        person.sees("This is answered without 3,000 characters of your message")
        person.sees("Fine.")
        person.types("And now?\n")
        person.sees("Fine.")
        person.sees("> ")
        person.types("\x04")
        assert person.ended() == 0


def test_a_passphrase_is_asked_for_without_showing_it(home):
    home.run("profiles", "passphrase", say=b"violet\n")
    person = Keyboard(home, "memories", "list")
    person.sees("Passphrase of Personal: ")
    person.types("violet\n")
    person.sees("No memories yet.")
    assert "violet" not in person.seen
    assert person.ended() == 0


def test_starting_reads_nothing_that_the_command_does_not_need(home):
    code = (
        "import sys; from app.main import main; code = main(['settings', 'list']);"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env=home.environment,
        cwd=ROOT,
        timeout=PATIENCE,
        text=True,
    )
    heavy = {"PySide6", "llama_cpp", "httpx", "dateparser", "psutil", "keyring"}
    heavy |= {"snowballstemmer", "py3langid"}
    heavy |= {"app.memory.recall.compose", "app.memory.learn.remember", "app.services.answer.chat"}
    heavy |= {"app.gui", "app.bench.recall", "app.bench.speed", "sqlite_utils"}
    assert heavy & set(done.stderr.split()) == set()


@pytest.mark.parametrize("passphrase", [None, "violet"])
def test_c9_state_is_one_directory_and_survives_a_copy(tmp_path, passphrase):
    """All state lies under one directory, and a copy of it works on another machine."""
    here = Home(tmp_path / "here")
    here.folder.mkdir()
    here.more = {"LOCI_PASSPHRASE": passphrase} if passphrase else {}
    here.run("models", "--use", "hash")
    here.run("chat", "--once", "I'm allergic to walnuts.")
    here.run("settings", "set", "appearance.theme", "dark")
    assert [path.name for path in here.folder.iterdir()] == ["data"]

    there = Home(tmp_path / "there")
    there.folder.mkdir()
    shutil.copytree(here.data, there.data)
    shutil.rmtree(here.folder)
    there.more = here.more
    (hit, *_) = there.json("recall", "What am I allergic to?")
    assert hit["text"] == "I'm allergic to walnuts"
    assert there.json("settings", "get", "appearance.theme")["value"] == "dark"
    if passphrase:
        there.more = {}
        there.run("memories", "list", code=1)
    else:
        there.run("chat", "--once", "I live in Ghent.")
        assert len(there.json("memories", "list")) == 2
