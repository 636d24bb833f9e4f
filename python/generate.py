#!/usr/bin/env python3
"""Writes the modules of the package hebb that are made from the list of operations.

    hebb api schemas | python/generate.py FOLDER    makes FOLDER/operations.py, FOLDER/_aio_operations.py
"""
from __future__ import annotations

import json
import keyword
import os
import sys
import textwrap
from typing import Any, Dict, Iterator, List, Tuple

Schema = Dict[str, Any]

HEAD = '''"""{what}. Made by python/generate.py."""
from __future__ import annotations

import os
from datetime import datetime, timedelta
from typing import Any, Callable, Dict, Iterable, Literal, Mapping, Optional, Tuple, Type
from typing import TypeVar, Union, overload

'''

RECORDS = '''from ._stream import Stream
from .records import Field, Record, Results, Rows, rows_of, time_of

T = TypeVar("T")
Path = Union[str, "os.PathLike[str]"]

'''

CALLS = '''

class {name}:
    """The operations of hebb."""

    {define} _call(self, operation: str, make: Callable[[str], T], request: Dict[str, Any]) -> T:
        raise NotImplementedError

    def _stream(self, operation: str, request: Dict[str, Any]) -> {stream}[Any]:
        raise NotImplementedError

'''


def python_name(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# --- records -------------------------------------------------------------------------------------


def is_record(schema: Schema) -> bool:
    return "title" in schema


def is_rows(schema: Schema) -> bool:
    return schema.get("type") == "array" and is_record(schema["items"])


def records_in(schema: Schema) -> Iterator[Tuple[str, Schema]]:
    """The records below a schema, those that others are made of first."""
    for value in schema.get("properties", {}).values():
        inner = value.get("items", value)
        yield from records_in(inner)
        if is_record(inner):
            yield inner["title"], inner


def fields_of(schema: Schema) -> Dict[str, Schema]:
    return {name: value for name, value in schema["properties"].items() if name != "schema_version"}


def merged(records: Dict[str, Schema], name: str, schema: Schema) -> None:
    """Adds a record, which may stand in several answers: an answer has more fields of its own."""
    if name not in records:
        records[name] = {"properties": {}, "required": schema.get("required", [])}
    known = records[name]
    for field, value in fields_of(schema).items():
        other = known["properties"].setdefault(field, value)
        if result_type(other) != result_type(value):
            raise SystemExit(f"generate.py: two records are called {name}, and differ in {field}")
    known["required"] = [one for one in known["required"] if one in schema.get("required", [])]


def result_type(schema: Schema) -> str:
    if is_record(schema):
        return str(schema["title"])
    kind = schema.get("type")
    if kind == "array":
        inner = schema["items"]
        return f"Rows[{inner['title']}]" if is_record(inner) else f"Tuple[{result_type(inner)}, ...]"
    if schema.get("format") == "date-time":
        return "datetime"
    names = {"string": "str", "integer": "int", "number": "float", "boolean": "bool",
             "object": "Dict[str, Any]"}
    return names[kind] if isinstance(kind, str) else "Any"


def maker(schema: Schema) -> str:
    """What makes the value of a field from its JSON; empty: it is the JSON."""
    if is_record(schema):
        return str(schema["title"])
    if is_rows(schema):
        return f"rows_of({schema['items']['title']})"
    if schema.get("type") == "array":
        inner = maker(schema["items"])
        return f"lambda values: tuple(map({inner}, values))" if inner else "tuple"
    return "time_of" if schema.get("format") == "date-time" else ""


def record_class(name: str, schema: Schema) -> str:
    fields = schema["properties"]
    first = next(iter(fields), None)
    rows = first is not None and is_rows(fields[first])
    base = f"Results[{fields[first]['items']['title']}]" if rows and first else "Record"
    lines = [f"class {name}({base}):", "    __slots__ = ()"]
    for field, value in fields.items():
        kind = result_type(value)
        if field not in schema["required"] and kind != "Any":
            kind = f"Optional[{kind}]"
        make = maker(value)
        arguments = quoted(value.get("description", "")) + (f", {make}" if make else "")
        lines.append(f"    {python_name(field)}: Field[{kind}] = Field({arguments})")
    if rows and first:
        row = fields[first]["items"]["title"]
        lines += ["", f"    def _rows(self) -> Rows[{row}]:",
                  f"        return self.{first} or Rows([], {row})"]
    return "\n".join(lines) + "\n"


# --- operations ----------------------------------------------------------------------------------


def argument_type(name: str, schema: Schema) -> str:
    kind = schema.get("type")
    if kind == "array":
        return f"Iterable[{argument_type(name, schema['items'])}]"
    if isinstance(kind, list):  # a span or a priority, as a number or as people write it
        number = "int" if "integer" in kind else "float"
        is_span = "maximum" not in schema or number == "float"
        return f"Union[{number}, str, timedelta]" if is_span else f"Union[{number}, str]"
    if "enum" in schema:
        return f"Literal[{', '.join(map(quoted, schema['enum']))}]"
    if kind == "string":
        if "examples" in schema:
            return "Union[str, datetime]"
        return "Path" if name in ("file", "files") else "str"
    return {"integer": "int", "number": "float", "boolean": "bool",
            "object": "Mapping[str, Any]"}.get(kind or "", "Any")


def wrapped(parts: List[str], end: str, opening: str) -> List[str]:
    """Lines of the parts, with a comma between them: broken only there."""
    text = ", ".join(part.replace(" ", "\0") for part in parts) + end.replace(" ", "\0")
    lines = textwrap.wrap(opening.replace(" ", "\0") + text, 100, break_long_words=False,
                          break_on_hyphens=False, subsequent_indent=" " * 12)
    return [line.replace("\0", " ") for line in lines]


def described(name: str, text: str) -> List[str]:
    return textwrap.wrap(f"{name}: {text}", 92, initial_indent=" " * 8,
                         subsequent_indent=" " * 12, break_long_words=False)


def method(operation: Schema, is_async: bool) -> str:
    name, request = operation["name"], operation["request"]
    fields = request["properties"]
    required = request.get("required", [])
    arguments = ["self"]
    arguments += [f"{python_name(one)}: {argument_type(one, fields[one])}" for one in required]
    if len(required) < len(fields):
        arguments.append("*")
    arguments += [f"{python_name(one)}: Optional[{argument_type(one, fields[one])}] = None"
                  for one in fields if one not in required]
    result = operation["result"]["title"]
    opening = f"    {'async ' if is_async else ''}def {python_name(name)}("
    lines = wrapped(arguments, f") -> {result}:", opening)
    summary = operation["summary"]
    lines.append(f'        """{summary}' + ("" if summary.endswith("?") else "."))
    if fields:
        lines.append("")
    for one in [*required, *(one for one in fields if one not in required)]:
        text = fields[one]["description"].replace("\\", "\\\\")
        default = fields[one].get("default")
        if default not in (None, False):
            text += f"; else {default}"
        lines += described(python_name(one), text)
    lines.append('        """')
    call = f"        return {'await ' if is_async else ''}self._call({quoted(name)}, {result}, {{"
    lines += wrapped([f"{quoted(one)}: {python_name(one)}" for one in fields], "})", call)
    return "\n".join(lines) + "\n"


def streams(operations: List[Schema], kind: str) -> str:
    """The overloads of stream(), which give each list's rows their type."""
    out = ""
    for operation in operations:
        rows = rows_in(operation)
        if rows:
            out += ("    @overload\n"
                    f"    def stream(self, operation: Literal[{quoted(operation['name'])}],\n"
                    f"               **request: Any) -> {kind}[{rows}]: ...\n\n")
    return out + (
        "    @overload\n"
        f"    def stream(self, operation: str, **request: Any) -> {kind}[Any]: ...\n\n"
        f"    def stream(self, operation: str, **request: Any) -> {kind}[Any]:\n"
        '        """The rows of an operation\'s first list, one by one: for long answers."""\n'
        "        return self._stream(operation, request)\n")


def rows_in(operation: Schema) -> str:
    for value in operation["result"]["properties"].values():
        if is_rows(value):
            return str(value["items"]["title"])
    return ""


def calls(operations: List[Schema], is_async: bool) -> str:
    """The class of all operations."""
    stream = "AsyncStream" if is_async else "Stream"
    name = "AsyncOperations" if is_async else "Operations"
    head = CALLS.format(name=name, define="async def" if is_async else "def", stream=stream)
    methods = "\n".join(method(one, is_async) for one in operations)
    return f"{head}{methods}\n{streams(operations, stream)}"


def modules(schemas: Schema) -> Dict[str, str]:
    operations = schemas["operations"]
    records: Dict[str, Schema] = {}
    for operation in operations:
        for name, schema in [*records_in(operation["result"]),
                             (operation["result"]["title"], operation["result"])]:
            merged(records, name, schema)
    rows = "".join(f"    {quoted(one['name'])}: {rows_in(one)},\n"
                   for one in operations if rows_in(one))
    return {
        "operations.py": HEAD.format(what="The operations of hebb and what they answer") + RECORDS
        + "".join("\n" + record_class(name, schema) + "\n" for name, schema in records.items())
        + calls(operations, False)
        + "\n\n# The rows of an operation's first list.\n"
        + "ROWS: Dict[str, Type[Record]] = {\n" + rows + "}\n",
        "_aio_operations.py": HEAD.format(what="The operations of hebb for asyncio")
        + "from ._stream import AsyncStream\n"
        + "\n".join(wrapped(["Path", "T", *records], ")", "from .operations import (")) + "\n"
        + calls(operations, True),
    }


def main() -> None:
    [folder] = sys.argv[1:] or sys.exit(__doc__)
    for name, text in modules(json.load(sys.stdin)).items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
