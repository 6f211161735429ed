"""Whatever words of others a command prints, none of their codes reaches the terminal."""

import json
import re

import pytest

from app.paths import find
from app.store.profiles import Profiles
from app.store.vault import keys
from app.store.vault.connection import READ_CACHE_KB, connect
from tests.fakes.openai_server import OpenAIServer, Reply

pytestmark = pytest.mark.expects_warnings

RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0020-\U000e007f]")
EVIL = "Ann\x1b[2J\x1b]0;owned\x07\x9b31m\x85\u202egnp\u2066\U000e0041 sails"
IN_A_NAME = EVIL.replace("\x85", "")  # a line break of its own, which no name has


@pytest.fixture
def tame(loci):
    """Run a command, whatever it comes to, and see that nothing raw is printed."""

    def call(*arguments, say=b"", code=0):
        done = loci(*arguments, say=say, code=code)
        assert not RAW.search(done.out), ascii(done.out)
        assert not RAW.search(done.err), ascii(done.err)
        return done

    return call


@pytest.fixture
def server(loci):
    with OpenAIServer() as server:
        server.respond = lambda body: server.reply
        loci("models", "--use", f"server:{server.url}#fake")
        yield server


@pytest.mark.parametrize("arguments", [("--once", "Hello."), (), ("--json",)])
def test_the_error_of_a_server(tame, server, arguments):
    server.reply = Reply(EVIL, status=500)
    done = tame("chat", *arguments, say=b"Hello.\n", code=1)
    assert "failed (500): Ann" in done.err


def test_an_error_with_a_code_within_an_answer(tame, server):
    server.reply = Reply(status=200, body=json.dumps({"error": {"message": EVIL}}).encode())
    assert tame("chat", "--once", "Hello.", code=1).err.strip()


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_an_answer_and_its_error(tame, server, form):
    server.reply = Reply(f"{EVIL}. And more words.", cut_after=12)
    done = tame("chat", "--once", "Hello.", *form, code=1)
    assert "sails" in done.out
    if form:
        assert EVIL in done.data["answer"], "JSON loses nothing"


def test_the_models_of_a_server_and_a_file(tame, server, tmp_path):
    server.models = [EVIL]
    tame("models", "--servers")
    tame("models", "--use", f"server:{server.url}#{IN_A_NAME}")
    tame("models", "--json")
    file = tmp_path / f"{IN_A_NAME}.gguf"
    file.write_bytes(b"none")
    tame("models", "--add", file, code=1)
    tame("models", "--add", tmp_path / f"{IN_A_NAME}-gone.gguf", code=1)


@pytest.mark.tampers
def test_a_memory_and_what_is_told_of_it_at_opening(tame):
    tame("remember", EVIL)
    for command in ("memories list", "memories list --json"):
        assert "sails" in tame(*command.split()).out
    tame("recall", "--explain", "Who sails?")
    edit("UPDATE memories SET pinned = 1")
    assert "sails" in tame("doctor", code=1).out
    assert "sails" in tame("memories", "list").err, "at opening"


def test_arguments_that_are_wrong(tame, tmp_path):
    for arguments in (
        (IN_A_NAME,),
        ("memories", IN_A_NAME),
        (f"--{IN_A_NAME}",),
        ("recall", "-k", IN_A_NAME, "x"),
    ):
        assert "sails" in tame(*arguments, code=2).err
    assert "sails" in tame("--profile", IN_A_NAME, "memories", "list", code=1).err
    tame("import", tmp_path / f"{IN_A_NAME}.zip", code=1)
    tame("settings", "get", IN_A_NAME, code=1)


def test_the_name_of_a_profile(tame):
    tame("profiles", "create", IN_A_NAME, code=1)
    unseen = "A profile's name cannot have characters that nobody sees.\n"
    for name in ("Ann \u202epgn\u2066", "Ann\U000e0041"):
        assert tame("profiles", "create", name, code=1).err == unseen
    tame("profiles", "create", "葛\U000e0100 👩‍👩‍👧")
    tame("profiles", "list")
    tame("profiles", "list", "--json")
    assert tame("erase", "--all", say=b"no\n", code=1).err


def edit(statement):
    """Write as another program that has the key."""
    profiles = Profiles(find(None), find_keyring=lambda: None)
    files = profiles.files(profiles.list()[0].slug)
    other = connect(files.vault, keys.unlock(files), cache_kb=READ_CACHE_KB, read_only=False)
    other.execute(statement)
    other.close()
