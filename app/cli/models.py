"""``loci models``: list what could answer or find by meaning, and choose."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import click

from app.cli.catalogue import catalogue, download
from app.cli.output import say
from app.cli.program import CommandContext, Ordered, common, finish_pending, run
from app.cli.sharing import share
from app.cli.text import FILE, WORDS, on_one_line
from app.domain.language.text import counted
from app.domain.model import (
    FoundServer,
    LearnerStatus,
    ModelChoice,
    ModelRole,
    OtherProgramsModels,
    RerankerStatus,
)
from app.domain.reply import NOTEBOOK
from app.errors import ModelError, Refused
from app.serialisers import models as plain

if TYPE_CHECKING:
    from app.services.services import Services

API_KEY = "LOCI_API_KEY"
NOT_HERE = "{0} is not on this computer yet: `loci models download {0}` gets it."
HERE = "{} is on this computer; its id is file:{}."
TITLES = {ModelRole.CHAT: "Answers:", ModelRole.EMBED: "Finds by meaning:"}


@click.group(cls=Ordered, invoke_without_command=True)
@click.option("--use", metavar="ID", type=WORDS, help="Let this model answer, or find by meaning.")
@click.option(
    "--add",
    metavar="FILE",
    type=FILE,
    help="Put a GGUF file on the list; it stays where it is.",
)
@click.option("--download-reranker", is_flag=True, help="Download the reranker, once.")
@click.option("--learn-again", is_flag=True, help="Let a model that failed to learn try again.")
@click.option("--servers", is_flag=True, help="Also look for model servers on this computer.")
@click.option(
    "--elsewhere", is_flag=True, help="Also look for models that other programs keep here."
)
@common
@click.pass_context
def models(context: click.Context, /, **wanted: Any) -> None:
    """List the models, and choose among them.

    One answers; another one finds by meaning; a third may rerank what was found. Who learns beside
    Loci's own reader is the one that answers, if it is large enough, or what
    `loci settings set extraction.learn_from` says.

    ID is an id from the list, file:PATH for a GGUF file anywhere on this computer, or
    server:ADDRESS#MODEL for any OpenAI-compatible server. The key of a server is read from
    LOCI_API_KEY and kept with the profile.
    """
    if context.invoked_subcommand is None:
        asked = context.find_object(CommandContext) or context.ensure_object(CommandContext)
        _models(asked, _Wanted(**wanted))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be done before the models are listed, and where else is looked."""

    use: str | None
    add: Path | None
    download_reranker: bool
    learn_again: bool
    servers: bool
    elsewhere: bool


def _models(asked: CommandContext, wanted: _Wanted) -> None:
    with asked.open() as services:
        warning = _carry_out(services, wanted)
        library = services.library
        embedder = services.preferences.values().models.embedder
        chosen = {library.current().id, embedder}
        found = [*library.chat_choices(), *library.embed_choices()]
        answered = library.find_servers() if wanted.servers else []
        far = library.elsewhere() if wanted.elsewhere else OtherProgramsModels()
        folder, reranker = library.folder, services.reranker.status()
        learner = services.learners.status()
        data = plain.models(
            library.current().id,
            embedder,
            str(folder),
            found,
            beside=(reranker, learner),
            servers=answered,
            elsewhere=far,
            warning=warning,
        )
    if wanted.use:
        asked.show(data, [f"{wanted.use} is used from now on."])
        if warning and not asked.as_json:
            say(warning, err=True)
        return
    lines = [*_table(found, chosen), *_reranker(reranker), *_learner(learner)]
    lines += _servers(answered) if wanted.servers else []
    lines += _elsewhere(far) if wanted.elsewhere else []
    asked.show(data, [*lines, f"GGUF files are looked for in {folder}"])


def _carry_out(services: "Services", wanted: _Wanted) -> str:
    """Do what is wanted; return what the person should know of the model that was chosen."""
    if wanted.add:
        services.library.add_file(wanted.add.absolute())
    if wanted.download_reranker:
        stop = Event()
        run(services.reranker.download(stop), stop)
    if wanted.learn_again:
        services.learners.try_again()
    return _choose(services, wanted.use) if wanted.use else ""


def _servers(answered: Sequence[FoundServer]) -> list[str]:
    if not answered:
        return ["No model server answers on this computer."]
    return [f"  server:{s.base_url}#{name}  {s.name}" for s in answered for name in s.models]


def _elsewhere(far: OtherProgramsModels) -> list[str]:
    """Return what other programs keep here; only --use chooses one."""
    lines = [_line(model) for model in far.choices]
    lines = lines or ["  No other program keeps a model here that could answer."]
    return ["Found on this computer:", *lines, *filter(None, [far.cut_short])]


def _table(found: list[ModelChoice], chosen: set[str]) -> list[str]:
    lines: list[str] = []
    for role, title in TITLES.items():
        lines.append(title)
        those = (model for model in found if model.role is role)
        lines.extend(_line(model, "*" if model.id in chosen else " ") for model in those)
    return lines


def _line(model: ModelChoice, mark: str = " ") -> str:
    said = (model.name, model.detail, model.warning)
    about = model.problem or ". ".join(filter(None, said))
    return f"{mark} {model.id}  {on_one_line(about)}"


def _reranker(status: RerankerStatus) -> list[str]:
    size = f"{status.bytes / 1e6:.0f} MB"
    about = f"On this computer, {size}" if status.present else "Not on this computer"
    if status.offered:
        about += f"; --download-reranker fetches {size}"
    mark = "*" if status.on and not status.problem else " "
    return ["Reranks:", f"{mark} {status.file}  {on_one_line(status.problem or about)}"]


def _learner(status: LearnerStatus) -> list[str]:
    again = "; --learn-again lets it try again" if status.given_up else ""
    return ["Learns:", f"  {on_one_line(status.sentence.rstrip('.') + again)}"]


def _choose(services: "Services", choice: str) -> str:
    """Let a model answer or find; return what the person should know of it, or an empty text."""
    key = os.environ.get(API_KEY) or None
    library = services.library
    if all(choice != m.id for m in library.embed_choices()):
        _must_be_here(services, choice)
        library.choose_chat(choice, key)
        return library.unseen(choice) or library.warning()
    library.choose_embedder(choice, key)
    _embed_anew(services)
    return ""


def _must_be_here(services: "Services", choice: str) -> None:
    """Say how a model of the catalogue gets here, where its name there was given.

    Raises:
        Refused: It was.
    """
    if ":" in choice or choice == NOTEBOOK:
        return
    with suppress(ModelError):  # a list that is not as it was made is told of where it is asked for
        one = next((o for o in services.catalogue.offered() if o.id == choice), None)
        if one is None:
            return
        if (services.library.folder / one.file).is_file():
            raise Refused(HERE.format(choice, one.file))
        raise Refused(NOT_HERE.format(choice))


def _embed_anew(services: "Services") -> None:
    finish_pending(services)
    try:
        status = services.memories.embedding_status()
        if status.missing:
            run(services.background.run(upkeep=True))
            status = services.memories.embedding_status()
    except ModelError as error:
        say(str(error), err=True)
        return
    if status.missing:
        say(f"{counted(status.missing, 'row')} not embedded by it yet.", err=True)


models.add_command(catalogue)
models.add_command(download)
models.add_command(share)
COMMANDS = (models,)
