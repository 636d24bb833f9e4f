"""libhebb.so.0 by ctypes. hebb.h says what each function promises."""
from __future__ import annotations

import ctypes
import functools
import json
import os
from typing import Optional, Tuple

from ._connection import Connection
from ._stream import JsonRows
from .errors import error_of, problem

_NAME = "libhebb.so.0"


@functools.lru_cache(maxsize=None)
def library() -> Optional[ctypes.CDLL]:
    """The library beside this file, as in a wheel, else the system's; None: there is none."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), _NAME)
    try:
        lib = ctypes.CDLL(own if os.path.exists(own) else _NAME)
    except OSError:
        return None
    text, database, rows = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p
    to_text = ctypes.POINTER(text)
    lib.hebb_open.argtypes = [text, text, ctypes.POINTER(database), to_text]
    lib.hebb_call.argtypes = [database, text, text, to_text]
    lib.hebb_stream.argtypes = [database, text, text, ctypes.POINTER(rows), to_text]
    lib.hebb_end.argtypes = [rows]
    lib.hebb_end.restype = None
    lib.hebb_cancel.argtypes = [database]
    lib.hebb_cancel.restype = None
    lib.hebb_close.argtypes = [database]
    lib.hebb_close.restype = None
    lib.hebb_version.argtypes = []
    lib.hebb_version.restype = text
    # These take microseconds: too little for another thread of Python to run meanwhile.
    quick = ctypes.PyDLL(lib._name, handle=lib._handle)
    quick.hebb_next.argtypes = [rows, to_text]
    quick.hebb_free.argtypes = [text]
    quick.hebb_free.restype = None
    for name in ("hebb_next", "hebb_free"):
        setattr(lib, name, getattr(quick, name))
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

    def stream(self, operation: str, request: str) -> Tuple[str, JsonRows]:
        handle, answer = ctypes.c_void_p(), ctypes.c_char_p()
        status = self._lib.hebb_stream(self._db, operation.encode(), request.encode(),
                                       ctypes.byref(handle), ctypes.byref(answer))
        rows = self._rows(handle)
        next(rows)  # in its `try`, which frees the handle in any case
        return self._taken(status, answer), rows

    def _rows(self, handle: ctypes.c_void_p) -> JsonRows:
        row = ctypes.c_char_p()
        to_row, next_row, free = ctypes.byref(row), self._lib.hebb_next, self._lib.hebb_free
        parsed = json.JSONDecoder().raw_decode
        try:
            yield {}
            while (status := next_row(handle, to_row)) == 0 and (text := row.value) is not None:
                free(row)
                yield parsed(text.decode())[0]
            if status != 0:
                self._taken(status, row)
        finally:
            self._lib.hebb_end(handle)

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
