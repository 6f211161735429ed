"""Every exception the application raises on purpose.

* AppError: an expected failure; its text is one clear sentence for the person
    * StoreError: the vault could not be used
        * VaultLocked: no key slot opens it (wrong passphrase, keyring out of reach)
        * VaultCorrupt: the file is damaged or is no vault
        * VaultTooNew: written by a newer version of Loci
        * VaultBusy: another process holds it
        * VaultClosed: this process has closed it, as before it is erased
        * VaultReadOnly: the folder or file cannot be written
        * DiskFull: no room left
    * NotFound: the thing asked for does not exist (any more)
    * Conflict: somebody changed it first; carries the other text
    * Refused: the request breaks a rule that protects the person's data
        * TooManyWrites: a tool has written as much as it may in this turn
    * ModelError: a model could not be loaded or did not answer
        * ModelFileError: the file is no usable GGUF
        * ModelDied: the process that ran the model ended
        * Hindered: background work may not use the model now
        * ModelLate: the model did not answer in the time it was given
        * TooLong: the prompt is more than the model reads at once; carries both numbers
        * EndpointError: a server refused, failed or spoke nonsense
    * SettingsError: no such setting, or a value it cannot take
    * TransferError: a file could not be exported or imported
    * Cancelled: stopped on request

Anything else that is raised is a bug.
"""


class AppError(Exception):
    """Base of every expected failure; its text is fit to show to the person."""


class StoreError(AppError):
    """The vault could not be used."""


class VaultLocked(StoreError):
    """No key slot opens the vault."""


class VaultCorrupt(StoreError):
    """The file is damaged, or is no vault at all."""


class VaultTooNew(StoreError):
    """The vault was written by a newer version of Loci."""


class VaultBusy(StoreError):
    """Another process holds the vault."""


class VaultClosed(StoreError):
    """This process has closed the vault, as it does before the profile is erased."""


class VaultReadOnly(StoreError):
    """The vault's folder or file cannot be written."""


class DiskFull(StoreError):
    """There is no room left on the disk."""


class NotFound(AppError):
    """The thing asked for does not exist, or no longer exists."""


class Conflict(AppError):
    """Somebody changed the thing first.

    Attributes:
        current: The text that is stored now.
    """

    def __init__(self, message: str, current: str = "") -> None:
        super().__init__(message)
        self.current = current


class Refused(AppError):
    """The request breaks a rule that protects the person's data."""


class TooManyWrites(Refused):
    """A tool has written as much as it may while this message is answered; the next is another."""


class ModelError(AppError):
    """A model could not be loaded or did not answer."""


class ModelFileError(ModelError):
    """The file is no usable GGUF."""


class ModelDied(ModelError):
    """The process that ran the model ended."""


class Hindered(ModelError):
    """The model may not be used for background work now; nothing is wrong with it."""


class Unshared(ModelError):
    """Nothing may go to a connection before the person said what may.

    Attributes:
        address: Where the model is.
    """

    def __init__(self, sentence: str, address: str) -> None:
        super().__init__(sentence)
        self.address = address


class ModelLate(ModelError):
    """The model did not answer in the time it was given."""


class TooLong(ModelError):
    """The prompt is more than the model reads at once.

    Attributes:
        tokens: How many the prompt has; counted by the model's own tokenizer or its server where
            they said so, else estimated.
        window: How many the model reads at once, its answer included; 0 where nobody knows.
    """

    def __init__(self, message: str, tokens: int = 0, window: int = 0) -> None:
        super().__init__(message)
        self.tokens, self.window = tokens, window


class EndpointError(ModelError):
    """A server refused, failed, or spoke nonsense."""


class SettingsError(AppError):
    """There is no such setting, or it cannot take that value."""


class TransferError(AppError):
    """A file could not be exported or imported."""


class Cancelled(AppError):
    """The operation was stopped on request."""
