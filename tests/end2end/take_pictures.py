"""Take the pictures of the README and of every screen, light and dark, from the real program.

usage: python tests/end2end/take_pictures.py OUT_FOLDER

Needs Xvfb and openbox. The answers come from a scripted server; everything else is real.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from app.domain.ids import utc_now  # noqa: E402
from app.main.program import Program as Loci  # noqa: E402
from app.paths import Paths  # noqa: E402
from app.store.profiles import Profiles  # noqa: E402
from app.store.vault.connection import READ_CACHE_KB, connect  # noqa: E402
from tests.end2end.program import Program, virtual_screen, wait_for  # noqa: E402
from tests.fakes.openai_server import OpenAIServer, Reply  # noqa: E402

TALKS = (
    ("Where should the beans go in my garden plan?", "Along the south wall, behind the lettuce."),
    ("Which gauge of guitar strings suits a beginner? I play a Yamaha C40.", "Normal tension."),
    (
        "I teach physics at a secondary school. Reword this: results was good.",
        "The results were good.",
    ),
    ("I live in Ghent. When does the first train to Antwerp leave?", "At 4:49 on weekdays."),
    ("I'm allergic to walnuts.", "Good to know. I will leave them out."),
    ("My sister Ruth loves salmon.", "Then salmon it is, next time."),
)
VISIT = "Ruth and the kids are coming on Friday. What could I cook that my sister loves?"
DINNER = """For Friday I would make a **baked salmon with dill potatoes** [1]: it is quick, and the
kids can help with the potatoes.

- Salmon side, 1.2 kg, 20 minutes at 180 °C
- New potatoes with dill and lemon
- Rhubarb compote with oat crumble
"""
LIST = """Good to know, then no salmon [1]. A vegetarian version:

```text
chanterelles   600 g
barley         400 g
new potatoes   1.5 kg
dill, lemon, rhubarb, oats
```
"""
PEAS = "Along the fence, where the morning sun comes first: peas like it cool at their roots."
REPEATED = (
    "I cook Persian food.",
    "I cook Persian food at weekends.",
    "I like hiking in the hills.",
    "I really like hiking.",
    "I drink two coffees every morning.",
)
EARLIER = (
    (61, "I play the viola in an amateur orchestra."),
    (54, "I own a boat called Wren."),
    (47, "I never drink coffee."),
    (40, "I am learning Dutch."),
    (40, "My sister Ruth works at the harbour office."),
    (23, "I rowed across the lock in 2019."),
    (12, "My neighbour Farhad has the spare key."),
)
WITHOUT_MODEL = (
    "I'm allergic to penicillin, I got hives as a kid.",
    "I take 5 mg of bisoprolol every morning.",
    "My daughter Ana is nine and my son Leo is twelve.",
    "The doctor put my bisoprolol up to 10 mg.",
    "What am I allergic to?",
    "How much bisoprolol do I take?",
    "What is the name of my dentist?",
    "The rain is loud tonight.",
)
ORDERS = (
    "Nurse Colleen works at the bowel clinic, and my ferritin was 8 in May.",
    "I drive a red Skoda.",
    "Forget that I drive a red Skoda.",
    "forget that my ferritin was 8",
    "Forget about the children.",
    "undo that",
)
LETTER = """From: Hanneke de Wit
Subject: The boiler

Dear neighbour, I am allergic to dust and my boiler is broken. Could you call me on 555 0134?
Kind regards, Hanneke

