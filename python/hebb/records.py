"""What answers are made of: immutable objects over the JSON that came.

Nothing is parsed or converted until it is looked at.
"""
from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, Iterator, List, NoReturn, Optional
from typing import Sequence, Tuple, Type, TypeVar, Union, overload

T = TypeVar("T")
R = TypeVar("R", bound="Record")


class Field(Generic[T]):
    """A field of a record. `make` converts its JSON; without it the JSON is the value."""

    def __init__(self, description: str, make: Optional[Callable[[Any], Any]] = None) -> None:
        self.__doc__ = description
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self._key = name.rstrip("_")  # "from_" of "from"

    @overload
    def __get__(self, record: None, owner: type) -> Field[T]: ...

    @overload
    def __get__(self, record: Record, owner: type) -> T: ...

    def __get__(self, record: Optional[Record], owner: type) -> Any:
        if record is None:
            return self
        value = record._json.get(self._key)
        return value if value is None or self._make is None else self._make(value)

    def __set__(self, record: Record, value: NoReturn) -> None:
        raise AttributeError(f"{self._name} cannot be set: an answer does not change")


class Record:
    """A JSON object with an attribute for each of its fields; that of an absent one is None."""

    __slots__ = ("_json", "_text")
    _json: Dict[str, Any]
    _text: str

    def __init__(self, source: Union[str, Dict[str, Any]]) -> None:
        if isinstance(source, str):
            self._text = source
        else:
            self._json = source

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:  # of what is not there yet
            if name != "_json":
                raise AttributeError(f"{type(self).__name__} has no field {name}")
            self._json = json.loads(self._text)
            return self._json

    @property
    def json(self) -> Dict[str, Any]:
        """The object as it came."""
        return self._json

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record) or type(other) is not type(self):
            return NotImplemented
        return self._json == other._json

    def __repr__(self) -> str:
        names = (name for name, field in vars(type(self)).items() if isinstance(field, Field))
        values = ((name, getattr(self, name)) for name in names)
        shown = ", ".join(f"{name}={value!r}" for name, value in values if value is not None)
        return f"{type(self).__name__}({shown})"

    def __reduce__(self) -> Tuple[Type[Record], Tuple[Dict[str, Any]]]:
        return type(self), (self._json,)


class Rows(Sequence[R]):
    """A list of records, each made when it is looked at."""

    __slots__ = ("_list", "_record")

    def __init__(self, rows: List[Dict[str, Any]], record: Type[R]) -> None:
        self._list = rows
        self._record = record

    def __len__(self) -> int:
        return len(self._list)

    @overload
    def __getitem__(self, index: int) -> R: ...

    @overload
    def __getitem__(self, index: slice) -> Rows[R]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[R, Rows[R]]:
        if isinstance(index, slice):
            return Rows(self._list[index], self._record)
        return self._record(self._list[index])

    def __iter__(self) -> Iterator[R]:
        return map(self._record, self._list)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rows):
            return NotImplemented
        return self._record is other._record and self._list == other._list

    def __repr__(self) -> str:
        return repr(list(self))


class Results(Record, Generic[R]):
    """An answer that is a list: it has the length, the rows and the order of its first field."""

    __slots__ = ()

    def _rows(self) -> Rows[R]:
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self._rows())

    @overload
    def __getitem__(self, index: int) -> R: ...

    @overload
    def __getitem__(self, index: slice) -> Rows[R]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[R, Rows[R]]:
        return self._rows()[index]

    def __iter__(self) -> Iterator[R]:
        return iter(self._rows())


def rows_of(record: Type[R]) -> Callable[[List[Dict[str, Any]]], Rows[R]]:
    """Makes the rows of a list of such records."""
    return lambda rows: Rows(rows, record)


def time_of(text: str) -> datetime:
    """A time as it stands in an answer: RFC 3339 in UTC."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
