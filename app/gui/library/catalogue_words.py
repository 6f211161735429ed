"""How a model of the catalogue is worded."""

from app.domain.catalogue import CatalogueModel, Fit, Machine, Offered, Trial, parameter_words
from app.domain.jobs.pace import megabytes
from app.domain.model import ModelRole
from app.gui.trace.wording import listed

FITS = {
    Fit.WELL: ("Runs well", "neutral"),
    Fit.ENOUGH: ("Fits into memory", "neutral"),
    Fit.SLOW: ("Slow", "warn"),
    Fit.BUSY: ("Memory in use by other programs now", "warn"),
    Fit.NONE: ("Does not fit", "neutral"),
}
RECOMMENDED = "Recommended for this computer"
FIRST = 3


def machine_words(machine: Machine) -> str:
    """Return what this computer has, as far as models care."""
    cores = f"{machine.cores} processor core{'' if machine.cores == 1 else 's'}"
    return (
        f"This computer has {gigabytes(machine.memory_bytes)} of memory, "
        f"{gigabytes(machine.free_bytes)} of it free, and {cores}."
    )


def size_words(candidate: CatalogueModel) -> str:
    """Return how large a model is and what it needs."""
    one = candidate.offered
    return (
        f"{parameter_words(one.parameters)} · {gigabytes(one.bytes)} to download · "
        f"about {gigabytes(candidate.memory_bytes)} of memory"
    )


def about_words(one: Offered) -> str:
    """Return who made a model, what it is good for, and under which licence it comes."""
    licence = (
        f"{one.licence_name} licence, terms of its own"
        if one.own_licence
        else (f"{one.licence_name} licence")
    )
    good = f"for {listed(one.good_for)}"
    return " · ".join([one.maker, one.languages, good, licence])


def button_words(candidate: CatalogueModel) -> str:
    """Return what the one button of a model says."""
    one, chat = candidate.offered, candidate.offered.role is ModelRole.CHAT
    if candidate.present:
        return "Use" if chat else ""
    if candidate.aside and not candidate.fetched:
        return "Download again"
    if candidate.fetched:
        return f"Resume ({megabytes(one.bytes - candidate.fetched)} left)"
    return "Download and use" if chat else f"Download ({megabytes(one.bytes)})"


def file_words(candidate: CatalogueModel) -> str:
    """Return what there is to say of the file that lies where a model belongs, or nothing."""
    if candidate.aside:
        return (
            f"Another file called {candidate.offered.file} is in the models folder. Downloading "
            f"the model again renames that file to {candidate.aside}."
        )
    return (
        "The file is verified against its checksum before it is used."
        if candidate.unchecked
        else ""
    )


def trial_words(trial: Trial) -> tuple[str, str]:
    """Return the answer of a trial, and how fast it came."""
    said = f"“{trial.text}”" if trial.text else "It gave an empty answer."
    if not trial.tokens_per_second:
        return said, ""
    return said, f"Its first answer, at {trial.tokens_per_second:.1f} tokens per second."


def first_rows(candidates: list[CatalogueModel], busy: set[str]) -> list[CatalogueModel]:
    """Return which models are shown before all of them are asked for."""
    return [
        c
        for number, c in enumerate(candidates)
        if (number < FIRST and c.fit is not Fit.NONE)
        or c.fetched
        or c.aside
        or c.in_use
        or c.offered.id in busy
    ]


def gigabytes(count: int) -> str:
    """Return a size such as ``1.1 GB`` or ``491 MB``."""
    return f"{count / 1e9:.1f} GB" if count >= 950_000_000 else megabytes(count)
