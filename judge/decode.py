"""Plain data into records, listing every problem at once instead of stopping at the first."""

from __future__ import annotations

import re
import tomllib
import types
import typing
from functools import cache
from typing import Any, TypeVar

import msgspec

from judge.errors import Invalid, Problem
from judge.files import cut_off, decode_text, nearest, numbered_lines, parse_json

T = TypeVar("T", bound=msgspec.Struct)
_AT_LINE = re.compile(r": line \d+$")


def decode(data: Any, kind: type[T], where: str = "") -> tuple[T | None, list[Problem]]:
    """``data`` as a record of ``kind``, or None and all that is wrong with it.

    ``where`` is put before each field's path, such as ``queries/evaluation.jsonl: line 3``.
    """
    record, problems = mended(data, kind, where)
    return (None if problems else record), problems


def mended(data: Any, kind: type[T], where: str = "") -> tuple[T | None, list[Problem]]:
    """Like `decode`, but with a record even where problems were found, for more checks on it.

    What cannot be read is replaced by an empty value of its type, unknown keys are left out. None
    where nothing at all can be made of the data.
    """
    problems: list[Problem] = []
    usable = _read(data, kind, where, problems)
    try:
        return msgspec.convert(usable, kind, strict=True), problems
    except msgspec.ValidationError as error:  # what the walk below does not know of
        return None, [*problems, Problem(where, str(error))]


def read_toml(data: bytes, name: str, kind: type[T]) -> T:
    """A TOML file as a record. Raises `Invalid` with every problem of the file."""
    record, problems = scan_toml(data, name, kind)
    if record is None or problems:
        raise Invalid(f"{name} has {count_problems(problems)}", problems)
    return record


def scan_toml(data: bytes, name: str, kind: type[T]) -> tuple[T | None, list[Problem]]:
    """A TOML file as far as it can be read (`mended`), and all problems.

    For callers with checks of their own to add to the list. Raises `Invalid` for bytes that are
    not TOML at all.
    """
    text = decode_text(data, name)
    try:
        found = tomllib.loads(text)
    except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
        raise Invalid(f"{name}: not TOML: {error}") from None
    except RecursionError:
        raise Invalid(f"{name}: not TOML: nested too deeply") from None
    return mended(found, kind)


def read_jsonl(
    data: bytes, name: str, kind: type[T], *, empty: bool = False
) -> list[tuple[int, T]]:
    """A JSON Lines file as (line number, record) pairs. Raises `Invalid` with every problem."""
    records, problems = scan_jsonl(data, name, kind, empty=empty)
    if problems:
        raise Invalid(f"{name} has {count_problems(problems)}", problems)
    return records


def scan_jsonl(
    data: bytes, name: str, kind: type[T], *, empty: bool = False
) -> tuple[list[tuple[int, T]], list[Problem]]:
    """The records of a JSON Lines file that can be read, with line numbers, and all problems.

    For callers with checks of their own to add to the list. Raises `Invalid` for bytes that are
    not text at all (`judge.files.decode_text`).
    """
    records: list[tuple[int, T]] = []
    problems: list[Problem] = []
    text = decode_text(data, name, empty=empty)
    problems += cut_off(text, name)
    for number, line in numbered_lines(text):
        where = f"{name}: line {number}"
        try:
            found = parse_json(line, floats_as_text=True)
        except ValueError as error:
            problems.append(Problem(where, f"not JSON: {error}"))
            continue
        record, wrong = decode(found, kind, where)
        problems += wrong
        if record is not None:
            records.append((number, record))
    return records, problems


