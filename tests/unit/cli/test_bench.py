import json

import pytest

from tests.fakes.tiny_gguf import chat_model

AT = "2026-11-01T10:00:00+00:00"


@pytest.fixture
def benchmark(tmp_path):
    """Two small conversations, each with a question about itself."""

    def talk(name, said, asked):
        lines = [said, "That is good to know."]
        return {
            "id": name,
            "speakers": ["User", "Assistant"],
            "messages": [
                {"id": f"{name}:{n}", "session": "1", "speaker": who, "at": AT, "text": text}
                for n, (who, text) in enumerate(zip(("User", "Assistant"), lines, strict=True))
            ],
            "questions": [
                {
                    "id": f"{name}?",
                    "text": asked,
                    "category": "fact",
                    "evidence": [f"{name}:0"],
                    "evidence_corrected": [f"{name}:0"],
                }
            ],
        }

    talks = [
        talk("a", "I am allergic to walnuts.", "What am I allergic to?"),
        talk("b", "My boat is called Wren.", "What is my boat called?"),
    ]
    file = tmp_path / "bench.json"
    file.write_text(json.dumps({"conversations": talks}))
    return file


def test_recall_is_measured_over_every_question(loci, benchmark, tmp_path):
    rankings = tmp_path / "rankings.json"
    figures = loci(
        *("bench", "recall", benchmark, "--rankings", rankings, "--json"),
        *("--set", "models.embedder=hash", "--set", "rag.max_results=3"),
    ).data
    assert (figures["questions"], figures["recall@1"], figures["mrr"]) == (2, 1.0, 1.0)
    assert figures["settings"]["rag.max_results"] == 3
    assert set(figures) == {
        *("questions", "recall@1", "recall@5", "recall@10", "recall@20", "mrr", "prompt_recall"),
        *("foreign_pass_rate", "unrelated_pass_rate", "by_category", "latency_ms"),
        *("ingest_messages_per_second", "embed_only_per_second", "settings"),
    }
    assert figures["foreign_pass_rate"] == 0.0
    assert figures["unrelated_pass_rate"] < 0.1
    assert json.loads(rankings.read_text())["a?"][0] == "a:0"
    assert loci("memories", "list", "--json").data == []


def test_what_does_not_fit_the_prompt_is_not_counted_as_in_it(loci, benchmark):
    common = ("bench", "recall", benchmark, "--json", "--set", "models.embedder=hash")
    roomy = loci(*common).data
    tight = loci(*common, "--set", "rag.max_context_chars=30").data
    assert (roomy["recall@1"], roomy["prompt_recall"]) == (1.0, 1.0)
    assert (tight["recall@1"], tight["prompt_recall"]) == (1.0, 0.0)


@pytest.mark.parametrize("change", ["no.such=1", "rag.max_results=many"])
def test_a_setting_that_cannot_be_tried_is_a_sentence(loci, benchmark, change):
    assert loci("bench", "recall", benchmark, "--set", change, code=1).err.endswith(".\n")


def test_files_that_do_not_fit_are_a_sentence(loci, benchmark, tmp_path):
    assert "could not be read" in loci("bench", "recall", tmp_path / "none.json", code=1).err
    (tmp_path / "x.json").write_text("[]")
    assert "benchmark's format" in loci("bench", "recall", tmp_path / "x.json", code=1).err
    nowhere = tmp_path / "no" / "rankings.json"
    done = loci("bench", "recall", benchmark, "--rankings", nowhere, code=1)
    assert done.err == f"There is no folder {nowhere.parent}.\n"


def test_what_is_learnt_from_statements_is_counted_by_memory_and_by_message(loci, tmp_path):
    said = [
        ("I live in Ghent. My sister is called Mara.", ["Ghent"]),
        ("I own a boat called Wren.", ["boat", "Wren"]),
        ("My cat is called Tom.", ["dog"]),
        ("What is the capital of Peru?", []),
    ]
    rows = [
        {"said": text, "at": AT, "register": "plain", "about": "x", "content": content}
        for text, content in said
    ]
    file, wrong = tmp_path / "statements.json", tmp_path / "wrong.json"
    file.write_text(json.dumps(rows))
    figures = loci("bench", "extract", file, "--wrong", wrong, "--json").data
    assert (figures["kept"], figures["recall"]) == (2, 0.6667)
    assert (figures["memories"], figures["precision"]) == (4, 0.5)
    assert (figures["yielded"], figures["precision_by_message"]) == (3, 0.6667)
    assert figures["negatives_that_yielded"] == 0
    assert [one["said"] for one in json.loads(wrong.read_text())] == [said[0][0], said[2][0]]
    file.write_text("[{}]")
    assert "not a list of labelled statements" in loci("bench", "extract", file, code=1).err


@pytest.fixture
def life(tmp_path):
    """One short life: a fact, a question about it, and one that was never told."""
    row = {
        "id": "short",
        "today": "2026-11-10T09:00:00",
        "talk": [
            {"at": "2026-11-01T10:00:00", "conversation": "a", "said": "I'm allergic to walnuts."}
        ],
        "facts": [
            {"id": "allergy", "must": [["walnut"]], "until": None, "weight": "safety"},
            {"id": "untold", "must": [["violin"]], "until": None, "weight": "detail"},
        ],
        "junk": [{"never": ["peanut"]}],
        "asks": [
            {
                "q": "What am I allergic to?",
                "answer": [["walnut"]],
                "not": ["peanut"],
                "kind": "direct",
            }
        ],
        "orders": [],
    }
    file = tmp_path / "lives.jsonl"
    file.write_text(json.dumps(row) + "\n")
    return file


def test_a_life_is_told_and_asked_and_its_misses_are_listed_on_request(loci, life):
    figures = loci("bench", "life", life, "--details", "--json").data
    assert (figures["all"]["kept_safety"], figures["all"]["kept_detail"]) == (1.0, 0.0)
    assert (figures["all"]["first_line_right"], figures["all"]["false"]) == (1.0, 0)
    assert figures["lives"] == {"short": figures["all"]}
    assert [miss["lost"] for miss in figures["misses"]] == ["untold"]
    plain = loci("bench", "life", life).out
    assert plain.startswith("short: {")
    assert "untold" not in plain
    life.write_text("{}")
    assert "not a list of lives" in loci("bench", "life", life, code=1).err


def test_a_life_is_asked_of_a_model_on_request(loci, life, tmp_path):
    model = chat_model(tmp_path / "babbles.gguf", context=8192)
    found = loci("bench", "life", life, "--answer-with", model, "--details", "--json").data
    assert (found["all"]["kept_safety"], found["all"]["first_line_right"]) == (1.0, 0.0)
    assert found["misses"][-1]["said"]
