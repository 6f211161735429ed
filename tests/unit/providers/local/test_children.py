import multiprocessing
import os
import subprocess
import sys
import threading
from threading import Event

import psutil
import pytest

from app.domain.jobs.stopping import stoppable
from app.errors import Cancelled, ModelDied, ModelError, ModelFileError
from app.hardening import is_needed
from app.providers.local.children import Child
from app.providers.local.serving import serve
from tests.fakes import workers


class Time:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def make(kind="works", **options):
    return Child("The model", workers.build, (kind,), **options)


@pytest.fixture(scope="module")
def shared():
    child = make()
    yield child
    child.close()


@pytest.fixture
def child():
    made = make()
    yield made
    made.close()


def test_nothing_runs_before_it_is_needed(child):
    assert child.pid is None
    assert child.ask_if_free("pid", None) is None
    assert child.pid is None


def test_what_the_worker_says_of_itself(shared):
    assert shared.about() == {"kind": "works", "omp": "passive"}
    assert shared.running


@pytest.mark.parametrize("wait", [Child.load, lambda child: child.ask("pid", None)])
def test_a_stop_is_heard_while_a_model_loads_and_it_goes_on_loading(child, wait):
    stop = Event()
    stop.set()
    with stoppable(stop), pytest.raises(Cancelled):
        wait(child)
    assert child.ask("pid", None) == child.pid


def test_pieces_arrive_in_order(shared):
    assert list(shared.stream("echo", [1, "two", None])) == [1, "two", None]
    assert shared.ask("pid", None) == shared.pid
    assert shared.ask_if_free("echo", ["yes"]) == "yes"


def test_one_answer_is_one_answer(shared):
    with pytest.raises(ModelError, match="no answer"):
        shared.ask("echo", [])


def test_a_cancelled_answer_ends_and_the_next_one_works(shared):
    cancel, pid = Event(), shared.ask("pid", None)
    for number in shared.stream("forever", None, cancel):
        if number == 3:
            cancel.set()
    assert number == 3
    assert shared.ask("pid", None) == pid


def test_an_answer_left_in_the_middle_is_cancelled(shared):
    pid = shared.ask("pid", None)
    answer = shared.stream("forever", None)
    next(answer)
    assert shared.ask_if_free("pid", None) is None
    answer.close()
    assert shared.ask("pid", None) == pid


def test_a_failure_inside_is_a_sentence_without_details(shared):
    answer = shared.stream("fail", None)
    assert next(answer) == "first"
    with pytest.raises(ModelError) as caught:
        next(answer)
    assert str(caught.value) == "The model could not answer."
    assert shared.ask("echo", [1]) == 1


def test_the_child_is_silent(shared, capfd):
    assert shared.ask("noise", None)
    assert capfd.readouterr() == ("", "")


def test_many_threads_may_ask_at_once(shared):
    answers = {}

    def ask(number):
        answers[number] = list(shared.stream("echo", [number, number + 1]))

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers == {n: [n, n + 1] for n in range(12)}


@pytest.mark.expects_warnings
def test_death_in_the_middle_keeps_what_came_and_the_next_request_restarts(child):
    answer = child.stream("die", None)
    assert next(answer) == "last words"
    with pytest.raises(ModelDied, match="stopped unexpectedly"):
        next(answer)
    assert child.ask("echo", ["back"]) == "back"


@pytest.mark.expects_warnings
def test_a_child_killed_while_idle_is_started_again(child):
    first = child.ask("pid", None)
    psutil.Process(first).kill()
    child._link.pipe.poll(5)
    assert child.ask("pid", None) != first


@pytest.mark.expects_warnings
def test_one_that_does_not_stop_is_ended(child, monkeypatch):
    monkeypatch.setattr("app.providers.local.children._PATIENCE_SECONDS", 0.1)
    answer, first = child.stream("deaf", None), None
    assert next(answer) == "begun"
    first = child.pid
    answer.close()
    assert child.ask("pid", None) != first


@pytest.mark.expects_warnings
@pytest.mark.parametrize(
    ("kind", "error", "words"),
    [
        ("unloadable", ModelFileError, "The file is no use."),
        ("broken", ModelError, "The model could not be loaded."),
        ("dead", ModelDied, "The model stopped unexpectedly"),
    ],
)
def test_a_start_that_fails_is_a_sentence_and_no_loop(kind, error, words):
    time, checks = Time(), []
    child = make(kind, now=time, check=lambda: checks.append(1))
    for _ in range(2):
        with pytest.raises(error) as caught:
            child.about()
        assert str(caught.value).startswith(words)
    assert len(checks) == 2
    for _ in range(5):
        with pytest.raises(error):
            child.ask("echo", [1])
    assert len(checks) == 2, "it was started again before its time"
    time.now += 60
    with pytest.raises(error):
        child.ask("echo", [1])
    assert len(checks) == 3
    child.close()


def test_a_check_that_refuses_starts_nothing(child):
    def refuse():
        raise ModelFileError("Not that one.")

    child._check = refuse
    with pytest.raises(ModelFileError, match="Not that one"):
        child.about()
    assert child.pid is None


