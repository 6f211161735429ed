"""Keep the summaries of conversations, and read what a model is shown of a branch.

A summary stands for the messages from its last up to its first, which are the same on every branch
through its last. So a view is not kept, but read from the tip upwards: where a summary ends it is
taken, and the walk goes on above its first message. A summary is there whole or not at all.
"""

from collections.abc import Sequence

from app.domain.ids import from_ms, new_id, to_ms
from app.domain.language.foreign import storable
from app.domain.prompting.context import Rung, Summary, ViewItem, tokens
from app.errors import Conflict, NotFound
from app.store import tree
from app.store.context import walk
from app.store.conversations import conversation_row
from app.store.dialect import listed
from app.store.index.within import within
from app.store.vault import rows
from app.store.vault.connection import Connection
from app.store.vault.file import Vault

MOST_FOUND = 200
BROKEN = "A summary of “{}” does not fit the messages it stands for; it is made again."


class ContextSummaries:
    """The summaries of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def view(
        self, conversation_id: str, fresh: int, tip: str = "", letters: int = -1
    ) -> list[ViewItem]:
        """Return what a model is shown of a branch, oldest first.

        Args:
            conversation_id: The conversation.
            fresh: How many steps at its end are messages in any case.
            tip: The last message; without it the branch that is current.
            letters: About how many letters of messages are looked at; below 0: all.

        Raises:
            NotFound: The conversation or the message does not exist.
        """
        with self._vault.read() as connection:
            owner = conversation_row(connection, conversation_id)
            end = _message_pk(connection, owner["pk"], tip) if tip else owner["tip_pk"]
            return walk.view(connection, end, fresh, letters)

    def add(
        self, conversation_id: str, covered: Sequence[ViewItem], text: str, taken: int, rung: Rung
    ) -> Summary:
        """Let a text stand for a run of a view, unless something of that changed meanwhile.

        Args:
            conversation_id: The conversation.
            covered: Messages, or at least two summaries of one depth, in order and without a gap.
            text: What stands for them.
            taken: The tokens of the text, fewer than theirs.
            rung: How it was come by.

        Raises:
            Conflict: They are no run of a branch any more.
        """
        summary = _over(covered, storable(text), taken, rung)
        with self._vault.write() as connection:
            owner = conversation_row(connection, conversation_id)["pk"]
            _check(connection, owner, covered, summary)
            pk = _insert(connection, owner, summary, to_ms(self._vault.clock()))
            connection.executemany(
                "INSERT INTO summary_children (parent_pk, ordinal, child_pk) VALUES (?, ?, ?)",
                [(pk, n, one.pk) for n, one in enumerate(covered) if isinstance(one, Summary)],
            )
            return walk.summaries(connection, [pk])[pk]

    def get(self, summary_pk: int, conversation_id: str) -> Summary:
        """Return a summary of this conversation.

        Raises:
            NotFound: There is none, or it is of another conversation.
        """
        with self._vault.read() as connection:
            _check_owner(connection, summary_pk, conversation_id)
            return walk.summaries(connection, [summary_pk])[summary_pk]

    def children(self, summary_pk: int, conversation_id: str) -> list[Summary]:
        """Return the summaries that one was made of, oldest first; none for a leaf."""
        with self._vault.read() as connection:
            _check_owner(connection, summary_pk, conversation_id)
            found = connection.execute(
                "SELECT child_pk FROM summary_children WHERE parent_pk = ? ORDER BY ordinal",
                (summary_pk,),
            )
            pks = [row[0] for row in found]
            by_pk = walk.summaries(connection, pks)
        return [by_pk[child] for child in pks]

    def covered(self, summary_pk: int, conversation_id: str) -> list[int]:
        """Return the rows of all messages that a summary stands for, oldest first."""
        with self._vault.read() as connection:
            _check_owner(connection, summary_pk, conversation_id)
            one = walk.summaries(connection, [summary_pk])[summary_pk]
            return walk.run(connection, one.first, one.last)

    def found(
        self, conversation_id: str, text: str, limit: int
    ) -> tuple[list[tuple[int, str]], list[tuple[Summary, str]]]:
        """Return the messages and summaries in which words stand, with what is around them.

        Returns:
            Rows of messages of the current branch, and summaries; each best first.
        """
        with self._vault.search() as connection:
            owner = conversation_row(connection, conversation_id)["pk"]
            branch = set(tree.branch_rows(connection, conversation_id))
            said = within(connection, "messages", owner, text, MOST_FOUND)
            told = within(connection, "summaries", owner, text, MOST_FOUND)
            texts = walk.summaries(connection, [pk for pk, _ in told])
        here = [(pk, snippet) for pk, snippet in said if pk in branch]
        seen = [(texts[pk], snippet) for pk, snippet in told if texts[pk].last in branch]
        return here[:limit], seen[:limit]

    def covering(self, message_pk: int, conversation_id: str) -> Summary | None:
        """Return the smallest summary that covers a message; None where none does."""
        with self._vault.read() as connection:
            owner = conversation_row(connection, conversation_id)["pk"]
            found = walk.summaries(connection, [*walk.covering(connection, [message_pk])])
            mine = {
                row[0]
                for row in connection.execute(
                    f"SELECT pk FROM summaries WHERE conversation_pk = ? AND pk IN {listed()}",
                    (owner, rows.dumps([*found])),
                )
            }
        return min((found[pk] for pk in mine), key=lambda one: one.messages, default=None)

    def drop_covering(self, message_pks: Sequence[int]) -> int:
        """Delete every summary that tells of these messages; return how many."""
        with self._vault.write() as connection:
            return walk.drop_covering(connection, message_pks)

    def problems(self) -> dict[int, str]:
        """Return a sentence for each summary that stands for no run of its conversation, by row."""
        told: dict[int, str] = {}
        with self._vault.read() as connection:
            found = connection.execute(
                "SELECT s.*, c.title, (SELECT count(*) FROM summary_children AS k"
                " WHERE k.parent_pk = s.pk) AS children FROM summaries AS s"
                " JOIN conversations AS c ON c.pk = s.conversation_pk ORDER BY s.pk"
            ).fetchall()
            for row in found:
                covered = walk.run(connection, row["first_pk"], row["last_pk"])
                whole = covered[:1] == [row["first_pk"]] and len(covered) == row["messages"]
                if not (whole and bool(row["depth"]) == bool(row["children"])):
                    told[row["pk"]] = BROKEN.format(rows.words(row["title"]))
        return told

    def mend(self) -> int:
        """Delete the summaries with problems, which are made again; return how many there were."""
        number = 0
        with self._vault.write() as connection:
            while gone := [*self.problems()]:  # one that loses what it was made of is next
                number += len(gone)
                connection.execute(
                    f"DELETE FROM summaries WHERE pk IN {listed()}", (rows.dumps(gone),)
                )
        return number


def _over(covered: Sequence[ViewItem], text: str, taken: int, rung: Rung) -> Summary:
    first, last = covered[0], covered[-1]
    return Summary(
        id="",
        depth=first.depth + 1 if isinstance(first, Summary) else 0,
        first=first.first if isinstance(first, Summary) else first.pk,
        last=last.last if isinstance(last, Summary) else last.pk,
        messages=sum(one.messages if isinstance(one, Summary) else 1 for one in covered),
        tokens=taken,
        source_tokens=tokens(covered),
        text=text,
        earliest=first.earliest if isinstance(first, Summary) else first.at,
        latest=last.latest if isinstance(last, Summary) else last.at,
        rung=rung,
        untrusted=any(one.untrusted for one in covered),
    )


def _check(
    connection: Connection, owner: int, covered: Sequence[ViewItem], summary: Summary
) -> None:
    """Refuse what is no run: a gap, another conversation, a summary that is gone."""
    run = walk.run(connection, summary.first, summary.last)
    children = [one for one in covered if isinstance(one, Summary)]
    there = walk.summaries(connection, [one.pk for one in children])
    said = connection.execute(
        f"SELECT count(*) FROM messages WHERE pk IN {listed()} AND conversation_pk = ?",
        (rows.dumps(run), owner),
    ).fetchone()[0]
    whole = run[:1] == [summary.first] and len(run) == summary.messages == said
    if not (whole and len(there) == len(children)):
        raise Conflict("This part of the conversation has changed meanwhile.")


def _insert(connection: Connection, owner: int, summary: Summary, now: int) -> int:
    cursor = connection.execute(
        "INSERT INTO summaries (id, conversation_pk, depth, first_pk, last_pk, messages, tokens,"
        " source_tokens, text, rung, untrusted, earliest_at, latest_at, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            new_id(from_ms(now)),
            owner,
            summary.depth,
            summary.first,
            summary.last,
            summary.messages,
            summary.tokens,
            summary.source_tokens,
            summary.text,
            summary.rung,
            int(summary.untrusted),
            to_ms(summary.earliest),
            to_ms(summary.latest),
            now,
        ),
    )
    return int(cursor.lastrowid)


def _message_pk(connection: Connection, owner: int, message_id: str) -> int:
    found = connection.execute(
        "SELECT pk FROM messages WHERE id = ? AND conversation_pk = ?", (message_id, owner)
    ).fetchone()
    if found is None:
        raise NotFound("This message no longer exists.")
    return int(found["pk"])


def _check_owner(connection: Connection, summary_pk: int, conversation_id: str) -> None:
    """Refuse a summary that is not of this conversation, as one that does not exist."""
    found = connection.execute(
        "SELECT 1 FROM summaries AS s JOIN conversations AS c ON c.pk = s.conversation_pk"
        " WHERE s.pk = ? AND c.id = ?",
        (summary_pk, conversation_id),
    ).fetchone()
    if found is None:
        raise NotFound("There is no such summary in this conversation.")
