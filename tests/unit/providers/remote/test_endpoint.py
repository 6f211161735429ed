import pytest

from app.errors import EndpointError
from app.providers.remote.endpoint import Endpoint, normal_url
from tests.fakes.openai_server import OpenAIServer, Reply


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("localhost:11434", "http://localhost:11434/v1"),
        ("127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        (" http://127.0.0.1:1234/v1/ ", "http://127.0.0.1:1234/v1"),
        ("api.openai.com", "https://api.openai.com/v1"),
        ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"),
        ("https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1"),
        ("http://[::1]:8080", "http://[::1]:8080/v1"),
    ],
)
def test_addresses_are_kept_in_one_form(typed, kept):
    assert normal_url(typed) == kept
    assert normal_url(kept) == kept


@pytest.mark.parametrize(
    "typed", ["", "ftp://x", "file:///etc/passwd", "http://", "https://u:p@host", "http://a:b:c"]
)
def test_what_is_no_address_is_refused(typed):
    with pytest.raises(EndpointError, match="not the address"):
        normal_url(typed)


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:1/v1", True),
        ("http://127.8.0.1/v1", True),
        ("http://[::1]:3/v1", True),
        ("http://192.168.1.5:1/v1", False),
        ("https://localhost.example.com/v1", False),
    ],
)
def test_what_is_on_this_computer(url, local):
    assert Endpoint(url).local is local


def test_a_key_is_not_shown():
    assert "sk-1" not in repr(Endpoint("https://x/v1", "sk-1"))


def test_a_redirect_is_not_followed():
    with OpenAIServer() as other, OpenAIServer() as server:
        server.refuse["/v1/models"] = Reply(
            status=307, body=b"", headers={"Location": f"{other.url}/models"}
        )
        with pytest.raises(EndpointError, match="does not follow"):
            Endpoint(server.url, "key").fetch("/models")
        assert other.requests == []
