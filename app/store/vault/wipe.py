"""Remove a profile so that nothing can be read again, and prove that words are gone.

Destroying goes key first: what remains of the vault, wherever a disk or a snapshot may keep it, is
noise from then on. The proof for single memories is a scan that decrypts: an encrypted file shows
no readable word whether or not it was deleted, so every page and every frame of the write-ahead log
is decrypted with the vault's key before it is searched.
"""

import logging
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from app.domain.jobs.progress import Progress
from app.errors import StoreError
from app.paths import Paths, ProfilePaths
from app.store.vault import keys, word_index
from app.store.vault.file import Vault
from app.store.vault.files import file_errors, sync_folder
from app.store.vault.keychain import Keyring
from app.store.vault.locks import CLOSING_SECONDS, FileLock, alone, ask
from app.store.vault.scratch import sweep, write_private

PAGE, RESERVE, SALT, IV = 4096, 80, 16, 16
WAL_HEADER, FRAME_HEADER = 32, 24
_PAGES_PER_STEP = 1024
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Scan:
    """What a decrypting scan saw.

    Attributes:
        database: Occurrences in the vault's file.
        wal: Occurrences in its write-ahead log.
        bytes: How much was decrypted.
    """

    database: int = 0
    wal: int = 0
    bytes: int = 0

    @property
    def found(self) -> int:
        """Occurrences anywhere."""
        return self.database + self.wal


def needles(text: str) -> tuple[bytes, ...]:
    """Return the byte forms of a text to look for: as it is, and as an index stores a word."""
    return tuple(sorted({form.encode() for form in (text, text.lower(), text.casefold()) if form}))


def scan(path: Path, key: bytes, wanted: Sequence[bytes]) -> Generator[Progress, None, Scan]:
    """Decrypt every page of a vault and its log, and count what is ``wanted``.

    A text that runs over the edge of a page is not seen there, so look for its words rather than
    for pages full of it. Takes about a second for 200 MB.

    Args:
        path: The vault, or a backup of one.
        key: Its key.
        wanted: Byte strings; what one of them finds inside another counts for both.
    """
    log = path.with_name(path.name + "-wal")
    total = _size(path) + _size(log)
    done, counts = 0, {path: 0, log: 0}
    for file, header, gap in ((path, 0, 0), (log, WAL_HEADER, FRAME_HEADER)):
        for number, (page, first) in enumerate(_pages(file, header, gap)):
            text = decrypted(page, key, first=first)
            counts[file] += sum(text.count(needle) for needle in wanted)
            done += len(page)
            if number % _PAGES_PER_STEP == 0:
                yield Progress("Looking for what is left", done, total)
    return Scan(counts[path], counts[log], done)


def decrypted(page: bytes, key: bytes, *, first: bool) -> bytes:
    """Return the plain content of one page (AES-256-CBC, its IV in the reserved end).

    Args:
        page: 4096 bytes as they lie in the file.
        key: The vault's key.
        first: Whether it is page 1, which begins with the salt.
    """
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import AES256
    from cryptography.hazmat.primitives.ciphers.modes import CBC

    iv = page[-RESERVE : -RESERVE + IV]
    body = page[SALT if first else 0 : PAGE - RESERVE]
    decryptor = Cipher(AES256(key), CBC(iv)).decryptor()
    return decryptor.update(body) + decryptor.finalize()


def scrub(vault: Vault) -> None:
    """Make the word indexes anew and rewrite the file, for when a scan still finds something.

    Deleting leaves little, but FTS5 keeps some words as signposts between the pages of its index
    until that is rebuilt, and a page that was reordered may keep a stale copy in its gaps. Takes
    seconds for 100,000 rows, and as much room again as the vault has.

    Raises:
        VaultBusy: Another program is reading.
    """
    word_index.rebuild_words(vault)
    vault.compact()


def destroy(
    paths: ProfilePaths,
    *,
    keyring: Keyring | None = None,
    seconds: float = CLOSING_SECONDS,
    asking: FileLock | None = None,
) -> list[str]:
    """Remove everything of a profile; once begun it will be finished, now or at the next start.

    Others who have the vault open are asked to close it; this process must have done so.

    Args:
        paths: The profile.
        keyring: What may hold its key.
        seconds: How long the others are given.
        asking: The lock that asks them, where they were asked before; it is closed.

    Returns:
        One line for each thing that is gone.

    Raises:
        VaultBusy: Somebody has the vault open; nothing was removed.
    """
    with closing(asking or ask(paths.ask_lock)):
        with alone(paths.use_lock, seconds):
            write_private(paths.erase_todo, b"everything\n")
            swept = [f"Removed: {name}, which was left unfinished" for name in sweep(paths.folder)]
            gone = [*swept, *keys.destroy(paths, keyring=keyring), *_removed(paths)]
        with file_errors(paths.folder):
            paths.use_lock.unlink(missing_ok=True)
            paths.erase_todo.unlink(missing_ok=True)
    with file_errors(paths.folder):
        paths.ask_lock.unlink(missing_ok=True)
        with suppress(FileNotFoundError):  # another start may have moved it away, empty as it is
            paths.folder.rmdir()
        sync_folder(paths.folder.parent)
    return [*gone, f"Removed: the folder {paths.folder}"]


def _removed(paths: ProfilePaths) -> list[str]:
    """Remove the files of a profile, the vault first, save those that say that this goes on."""
    gone = []
    spared = {paths.use_lock, paths.ask_lock, paths.erase_todo}
    with file_errors(paths.folder):
        for file in sorted(_files(paths.folder), key=lambda file: file != paths.vault):
            if file not in spared:
                gone.append(f"Removed: {file.relative_to(paths.folder)} ({_kb(file)})")
                file.unlink()
        for folder in _folders(paths.folder):
            folder.rmdir()
    return gone


def finish_interrupted(paths: Paths, *, keyring: Keyring | None = None) -> list[str]:
    """Finish the erasures that were interrupted; return a line for each thing that is gone."""
    gone = []
    for todo in sorted(paths.profiles.glob("*/erase.todo")):
        try:
            gone += destroy(ProfilePaths(todo.parent), keyring=keyring)
        except StoreError as error:
            _log.warning("An interrupted erasure cannot be finished yet: %s", type(error).__name__)
    return gone


def _pages(file: Path, header: int, gap: int) -> Iterator[tuple[bytes, bool]]:
    """Yield every whole page of a file, and whether it is page 1 of the database."""
    if not file.exists():
        return
    with file_errors(file), file.open("rb") as stream:
        stream.seek(header)
        number = 0
        while len(record := stream.read(gap + PAGE)) == gap + PAGE:
            number = int.from_bytes(record[:4], "big") if gap else number + 1
            yield record[gap:], number == 1


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _kb(path: Path) -> str:
    return f"{-(-path.stat().st_size // 1024)} KB"


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())


def _folders(folder: Path) -> list[Path]:
    inside = [path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink()]
    return sorted(inside, key=lambda path: len(path.parts), reverse=True)
