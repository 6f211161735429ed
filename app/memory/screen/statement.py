"""Screen a statement before it is compared with what is known, and long before it is a row."""

from dataclasses import replace
from datetime import datetime

from app.domain.memory import Candidate, Evidence, Memory, Origin, Trust
from app.memory.screen.gate import Gate, Screened


def screened(
    gate: Gate,
    candidate: Candidate,
    evidence: Evidence,
    at: datetime,
    origin: Origin,
    trust: Trust,
    *,
    typed: bool,
    asked: bool,
    suspicions: tuple[str, ...] = (),
) -> tuple[Candidate, Screened]:
    """Return a statement as it may be stored, and what the screen makes of it.

    Raises:
        Refused: It must not be stored.
    """
    draft = Memory(
        id="",
        text=candidate.text,
        created_at=at,
        updated_at=at,
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
        suspicions=suspicions,
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
