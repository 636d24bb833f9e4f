"""libhebb.so.0 by ctypes. hebb.h says what each function promises."""
from __future__ import annotations

import ctypes
import functools
import json
import os
from typing import Any, Optional

from ._connection import Connection, TakeRow
from .errors import error_of, problem

_NAME = "libhebb.so.0"
_TAKE_ROW = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


@functools.lru_cache(maxsize=None)
def library() -> Optional[ctypes.CDLL]:
    """The library beside this file, as in a wheel, else the system's; None: there is none."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), _NAME)
    try:
        lib = ctypes.CDLL(own if os.path.exists(own) else _NAME)
    except OSError:
        return None
    text, database = ctypes.c_char_p, ctypes.c_void_p
    to_text = ctypes.POINTER(text)
    lib.hebb_open.argtypes = [text, text, ctypes.POINTER(database), to_text]
    lib.hebb_call.argtypes = [database, text, text, to_text]
    lib.hebb_stream.argtypes = [database, text, text, _TAKE_ROW, ctypes.c_void_p, to_text]
    lib.hebb_cancel.argtypes = [database]
    lib.hebb_cancel.restype = None
    lib.hebb_free.argtypes = [text]
    lib.hebb_free.restype = None
    lib.hebb_close.argtypes = [database]
    lib.hebb_close.restype = None
    lib.hebb_version.argtypes = []
    lib.hebb_version.restype = text
    return lib


class Library(Connection):
    def __init__(self, path: Optional[str], options: str) -> None:
        lib = library()
        assert lib is not None
        self._lib = lib
        self._db = ctypes.c_void_p()
        answer = ctypes.c_char_p()
        status = lib.hebb_open(None if path is None else os.fsencode(path), options.encode(),
                               ctypes.byref(self._db), ctypes.byref(answer))
        if status != 0:
            self._taken(status, answer)

    def call(self, operation: str, request: str) -> str:
        answer = ctypes.c_char_p()
        status = self._lib.hebb_call(self._db, operation.encode(), request.encode(),
                                     ctypes.byref(answer))
        return self._taken(status, answer)

    def stream(self, operation: str, request: str, take: TakeRow) -> str:
        def take_row(_context: Any, row: Any, size: int) -> int:
            return 0 if take(json.loads(ctypes.string_at(row, size).decode())) else 1

        answer = ctypes.c_char_p()
        status = self._lib.hebb_stream(self._db, operation.encode(), request.encode(),
                                       _TAKE_ROW(take_row), None, ctypes.byref(answer))
        return self._taken(status, answer)

    def cancel(self) -> None:
        self._lib.hebb_cancel(self._db)

    def close(self) -> None:
        self._lib.hebb_close(self._db)

    def _taken(self, status: int, answer: ctypes.c_char_p) -> str:
        text = answer.value
        self._lib.hebb_free(answer)
        if text is None:
            raise problem("no_memory", "there was no memory for an answer")
        if status != 0:
            raise error_of(json.loads(text.decode()))
        return text.decode()
