"""How long a game of pretence goes on: what is said in one is true of nobody.

A game begins with a message of the person that begins one ("Let's play: you are a dragon …"). From
then on nothing is learnt, until

* the person ends it in words: "stop", "ok, enough", "back to normal", "out of character"; what they
  say from there on counts again,
* or they have written five messages without a sign of it. A sign is a message that begins to play
  anew, and on either side an action between asterisks.

A piece of fiction that is asked for ("Tell me a joke") is no game, but what comes next may belong
to it: it holds for one message. Every conversation begins without a game.
"""

import re
from collections.abc import Iterable

from app.memory.extract.doubt import begins_game, begins_play
from app.memory.extract.person import expanded
from app.memory.extract.sentences import Sentence, sentences

GAME = 5
FICTION = 1
_READ = 4000
_ACTION = re.compile(r"(?:^|[.!?…\n] ?)\*(?! |\*)[^*\n]{3,200}(?<! )\*(?!\*)")
_LEAD = (
    r"^(?:(?:ok(?:ay)?|alright|all right|well|so|right|and|but|now|please|hey|no|haha|lol|let'?s|"
    r"let us|let me|can we|could we|I think|we can|I want to|time to|you can|we should|go|get|come|"
    r"this is|that is)[, ]+)*"
)
_PLAYED = (
    r"(?:the |this |our |that )?(?:game|role-?play(?:ing)?|play(?:ing)?|pretending|acting|story|"
    r"scene|being (?:an? |the )?\w+)"
)
_END = re.compile(
    rf"{_LEAD}(?:(?:stop|end|quit|finish) {_PLAYED}|enough (?:of |with )?{_PLAYED}|"
    rf"the end of {_PLAYED}|{_PLAYED} (?:is |has )?(?:over|ended|finished)|"
    r"back to (?:normal|reality|real life|business|being yourself)|out of character|ooc|"
    r"(?:break|drop|leave) character|in real life|irl|be (?:yourself|loci) again|"
    r"(?:a )?(?:new|different|another) (?:topic|subject)|"
    r"chang(?:e|ing) (?:the )?(?:topic|subject)|on (?:a different|another) note)\b",
    re.IGNORECASE,
)
# One of these may be said in a game as well, so it has to be the whole message.
_WHOLE = re.compile(
    rf"{_LEAD}(?:stop|quit|end|enough|the end|that is (?:it|all)|(?:I am|we are) done|done)"
    r"(?:,? (?:it|this|that|now|please|already|here|for now|for today|thanks|thank you))*$",
    re.IGNORECASE,
)


def still_on(turns: Iterable[tuple[bool, str]]) -> bool:
    """Return whether a game goes on in the message that follows.

    Args:
        turns: What was said before, oldest first: whether by the person, and their typed words or
            the answer.
    """
    left = 0
    for person, text in turns:
        left = after(left, person=person, text=text)
    return left > 0


def after(left: int, *, person: bool, text: str) -> int:
    """Return for how many more of the person's messages a game goes on after one turn.

    Args:
        left: The same before it; 0 where a conversation begins.
        person: Whether the turn is the person's.
        text: Their typed words, or the answer.
    """
    if person:
        return _left(text[:_READ], left)
    return GAME if left and _ACTION.search(text) else left


def after_the_end(text: str) -> str:
    """Return what a message says from where it ends a game; nothing where the game goes on."""
    said = sentences(text)
    if len(said) == 1 and _WHOLE.match(expanded(said[0].text)):
        return text
    ends = [s.start for s in said if _ends(s)]
    begins = [s.start for s in said if begins_game(s)]
    return text[ends[-1] :].strip() if ends and ends[-1] > max(begins, default=-1) else ""


def _left(text: str, before: int) -> int:
    """Return for how many more of the person's messages a game goes on after one of them."""
    if before and after_the_end(text):
        return 0
    said = sentences(text)
    if any(begins_game(s) for s in said) or (before and _ACTION.search(text)):
        return GAME
    asked = FICTION if any(begins_play(s) for s in said) else 0
    return max(asked, before - 1)


def _ends(sentence: Sentence) -> bool:
    return bool(_END.match(expanded(sentence.text)))
