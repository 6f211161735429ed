"""A disk of a few megabytes that can really be full: a file system in memory."""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager


def may_mount():
    """Return whether this user may mount a file system."""
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("mount") is not None


@contextmanager
def small_disk(folder, megabytes):
    """Mount a small file system on a new folder, and take it away after the block.

    Raises:
        OSError: It cannot be mounted here.
    """
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m", "loci-test", str(folder)]
    done = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr.strip())
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def room_on(folder):
    """Return how many bytes are free."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def fill(folder, left=0):
    """Fill a disk but for so many bytes; return the file that does."""
    filler = folder / "filler"
    with filler.open("ab") as file:
        file.write(b"\0" * max(0, room_on(folder) - left))
    return filler
