"""The one door to what is kept: every repository over an open vault, and the unit of work.

It is built once for each open profile. What reads and writes is handed the store, or the one
repository it needs; nothing outside this package makes a repository for itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

from app.domain.ids import Clock
from app.store.agents import AgentGroups, Agents
from app.store.aging import Aging
from app.store.archive import Archive
from app.store.context.scores import AnswerScores
from app.store.context.summaries import ContextSummaries
from app.store.context.temporary import TemporaryConversations
from app.store.context.tool_calls import ToolCalls
from app.store.conversations import Conversations
from app.store.documents import Documents
from app.store.entities import Entities
from app.store.index.frequency import Frequency
from app.store.index.holding import RowsHolding
from app.store.index.neighbours import Neighbours
from app.store.index.occurrences import TextOccurrences
from app.store.index.trigrams import TrigramIndex
from app.store.index.vectors import Vectors
from app.store.integrity import Integrity
from app.store.journal.audit import Audit
from app.store.journal.calendar import Calendar
from app.store.journal.causes import Causes
from app.store.journal.contradictions import Contradictions
from app.store.journal.entries import Journal
from app.store.journal.forgotten import Forgotten
from app.store.journal.past import Past
from app.store.journal.sent import SentRequests
from app.store.journal.sources import Sources
from app.store.journal.timeline import Timeline
from app.store.journal.tombstones import Tombstones
from app.store.keyed import KeyedMemories
from app.store.links import Links
from app.store.memories import Memories
from app.store.messages import Messages
from app.store.observations import Observations
from app.store.preferences import Preferences
from app.store.proposals import Proposals
from app.store.recalls import Recalls
from app.store.search import WordSearch
from app.store.superseded import Replaced
from app.store.usefulness import Usefulness
from app.store.vault.file import Vault
from app.store.vault.meta import Erasures, Exports, Meta
from app.store.work.job_monitor import JobMonitor
from app.store.work.jobs import JobQueue
from app.store.work.restriction import Restriction
from app.store.work.runs import Runs
from app.store.work.secrets import VaultSecrets
from app.store.work.trials import Trials
from app.store.work.unsound import UnsoundJobs
from app.store.work.usage import Usage
from app.store.work.watermarks import Watermarks


class Store:
    """Everything that is kept of one profile.

    Attributes:
        vault: The file itself, for what is done with it as a whole: backup, erasure, health.
    """

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self._build_memory(vault)
        self._build_history(vault)
        self._build_index(vault)
        self._build_work(vault)

    def _build_memory(self, vault: Vault) -> None:
        """What is said and remembered."""
        self.memories = Memories(vault)
        self.keyed = KeyedMemories(vault)
        self.agents = Agents(vault)
        self.groups = AgentGroups(vault)
        self.conversations = Conversations(vault)
        self.messages = Messages(vault)
        self.temporary = TemporaryConversations(vault)
        self.summaries = ContextSummaries(vault)
        self.tool_calls = ToolCalls(vault)
        self.documents = Documents(vault)
        self.scores = AnswerScores(vault)
        self.entities = Entities(vault)
        self.links = Links(vault)
        self.observations = Observations(vault)
        self.proposals = Proposals(vault)
        self.superseded = Replaced(vault)
        self.recalls = Recalls(vault)
        self.usefulness = Usefulness(vault)
        self.aging = Aging(vault)
        self.preferences = Preferences(vault)
        self.archive = Archive(vault)

    def _build_history(self, vault: Vault) -> None:
        """What was changed, forgotten, erased and undone."""
        self.journal = Journal(vault)
        self.timeline = Timeline(vault)
        self.past = Past(vault)
        self.audit = Audit(vault)
        self.sources = Sources(vault)
        self.sent = SentRequests(vault)
        self.calendar = Calendar(vault)
        self.causes = Causes(vault)
        self.contradictions = Contradictions(vault)
        self.forgotten = Forgotten(vault)
        self.tombstones = Tombstones(vault)

    def _build_index(self, vault: Vault) -> None:
        """By what rows are found."""
        self.words = WordSearch(vault)
        self.trigrams = TrigramIndex(vault)
        self.vectors = Vectors(vault)
        self.neighbours = Neighbours(vault)
        self.frequency = Frequency(vault)
        self.holding = RowsHolding(vault)
        self.occurrences = TextOccurrences(vault)

    def _build_work(self, vault: Vault) -> None:
        """What is to be done and was done, and what the vault says of itself."""
        self.jobs = JobQueue(vault)
        self.job_monitor = JobMonitor(vault)
        self.unsound_jobs = UnsoundJobs(vault)
        self.runs = Runs(vault)
        self.watermarks = Watermarks(vault)
        self.trials = Trials(vault)
        self.usage = Usage(vault)
        self.restriction = Restriction(vault)
        self.secrets = VaultSecrets(vault)
        self.meta = Meta(vault)
        self.erasures = Erasures(vault)
        self.exports = Exports(vault)
        self.integrity = Integrity(vault)

    @property
    def clock(self) -> Clock:
        """The present, as the vault is told it."""
        return self.vault.clock

    @contextmanager
    def transaction(self, stop: Event | None = None) -> Iterator[None]:
        """The unit of work: what is written while the block runs is kept together or not at all.

        It may be entered again by the same thread: an inner block joins the outer one, is kept when
        that ends, and one that raises takes back only what it did itself. Meanwhile that thread
        reads its own writes, and others wait for their turn to write.

        Args:
            stop: Once it is set, a statement is broken off wherever it is.

        Raises:
            Cancelled: It was; nothing is changed.
        """
        with self.vault.write() if stop is None else self.vault.write_until(stop):
            yield
