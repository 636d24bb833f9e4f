"""hebb for asyncio: the same operations, to be awaited. Each call runs in a thread.

    async with hebb.aio.open("tasks.db") as db:
        for task in await db.rank(limit=5):
            print(task.name)

Cancelling the task that awaits a call cancels the call.
"""
from __future__ import annotations

import asyncio
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, Callable, Dict, Generator, Optional, TypeVar, Union

from . import _database
from ._aio_operations import AsyncOperations
from ._stream import AsyncStream
from .errors import problem

T = TypeVar("T")


class Database(AsyncOperations):
    """An open database, with the operations of hebb as its coroutines."""

    def __init__(self, database: _database.Database, thread: ThreadPoolExecutor) -> None:
        self._database = database
        self._thread = thread  # calls run one after another in any case

    async def call(self, operation: str, **request: Any) -> Dict[str, Any]:
        """An operation by its name, and its answer as JSON."""
        answer: Dict[str, Any] = json.loads(await self._called(operation, request))
        return answer

    async def close(self) -> None:
        """Waits for what runs, and closes the database."""
        await asyncio.to_thread(self._database.close)
        self._thread.shutdown(wait=False)

    async def __aenter__(self) -> Database:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _called(self, operation: str, request: Dict[str, Any]) -> str:
        return await self._run(lambda: self._database._called(operation, request))

    async def _call(self, operation: str, make: Callable[[str], T], request: Dict[str, Any]) -> T:
        return make(await self._called(operation, request))

    def _stream(self, operation: str, request: Dict[str, Any]) -> AsyncStream[Any]:
        return AsyncStream(
            lambda: self._run(lambda: self._database._stream(operation, request)))

    async def _run(self, work: Callable[[], T]) -> T:
        self._database._require_open()
        call = _Call(self._database, work)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, call)
        except asyncio.CancelledError:
            call.cancel()
            raise


class _Call:
    """A call in the one thread that calls: cancelling ends this call and no other."""

    def __init__(self, database: _database.Database, work: Callable[[], Any]) -> None:
        self._database = database
        self._work = work
        self._lock = threading.Lock()  # guards the members below
        self._runs = self._cancelled = False

    def __call__(self) -> Any:
        with self._lock:
            if self._cancelled:
                raise problem("cancelled", "the caller cancelled this")
            self._runs = True
        try:
            return self._work()
        finally:
            with self._lock:
                self._runs = False

    def cancel(self) -> None:
        with self._lock:
            self._cancelled = True
            if self._runs:
                self._database.cancel()


class _Opening:
    """Await it, or enter it by `async with`."""

    def __init__(self, open_it: Callable[[], _database.Database]) -> None:
        self._open_it = open_it

    def __await__(self) -> Generator[Any, None, Database]:
        return self._open().__await__()

    async def __aenter__(self) -> Database:
        self._database = await self._open()
        return self._database

    async def __aexit__(self, *_: object) -> None:
        await self._database.close()

    async def _open(self) -> Database:
        return Database(await asyncio.to_thread(self._open_it),
                        ThreadPoolExecutor(1, thread_name_prefix="hebb"))


def open(path: Union[str, os.PathLike[str], None] = None, *, create: bool = True,
         busy_timeout_ms: Optional[int] = None, tz: Optional[str] = None,
         now: Union[str, int, datetime, None] = None) -> _Opening:
    """Opens a database, as hebb.open() does: `async with` it, or await it and close it."""
    return _Opening(lambda: _database.open(path, create=create, busy_timeout_ms=busy_timeout_ms,
                                           tz=tz, now=now))
