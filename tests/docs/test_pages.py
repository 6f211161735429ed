"""What is written for people is true: commands, options, settings and links exist."""

import re
from pathlib import Path

import click
import pytest

from app.cli.main import root
from app.main import MORE_COMMANDS
from app.settings.docs import render

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "resources" / "docs"
COMMAND_LINE = (DOCS / "command_line.md").read_text("utf-8")
COMMON = {"--data-dir", "--profile", "--json", "--help", "-h"}
READMES = [ROOT / "README.md", ROOT / "app" / "README.md"]
READMES += sorted((ROOT / "resources").rglob("README.md"))
EVALS = ROOT / "tests" / "evals"
READMES.append(EVALS / "README.md")
PAGES = [*READMES, *sorted({*ROOT.glob("*.md"), *DOCS.rglob("*.md")} - {*READMES})]


def commands(group, path=("loci",)):
    """Yield each command that does something, by its words."""
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if isinstance(command, click.Group):
            if any({*parameter.opts} - COMMON for parameter in command.params):
                yield " ".join((*path, name)), command  # does something by itself too
            yield from commands(command, (*path, name))
        elif not command.hidden:
            yield " ".join((*path, name)), command


loci = root(MORE_COMMANDS)
COMMANDS = dict(commands(loci))


def section(page, title):
    """Return what stands under a heading."""
    found = re.search(rf"^#+ `?{re.escape(title)}`?\n(.*?)(?=^#|\Z)", page, re.M | re.S)
    assert found, f"no section {title}"
    return found[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name):
    text = section(COMMAND_LINE, name)
    for parameter in COMMANDS[name].params:
        if isinstance(parameter, click.Option):
            for option in {*parameter.opts} - COMMON:
                assert f"`{option}" in text, option
        else:
            words = parameter.make_metavar(click.Context(COMMANDS[name])).strip("[]")
            assert words.removesuffix("...") in text, words


def test_the_options_of_every_command_are_documented():
    text = section(COMMAND_LINE, "Options of every command")
    for option in (*COMMON, *(o for p in loci.params for o in p.opts)):
        assert f"{option}" in text, option


def test_no_option_is_documented_that_is_not_there():
    known = COMMON | {o for c in (*COMMANDS.values(), loci) for p in c.params for o in p.opts}
    written = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", COMMAND_LINE.replace("|---|", "")))
    assert written <= known | {"-m"}


def test_the_settings_page_is_the_one_the_table_makes():
    assert (DOCS / "settings.md").read_text("utf-8") == render(), "run `make docs`"


def spoken(text):
    """Yield the words after ``loci`` in code, until one that is no plain word."""
    code = re.findall(r"`([^`\n]+)`", text) + re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
    for line in "\n".join(code).splitlines():
        for words in re.findall(r"(?:^|[|;] )loci((?: [a-z-]+)*)", line):
            yield words.split()


def exists(words):
    """Say whether a command line begins with commands and options that there are."""
    command = loci
    for word in words:
        if word == "--":
            return True
        if word.startswith("-"):
            return word in COMMON | {o for p in command.params for o in p.opts}
        if not isinstance(command, click.Group):
            return True
        command = command.get_command(None, word)
        if command is None:
            return False
    return True


def test_every_command_that_is_mentioned_exists():
    for path in (*PAGES, *(ROOT / "app").rglob("*.py")):
        text = path.read_text("utf-8").replace("``", "`")
        wrong = [" ".join(words) for words in spoken(text) if not exists(words)]
        assert not wrong, f"{path}: {wrong}"


def test_the_commands_the_readme_counts_up_are_all_there_are():
    line = re.search(
        r"^- The command line:(.*?)(?=^\n|^- )", READMES[0].read_text("utf-8"), re.M | re.S
    )
    named = {word.removeprefix("loci ") for word in re.findall(r"`([a-z ]+)`", line[1])}
    assert named == set(loci.places)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_target_of_make_that_is_mentioned_exists(path):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.M))
    text = path.read_text("utf-8")
    mentioned = re.findall(r"`make ([a-z]+)`", text) + re.findall(r"^make ([a-z]+)", text, re.M)
    assert set(mentioned) <= targets


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(path):
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        if "://" not in target and not target.startswith(("#", "mailto:")):
            assert (path.parent / target.partition("#")[0]).exists(), target


FILE = re.compile(r"`([\w.]+\.(?:py|jsonl?|md|tsv|txt))`(?: \((\d+)\))?")


def listed():
    """Yield each file in the tables of the evaluations, where it lies, and its number of rows."""
    for part in re.split(r"^## ", (EVALS / "README.md").read_text("utf-8"), flags=re.M):
        folder = re.match(r"`(\w+)/`", part)
        for row in re.findall(r"^\|.*\|$", part, re.M):
            for name, rows in FILE.findall(row):
                yield (EVALS / folder[1] if folder else EVALS) / name, rows


def test_every_file_that_the_evaluations_list_is_there_with_its_rows():
    found = dict(listed())
    assert len(found) > 20
    for path, rows in found.items():
        assert path.is_file(), path
        if rows:
            assert len(path.read_text("utf-8").splitlines()) == int(rows), path


def test_no_file_of_the_evaluations_is_left_out():
    def as_listed(path):
        return path.parent, re.sub(r"\d+(?=\.json$)", "", path.name)  # written1 … written6

    named = {as_listed(path) for path, _ in listed()}
    ours = [path for path in EVALS.rglob("*.*") if not path.name.startswith(("test_", "__"))]
    files = [p for p in ours if p.is_file() and "__pycache__" not in p.parts]
    left_out = {path.name for path in files if as_listed(path) not in named}
    assert left_out == {"README.md", "conftest.py"}
