"""Reports each call of a function as `hebb trace` reads it (docs/tools.md). Python 3.7 or later, without dependencies.

    from hebb_trace import traced

    @traced("fs:read")
    def read(path): ...

    read = traced("fs:read", read)          # the same, by hand
    with traced("db:query"): ...            # a block instead of a function

Functions and coroutine functions keep their arguments, what they return and what they raise. A call made while another
one runs is reported as made from that one, across awaits. Nothing is reported with HEBB_TRACE=0, or while
`hebb_trace.enabled` is False. A generator runs while others go through it: such a function is returned as it is and not
reported. Put `with traced(...)` around the loop.

Traces go to the `sys.stdout` that there is when this file is imported, so what contextlib.redirect_stdout collects has
none. Where descriptor 1 itself is redirected (as pytest does without -s), they go where it leads.

A trace counts only at the start of a line: end what you print with a newline before you call.
"""

import contextvars
import functools
import inspect
import json
import os
import sys
import time
import uuid

enabled = os.environ.get("HEBB_TRACE") != "0"

_stdout = sys.stdout
_key = os.environ.pop("HEBB_TRACE_KEY", None)  # so that programs started later cannot forge a trace
_running = contextvars.ContextVar("hebb_trace", default=os.environ.get("HEBB_TRACE_PARENT"))


class traced:
    """Reports calls of the tool `tool`: as a decorator, around a given function, or around a `with` block."""

    def __new__(cls, tool, function=None):
        self = super().__new__(cls)
        self._tool, self._calls = tool, []
        return self if function is None else self(function)

    def __call__(self, function):
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            return function
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def wrapper(*args, **kwargs):
                with traced(self._tool):
                    return await function(*args, **kwargs)

        else:

            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                with traced(self._tool):
                    return function(*args, **kwargs)

        return wrapper

    def __enter__(self):
        if not enabled:
            self._calls.append(None)
            return self
        trace_id, parent = str(uuid.uuid4()), _running.get()
        start = {"type": "tool_start", "tool": self._tool, "trace_id": trace_id, "ts": int(time.time() * 1000)}
        if parent:
            start["parent_trace_id"] = parent
        _report(start)
        self._calls.append((trace_id, time.perf_counter(), _running.set(trace_id)))
        return self

    def __exit__(self, kind, error, _):
        call = self._calls.pop()
        if call is None:
            return False
        trace_id, begin, token = call
        try:
            _running.reset(token)
        except ValueError:  # a generator that was ended from elsewhere
            pass
        end = {"type": "tool_end", "trace_id": trace_id, "success": kind is None}
        end["duration_ms"] = round((time.perf_counter() - begin) * 1000, 3)
        if kind is not None:
            end["error"] = _text(kind, error)
        _report(end)
        return False  # the exception propagates


def _text(kind, error):
    try:  # replaces lone surrogates, which JSON cannot hold
        return (str(error) or kind.__name__)[:4096].encode("utf-8", "replace").decode()
    except Exception:
        return kind.__name__


def _report(event):
    if _key:
        event["key"] = _key
    try:
        _stdout.write("__TRACE__" + json.dumps(event) + "\n")
        _stdout.flush()
    except (AttributeError, OSError, ValueError):  # no stdout, no reader, or closed: the call itself must not fail
        pass
