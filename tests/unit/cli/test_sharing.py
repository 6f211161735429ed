"""What may leave this computer, asked and said at the command line."""

import pytest

from app.cli import talk as talking
from app.cli.sharing import may_be_sent
from app.errors import Unshared
from app.providers.remote.endpoint import Endpoint
from tests.fakes.openai_server import OpenAIServer, Reply

ASKED = "Ask my friend Ottokar Veldhoven about the cat."


@pytest.fixture
def remote(loci, monkeypatch):
    """A server that counts as one beyond this computer, chosen to answer."""
    monkeypatch.setattr(Endpoint, "local", property(lambda self: False))
    with OpenAIServer(Reply("Done.")) as server:
        loci("models", "--use", f"server:{server.url}#fake")
        loci("settings", "set", "extraction.enabled", "off")
        yield server


def posted(server):
    return [one.body for one in server.requests if one.path.endswith("/chat/completions")]


def test_a_script_is_told_how_to_allow_it_and_nothing_is_sent(loci, remote):
    refused = loci("chat", "--once", ASKED, code=1).err
    assert f"loci models share {remote.url} --memories all --stand-ins" in refused
    refused = loci("chat", say=ASKED.encode(), code=1).err
    assert "Nothing was sent" in refused
    assert not posted(remote)


def test_what_may_go_is_said_listed_and_asked_again(loci, remote):
    assert "you are asked before the first message" in loci("models", "share").out
    loci("models", "share", remote.url, "--memories", "none", "--stand-ins")
    (one,) = loci("models", "share", "--json").data
    assert (one["memories"], one["stand_ins"], one["asks"]) == ("none", True, False)
    assert loci("chat", "--once", ASKED).out == "Done.\n"
    assert "Veldhoven" not in str(posted(remote))
    loci("models", "share", remote.url, "--type", "semantic", "--tag", "work")
    (one,) = loci("models", "share", "--json").data
    assert (one["memories"], one["types"], one["tags"]) == ("some", ["semantic"], ["work"])
    loci("models", "share", remote.url, "--ask-again")
    loci("chat", "--once", ASKED, code=1)


def test_an_address_goes_with_what_may_go_there(loci):
    assert "An address goes with" in loci("models", "share", "--stand-ins", code=1).err
    assert "An address goes with" in loci("models", "share", "http://x/v1", code=1).err


@pytest.mark.parametrize(("answer", "sent"), [("1", 1), ("0", 0)])
def test_a_terminal_is_shown_what_would_go_and_asked(loci, remote, monkeypatch, answer, sent):
    seen = []

    def asked(services, error, message_id, stop):
        assert isinstance(error, Unshared)
        monkeypatch.setattr("app.cli.sharing.ask", lambda question: seen.append(question) or answer)
        return may_be_sent(services, error, message_id, stop)

    def once(self):
        from app.domain.conversation import Part, PartOrigin

        self._hear_out([Part(ASKED, PartOrigin.TYPED)])
        return True

    monkeypatch.setattr(talking, "may_be_sent", asked)
    monkeypatch.setattr(talking.Talk, "listen", once)
    told = loci("chat")
    assert len(seen) == 1
    assert "This would be sent:" in told.err
    assert "Veldhoven" not in told.err
    assert len(posted(remote)) == sent
    assert ("Done." in told.out) == bool(sent)
