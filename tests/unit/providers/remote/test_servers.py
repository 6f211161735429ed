import socket

from app.providers.remote.servers import USUAL_PORTS, find_servers
from tests.fakes.openai_server import OpenAIServer, Reply


def test_servers_that_answer_are_found_and_others_are_not():
    with OpenAIServer() as ollama, OpenAIServer() as other:
        ollama.models = ["llama3.2:3b", "qwen3:4b"]
        other.refuse["/v1/models"] = Reply(body=b"<html>a web page</html>")
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            closed = unused.getsockname()[1]
        (found,) = find_servers({"Ollama": ollama.port, "LM Studio": other.port, "x": closed})
    assert (found.name, found.base_url) == ("Ollama", ollama.url)
    assert found.models == ("llama3.2:3b", "qwen3:4b")


def test_only_the_usual_ports_of_this_computer_are_tried(monkeypatch):
    tried = []
    monkeypatch.setattr(
        socket.socket, "connect", lambda self, address: tried.append(address) or refuse()
    )

    def refuse():
        raise ConnectionRefusedError

    assert find_servers() == []
    assert {address[0] for address in tried} == {"127.0.0.1"}
    assert {address[1] for address in tried} == set(USUAL_PORTS.values()) == {11434, 1234, 8080}
