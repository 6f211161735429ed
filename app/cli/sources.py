"""What the marks of an answer refer to, in lines to print below it."""

from app.cli.text import on_one_line
from app.conversation import citations
from app.domain.events import Answered
from app.domain.language.text import clipped, plain

LONGEST = 160


def sources(answer: Answered) -> list[str]:
    """Return a line for each mark of a model's answer: its number, and what was remembered.

    Marks are set once an answer is whole, when it has been printed already: so they stand in these
    lines alone, where the model made none of its own.
    """
    if answer.recall is None:
        return []
    ids, cited = answer.recall.in_prompt, answer.recall.cited
    found = {hit.id: hit.text for hit in answer.recall.recall.hits if hit.id in cited}
    return [
        f"[{number}] {clipped(on_one_line(plain(text)), LONGEST)}"
        for number in citations.numbers(answer.message.text, len(ids))
        if (text := found.get(ids[number - 1]))
    ]
