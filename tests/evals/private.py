"""How much that is private reaches a model beyond this computer, and how much comes back whole.

Names, numbers and addresses are planted in messages and memories of a real profile. A server on
loopback plays the remote one: it answers each message with the message's own words. Counted is what
it ever received of the planted strings, and what is missing in the answers that are shown.

    python -m tests.evals.private --number 1000
"""

import argparse
import json
import random
import re
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from app.domain.conversation import Part, PartOrigin
from app.domain.events import Answered
from app.domain.ids import utc_now
from app.domain.sharing.rule import SharingRule
from app.main.build import build
from app.paths import Paths
from app.store.profiles import Profiles
from tests.fakes.openai_server import OpenAIServer, Reply

GIVEN = "Anna Marek Tilda Yusuf Ingrid Pablo Freya Dmitri Noor Henrike Bartosz Leonie Gisela Imran"
STEMS = "Veld Kowal Brand Sörens Tarn Ollen Macken Zieg Haver Dub Prze Lind Quar Esk Wolk Jaro"
TAILS = "hoven ski mann berg ford meyer wick strom feldt ova enko arelli sson inger owitz dahl"
COLOURS = "red blue green white black grey brown pink old new"
DOORS = "cellar garage attic shed gate locker safe box barn door"
TOLD = {
    "name": (
        "Yesterday I met {} at the swimming pool.",
        "My dentist is called {} and works on Mondays.",
        "Please help me write a letter to {}, who is my landlord.",
        "Is it rude to call {} after nine? {}'s mother says so.",
    ),
    "mail": ("Write to {} about the invoice.", "My address is {}, and it is full again."),
    "phone": ("You can reach my aunt at {} in the evening.", "Call {} if the cat is ill."),
    "card": ("I paid the hotel with the card {} last week.",),
    "iban": ("The rent goes to {} on the first of the month.",),
    "id": ("My passport has the number {} on it.", "The policy {} covers the bicycle."),
    "street": ("We move to {} in spring.", "The parcel went to {} by mistake."),
    "birth": ("My niece was born on {}, a Sunday.", "Her date of birth is {} on the form."),
    "pin": ("The PIN of the {about} is {}.",),
    "handle": ("Her account @{} is full of dogs.",),
}
EVERY = tuple(TOLD)


@dataclass(frozen=True, slots=True)
class Planted:
    """One private string.

    Attributes:
        parts: What of it must not arrive, each by itself.
        about: What a short number is for, a hundred different things.
    """

    kind: str
    text: str
    parts: tuple[str, ...]
    about: str


def planted(number: int, seed: int = 1) -> Iterator[Planted]:
    """Yield so many private strings, a new one each time."""
    rng, known = random.Random(seed), set()
    while len(known) < number:
        kind = EVERY[len(known) % len(EVERY)]
        text = _made(kind, rng)
        if text not in known:
            known.add(text)
            parts = text.split() if kind == "name" else [text]
            if kind == "pin":  # so few digits stand in place of others by chance
                parts = [f"{_about(len(known))} is {text}"]
            if kind == "street":
                parts = [text.split()[1]]
            yield Planted(kind, text, tuple(parts), _about(len(known)))


def measured(number: int, seed: int = 1) -> Mapping[str, Any]:
    """Send so many private strings; return how many arrived, and how many came back."""
    strings = [*planted(number, seed)]
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, OpenAIServer() as server:
        server.respond = lambda body: Reply(f"You said this. {_last(body)}")
        profiles = Profiles(Paths(Path(folder)), utc_now, lambda: None)
        vault, profile = profiles.create("Ada")
        opened = build(profiles, profile, vault, utc_now)
        try:
            services = opened.services
            services.preferences.set("models.embedder", "hash")
            services.preferences.set("extraction.enabled", value=False)
            services.library.choose_chat(f"server:{server.url}#fake")
            services.sharing.share(server.url, SharingRule(stand_ins=True))
            began = time.perf_counter()
            answers = _talked(services, strings, rng)
            took = time.perf_counter() - began
        finally:
            opened.close()
        sent = "\n".join(json.dumps(one.body, ensure_ascii=False) for one in server.requests)
    arrived = [one for one in strings if any(_stands(part, sent) for part in one.parts)]
    lost = [one for one in strings if not _stands(one.text, answers[one.text])]
    return {
        "planted": len(strings),
        "arrived": [f"{one.kind}: {one.text}" for one in arrived],
        "not_restored": [f"{one.kind}: {one.text}" for one in lost],
        "ms_each": round(1000 * took / max(1, len(strings)), 1),
    }


def _talked(services: Any, strings: list[Planted], rng: random.Random) -> dict[str, str]:
    """Say each string, ten to a conversation; return the answers."""
    answers, talk = {}, None
    for number, one in enumerate(strings):
        talk = talk if number % 10 else None
        text = rng.choice(TOLD[one.kind])
        said = text.format(one.text, one.text, about=one.about)
        if number % 10 == 3:
            services.memories.add(said)
        for event in services.chat.send(talk, [Part(said, PartOrigin.TYPED)], Event()):
            if isinstance(event, Answered):
                answers[one.text], talk = event.message.text, event.message.conversation_id
    return answers


def _about(number: int) -> str:
    colour, door = divmod(number // len(EVERY) % 100, 10)
    return f"{COLOURS.split()[colour]} {DOORS.split()[door]}"


def _stands(text: str, inside: str) -> bool:
    """Say whether a text stands somewhere, whatever the case and however digits are grouped."""
    if len(digits := re.sub(r"\D", "", text)) >= 6 and not re.search(r"[^\W\d]", text):
        inside = re.sub(r"(?<=\d)[ ./()-]{1,2}(?=\d)", "", inside)
        return digits in inside
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", inside, re.IGNORECASE) is not None


def _last(body: Any) -> str:
    """Return the new message of a request, without what Loci says it knows."""
    return str(body["messages"][-1]["content"]).rpartition("\n\n")[2]


def _made(kind: str, rng: random.Random) -> str:
    def digits(number: int) -> str:
        return str(rng.randrange(1, 10)) + "".join(rng.choices("0123456789", k=number - 1))

    surname = rng.choice(STEMS.split()) + rng.choice(TAILS.split())
    if kind == "name":
        return rng.choice((f"{rng.choice(GIVEN.split())} {surname}", surname + rng.choice("aeiou")))
    if kind == "mail":
        return f"{surname.lower()}{digits(2)}@{rng.choice(STEMS.split()).lower()}-post.net"
    if kind == "phone":
        shapes = ("+49 {} {}", "0{}/{}", "(0{}) {}", "+1-{}-{}")
        return rng.choice(shapes).format(digits(3), digits(7))
    if kind == "card":
        return " ".join(digits(4) for _ in range(4))
    if kind == "iban":
        return "DE" + digits(20)
    if kind == "id":
        return rng.choice("CFGHJK") + digits(4) + rng.choice("LMNPRT") + digits(3)
    if kind == "street":
        return f"{digits(2)} {surname} {rng.choice(('Street', 'Lane', 'Road'))}"
    if kind == "birth":
        day, month, year = rng.randrange(1, 29), rng.randrange(1, 13), rng.randrange(1930, 2020)
        names = "January February March April May June July August September October November"
        word = [*names.split(), "December"][month - 1]
        return rng.choice((f"{day} {word} {year}", f"{day:02}.{month:02}.{year}"))
    if kind == "pin":
        return digits(rng.choice((4, 5)))
    return f"{surname.lower()}_{digits(2)}"


def main() -> None:
    """Measure, and print the figures."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--number", type=int, default=1000)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    print(json.dumps(measured(given.number, given.seed), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
