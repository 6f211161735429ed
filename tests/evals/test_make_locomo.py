"""The converter on a made-up conversation of two sessions."""

import json

import pytest

from tests.evals.make_locomo import main


def turn(name, speaker, text, **more):
    return {"dia_id": name, "speaker": speaker, "text": text, **more}


def asked(text, *evidence, category=4):
    return {"question": text, "evidence": list(evidence), "category": category}


@pytest.fixture
def sources(tmp_path):
    """One sample and an audit that corrects one of its questions."""
    talk = {
        "speaker_a": "Ada",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            turn("D1:1", "Ada", "I adopted a cat."),
            turn("D1:2", "Ben", "Look!", blip_caption="a red boat"),
        ],
        "session_2_date_time": "12:09 am on 13 September, 2023",
        "session_2": [turn("D2:1", "Ben", "The boat sank.")],
    }
    questions = [
        asked("What did Ada adopt?", "D1:1"),
        asked("What became of the boat?", "D2:1; D1:2", "D1:2", category=1),
        asked("When did it sink?", "D1:1", category=2),
        asked("Who is Eve?", "D9:9", category=5),
    ]
    sample = {"sample_id": "made-up", "conversation": talk, "qa": questions}
    files = tmp_path / "locomo10.json", tmp_path / "errors.json"
    files[0].write_text(json.dumps([sample] * 6))
    fixed = {"question_id": "locomo_0_qa2", "correct_evidence": ["D2:1"]}
    files[1].write_text(json.dumps([fixed]))
    return [str(file) for file in files]


def test_a_sample_becomes_a_conversation_of_the_benchmark(sources, tmp_path, capsys):
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    main([*sources, str(first), str(second)])
    said = capsys.readouterr().out.splitlines()
    assert said[0] == (
        f"{first}: 5 conversations, 15 messages, 15 questions, 1 of them with corrected evidence"
    )
    talks = json.loads(first.read_text("utf-8"))["conversations"]
    assert (len(talks), len(json.loads(second.read_text("utf-8"))["conversations"])) == (5, 1)
    assert talks[0]["messages"][1:] == [
        {
            "id": "D1:2",
            "session": 1,
            "speaker": "Ben",
            "at": "2023-05-08T13:56:00",
            "text": "Look! [shares an image: a red boat]",
        },
        {
            "id": "D2:1",
            "session": 2,
            "speaker": "Ben",
            "at": "2023-09-13T00:09:00",
            "text": "The boat sank.",
        },
    ]
    found = [(q["category"], q["evidence"], q["evidence_corrected"]) for q in talks[0]["questions"]]
    assert found == [
        ("single-hop", ["D1:1"], ["D1:1"]),
        ("multi-hop", ["D1:2", "D2:1"], ["D1:2", "D2:1"]),
        ("temporal", ["D1:1"], ["D2:1"]),
    ]


@pytest.mark.parametrize("content", [None, "no json", '[{"conversation": {}}]', "[1]"])
def test_what_is_not_locomo_is_a_sentence(sources, tmp_path, content):
    wrong = tmp_path / "wrong.json"
    if content is not None:
        wrong.write_text(content)
    with pytest.raises(SystemExit, match=r"\.$"):
        main([str(wrong), sources[1], str(tmp_path / "a"), str(tmp_path / "b")])