def test_closing_ends_the_process_and_whoever_waits(child):
    answer = child.stream("forever", None)
    next(answer)
    process = psutil.Process(child.pid)
    child.close()
    assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    with pytest.raises(ModelError, match="put away"):
        list(answer)
    with pytest.raises(ModelError, match="put away"):
        child.ask("echo", [1])


def test_rest_ends_the_process_until_it_is_asked_again(child):
    time = Time()
    child._now, child._used = time, 100.0
    first = child.ask("pid", None)
    time.now += 5
    assert child.idle_seconds == 5
    child.rest()
    assert child.pid is None
    assert child.ask("pid", None) != first


def test_begin_does_not_wait(child):
    child.begin()
    assert child.pid is not None
    assert child.ask("echo", [1]) == 1


@pytest.mark.parametrize("end", ["os._exit(0)", "os.kill(os.getpid(), 9)"])
def test_the_child_does_not_outlive_its_parent(end):
    code = (
        "import os\n"
        "from app.providers.local.children import Child\n"
        "from tests.fakes import workers\n"
        "if __name__ == '__main__':\n"
        "    child = Child('m', workers.build, ('works',))\n"
        "    answer = child.stream('deaf', None)\n"
        "    next(answer)\n"
        "    print(child.pid, flush=True)\n"
        f"    {end}\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    pid = int(done.stdout)
    if psutil.pid_exists(pid):
        _, alive = psutil.wait_procs([psutil.Process(pid)], timeout=10)
        assert not alive


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_child_inherits_no_secret_no_terminal_and_writes_no_core(child, monkeypatch):
    secrets = ("LOCI_PASSPHRASE", "LOCI_API_KEY", "OPENAI_API_KEY", "GH_TOKEN", "MY_DB", "CUDA_KEY")
    for name in secrets:
        monkeypatch.setenv(name, "canary")
    monkeypatch.setenv("GGML_HARMLESS", "stays")
    begun_with, environment, opened, core, dumped = child.ask("inherited", None)
    assert b"canary" not in begun_with
    assert "canary" not in environment.values()
    assert environment["GGML_HARMLESS"] == "stays"
    assert opened == ["/dev/null"] * 3
    assert core == (0, 0)
    assert dumped == 0, "a program that takes dumps is given none either"
    assert [os.environ[name] for name in secrets] == ["canary"] * len(secrets)


def test_a_start_takes_nothing_from_the_environment_of_this_process(child, monkeypatch):
    monkeypatch.setenv("LOCI_PASSPHRASE", "canary")
    told = []

    def heard(event, about):
        if event == "subprocess.Popen" and not told:
            told.append((os.environ.get("LOCI_PASSPHRASE"), about[3]))

    sys.addaudithook(heard)
    child.load()
    ((mine, theirs),) = told
    assert mine == "canary", "another thread that reads it meanwhile misses nothing"
    assert "LOCI_PASSPHRASE" not in theirs
    assert "PATH" in theirs


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_nothing_dumps_loci_itself_nor_attaches_to_it():
    code = (
        "import ctypes; from app.main import main; main(['--version']);"
        "print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[-1] == "0"


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("PATH", True),
        ("LD_LIBRARY_PATH", True),
        ("CUDA_VISIBLE_DEVICES", True),
        ("SystemRoot", True),
        ("PYTHONPATH", True),
        ("ProgramFiles(x86)", True),
        ("AWS_SECRET_ACCESS_KEY", False),
        ("DATABASE_URL", False),
        ("SSH_AUTH_SOCK", False),
        ("PYTHON_TOKEN", False),
        ("OPENAI_API_KEY", False),
        ("GGML_PASS", False),
    ],
)
def test_a_child_is_told_what_it_needs_and_no_more(name, needed):
    assert is_needed(name) is needed


@pytest.mark.skipif(sys.platform == "win32", reason="there are no core files")
def test_loci_itself_writes_no_core():
    code = (
        "import resource; from app.main import main; main(['--version']);"
        "print(resource.getrlimit(resource.RLIMIT_CORE))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[-1] == "(0, 0)"


def test_a_worker_that_is_not_asked_for_a_while_rests():
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    rested = context.Event()
    arguments = (theirs, "The model", workers.build_resting, (rested,), False, 0.01)
    process = context.Process(target=serve, args=arguments, daemon=True)
    process.start()
    theirs.close()
    assert rested.wait(60)
    ours.send((1, "echo", ["still there"]))
    assert [ours.recv()[1:] for _ in range(2)] == [
        ("done", {"kind": "works", "omp": "passive"}),
        ("piece", "still there"),
    ]
    process.kill()
    process.join()


def test_a_worker_tells_how_far_it_has_loaded():
    child = Child("The model", workers.build_slowly, (), tells=True)
    assert list(child.loading(None)) == [0, 25, 50, 100]
    assert list(child.loading(None)) == [], "it is loaded"
    assert child.ask("pid", None) == child.pid
    child.close()


def test_whoever_does_not_ask_how_far_it_is_hears_only_the_answer():
    child = Child("The model", workers.build_slowly, (), tells=True)
    assert child.ask("pid", None) == child.pid
    child.close()
