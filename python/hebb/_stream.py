"""The rows of a long answer, as they come."""
from __future__ import annotations

import json
import os
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, Generic, List, Optional, TypeVar

from .errors import Cancelled

if TYPE_CHECKING:
    from ._database import Database

T = TypeVar("T")

_MOST_ROWS = 1000  # that wait for their reader


class RowBuffer:
    """The rows of a stream between the thread that makes them and the one that reads them.

    A stream holds the database as long as it runs. So its thread waits for a slow reader only
    while no other call waits for the database.
    """

    def __init__(self, database: Database, operation: str, request: str) -> None:
        self.closed = False  # nobody wants more
        self._database = database
        self._rows: Deque[Dict[str, Any]] = deque()
        self._waits = True  # for the database, as a call does
        self._answer: Optional[str] = None
        self._error: Optional[BaseException] = None
        database._enter()
        with database._state:
            database._streams.append(self)
        threading.Thread(target=self._run, args=(operation, request), name="hebb stream",
                         daemon=True).start()

    def next_rows(self) -> List[Dict[str, Any]]:
        """Waits for rows; none: it has ended. Raises Error."""
        state = self._database._state
        with state:
            while not self._rows and self._answer is None and self._error is None:
                state.wait()
            rows = list(self._rows)
            self._rows.clear()
            state.notify_all()
        if not rows and self._error:
            if not (self._is_unwanted() and isinstance(self._error, Cancelled)):
                raise self._error
        return rows

    def close(self) -> None:
        """Ends the stream, and waits until it no longer holds the database."""
        if self._database._process != os.getpid():
            return
        state = self._database._state
        with state:
            self.closed = True
            state.notify_all()
            while self in self._database._streams:
                state.wait()

    def abandon(self) -> None:
        """Ends the stream; does not wait, as it may be called while anything is locked."""
        if self._database._process == os.getpid():
            with self._database._state:
                self.closed = True
                self._database._state.notify_all()

    def answer(self) -> Dict[str, Any]:
        """The other fields, after the last row."""
        answer: Dict[str, Any] = json.loads(self._answer or "{}")
        return answer

    def _run(self, operation: str, request: str) -> None:
        database = self._database
        answer: Optional[str] = None
        error: Optional[BaseException] = None
        try:
            answer = database._connection.stream(operation, request, self._take)
        except BaseException as failed:
            error = failed
        with database._state:
            self._answer, self._error = answer, error
            self._takes_turn()
            database._inside -= 1
            database._streams.remove(self)
            database._state.notify_all()

    def _take(self, row: Dict[str, Any]) -> bool:
        state = self._database._state
        with state:
            self._takes_turn()
            self._rows.append(row)
            if len(self._rows) == 1:
                state.notify_all()
            while (len(self._rows) >= _MOST_ROWS and not self._is_unwanted()
                   and not self._database._calls):
                state.wait()
            return not self._is_unwanted()

    def _is_unwanted(self) -> bool:
        return self.closed or self._database._closed

    def _takes_turn(self) -> None:
        if self._waits:
            self._waits = False
            self._database._calls -= 1


class Stream(Generic[T]):
    """An iterator of rows. close(), or the end of `with`, cancels the rest."""

    def __init__(self, rows: RowBuffer, record: Callable[[Dict[str, Any]], Any]) -> None:
        self._rows = rows
        self._record = record
        self._here: Deque[Dict[str, Any]] = deque()

    def __iter__(self) -> Stream[T]:
        return self

    def __next__(self) -> T:
        if not self._here:
            self._here.extend(self._rows.next_rows())
            if not self._here:
                raise StopIteration
        row: T = self._record(self._here.popleft())
        return row

    def close(self) -> None:
        """Cancels the rest."""
        self._here.clear()
        self._rows.close()

    @property
    def answer(self) -> Dict[str, Any]:
        """The other fields of the answer, as JSON, after the last row."""
        return self._rows.answer()

    def __enter__(self) -> Stream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self._rows.abandon()
