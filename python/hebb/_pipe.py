"""`hebb pipe` as a process: lines of JSON on its standard input and output."""
from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import tempfile
import threading
from queue import SimpleQueue
from typing import Any, Dict, List, Optional, Tuple

from ._connection import Connection
from ._stream import JsonRows
from .errors import Error, error_of, problem


@functools.lru_cache(maxsize=None)
def program() -> Optional[str]:
    """The program hebb; None: there is none."""
    return shutil.which("hebb")


class Pipe(Connection):
    def __init__(self, path: Optional[str], options: Dict[str, Any]) -> None:
        command = _command(path, dict(options))
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, stderr=self._errors)
        self._state = threading.Lock()  # guards the members below, and the process's input
        self._last_id = 0
        self._answers: Dict[int, SimpleQueue[Dict[str, Any]]] = {}  # of the calls that run
        self._ended: Optional[Error] = None  # the error of all calls from then on
        self._reader = threading.Thread(target=self._read, name="hebb pipe", daemon=True)
        self._reader.start()
        try:
            self.call("claim_list", "{}")  # as the library, say now what cannot be opened
        except Error:
            self.close()
            raise

    def call(self, operation: str, request: str) -> str:
        return self._run(operation, request, None)

    def stream(self, operation: str, request: str) -> Tuple[str, JsonRows]:
        texts: List[str] = []  # until the answer comes, which is after them: texts need less memory
        answer = self._run(operation, request, texts)
        return answer, (json.loads(text) for text in texts)

    def _run(self, operation: str, request: str, rows: Optional[List[str]]) -> str:
        answers: SimpleQueue[Dict[str, Any]] = SimpleQueue()
        with self._state:
            if self._ended:
                raise self._ended
            self._last_id += 1
            id = self._last_id
            self._answers[id] = answers
            line = json.dumps({"id": id, "operation": operation, "rows": rows is not None})
            self._send(f'{line[:-1]}, "request": {request}}}')
        while True:
            answer = answers.get()
            if rows is not None and "row" in answer:
                rows.append(json.dumps(answer["row"]))
                continue
            with self._state:
                self._answers.pop(id, None)
            if "problem" in answer:
                raise error_of(answer["problem"])
            return json.dumps(answer["answer"])

    def cancel(self) -> None:
        with self._state:
            for id in self._answers:
                self._send(json.dumps({"cancel": id}))

    def close(self) -> None:
        assert self._process.stdin and self._process.stdout
        with self._state:
            try:
                self._process.stdin.close()
            except OSError:
                pass  # it has ended before it read all
        self._reader.join()
        self._process.wait()
        self._process.stdout.close()
        self._errors.close()

    # A process that has ended is noticed where its answers are read.
    def _send(self, line: str) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            pass

    def _read(self) -> None:
        assert self._process.stdout
        for text in self._process.stdout:
            line = json.loads(text)
            answers = self._answers.get(line["id"])
            if answers:
                answers.put(line)
        self._errors.seek(0)
        last = self._errors.read().decode(errors="replace").strip().rpartition("\n")[2]
        with self._state:
            try:
                self._ended = error_of(json.loads(last))
            except (ValueError, KeyError):
                self._ended = problem("failed", last or "hebb pipe has ended")
            for answers in self._answers.values():
                answers.put({"problem": self._ended.problem})


def _command(path: Optional[str], options: Dict[str, Any]) -> List[str]:
    command = [program() or "hebb", "--quiet", "--json"]
    if path is not None:
        command += ["--db", path]
    if not options.pop("create"):
        if path is None or "://" in path:
            raise problem("invalid_argument", "without libhebb.so.0, create=False needs the path "
                          "of a file")
        if not os.path.exists(path):
            raise problem("no_database", f"there is no database {path}")
    for name in ("now", "tz"):
        if name in options:
            command += [f"--{name}", str(options.pop(name))]
    if options:
        raise problem("invalid_argument", f"only libhebb.so.0 knows {', '.join(options)}, and "
                      "there is none here")
    return command + ["pipe"]
