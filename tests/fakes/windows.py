"""How known servers refuse what their model cannot read at once.

Each manner makes a reply of the tokens of a prompt, the window, and whether it was to be streamed::

    server.window, server.manner = 512, windows.LLAMA_SERVER
"""

import json

from tests.fakes.openai_server import Reply


def _reply(status, **error):
    return Reply(status=status, body=json.dumps({"error": error}).encode())


def openai(tokens, window, streamed):
    said = f"This model's maximum context length is {window} tokens. However, your messages"
    said += f" resulted in {tokens} tokens. Please reduce the length of the messages."
    return _reply(400, message=said, code="context_length_exceeded")


def llama_server(tokens, window, streamed):
    said = f"request ({tokens} tokens) exceeds the available context size ({window} tokens)"
    kind = "exceed_context_size_error"
    return _reply(400, code=400, message=said, type=kind, n_prompt_tokens=tokens, n_ctx=window)


def llama_cpp_python(tokens, window, streamed):
    """Once it streams, it has sent the head before it notices."""
    if streamed:
        return Reply(raw=b"")
    said = f"This model's maximum context length is {window} tokens. However, you requested"
    said += f" {tokens + 9} tokens ({tokens} in the messages, 9 in the completion)."
    return _reply(400, message=said, code="context_length_exceeded", param="messages")


def vllm(tokens, window, streamed):
    said = f"This model's maximum context length is {window} tokens. However, you requested"
    said += f" {tokens} tokens in the messages. Please reduce the length of the messages."
    body = {"object": "error", "message": said, "type": "BadRequestError", "code": 400}
    return Reply(status=400, body=json.dumps(body).encode())


def lm_studio(tokens, window, streamed):
    """It tells within the stream, and its errors are mere texts."""
    said = f"Trying to keep the first {tokens} tokens when context the overflows. However, the"
    said += f" model is loaded with context length of only {window} tokens, which is not enough."
    if streamed:
        return Reply(raw=b"event: error\ndata: " + json.dumps({"error": said}).encode() + b"\n\n")
    return Reply(status=400, body=json.dumps({"error": said}).encode())


def without_numbers(tokens, window, streamed):
    return _reply(400, message="Your input exceeds the context window of this model.")


MANNERS = (openai, llama_server, llama_cpp_python, vllm, lm_studio)
