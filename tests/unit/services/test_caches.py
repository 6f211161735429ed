"""What was erased, and whose profile was closed, is in no cache of the process."""

import functools
import gc
import re
from threading import Event

from app.jobs.operation import drive

from app.domain.memory import MemoryFilter
from app.main.build import build
from app.memory.recall.space import Space
from app.paths import Paths
from app.store.profiles import Profiles
from tests.unit.services.profile import NOW, learn, memories, send

CANARY = "Quxaltepec"
SAID = f"My sister {CANARY} works at the Blorptown hospital since 2019."
DEEP = 6


def held(root):
    """Yield every string that an object holds."""
    todo, seen = [(root, 0)], set()
    while todo:
        one, depth = todo.pop()
        if isinstance(one, str | re.Pattern):
            yield one if isinstance(one, str) else str(one.pattern)
        elif id(one) not in seen and depth < DEEP and not isinstance(one, type(re)):
            seen.add(id(one))
            if not callable(one) or depth == 0:
                todo += [(inner, depth + 1) for inner in gc.get_referents(one)]


def caches():
    """Return the caches of functions and of patterns, and the question recall was asked last."""
    objects = gc.get_objects()
    return [
        *(one for one in objects if isinstance(one, functools._lru_cache_wrapper)),
        *(one for one in vars(re).values() if isinstance(one, dict)),
        *(one._last for one in objects if isinstance(one, Space) and one._last),
    ]


def traces():
    """Return where the canary, its pieces or its neighbours are kept."""
    return [repr(cache)[:80] for cache in caches() if any(map(tells, held(cache)))]


def tells(text):
    return any(piece in text.lower() for piece in ("quxaltep", "blorpt"))


def tell(services):
    """Tell a profile the canary, and ask for it."""
    services.preferences.set("chat.model", "notebook")
    services.preferences.set("models.embedder", "hash")
    send(services, SAID)
    learn(services)
    assert any(CANARY in text for text in memories(services))
    services.memories.recall(f"Where does {CANARY} work?")
    assert traces(), "the last question, at least, should be kept before"


def test_what_is_erased_leaves_no_trace_in_caches(services):
    tell(services)
    (memory,) = services.memories.list(MemoryFilter())
    ticked = frozenset(copy.key for copy in services.erasure.of_memory(memory.id).copies)
    assert drive(services.erasure.erase_memory(memory.id, ticked), Event()).good
    assert traces() == []


def test_a_closed_profile_leaves_no_trace_in_caches(tmp_path):
    profiles = Profiles(Paths(tmp_path), lambda: NOW, lambda: None)
    vault, profile = profiles.create("Ada")
    opened = build(profiles, profile, vault, lambda: NOW)
    tell(opened.services)
    re.compile(f"(?:{CANARY})+")
    opened.close()
    del opened, vault
    gc.collect()
    assert traces() == []
