"""What a person does in a profile whose clock stands still: say something, let Loci learn."""

from datetime import UTC, datetime
from threading import Event

from app.domain.conversation import Part, PartOrigin
from app.jobs.operation import drive

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def send(services, text, talk=None, cancel=None, hear=None):
    """Send a message; return its conversation and every event until the answer was there."""
    events = []

    def on_event(event):
        events.append(event)
        if hear:
            hear(event)

    stop = cancel or Event()
    parts = text if isinstance(text, list) else [Part(text, PartOrigin.TYPED)]
    changes = drive(services.chat.send(talk, parts, stop), stop, on_event)
    (talk_id,) = changes.conversations
    return talk_id, events


def learn(services):
    """Let the background do what it has to do."""
    drive(services.background.run(), Event())
