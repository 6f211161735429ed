"""``loci models``: list what could answer or find by meaning, and choose."""

import os
from dataclasses import asdict
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from app.cli.catalogue import catalogue, download
from app.cli.output import say
from app.cli.program import Asked, Ordered, common, finish_pending, run
from app.cli.text import WORDS, counted, on_one_line
from app.domain.model import LearnerStatus, ModelChoice, ModelRole, RerankerStatus
from app.errors import ModelError

if TYPE_CHECKING:
    from app.services.services import Services

API_KEY = "LOCI_API_KEY"
TITLES = {ModelRole.CHAT: "Answers:", ModelRole.EMBED: "Finds by meaning:"}


@click.group(cls=Ordered, invoke_without_command=True)
@click.option("--use", metavar="ID", type=WORDS, help="Let this model answer, or find by meaning.")
@click.option(
    "--add",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Put a GGUF file on the list; it stays where it is.",
)
@click.option("--download-reranker", is_flag=True, help="Download the reranker, once.")
@click.option("--learn-again", is_flag=True, help="Let a model that failed to learn try again.")
@click.option("--servers", is_flag=True, help="Also look for model servers on this computer.")
@common
@click.pass_context
def models(
    context: click.Context,
    use: str | None,
    add: Path | None,
    download_reranker: bool,
    learn_again: bool,
    servers: bool,
) -> None:
    """List the models, and choose among them.

    One answers; another one finds by meaning; a third may rerank what was found. Who learns beside
    Loci's own reader is the one that answers, if it is large enough, or what
    `loci settings set extraction.learn_from` says.

    ID is an id from the list, or server:ADDRESS#MODEL for any OpenAI-compatible server. The key of
    a server is read from LOCI_API_KEY and kept with the profile.
    """
    if context.invoked_subcommand is None:
        _models(
            context.find_object(Asked) or context.ensure_object(Asked),
            use,
            add,
            download_reranker,
            learn_again,
            servers,
        )


def _models(
    asked: Asked,
    use: str | None,
    add: Path | None,
    download_reranker: bool,
    learn_again: bool,
    servers: bool,
) -> None:
    with asked.open() as services:
        if add:
            services.library.add_file(add.absolute())
        if download_reranker:
            stop = Event()
            run(services.library.download_reranker(stop), stop)
        if learn_again:
            services.learners.try_again()
        if use:
            _choose(services, use)
        chosen = {services.library.current().id, services.preferences.values().models.embedder}
        found = [*services.library.chat_choices(), *services.library.embed_choices()]
        answered = services.library.find_servers() if servers else []
        folder, reranker = services.library.folder, services.library.reranker()
        learner = services.learners.status()
        data = {
            "current": services.library.current().id,
            "embedder": services.preferences.values().models.embedder,
            "folder": str(folder),
            "models": [asdict(m) for m in found],
            "reranker": asdict(reranker),
            "learner": {**asdict(learner), "told": learner.sentence},
            "servers": [
                {"name": s.name, "base_url": s.base_url, "models": list(s.models)} for s in answered
            ],
        }
    if use:
        asked.show(data, [f"{use} is used from now on."])
        return
    lines = [*_table(found, chosen), *_reranker(reranker), *_learner(learner)]
    for server in answered:
        lines += [f"  server:{server.base_url}#{name}  {server.name}" for name in server.models]
    if servers and not answered:
        lines.append("No model server answers on this computer.")
    asked.show(data, [*lines, f"GGUF files are looked for in {folder}"])


def _table(found: list[ModelChoice], chosen: set[str]) -> list[str]:
    lines: list[str] = []
    for role, title in TITLES.items():
        lines.append(title)
        for model in found:
            if model.role is role:
                mark = "*" if model.id in chosen else " "
                said = (model.name, model.detail, model.warning)
                about = model.problem or ". ".join(filter(None, said))
                lines.append(f"{mark} {model.id}  {on_one_line(about)}")
    return lines


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


def _choose(services: "Services", choice: str) -> None:
    key = os.environ.get(API_KEY) or None
    if all(choice != m.id for m in services.library.embed_choices()):
        services.library.choose_chat(choice, key)
        return
    services.library.choose_embedder(choice, key)
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
COMMANDS = (models,)
