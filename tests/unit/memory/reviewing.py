"""Nights on which a review runs: conversations, and a fake of the model that reads them."""

import json

from app.domain.conversation import Part, PartOrigin, Role
from app.memory.learn.context import LearningContext
from app.memory.review import ReviewJob
from tests.fakes import kills
from tests.fakes.understanding import Understanding
from tests.unit.memory.conftest import FakeChat

BARGE = "Translate this for the harbour: I inherited the barge Marie from an uncle."
INHERITED = "You inherited the barge Marie from an uncle"


def item(quote=BARGE, content=INHERITED, **more):
    return {
        "reasoning": "It lasts.",
        "message": 1,
        "quote": quote,
        "content": content,
        "kind": "fact",
        **more,
    }


class Reader(FakeChat):
    """Answers every page with the items whose quotes stand on it; a fake for a chat model."""

    def __init__(self, *items, failing=()):
        super().__init__()
        self.items = items
        self.failing = list(failing)

    def stream(self, prompt, sampling, cancel):
        self.prompts.append(list(prompt))
        self.samplings.append(sampling)
        if self.failing and (error := self.failing.pop(0)):
            raise error
        page = prompt[1].content
        yield json.dumps({"memories": [i for i in self.items if i["quote"] in page]})

    @property
    def pages(self):
        return [prompt[1].content for prompt in self.prompts]


class Unread(Understanding):
    """Finds nothing stated, so that what a model says stands alone."""

    def read(self, messages, *, urgent=False):
        return super().read([("", "")] * len(messages))


class Night:
    """A desk whose conversations are reviewed."""

    def __init__(self, desk):
        self.desk = desk
        self.indexed = 0
        self.job = kills.Job(desk.vault, self.begin, "review")

    def begin(self, checkpoint, mark, cancel):
        desk = self.desk
        settings, clock = (lambda: desk.settings), (lambda: desk.now)
        given = LearningContext(
            desk.store, desk.models, settings, desk.remember, self.enqueue_index, clock
        )
        return ReviewJob(given).run(checkpoint, mark, cancel)

    def enqueue_index(self):
        self.indexed += 1

    def read(self, *items, **options):
        """Give the desk a model that proposes these."""
        self.desk.models.model = Reader(*items, **options)
        return self.desk.models.model

    def talk(self, *said, pad=5, **options):
        """Begin a conversation: plain texts are typed by the person, and answered."""
        self.desk.later(minutes=10)
        talk = self.desk.conversations.create(1, created_at=self.desk.now, **options)
        for text in (*said, *["What else is there to see?"] * (pad - len(said))):
            self.desk.later(minutes=1)
            self.desk.say(text, talk=talk)
            self.desk.say(Part("Tell me more.", PartOrigin.MODEL), role=Role.ASSISTANT, talk=talk)
        return talk

    def review(self):
        return self.job.run()
