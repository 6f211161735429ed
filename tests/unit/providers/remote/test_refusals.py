import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.providers.remote.refusals import RefusalKind, read

TOO_LONG = [
    (
        "This model's maximum context length is 512 tokens. However, you requested 9609 tokens"
        " (9605 in the messages, 4 in the completion). Please reduce the length of the messages.",
        9605,
        512,
    ),
    (
        "This model's maximum context length is 8192 tokens. However, your messages resulted in"
        " 9000 tokens. Please reduce the length of the messages.",
        9000,
        8192,
    ),
    (
        "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in"
        " 509178 tokens. Please reduce the length of the messages.",
        509178,
        272000,
    ),
    (
        "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
        5000,
        4096,
    ),
    (
        "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context"
        " length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
        2104,
        4096,
    ),
    (
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is"
        " loaded with context length of only 4096 tokens, which is not enough.",
        5000,
        4096,
    ),
    (
        "Requested token count exceeds the model's maximum context length of 4096 tokens. You"
        " requested a total of 5500 tokens: 5000 tokens from the input messages and 500 tokens.",
        5000,
        4096,
    ),
    (
        "The input (516368 tokens) is longer than the model's context length (262144 tokens).",
        516368,
        262144,
    ),
    (
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum"
        " context length",
        40000,
        32768,
    ),
    (
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
        537812,
        131072,
    ),
    (
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        1200000,
        1048576,
    ),
    ("prompt is too long: 210000 tokens > 200000 maximum", 210000, 200000),
    (
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"
        " `inputs` tokens and 100 `max_new_tokens`",
        5000,
        4096,
    ),
    ("Requested tokens (9605) exceed context window of 512", 9605, 512),
    (
        "Prompt has 300,000 tokens, but the configured context size is 131,072 tokens",
        300000,
        131072,
    ),
    ("Your input exceeds the context window of this model. Please adjust your input.", 0, 0),
    ("Context size has been exceeded.", 0, 0),
    ("Please reduce the length of the messages or completion.", 0, 0),
]


def body(message, **more):
    return json.dumps({"error": {"message": message, **more}}).encode()


@pytest.mark.parametrize(("said", "tokens", "window"), TOO_LONG)
@pytest.mark.parametrize("status", [400, 500])
def test_what_is_too_long_is_known_with_its_numbers(said, tokens, window, status):
    refusal = read(status, {}, body(said))
    assert (refusal.kind, refusal.tokens, refusal.window) == (RefusalKind.TOO_LONG, tokens, window)


@pytest.mark.parametrize(
    "raw",
    [
        {"error": {"code": 400, "type": "exceed_context_size_error", "message": "no"}},
        {"error": {"code": "context_length_exceeded", "message": "no"}},
        {"error": "the input is too long"},
        {"detail": '{"error": {"message": "maximum context length is 512 tokens"}}'},
        {"object": "error", "message": "maximum context length is 512 tokens", "code": 400},
        {"detail": [{"msg": "the prompt is too long"}]},
    ],
)
def test_it_is_found_wherever_a_server_puts_it(raw):
    assert read(400, {}, json.dumps(raw).encode()).kind is RefusalKind.TOO_LONG


def test_the_numbers_that_stand_beside_the_words_are_believed_first():
    said = "request (5 tokens) exceeds the available context size"
    refusal = read(400, {}, body(said, n_prompt_tokens=13392, n_ctx=8192))
    assert (refusal.tokens, refusal.window) == (13392, 8192)


@pytest.mark.parametrize(
    ("status", "said", "kind"),
    [
        (401, "Incorrect key", RefusalKind.KEY),
        (403, "Invalid API key", RefusalKind.KEY),
        (403, "Access to the model is restricted", RefusalKind.FORBIDDEN),
        (402, "Insufficient Balance", RefusalKind.UNPAID),
        (
            429,
            "Request too large for model on tokens per minute (TPM): Limit 6000",
            RefusalKind.LIMITED,
        ),
        (
            413,
            "Request too large for model on tokens per minute (TPM): Limit 6000",
            RefusalKind.LIMITED,
        ),
        (413, "", RefusalKind.TOO_LONG),
        (500, "llama_decode returned 1", RefusalKind.TOO_LONG),
        (503, "Loading model", RefusalKind.LOADING),
        (
            404,
            "No models loaded. Please load a model in the developer page",
            RefusalKind.NOT_LOADED,
        ),
        (400, "Model unloaded.", RefusalKind.NOT_LOADED),
        (404, 'model "llama9" not found, try pulling it first', RefusalKind.UNKNOWN_MODEL),
        (400, "The model `gpt-9` does not exist", RefusalKind.UNKNOWN_MODEL),
        (503, "", RefusalKind.BUSY),
        (529, "Overloaded", RefusalKind.BUSY),
        (500, "CUDA error: out of memory", RefusalKind.FAILED),
        (400, "response_format is not supported", RefusalKind.REQUEST),
        (
            400,
            "Unsupported: 'max_tokens'. Use 'max_completion_tokens' instead.",
            RefusalKind.REQUEST,
        ),
        (302, "", RefusalKind.MOVED),
    ],
)
def test_other_refusals_are_told_apart(status, said, kind):
    assert read(status, {}, body(said)).kind is kind


def test_credit_that_is_used_up_is_no_haste():
    assert read(429, {}, body("no", code="insufficient_quota")).kind is RefusalKind.UNPAID


@pytest.mark.parametrize(("wait", "seconds"), [("20", 20), ("soon", 0), ("", 0), ("9" * 40, 0)])
def test_how_long_to_wait_is_a_number_or_nothing(wait, seconds):
    assert read(429, {"retry-after": wait}, b"").wait == seconds


@given(
    st.integers(200, 600),
    st.one_of(
        st.binary(max_size=300),
        st.recursive(
            st.none() | st.integers() | st.text(max_size=80) | st.floats(),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        ["error", "message", "detail", "code", "n_ctx", "n_prompt_tokens"]
                    ),
                    inner,
                    max_size=4,
                )
            ),
            max_leaves=8,
        ).map(lambda found: json.dumps(found).encode()),
    ),
)
def test_whatever_a_server_sends_is_some_refusal(status, raw):
    refusal = read(status, {}, raw)
    assert isinstance(refusal.kind, RefusalKind)
    assert len(refusal.said) <= 200
    assert "\n" not in refusal.said
    assert refusal.tokens >= 0
    assert refusal.window >= 0
