"""``loci models catalogue`` and ``loci models download``: get a model, and let it answer."""

import sys
from threading import Event
from typing import TYPE_CHECKING, Any

import click

from app.cli.output import control, say
from app.cli.program import CommandContext, asking, run
from app.cli.text import WORDS
from app.domain.catalogue import UNTRIED, CatalogueModel, Fit, Trial, parameter_words
from app.domain.jobs.pace import Pace
from app.domain.jobs.progress import Progress
from app.domain.model import ModelRole
from app.errors import AppError, Cancelled, ModelError, Refused
from app.serialisers import catalogue as plain

if TYPE_CHECKING:
    from app.services.catalogue import CatalogueService

TITLES = {
    ModelRole.CHAT: "Answer:",
    ModelRole.EMBED: "Find by meaning:",
    ModelRole.RERANK: "Rerank:",
}
_ANEW = "\r\x1b[K"
_KEPT = "Stopped. What was fetched is kept: the same command goes on with it."


@click.command("catalogue")
@asking
def catalogue(asked: CommandContext) -> None:
    """List the models that can be downloaded, the one to recommend here first."""
    stop = Event()
    with asked.open() as services:
        _watched(services.catalogue.check(stop), stop)
        there = services.catalogue.machine()
        found = [c for role in ModelRole for c in services.catalogue.candidates(role)]
    lines = [
        f"This computer has {_gb(there.memory_bytes)} of memory, {_gb(there.free_bytes)} of it "
        f"free, and {there.cores} processor core{'' if there.cores == 1 else 's'}."
    ]
    for role, title in TITLES.items():
        lines.append(title)
        lines += [line for c in found if c.offered.role is role for line in _lines(c)]
    asked.show(
        plain.catalogue(there, found),
        [*lines, "`loci models download ID --use` gets one and lets it answer."],
    )


@click.command("download")
@click.argument("model", metavar="ID", type=WORDS)
@click.option("--use", is_flag=True, help="Let it answer, or find by meaning, from now on.")
@click.option("--again", is_flag=True, help="Do so where another file of its name is, kept aside.")
@asking
def download(asked: CommandContext, model: str, use: bool, again: bool) -> None:
    """Download a model of the catalogue; what an earlier attempt brought is not fetched again."""
    stop, trial = Event(), None
    with asked.open() as services:
        candidate = _got(services.catalogue, model, stop, again)
        offered = candidate.offered
        if use:
            services.catalogue.use(model)
            if offered.role is ModelRole.CHAT:
                trial = _tried(services.catalogue, stop)
        path = services.library.folder / offered.file
    data = plain.download(model, path, used=use, aside=candidate.aside, tried=trial)
    lines = [f"{offered.name} is in {path}"]
    if candidate.aside:
        lines.append(f"The other file of that name is called {candidate.aside} now.")
    if use:
        lines.append(f"{offered.name} is used from now on.")
    if trial is not None:
        lines += _told(trial)
    asked.show(data, lines)


def _got(catalogue: "CatalogueService", model: str, stop: Event, again: bool) -> CatalogueModel:
    """Download a model and return how things were before."""
    try:
        _watched(catalogue.check(stop), stop)
        before = catalogue.candidate(model)
        _watched(catalogue.download(model, stop, again), stop)
    except Cancelled:
        raise Cancelled(_KEPT) from None
    except Refused as error:
        raise Refused(f"{error} `loci models download {model} --again` does so.") from None
    return before


def _tried(catalogue: "CatalogueService", stop: Event) -> Trial:
    """Let a model that was just chosen answer once; that it is chosen is told in any case."""
    try:
        trial: Trial = run(catalogue.try_out(stop), stop)
    except Cancelled:
        raise Cancelled(f"{UNTRIED}: it was stopped.") from None
    except AppError as error:
        raise ModelError(f"{UNTRIED}: {error}") from error
    return trial


def _watched(steps: Any, stop: Event) -> None:
    """Run a download; on a terminal say on one line how far it is."""
    if not sys.stderr.isatty():
        run(steps, stop)
        return
    pace, last = Pace(), ""

    def told() -> Any:
        nonlocal last
        for step in steps:
            if isinstance(step, Progress) and (words := pace.words(step)) != last:
                last = words
                control(_ANEW)
                say(f"{step.label}: {words}", nl=False, err=True)
            yield None

    try:
        run(told(), stop)
    finally:
        if last:
            say(err=True)


def _told(trial: Trial) -> list[str]:
    pace = f"{trial.tokens_per_second:.1f} tokens per second" if trial.tokens_per_second else ""
    return [f"It says: {trial.text}" if trial.text else "It gave an empty answer.", pace][
        : 2 if pace else 1
    ]


def _lines(candidate: CatalogueModel) -> list[str]:
    one = candidate.offered
    mark = "*" if candidate.in_use else " "
    said = [
        one.name,
        str(candidate.fit),
        parameter_words(one.parameters),
        f"{_gb(one.bytes)}, needs about {_gb(candidate.memory_bytes)} of memory",
    ]
    if candidate.recommended and one.role is ModelRole.CHAT:
        said.insert(1, "recommended for this computer")
    if candidate.present:
        said.append("on this computer")
    elif candidate.aside:
        said.append("another file of its name is there, --again downloads it")
    elif candidate.fetched:
        said.append(f"{candidate.fetched / 1e6:,.0f} MB downloaded")
    if candidate.fit is Fit.BUSY:
        said[said.index(str(Fit.BUSY))] = "its memory is in use by other programs now"
    licence = f"{one.licence_name}, terms of its own" if one.own_licence else one.licence_name
    about = [one.maker, one.languages, f"good for {', '.join(one.good_for)}", licence, one.note]
    return [f"{mark} {one.id}  {'; '.join(said)}", f"    {'; '.join(filter(None, about))}"]


def _gb(count: int) -> str:
    return f"{count / 1e9:.1f} GB"
