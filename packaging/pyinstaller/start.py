"""Where the bundle starts; the child processes that run models start here too."""

import multiprocessing
import os
import sys

LIBRARIES = "LD_LIBRARY_PATH"


def give_back_libraries() -> None:
    """Let programs that Loci starts, such as the browser, find their own libraries again."""
    theirs = os.environ.pop(f"{LIBRARIES}_ORIG", "")
    os.environ.pop(LIBRARIES, None)
    if theirs:
        os.environ[LIBRARIES] = theirs


if __name__ == "__main__":
    multiprocessing.freeze_support()
    give_back_libraries()
    from app.main import main

    sys.exit(main())
