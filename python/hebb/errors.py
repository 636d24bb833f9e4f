"""The exceptions of hebb: one class for each type of problem."""
from __future__ import annotations

from typing import Any, Dict, Optional


class Error(Exception):
    """An operation failed. `problem` is the JSON object that says why."""

    def __init__(self, problem: Dict[str, Any]) -> None:
        super().__init__(problem)
        self.problem = problem

    @property
    def type(self) -> str:
        """The type of the problem, such as "invalid_argument"."""
        return str(self.problem["type"])

    @property
    def detail(self) -> str:
        """What is wrong, where, and what to do."""
        return str(self.problem["detail"])

    @property
    def field(self) -> Optional[str]:
        """The field of the request that is wrong."""
        return self.problem.get("field")

    @property
    def reason(self) -> Optional[str]:
        """Why an event was refused: a code."""
        return self.problem.get("reason")

    @property
    def line(self) -> Optional[int]:
        """The line of the input that is wrong."""
        return self.problem.get("line")

    @property
    def retry_after(self) -> Optional[float]:
        """After how many seconds to try again."""
        ms = self.problem.get("retry_after_ms")
        return None if ms is None else ms / 1000

    def __str__(self) -> str:
        return self.detail


class InvalidArgument(Error):
    """A field is wrong: nothing was done."""


class Refused(Error):
    """The event was refused; `reason` has the code."""


class NotFound(Error):
    """There is no such node, edge, event or path."""


class Conflict(Error):
    """The present state of the database does not allow it."""


class Unreadable(Error):
    """The input is not of its format as a whole."""


class NoFile(Error):
    """A file in the request cannot be read."""


class Busy(Error):
    """Another process holds the database: try again."""


class NoDatabase(Error):
    """There is none, or it is damaged or cannot be opened."""


class DamagedLedger(Error):
    """The ledger is damaged, so nothing was done."""


class ReadOnly(Error):
    """The database cannot be written."""


class NoMemory(Error):
    """Too little memory: nothing was done."""


class Cancelled(Error):
    """The caller cancelled it; what it had committed stays."""


class Failed(Error):
    """Anything else."""


_CLASSES = {
    "invalid_argument": InvalidArgument,
    "refused": Refused,
    "not_found": NotFound,
    "conflict": Conflict,
    "unreadable": Unreadable,
    "no_file": NoFile,
    "busy": Busy,
    "no_database": NoDatabase,
    "damaged_ledger": DamagedLedger,
    "read_only": ReadOnly,
    "no_memory": NoMemory,
    "cancelled": Cancelled,
    "failed": Failed,
}


def error_of(problem: Dict[str, Any]) -> Error:
    """The exception for a problem; of an unknown type it is an Error."""
    return _CLASSES.get(problem["type"], Error)(problem)


def problem(type: str, detail: str) -> Error:
    """The exception for what this package finds itself."""
    return error_of({"type": type, "title": type.replace("_", " "), "detail": detail})
