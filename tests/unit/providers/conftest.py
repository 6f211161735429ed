import pytest

from app.assets import resource
from app.providers.local.llamacpp import LlamaChat, LlamaEmbedder
from tests.fakes import tiny_gguf


@pytest.fixture(scope="session")
def embedder():
    """The bundled embedder in its child process."""
    made = LlamaEmbedder(resource("models/loci-minilm-v2-Q8_0.gguf"), "The bundled embedder")
    yield made
    made.close()


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """A chat model of random weights."""
    return tiny_gguf.chat_model(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture(scope="module")
def chat(tiny):
    """The tiny chat model in its child process."""
    made = LlamaChat(tiny, "file:tiny.gguf", context_tokens=4096)
    yield made
    made.close()
