"""The two ways to a database: libhebb in this process, or the program `hebb pipe` as another.

Both serve any number of threads.
"""
from __future__ import annotations

import json
from typing import Any, Dict, Optional, Tuple

from ._stream import JsonRows
from .errors import problem


class Connection:
    def call(self, operation: str, request: str) -> str:
        """The answer to a request, both as JSON text. Raises Error."""
        raise NotImplementedError

    def stream(self, operation: str, request: str) -> Tuple[str, JsonRows]:
        """The same without the first list, and the rows of that, which need no connection."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Ends the calls of other threads with Cancelled."""
        raise NotImplementedError

    def close(self) -> None:
        """Call it once, when no call is running."""
        raise NotImplementedError


def connect(path: Optional[str], options: Dict[str, Any]) -> Connection:
    """Opens a database by the library, or where that is missing by the program."""
    from ._library import Library, library

    if library() is not None:
        return Library(path, json.dumps(options))
    from ._pipe import Pipe, program

    if program() is not None:
        return Pipe(path, options)
    raise problem("failed", "hebb is not installed here: there is neither libhebb.so.0, as in "
                  "Debian's libhebb0 or the wheel hebb-engine, nor the program hebb")
