"""Screen a statement before it is compared with what is known, and long before it is a row."""

from dataclasses import replace
from datetime import datetime

from app.domain.memory import Candidate, Evidence, Memory, Origin, Trust
from app.errors import Refused
from app.memory.screen.gate import Gate, Screened


def screened(
    gate: Gate,
    candidate: Candidate,
    evidence: Evidence,
    at: datetime,
    agent_pk: int,
    origin: Origin,
    trust: Trust,
    *,
    typed: bool,
    asked: bool,
    suspicions: tuple[str, ...] = (),
    around: str = "",
) -> tuple[Candidate, Screened]:
    """Return a statement as it may be stored, and what the screen makes of it.

    An order looks harmless once only what it is about is cut out of it; so what a statement was cut
    out of (``around``) is looked at as well.

    Raises:
        Refused: It must not be stored.
    """
    from app.memory.screen.verdict import Verdict, judge

    context = judge((around,), typed=typed)
    if context.verdict is Verdict.REFUSED:
        raise Refused(f"Loci does not store this: it reads like {context.names[0]}.")
    draft = Memory(
        id="",
        text=candidate.text,
        created_at=at,
        updated_at=at,
        agent_pk=agent_pk,
        type=candidate.type,
        trust=trust,
        origin=origin,
        key=candidate.key,
        value=candidate.value,
        tags=candidate.tags,
    )
    found = gate.screened(
        draft,
        (evidence,),
        names=candidate.entities,
        typed=typed,
        asked=asked,
        suspicions=(*suspicions, *context.names),
    )
    clean = replace(
        candidate,
        text=found.memory.text,
        quote=found.evidence[0].quote,
        type=found.memory.type,
        key=found.memory.key,
        value=found.memory.value,
        entities=found.names,
    )
    return clean, found
