import pytest

from app.domain.question import asks


@pytest.mark.parametrize(
    "text",
    [
        "Where do I live?",
        "where do I live",
        "ok, so what is my dog called",
        "Tell me about Ruth",
        "I forgot. When is her birthday? I want to bake.",
        "你住在哪里？",
        'Did she say "maybe?"',
    ],
)
def test_asks(text):
    assert asks(text)


@pytest.mark.parametrize(
    "text", ["I live in Lisbon.", "", "hello", "My sister knows where it is", "http://a.b/?q=1"]
)
def test_does_not_ask(text):
    assert not asks(text)
