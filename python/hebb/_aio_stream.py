"""The rows of a long answer for asyncio."""
from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Callable, Deque, Dict, Generic, TypeVar

from ._stream import RowBuffer

T = TypeVar("T")


class AsyncStream(Generic[T]):
    """`async for` gives the rows; `async with`, or aclose(), cancels the rest."""

    def __init__(self, rows: RowBuffer, record: Callable[[Dict[str, Any]], Any]) -> None:
        self._rows = rows
        self._record = record
        self._here: Deque[Dict[str, Any]] = deque()

    def __aiter__(self) -> AsyncStream[T]:
        return self

    async def __anext__(self) -> T:
        if not self._here:
            try:
                self._here.extend(await asyncio.to_thread(self._rows.next_rows))
            except asyncio.CancelledError:
                self._rows.abandon()
                raise
            if not self._here:
                raise StopAsyncIteration
        row: T = self._record(self._here.popleft())
        return row

    async def aclose(self) -> None:
        """Cancels the rest."""
        self._here.clear()
        await asyncio.to_thread(self._rows.close)

    @property
    def answer(self) -> Dict[str, Any]:
        """The other fields of the answer, as JSON, after the last row."""
        return self._rows.answer()

    async def __aenter__(self) -> AsyncStream[T]:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __del__(self) -> None:
        self._rows.abandon()
