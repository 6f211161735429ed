"""When Python looks for garbage: not while Loci starts, for none of what is made then is any."""

import gc


def put_off() -> None:
    """Collect nothing until there is something to do."""
    gc.disable()


def settle() -> None:
    """Collect garbage from now on, but never walk again over what start-up made.

    A full collection over every imported module takes longer than a person fails to notice, and
    holds the interpreter on whichever thread it strikes.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
