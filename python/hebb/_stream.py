"""The rows of a long answer, one by one: as they were when the operation ran."""
from __future__ import annotations

import asyncio
import json
from typing import Any, AsyncGenerator, Awaitable, Callable, Dict, Generator, Generic, Optional
from typing import TypeVar

T = TypeVar("T")

JsonRows = Generator[Dict[str, Any], None, None]

_ROWS_AT_ONCE = 100  # that are made before others in the loop of asyncio run


class Stream(Generic[T]):
    """An iterator of rows. close(), or the end of `with`, frees the rest.

    Calls may be made in between, also one that closes the database.
    """

    def __init__(self, answer: str, rows: JsonRows, record: Callable[[Dict[str, Any]], T]) -> None:
        self._answer = answer
        self._rows = rows
        self._records = map(record, rows)

    def __iter__(self) -> Stream[T]:
        return self

    def __next__(self) -> T:
        return next(self._records)

    def close(self) -> None:
        """Frees the rest: there are no more rows."""
        self._rows.close()

    @property
    def answer(self) -> Dict[str, Any]:
        """The other fields of the answer, as JSON."""
        answer: Dict[str, Any] = json.loads(self._answer)
        return answer

    def __enter__(self) -> Stream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncStream(Generic[T]):
    """`async for` gives the rows; `async with`, or aclose(), frees the rest.

    The operation runs when the first row is awaited, or `async with` begins.
    """

    def __init__(self, run: Callable[[], Awaitable[Stream[T]]]) -> None:
        self._run = run
        self._stream: Optional[Stream[T]] = None
        self._rows = self._iterated()

    def __aiter__(self) -> AsyncStream[T]:
        return self

    async def __anext__(self) -> T:
        return await self._rows.__anext__()

    async def aclose(self) -> None:
        """Frees the rest: there are no more rows."""
        await self._rows.aclose()
        if self._stream:
            self._stream.close()

    @property
    def answer(self) -> Dict[str, Any]:
        """The other fields of the answer, as JSON; empty until the operation has run."""
        return self._stream.answer if self._stream else {}

    async def __aenter__(self) -> AsyncStream[T]:
        self._stream = await self._run()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _iterated(self) -> AsyncGenerator[T, None]:
        self._stream = self._stream or await self._run()
        for n, row in enumerate(self._stream, 1):
            yield row
            if n % _ROWS_AT_ONCE == 0:
                await asyncio.sleep(0)
