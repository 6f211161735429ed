import errno
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.profile import SlotKind
from app.errors import (
    NotFound,
    Refused,
    VaultBusy,
    VaultCorrupt,
    VaultLocked,
    VaultReadOnly,
    VaultTooNew,
)
from app.paths import Paths
from app.store.profiles import Profiles, slug_of
from app.store.vault import backup, keys

OPENER = """
import sys
from pathlib import Path
from app.paths import Paths
from app.store.profiles import Profiles

profiles = Profiles(Paths(Path(sys.argv[1])), find_keyring=lambda: None)
profile = profiles.first()
vault = profiles.open(profile.slug)
print(profile.slug, flush=True)
sys.stdin.readline()
vault.close()
print("closed", flush=True)
"""


def opener(root):
    return subprocess.Popen(
        [sys.executable, "-c", OPENER, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def root(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def profiles(root):
    return Profiles(Paths(root), lambda: datetime(2026, 11, 21, tzinfo=UTC), lambda: None)


def put(vault, name):
    with vault.write() as connection:
        connection.execute("INSERT INTO meta VALUES (?, 'kept')", (name,))


def has(vault, name):
    with vault.read() as connection:
        found = connection.execute("SELECT value FROM meta WHERE key = ?", (name,)).fetchall()
    return [row[0] for row in found] == ["kept"]


def test_the_first_profile_is_made_on_demand(profiles):
    assert profiles.list() == []
    first = profiles.first()
    assert (first.slug, first.name) == ("personal", "Personal")
    assert first.created_at == datetime(2026, 11, 21, tzinfo=UTC)
    assert first.bytes > 0
    assert profiles.first() == first == profiles.get("personal") == profiles.get("PERSONAL")


def test_a_profile_is_created_renamed_and_found_again(profiles, root):
    vault, made = profiles.create("Élise / 日本")
    put(vault, "word")
    vault.close()
    assert made.slug == "elise"
    renamed = profiles.rename("elise", "  Élise  ")
    assert (renamed.slug, renamed.name) == ("elise", "Élise")
    again = Profiles(Paths(root), find_keyring=lambda: None)
    vault = again.open("e\u0301lise")
    assert has(vault, "word")
    vault.close()


@pytest.mark.parametrize("name", ["", "   ", "two\nlines", "x" * 81, "PERSONAL"])
def test_names_that_cannot_be_are_refused(profiles, name):
    profiles.first()
    with pytest.raises(Refused):
        profiles.create(name)
    assert len(profiles.list()) == 1


def test_a_profile_may_keep_its_own_name(profiles):
    profiles.first()
    assert profiles.rename("personal", "PERSONAL").name == "PERSONAL"


def test_slugs_are_safe_for_any_name_and_never_shared(profiles):
    assert slug_of("../../etc/passwd") == "etc-passwd"
    assert slug_of("日本") == "profile"
    assert slug_of("CON") == "profile-con"
    assert slug_of("😀 ..") == "profile"
    slugs = []
    for name in ("a.b", "a b", "日本", "中国"):
        vault, made = profiles.create(name)
        vault.close()
        slugs.append(made.slug)
    assert slugs == ["a-b", "a-b-2", "profile", "profile-2"]


def test_unknown_profiles_are_not_found_and_paths_do_not_escape(profiles):
    for name in ("nobody", "..", "../profiles/personal", ""):
        with pytest.raises(NotFound):
            profiles.open(name)


def test_a_passphrase_protects_and_opens(profiles):
    vault, made = profiles.create("Work", passphrase="one two")
    vault.close()
    assert made.slots == (SlotKind.PASSPHRASE,)
    with pytest.raises(VaultLocked, match="protected by a passphrase"):
        profiles.open("work")
    profiles.open("work", passphrase="one two").close()


def test_the_keyring_is_asked_only_where_it_has_the_key(root, keyring):
    profiles = Profiles(Paths(root), find_keyring=lambda: keyring)
    profiles.first()
    profiles.open("personal").close()
    assert len(keyring.kept) == 1

    def never():
        raise AssertionError("the keyring was asked")

    silent = Profiles(Paths(root / "other"), find_keyring=never)
    vault, _ = silent.create("Work", passphrase="x")
    vault.close()
    silent.open("work", passphrase="x").close()


def test_c9_all_state_lies_in_one_folder_and_survives_a_move(profiles, root, tmp_path):
    """Copied to another computer, where the keyring is another, the folder opens as before."""
    vault, _ = profiles.create("Work", passphrase="one two")
    put(vault, "word")
    vault.close()
    vault, _ = profiles.create("Home")
    vault.close()
    moved = tmp_path / "elsewhere"
    root.rename(moved)
    there = Profiles(Paths(moved), find_keyring=lambda: None)
    vault = there.open("work", passphrase="one two")
    assert has(vault, "word")
    vault.close()
    there.open("home").close()
    assert [profile.name for profile in there.list()] == ["Home", "Work"]


@pytest.mark.expects_warnings
def test_a_lost_card_hides_no_rows(profiles, root):
    profiles.first()
    vault = profiles.open("personal")
    put(vault, "word")
    vault.close()
    (root / "profiles" / "personal" / "profile.json").unlink()
    vault = Profiles(Paths(root), find_keyring=lambda: None).open("personal")
    assert has(vault, "word")
    vault.close()


@pytest.mark.expects_warnings
@pytest.mark.parametrize("backed_up", [True, False])
def test_losing_card_and_vault_at_once_makes_no_new_profile(profiles, root, backed_up):
    profiles.first()
    folder = root / "profiles" / "personal"
    if backed_up:
        with closing(profiles.open("personal")) as vault:
            backup.create(vault.path, vault.key)
    for name in ("profile.json", "vault.db"):
        (folder / name).unlink()
    again = Profiles(Paths(root), find_keyring=lambda: None)
    assert again.first().slug == "personal"
    with pytest.raises(VaultCorrupt, match="restore a backup"):
        again.open("personal")
    if backed_up:
        again.restore("personal", next((folder / "backups").glob("*.db")))
        again.open("personal").close()


@pytest.mark.parametrize("size", [0, 1, 4_095])
def test_what_is_left_of_a_vault_that_was_cut_off_is_no_empty_one(profiles, root, size):
    profiles.first()
    vault = root / "profiles" / "personal" / "vault.db"
    vault.write_bytes(vault.read_bytes()[:size])
    with pytest.raises(VaultCorrupt, match="missing, empty or damaged"):
        profiles.open("personal")
    assert vault.stat().st_size == size


@pytest.mark.expects_warnings
def test_a_profile_that_lost_its_card_is_not_the_default(profiles, root):
    profiles.first()
    profiles.create("Work")[0].close()
    (root / "profiles" / "work" / "profile.json").unlink()
    assert profiles.first().slug == "personal"


def test_a_missing_vault_is_not_made_anew(profiles, root):
    profiles.first()
    vault = root / "profiles" / "personal" / "vault.db"
    vault.unlink()
    with pytest.raises(VaultCorrupt, match="missing, empty or damaged"):
        profiles.open("personal")
    assert not vault.exists()


@pytest.mark.parametrize("bytes_", [b"plain text " * 1000, b"SQLite format 3\0" + b"\0" * 8176])
def test_a_damaged_vault_says_so_and_a_backup_brings_it_back(profiles, root, bytes_):
    profiles.first()
    vault = profiles.open("personal")
    put(vault, "word")
    copy = backup.create(vault.path, vault.key)
    vault.close()
    file = root / "profiles" / "personal" / "vault.db"
    file.write_bytes(bytes_)
    with pytest.raises(VaultCorrupt, match=r"damaged, or not this profile's\. Restore a backup"):
        profiles.open("personal")
    kept = profiles.restore("personal", copy)
    assert kept.read_bytes() == bytes_
    vault = profiles.open("personal")
    assert has(vault, "word")
    vault.close()


def test_the_key_of_another_profile_does_not_open(profiles, root):
    profiles.first()
    vault, _ = profiles.create("Other")
    vault.close()
    one, other = root / "profiles" / "personal", root / "profiles" / "other"
    for name in ("slots.json", "slots.bak"):
        (other / name).write_bytes((one / name).read_bytes())
    with pytest.raises(VaultLocked, match="does not open this profile"):
        profiles.open("other")


def test_a_newer_vault_is_not_touched(profiles, root):
    profiles.first()
    vault = profiles.open("personal")
    put(vault, "word")
    with vault.write() as connection:
        connection.execute("PRAGMA user_version = 999")
    vault.checkpoint()
    vault.close()
    file = root / "profiles" / "personal" / "vault.db"
    before = file.read_bytes()
    with pytest.raises(VaultTooNew, match="newer version"):
        profiles.open("personal")
    assert file.read_bytes() == before


def test_a_read_only_folder_gives_a_sentence(unprivileged):
    """Neither a new profile nor one that is there can be opened, and nothing is lost."""
    with unprivileged() as folder:
        profiles = Profiles(Paths(folder / "data"), find_keyring=lambda: None)
        profiles.first()
        vault = profiles.open("personal")
        put(vault, "word")
        vault.close()
        inside = folder / "data" / "profiles" / "personal"
        for path in (*inside.iterdir(), inside, inside.parent):
            path.chmod(0o500 if path.is_dir() else 0o400)
        for attempt in (lambda: profiles.open("personal"), lambda: profiles.create("Other")):
            with pytest.raises(VaultReadOnly, match="permissions"):
                attempt()
        for path in (inside.parent, inside, *inside.iterdir()):
            path.chmod(0o700 if path.is_dir() else 0o600)
        vault = profiles.open("personal")
        assert has(vault, "word")
        vault.close()


def test_deleting_removes_everything_once_nobody_has_it_open(profiles, root, keyring):
    profiles = Profiles(Paths(root), find_keyring=lambda: keyring)
    profiles.first()
    vault = profiles.open("personal")
    backup.create(vault.path, vault.key)
    with pytest.raises(VaultBusy, match="another window"):
        profiles.delete("personal", seconds=0)
    put(vault, "word")
    vault.close()
    lines = profiles.delete("personal", seconds=0)
    assert any("vault.db" in line for line in lines)
    assert any("backups" in line for line in lines)
    assert not keyring.kept
    assert not (root / "profiles" / "personal").exists()
    assert profiles.list() == []


@pytest.mark.parametrize("what", ["delete", "restore"])
def test_whoever_has_it_open_is_asked_to_close_it(profiles, root, what):
    profiles.first()
    vault = profiles.open("personal")
    copy = backup.create(vault.path, vault.key)
    arguments = ("personal", copy) if what == "restore" else ("personal",)
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(getattr(profiles, what), *arguments)
        while not (vault.asked or done.done()):
            pass
        assert profiles.is_asked_for("personal")
        vault.close()
        assert done.result()
    assert not profiles.is_asked_for("personal")
    assert (root / "profiles" / "personal").exists() is (what == "restore")


@pytest.mark.expects_warnings
def test_an_interrupted_erasure_is_finished_at_the_next_start(profiles, root):
    profiles.first()
    assert profiles.finish_interrupted() == []
    folder = root / "profiles" / "personal"
    (folder / "erase.todo").write_text("everything\n")
    (folder / "slots.json").unlink()
    assert profiles.list() == []
    with pytest.raises(NotFound):
        profiles.open("personal")
    assert profiles.finish_interrupted()
    assert not folder.exists()


def test_several_processes_start_at_once_and_share_one_profile(root):
    """All open the same new profile, and none is in the way of another."""
    others = [opener(root) for _ in range(3)]
    assert [other.stdout.readline().strip() for other in others] == ["personal"] * 3
    profiles = Profiles(Paths(root), find_keyring=lambda: None)
    with pytest.raises(VaultBusy):
        profiles.delete("personal", seconds=0)
    for other in others:
        other.kill() if other is others[0] else other.communicate("\n")
        other.wait()
        other.stdout.close()
        other.stdin.close()
    assert profiles.delete("personal", seconds=0)


@pytest.mark.expects_warnings
def test_what_a_killed_program_left_is_swept_when_the_profile_is_opened(profiles, root):
    profiles.first()
    left = root / "profiles" / "personal" / "temporary" / "killed"
    left.mkdir()
    (left / "restored.db").write_bytes(b"x")
    profiles.open("personal").close()
    assert not left.exists()


@pytest.mark.expects_warnings
def test_a_temporary_file_that_cannot_be_removed_is_told_at_opening(profiles, root, monkeypatch):
    profiles.first()
    (root / "profiles" / "personal" / "temporary" / "killed").touch()
    unlink = Path.unlink

    def refused(self, missing_ok=False):
        if self.name == "killed":
            raise PermissionError(errno.EACCES, "Permission denied")
        unlink(self, missing_ok)

    monkeypatch.setattr(Path, "unlink", refused)
    profiles.open("personal").close()
    (told,) = profiles.noticed
    assert "temporary/killed" in told
    assert "could not be removed" in told


@pytest.mark.expects_warnings
def test_the_keyring_is_asked_to_forget_what_a_cut_short_change_left(root, keyring):
    profiles = Profiles(Paths(root), find_keyring=lambda: keyring)
    profiles.first()
    vault = profiles.open("personal")
    key = vault.key
    vault.close()
    keys.set_passphrase(profiles.files("personal"), key, "green apples")  # not asked: as if killed
    assert len(keyring.kept) == 1
    profiles.open("personal", passphrase="green apples").close()
    assert not keyring.kept
