"""The pictures say what was measured."""

from xml.etree import ElementTree

from tests.evals import draw


def texts(picture):
    return [e.text for e in ElementTree.fromstring(picture).iter() if e.text]


def test_bars_carry_their_figures():
    step = {"plain": {"recall@5": 0.25}, "with <time>": {"recall@5": 0.75}}
    shown = texts(draw.ablation({"ours": step, "theirs": step}))
    assert {"ours", "theirs", "plain", "with <time>", ".250", ".750"} <= set(shown)


def test_lines_carry_their_sizes():
    picture = draw.latency({"with": {"10000": 40, "1000000": 200}, "without": {"10000": 20}})
    assert {"with", "without", "10,000", "1,000,000"} <= set(texts(picture))
    assert picture.count("<polyline") == 2
