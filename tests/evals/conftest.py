"""A benchmark file of two short conversations."""

import json

import pytest

SAID = {
    "a": ("I am allergic to walnuts.", "My boat is called Wren.", "The boat is in the harbour."),
    "b": ("We met in Ghent.", "I sold my boat.", "I like walnuts."),
}


def asked(name, text, *evidence, corrected=()):
    fixed = list(corrected or evidence)
    return {"id": name, "text": text, "evidence": list(evidence), "evidence_corrected": fixed}


@pytest.fixture
def file(tmp_path):
    """Two conversations; one question has two pieces of evidence, one has none."""
    questions = {
        "a": [
            asked("a1", "What is my boat called, and where is it?", "a1", "a2"),
            asked("a2", "What am I allergic to?", "a2", corrected=["a0"]),
            asked("a3", "Who is Eve?"),
        ],
        "b": [asked("b1", "Where did we meet?", "b0"), asked("b2", "What did I sell?", "b2")],
    }
    talks = [
        {
            "id": name,
            "messages": [
                {"id": f"{name}{n}", "session": 1, "speaker": "Ada", "at": "2026-11-01", "text": t}
                for n, t in enumerate(said)
            ],
            "questions": questions[name],
        }
        for name, said in SAID.items()
    ]
    path = tmp_path / "bench.json"
    path.write_text(json.dumps({"conversations": talks}))
    return path
