"""What a search among the settings finds beside settings: things to do, and other screens."""

from dataclasses import dataclass

from app.gui import actions
from app.gui.settings import model


@dataclass(frozen=True, slots=True)
class SettingsPlace:
    """Where something can be done.

    Attributes:
        id: The object name of the control that does it, or the action that leads to a screen.
        title: What a person calls it.
        sentence: What it does.
        page: The page of the settings that it stands on; empty where that is another screen.
    """

    id: str
    title: str
    sentence: str
    page: str = ""


_OWN = (
    SettingsPlace(
        "erase_everything",
        "Erase everything",
        "Destroys the vault and its key, backups and logs, and shows the proof. Cannot be undone.",
        model.YOUR_DATA,
    ),
    SettingsPlace("back_up", "Backup", "An encrypted copy of the vault, checked.", model.YOUR_DATA),
    SettingsPlace(
        "restore_backups",
        "Restore a backup",
        "Put an earlier state of the vault in its place.",
        model.YOUR_DATA,
    ),
    SettingsPlace(
        "export_everything",
        "Export everything",
        "One ZIP with conversations, memories and settings, readable without Loci. It is not "
        "encrypted: whoever has it can read it.",
        model.YOUR_DATA,
    ),
    SettingsPlace(
        "import_file",
        "Import",
        "From a Loci export. What is not your own is marked as imported, never taken as certain.",
        model.YOUR_DATA,
    ),
    SettingsPlace(
        "restrict_processing",
        "Restrict processing",
        "Keeps everything, but recalls, learns and answers nothing until you lift it.",
        model.YOUR_DATA,
    ),
    SettingsPlace(
        "recovery_code",
        "Recovery code",
        "Opens the vault when everything else fails.",
        model.YOUR_DATA,
    ),
    SettingsPlace("set_passphrase", "Passphrase", "Asked for at every start.", model.YOUR_DATA),
    SettingsPlace(
        "use_reference",
        "Reference preset",
        "Find and keep memories exactly as the published reference does, not in the way that "
        "measures best. It deletes: where there are too many memories, the oldest are summarised "
        "and then gone for good.",
        model.RECALL,
    ),
    SettingsPlace("page_shortcuts", "Shortcuts", model.SENTENCES[model.SHORTCUTS], model.SHORTCUTS),
    SettingsPlace(
        "copy_report",
        "How it is doing",
        "Versions, integrity, indexes and models; nothing you wrote.",
        model.ABOUT,
    ),
    SettingsPlace("profiles", "Profiles", "Open, rename or erase another vault on this computer."),
)
_SCREENS = {
    "show.memory": "See, correct, forget or erase what Loci remembers.",
    "show.timeline": "What Loci knew on any day, and where it comes from.",
    "show.attention": "Contradictions, and what Loci asks you to decide.",
    "show.activity": "What Loci does by itself; run it now, or take it back.",
    "show.models": "Who answers: a model file, a server or a service; and what may go there.",
}


def places() -> tuple[SettingsPlace, ...]:
    """Return every place there is."""
    screens = (SettingsPlace(id_, actions.row(id_).title, said) for id_, said in _SCREENS.items())
    return (*_OWN, *screens)


def place(place_id: str) -> SettingsPlace:
    """Return a place by its id."""
    return next(each for each in places() if each.id == place_id)


def found(text: str) -> list[SettingsPlace]:
    """Return the places that have every word of ``text``.

    First come those that have them in the title, then those that they are other words for.
    """
    wanted, also = text.casefold().split(), model.synonyms()["places"]
    ranked: list[tuple[int, SettingsPlace]] = []
    for each in places():
        named = f"{each.title} {also.get(each.id, '')}"
        fields = (each.title, named, f"{named} {each.sentence}")
        hits = [rank for rank, field in enumerate(fields) if model.has_all(wanted, field)]
        ranked += [(hits[0], each)] if hits else []
    return [each for _, each in sorted(ranked, key=lambda one: one[0])]