"""
ABOUT_IT = ("What does she want from me?", "What is Hanneke's number?", "Am I allergic to dust?")
UPDATED = (
    "I take 2 units of insulin at breakfast.",
    "I take 3 units of insulin at breakfast now instead of 2.",
)
RESTATED = (
    "My landlord Quentin Abernathy keeps the deposit of 1,900 euros.",
    "Quentin Abernathy never answers letters.",
    "Who keeps my deposit?",
)
QUOTED = "Remind me: Quentin Abernathy said that the deposit comes back in March."
QUIET = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}


class Session:
    """One run of the program on a screen of its own."""

    def __init__(self, out, display):
        self.out, self.display = out, display
        self.home = Path(tempfile.mkdtemp(prefix="loci-pictures-")) / "home"
        self.home.mkdir()
        self.server = OpenAIServer()
        self.server.models = ("llama3.2",)
        self.replies = []
        self.server.respond = lambda body: (
            Reply('{"memories": []}') if "response_format" in body else self.reply()
        )

    def reply(self):
        """Return the next reply that was scripted."""
        found = self.replies.pop(0)
        return found if isinstance(found, Reply) else Reply(found)

    def run(self):
        with self.server:
            for theme in ("light", "dark"):
                self.welcome(theme)
                self.ordinary(theme)
                self.trust(theme)
                self.set("appearance.theme", theme, self.home / "loci")
                self.window = Program(self.display, self.home / "loci")
                try:
                    if theme == "light":
                        self.first_day()
                    self.tour(theme)
                finally:
                    self.window.kill()

    def welcome(self, theme):
        """Take the first page on a folder of its own."""
        with self.fresh(f"first-{theme}", theme):
            self.window.do("settle", milliseconds=1500)
            self.shot(f"first-run-{theme}")

    @contextmanager
    def fresh(self, name, theme):
        """Open the window on a folder of its own, at the first page."""
        folder = self.home / name
        self.set("appearance.theme", theme, folder)
        self.window = Program(self.display, folder)
        try:
            self.window.wait("choose_notebook")
            yield
        finally:
            self.window.kill()

    def ordinary(self, theme):
        """Take conversations without a model: told, asked, ordered about, pasted, and undone."""
        with self.fresh(f"ordinary-{theme}", theme):
            self.without_model()
            self.talk(WITHOUT_MODEL)
            self.large_and_small(f"ordinary-{theme}")
            self.talk(ORDERS)
            self.large_and_small(f"orders-{theme}")
            self.talk(ABOUT_IT, pasted=LETTER)
            self.large_and_small(f"letter-{theme}")
            self.talk(UPDATED)
            self.large_and_small(f"updated-{theme}")
            self.window.do("click", name="receipt_undo", number=-1)
            self.window.sees("Taken back: this is not remembered any more.")
            self.large_and_small(f"undone-{theme}")

    def trust(self, theme):
        """Take backups, what an erasure would take and leave, and a vault edited from outside."""
        with self.fresh(f"trust-{theme}", theme):
            self.without_model()
            self.talk(RESTATED)
            self.talk([QUOTED])
            self.window.click("show_memory")
            self.window.click_row("memory_table", "1,900 euros")
            self.window.click("detail_erase")
            self.window.wait("erasure_copies")
            self.shot(f"erasure-{theme}")
            self.window.key("Escape")
            folder = self.home / f"trust-{theme}"
            for _ in range(3):
                self.loci("profiles", "backup", folder=folder)
            self.window.click("show_settings")
            self.window.click("settings_show_your_data")
            self.window.click("restore_backups")
            self.window.wait("restore.0")
            self.shot(f"backups-{theme}")
        _edited_from_outside(folder)
        self.window = Program(self.display, folder)
        try:
            self.window.click(self.window.wait("show_attention"))
            self.window.wait("accept_foreign")
            self.large_and_small(f"edited-outside-{theme}")
        finally:
            self.window.kill()

    def without_model(self):
        """Go through the first pages without choosing a model."""
        for name in ("choose_notebook", "first_run_decline", "first_run_start"):
            self.window.click(name)
        self.window.wait("composer_text")

    def talk(self, said, pasted=""):
        """Say things in a conversation of their own."""
        self.window.key("Ctrl+N")
        if pasted:
            self.window.do("paste", name=self.window.wait("composer_text"), text=pasted)
        for text in said:
            self.tell(text)

    def large_and_small(self, name):
        """Take what is shown, in a window of usual size and in a small one."""
        self.window.do("resize", width=1280, height=820)
        self.shot(name)
        self.window.do("resize", width=900, height=600)
        self.shot(f"small-{name}")

    def tell(self, text):
        """Say something where no model answers."""
        self.window.type("composer_text", text)
        self.window.key("Return", "composer_text")
        self.window.do("settle", milliseconds=300)
        wait_for(lambda: not self.window.do("enabled", name="send"), "the end")
        self.window.does_not_see("Looking for memories")
        self.window.do("settle", milliseconds=900)

    def set(self, key, value, folder):
        environment = os.environ | {"LOCI_HOME": str(folder), **QUIET}
        command = [sys.executable, "-m", "app", "settings", "set", key, value]
        subprocess.run(command, check=True, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)

    def first_day(self):
        window = self.window
        window.wait("choose_notebook")
        window.click("choose_service")
        window.type("service_address", self.server.url)
        window.click("service_list")
        window.click("service_use")
        window.click("first_run_decline")
        window.click("first_run_start")
        window.wait("composer_text")
        for said, answer in TALKS:
            self.say(said, answer)
            window.key("Ctrl+N")
        self.say(VISIT, DINNER)
        self.say("Make me a shopping list I can paste. Oh, and Ruth is vegetarian now.", LIST)
        window.sees("Remembered:")
        self.night()

    def night(self):
        """Let Loci work by itself, and let something wait."""
        self.earlier()
        for text in REPEATED:
            self.loci("remember", text)
        self.loci("upkeep", "run", "dream")
        self.loci("upkeep", "run", "consolidate")
        self.loci("settings", "set", "extraction.ask_first", "true")
        self.window.do("settle", milliseconds=3000)  # until the window has looked
        self.window.key("Ctrl+N")
        self.say("I work as a lifeguard in summer. I like liquorice.", "Good to know.")
        self.window.click("show_attention")
        self.window.sees("I work as a lifeguard in summer")
        self.window.key("Ctrl+1")

    def earlier(self):
        """Remember things weeks ago, so that there is a past to look at."""
        os.environ.update(QUIET)
        for days, text in EARLIER:
            at = utc_now() - timedelta(days=days)
            with Loci(lambda at=at: at).open(self.home / "loci", None) as services:
                services.memories.add(text)

    def loci(self, *arguments, folder=None):
        """Run a command on the same profile, or in another folder; return what it prints."""
        environment = os.environ | {"LOCI_HOME": str(folder or self.home / "loci"), **QUIET}
        command = [sys.executable, "-m", "app", *arguments]
        done = subprocess.run(
            command, check=True, cwd=ROOT, env=environment, capture_output=True, text=True
        )
        return done.stdout

    def tour(self, theme):
        window = self.window
        window.wait("composer_text")
        window.do("resize", width=1280, height=820)
        window.click_row("conversations", "Ruth and the kids")
        window.sees("chanterelles")
        window.click("why_toggle")
        self.shot(f"chat-{theme}")
        window.click("trace_steps_toggle")
        self.shot(f"why-{theme}")
        window.click("trace_steps_toggle")
        window.click("why_tabs_found")
        self.shot(f"why-found-{theme}")
        window.key("Escape")
        window.click("show_memory")
        window.click_row("memory_table", "walnuts")
        window.sees("How Loci knows")
        self.shot(f"memory-{theme}")
        window.key("Ctrl+R")
        window.type("dry_run_text", "What could I cook for Ruth on Friday?")
        window.sees("An answer would draw on")
        self.shot(f"dry-run-{theme}")
        window.replace("dry_run_text", "How tall is the Eiffel Tower?")
        window.sees("Nothing would be recalled")
        self.shot(f"dry-run-nothing-{theme}")
        window.key("Escape")
        self.by_itself(theme)
        window.click("show_models")
        self.shot(f"models-{theme}")
        window.click("show_settings")
        window.click("settings_show_your_data")
        self.shot(f"settings-{theme}")
        self.at_work(theme)
        self.small(theme)

    def by_itself(self, theme):
        """Take the screens of what was, what waits, and what was done at night."""
        window = self.window
        window.click("show_timeline")
        window.sees("What Loci knew then")
        for key in ("PgDown", "Left", "Left"):
            window.key(key, "timeline_slider")
        window.sees(f"As of {_day(32)}")
        window.sees("Loci knew 5 memories")
        self.shot(f"timeline-{theme}")
        window.click("timeline_sources")
        window.sees("Who wrote")
        self.shot(f"sources-{theme}")
        window.key("Escape")
        window.click("show_attention")
        window.sees("Contradictions")
        self.shot(f"attention-{theme}")
        window.click("show_activity")
        window.sees("Recent work")
        self.shot(f"activity-{theme}")
        runs = json.loads(self.loci("upkeep", "history", "--json"))
        folded = next(run for run in runs if run["kind"] == "consolidate" and run["batch"])
        window.click(f"see_{folded['id']}")
        window.sees("made together")
        self.shot(f"changes-{theme}")
        window.key("Escape")

    def say(self, text, answer):
        self.replies.append(answer)
        self.window.type("composer_text", text)
        self.window.key("Return", "composer_text")
        self.window.sees(answer.splitlines()[0].split("**")[0][:20])
        wait_for(lambda: not self.window.do("enabled", name="send"), "the end")
        self.window.does_not_see("Remembering")
        self.window.do("settle", milliseconds=900)

    def at_work(self, theme):
        """Take a model that is waited for, and one that writes."""
        begins, goes_on = threading.Event(), threading.Event()
        self.replies.append(Reply(PEAS, before=begins, between=goes_on, free=12))
        self.window.key("Ctrl+1")
        self.window.key("Ctrl+N")
        self.window.type("composer_text", "And where do the peas go?")
        self.window.key("Return", "composer_text")
        self.window.sees("Waiting for 127.0.0.1")
        self.shot(f"waiting-{theme}")
        begins.set()
        self.window.sees(PEAS[:20])
        self.shot(f"writing-{theme}")
        goes_on.set()
        wait_for(lambda: not self.window.do("enabled", name="send"), "the end")

    def small(self, theme):
        """Take the screens in a small window."""
        window = self.window
        window.do("resize", width=900, height=600)
        for name in ("timeline", "attention", "activity", "memory"):
            window.click(f"show_{name}")
            self.shot(f"small-{name}-{theme}")
        window.key("Ctrl+1")
        self.shot(f"small-{theme}")

    def shot(self, name):
        self.window.do("settle", milliseconds=900)
        self.window.picture(self.out / f"{name}.png")


def _edited_from_outside(folder):
    """Change a memory as another program would that has the key."""
    profiles = Profiles(Paths(folder), find_keyring=lambda: None)
    with closing(profiles.open("personal")) as vault:
        path, key = vault.path, vault.key
    with closing(connect(path, key, cache_kb=READ_CACHE_KB, read_only=False)) as connection:
        connection.execute("UPDATE memories SET text = replace(text, '1,900', '9')")


def _day(ago):
    """Return a day so many days ago, as the window writes it."""
    day = (utc_now() - timedelta(days=ago)).astimezone()
    return f"{day.day} {day:%B %Y}"


def main(out):
    out.mkdir(parents=True, exist_ok=True)
    with virtual_screen() as display:
        Session(out, display).run()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
