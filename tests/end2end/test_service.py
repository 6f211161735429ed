"""A service that answers over HTTP, set up at first run and talked to in the window."""

from threading import Event

import pytest

from tests.end2end.program import wait_for
from tests.fakes.openai_server import OpenAIServer, Reply


@pytest.fixture
def server():
    with OpenAIServer() as server:
        server.chat = []
        server.respond = lambda body: (
            Reply('{"memories": []}')
            if "response_format" in body
            else (server.chat.pop(0) if server.chat else Reply())
        )
        yield server


def test_a_service_is_asked_for_its_models_and_answers_word_by_word(program, server, loci):
    window = program()
    window.click("choose_service")
    window.type("service_address", server.url)
    window.click("service_list")
    window.click("service_use")
    window.click("first_run_start")
    window.wait("composer_text")

    held = Event()
    server.chat.append(
        Reply("Good **morning** to you.\n\n```python\nprint(1)\n```", between=held, free=3)
    )
    window.type("composer_text", "Hello there, I work as a nurse in Leeds.")
    window.key("Return", "composer_text")
    window.sees("Good")
    held.set()
    window.sees("print(1)")

    held = Event()
    server.chat.append(Reply("one two three four five six", between=held, free=4))
    window.type("composer_text", "Count.")
    window.key("Return", "composer_text")
    window.sees("two")
    window.click("send")
    held.set()
    window.sees("Stopped.")

    server.chat.append(Reply("The model is gone.", status=404))
    window.type("composer_text", "Are you there?")
    window.key("Return", "composer_text")
    window.sees("has no model called fake. Your message is safe.")
    window.do("click_text", text="Try again")
    window.sees("Hello from the fake server.")
    wait_for(lambda: "I work as a nurse in Leeds" in loci("memories", "list").stdout, "the memory")
    sent = [r.body for r in server.requests if r.path.endswith("/chat/completions")]
    assert all(m["role"] in ("system", "user", "assistant") for b in sent for m in b["messages"])
    assert window.close() == 0
