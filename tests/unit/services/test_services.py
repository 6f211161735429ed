"""Every service is there, is built once, and is built only when it is asked for."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, RLock

import pytest

from app.main.core import once
from app.services.services import Services


@pytest.mark.parametrize("name", Services.__annotations__)
def test_each_service_is_of_the_class_that_it_is_declared_as(services, name):
    assert type(getattr(services, name)).__name__ == Services.__annotations__[name]
    assert getattr(services, name) is getattr(services, name)


def test_what_is_no_service_is_not_there(services):
    with pytest.raises(AttributeError):
        services.memory  # noqa: B018 - the look itself is tried


def test_threads_that_ask_at_once_get_the_same_service():
    made, barrier, sleeping = [], Barrier(4), Event()

    def make():
        sleeping.wait(0.05)  # so that the others ask meanwhile
        made.append(object())
        return made[-1]

    services = Services(None, {"chat": make})

    def ask():
        barrier.wait()
        return services.chat

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(ask) for _ in range(4)]
    assert {one.result() for one in asked} == set(made)
    assert len(made) == 1


def test_preparing_builds_all_that_was_not_asked_for():
    made = []
    makers = {name: lambda name=name: made.append(name) or name for name in ("chat", "undo")}
    services = Services(None, makers)
    assert services.undo == "undo"
    assert list(services.prepared()) == ["chat"]
    assert (services.chat, made) == ("chat", ["undo", "chat"])


def test_each_kind_of_work_is_made_by_whom_the_table_says(services):
    works = services.background.works
    assert {kind: work.kind for kind, work in works.items()} == {kind: kind for kind in works}
    assert list(works) == [
        *("review", "read", "consolidate", "dream", "compact", "backup"),
        *("learn", "learn_more", "index", "reindex", "words", "scrub"),
        *("summarise", "judge"),
    ]


def test_threads_that_ask_at_once_get_the_same_part_of_the_core():
    made, barrier = [], Barrier(4)

    class Slow:
        building = RLock()

        @once
        def part(self):
            sleeping.wait(0.05)  # so that the others ask meanwhile
            made.append(object())
            return made[-1]

    slow, sleeping = Slow(), Event()

    def ask(_number):
        barrier.wait(10)
        return slow.part

    with ThreadPoolExecutor(4) as pool:
        assert len({id(found) for found in pool.map(ask, range(4))}) == len(made) == 1