def count_problems(problems: list[Problem]) -> str:
    """``one problem`` or ``7 problems``, for the head of a message."""
    return "one problem" if len(problems) == 1 else f"{len(problems)} problems"


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _read(value: Any, kind: Any, where: str, problems: list[Problem]) -> Any:
    """``value`` as data that fits ``kind``, adding a problem for each part that did not fit.

    Walks structs, optional structs, and tuples and dicts of them; leaves are msgspec's.
    """
    origin = typing.get_origin(kind)
    arguments = typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        if value is None and type(None) in arguments:
            return None
        inner = [one for one in arguments if one is not type(None)]
        if len(inner) == 1:
            earlier = len(problems)
            read = _read(value, inner[0], where, problems)
            return read if len(problems) == earlier or _is_struct(inner[0]) else None
    if _is_struct(kind):
        return _read_struct(value, kind, where, problems)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        if isinstance(value, list | tuple):
            return [
                _read(item, arguments[0], f"{where}[{number}]", problems)
                for number, item in enumerate(value, 1)
            ]
        problems.append(Problem(where, f"{_name(value)} where a list is expected"))
    elif origin is dict:
        if isinstance(value, dict):
            return {
                key: _read(item, arguments[1], _join(where, str(key)), problems)
                for key, item in value.items()
            }
        problems.append(Problem(where, f"{_name(value)} where a table is expected"))
    elif origin is typing.Literal:
        if value in arguments and isinstance(value, bool) is isinstance(arguments[0], bool):
            return value
        close = nearest(value, map(str, arguments)) if isinstance(value, str) else ""
        allowed = "one of " + ", ".join(map(str, arguments))
        problems.append(Problem(where, f"{value!r} is not allowed{close}", allowed))
    else:
        try:
            return msgspec.to_builtins(msgspec.convert(value, kind, strict=True))
        except msgspec.ValidationError:
            problems.append(Problem(where, f"{_name(value)} where {_expected(kind)} is expected"))
    return _empty(kind)


def _read_struct(
    value: Any, kind: type[msgspec.Struct], where: str, problems: list[Problem]
) -> dict[str, Any]:
    if not isinstance(value, dict):
        problems.append(Problem(where, f"{_name(value)} where a table is expected"))
        return _read_struct({}, kind, where, [])
    fields = msgspec.structs.fields(kind)
    known = {field.encode_name for field in fields}
    for key in value:
        if key not in known:
            problems.append(
                Problem(_join(where, str(key)), f"unknown key{nearest(str(key), known)}")
            )
    hints = _hints(kind)
    read: dict[str, Any] = {}
    for field in fields:
        at = _join(where, field.encode_name)
        hint = hints[field.name]
        if field.encode_name in value:
            read[field.encode_name] = _read(value[field.encode_name], hint, at, problems)
        elif field.required:
            problems.append(Problem(at, "missing", _allowed(hint)))
            read[field.encode_name] = _empty(hint)
    return read


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _empty(kind: Any) -> Any:
    """A value that fits ``kind`` and says nothing."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if _is_struct(kind):
        return _read_struct({}, kind, "", [])
    if origin is typing.Literal:
        return arguments[0]
    if origin in (types.UnionType, typing.Union):
        return None if type(None) in arguments else _empty(arguments[0])
    if origin is tuple:
        return [] if Ellipsis in arguments else [_empty(one) for one in arguments]
    return {str: "", int: 0, bool: False, dict: {}}.get(origin or kind)


def _join(where: str, key: str) -> str:
    if not where:
        return key
    return f"{where}{': ' if _AT_LINE.search(where) else '.'}{key}"


def _allowed(kind: Any) -> str:
    if typing.get_origin(kind) is typing.Literal:
        return "one of " + ", ".join(map(str, typing.get_args(kind)))
    return ""


def _name(value: Any) -> str:
    names = {
        bool: "true or false",
        str: "text",
        int: "a whole number",
        float: "a fraction",
        list: "a list",
        dict: "a table",
    }
    if value is None:
        return "null"
    shown = (
        f" ({value!r})"
        if isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= 40)
        else ""
    )
    return names.get(type(value), type(value).__name__) + shown


def _expected(kind: Any) -> str:
    names = {str: "text", int: "a whole number", bool: "true or false"}
    if kind in names:
        return names[kind]
    if typing.get_origin(kind) is tuple:
        return f"a list of {len(typing.get_args(kind))}"
    parts = [names.get(a, "null" if a is type(None) else str(a)) for a in typing.get_args(kind)]
    return " or ".join(parts) if parts else str(kind)
