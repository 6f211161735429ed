"""Delete conversations of which nothing is kept, with all that the background holds of them."""

from collections.abc import Sequence

from app.domain.jobs.kinds import JUDGE, LEARN, LEARN_MORE, SUMMARISE
from app.store.conversations import Conversations
from app.store.dialect import listed
from app.store.index.finding import LASTS
from app.store.vault.file import Vault
from app.store.vault.rows import dumps

_KINDS = (LEARN, LEARN_MORE, SUMMARISE, JUDGE)


class TemporaryConversations:
    """The conversations of a vault that end when the person leaves them."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._conversations = Conversations(vault)

    def ids(self) -> Sequence[str]:
        """Return which there are."""
        found = self._vault.rows(f"SELECT c.id FROM conversations AS c WHERE NOT {LASTS}")
        return [row["id"] for row in found]

    def delete(self, conversation_id: str) -> bool:
        """Remove one for good, with its jobs; return whether it was there, and temporary."""
        with self._vault.write() as connection:
            messages = connection.execute(
                "SELECT c.pk, x.id FROM conversations AS c"
                " LEFT JOIN messages AS x ON x.conversation_pk = c.pk"
                f" WHERE c.id = ? AND NOT {LASTS}",
                (conversation_id,),
            ).fetchall()
            if not messages:
                return False
            ids = [conversation_id, *(row["id"] for row in messages)]
            keys = [f"{kind}:{one}" for kind in _KINDS for one in ids]
            connection.execute(f"DELETE FROM jobs WHERE unique_key IN {listed()}", (dumps(keys),))
            self._conversations.delete(conversation_id)
        return True
