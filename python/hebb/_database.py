"""An open database, for any number of threads."""
from __future__ import annotations

import json
import os
import threading
from datetime import datetime, timedelta
from typing import Any, Callable, Dict, Iterable, Optional, TypeVar, Union

from ._connection import connect
from ._stream import Stream
from .errors import problem
from .operations import ROWS, Operations
from .records import Record

T = TypeVar("T")


class Database(Operations):
    """An open database: open() makes it, with the operations of hebb as its methods.

    Any thread may call; calls run one after another. After a fork the child opens it itself.
    """

    def __init__(self, path: Optional[str], options: Dict[str, Any]) -> None:
        self._closed = True  # until it is open
        self._process = os.getpid()
        self._state = threading.Condition()  # guards the members below
        self._inside = 0  # calls that run or wait for their turn, which closing waits for
        self._connection = connect(path, options)
        self._closed = False

    def close(self) -> None:
        """Waits for calls of other threads, and closes the database."""
        if self._process != os.getpid():
            return  # it is the parent's
        with self._state:
            if self._closed:
                return
            self._closed = True
            while self._inside:
                self._state.wait()
        self._connection.close()

    def cancel(self) -> None:
        """Ends the calls of other threads with Cancelled; what they have committed stays."""
        self._enter()
        try:
            self._connection.cancel()
        finally:
            self._leave()

    def call(self, operation: str, **request: Any) -> Dict[str, Any]:
        """An operation by its name, and its answer as JSON: what the methods are made of."""
        answer: Dict[str, Any] = json.loads(self._called(operation, request))
        return answer

    def _called(self, operation: str, request: Dict[str, Any]) -> str:
        return self._run(self._connection.call, operation, request)

    def _run(self, run: Callable[[str, str], T], operation: str, request: Dict[str, Any]) -> T:
        text = _encode({name: value for name, value in request.items() if value is not None})
        self._enter()
        try:
            return run(operation, text)
        finally:
            self._leave()

    def _call(self, operation: str, make: Callable[[str], T], request: Dict[str, Any]) -> T:
        return make(self._called(operation, request))

    def _stream(self, operation: str, request: Dict[str, Any]) -> Stream[Any]:
        answer, rows = self._run(self._connection.stream, operation, request)
        return Stream(answer, rows, ROWS.get(operation, Record))

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def _require_open(self) -> None:
        if self._process != os.getpid():
            raise problem("conflict", "this database was opened before a fork, by the parent: "
                          "open it in this process")
        if self._closed:
            raise problem("conflict", "this database is closed")

    def _enter(self) -> None:
        self._require_open()  # before the lock, which a fork may have left locked
        with self._state:
            self._require_open()
            self._inside += 1

    def _leave(self) -> None:
        with self._state:
            self._inside -= 1
            if self._closed:
                self._state.notify_all()


def open(path: Union[str, os.PathLike[str], None] = None, *, create: bool = True,
         busy_timeout_ms: Optional[int] = None, tz: Optional[str] = None,
         now: Union[str, int, datetime, None] = None) -> Database:
    """Opens a database.

    path: a file, or a postgresql:// URL; ":memory:" ends with the object; without it the one that
        the command line uses in this folder.
    create: make a file that is missing; else that is NoDatabase.
    busy_timeout_ms: how long to wait for another writer; else 5000.
    tz: the zone of times that name none, such as "Europe/Berlin".
    now: take this as now; for tests.
    """
    options = {"create": create, "busy_timeout_ms": busy_timeout_ms, "tz": tz,
               "now": _json(now) if isinstance(now, datetime) else now}
    return Database(None if path is None else _path(path),
                    {name: value for name, value in options.items() if value is not None})


def _path(path: Union[str, os.PathLike[str]]) -> str:
    text = os.fspath(path)
    if "\0" in text:
        raise ValueError("the path of a database has a null character in it")
    return text


def _json(value: object) -> Any:
    if isinstance(value, Record):
        return value.json
    if isinstance(value, datetime):
        return value.astimezone().isoformat()
    if isinstance(value, timedelta):
        return f"{value // timedelta(milliseconds=1)}ms"
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"{type(value).__name__} cannot be part of a request")


_encode = json.JSONEncoder(default=_json, allow_nan=False).encode
