"""Statements that are kept together: on which terms, and what becomes of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from app.domain.memory import Candidate, Origin, Status
from app.memory.change.source import Provenance
from app.memory.learn.filing import Filed
from app.memory.learn.message_reader import ReadMessage
from app.providers.base import Embedding
from app.settings.spec import Extraction


@dataclass(frozen=True, slots=True)
class Terms:
    """What all statements have in common that are filed together.

    Attributes:
        origin: The road they come by; ``CONVERSATION`` for what is learnt as it is said, so that
            what the person then asks for by name counts as typed for that very purpose.
        actor: Who writes them down.
        ask_first: Whether they wait for the person, who did not ask for them.
    """

    batch: str
    settings: Extraction
    origin: Origin = Origin.CONVERSATION
    actor: str = "user"
    tags: tuple[str, ...] = ()
    ask_first: bool = False

    def source(
        self, candidate: Candidate, at: datetime, message_id: str, agent_pk: int
    ) -> Provenance:
        """Return where a statement comes from."""
        explicit = candidate.extra.get("explicit") or candidate.instruction
        own = bool(explicit) and not candidate.by_model
        asked = own and self.origin is Origin.CONVERSATION
        return Provenance(
            Origin.USER_TYPED if asked else self.origin,
            at,
            self.batch,
            agent_pk,
            message_id,
            tags=self.tags,
            actor=self.actor,
            proposed=self.ask_first and not asked,
        )


@dataclass(frozen=True, slots=True)
class Prepared:
    """What several messages state, ready to be kept together.

    Attributes:
        heard: The messages, in order.
        terms: On which they are kept.
        screened: Each statement as it may be stored, with its source, by its message and its words;
            where it must not be, why, in a sentence.
        embeddings: Of their statements, as far as there is an embedder.
        embedder_pk: Which one.
    """

    heard: Sequence[ReadMessage]
    terms: Terms
    screened: Mapping[tuple[str, str], tuple[Candidate, Provenance] | str]
    embeddings: Mapping[str, Embedding | None]
    embedder_pk: int


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """What became of statements.

    Attributes:
        filed: Each statement that is remembered now, whether it was before or not.
        refused: Why others must not be stored, a sentence for each.
    """

    filed: list[tuple[Candidate, Filed]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    @property
    def figures(self) -> dict[str, int]:
        """How many statements are new, wait for the person, are suspicious, and so on."""
        new = Counter(filed.memory.status for _, filed in self.filed if filed.written)
        return {
            "learned": new.total() - new[Status.PROPOSED] - new[Status.QUARANTINED],
            "proposed": new[Status.PROPOSED],
            "set_aside": new[Status.QUARANTINED],
            "seen_again": sum(filed.again for _, filed in self.filed),
            "refused": len(self.refused),
        }
