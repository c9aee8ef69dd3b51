"""Amendments: changes after the freeze, filed beside it, each saying what had been seen (R25)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from judge.canonical import canonical
from judge.decode import decode
from judge.errors import Invalid, Problem, Refused
from judge.files import nearest, parse_json
from judge.records.protocol import Amendment, Frozen, Protocol
from judge.records.query import Query
from judge.text import unstorable

Seen = Literal["nothing_run", "run_results_not_seen", "results_seen"]


def effective(frozen: Frozen, amendments: Iterable[Amendment]) -> Protocol:
    """The protocol as amended, in the order of filing."""
    protocol = frozen.protocol
    for amendment in amendments:
        if amendment.rubric is not None:
            version = parse_json(amendment.after)["version"]
            protocol = _applied(protocol, "rubric.version", version, Protocol)
        if amendment.target.startswith("protocol."):
            protocol = _applied(
                protocol,
                amendment.target.removeprefix("protocol."),
                parse_json(amendment.after),
                Protocol,
            )
    return protocol


def effective_query(query: Query, amendments: Iterable[Amendment]) -> Query:
    """A query as amended."""
    for amendment in amendments:
        path = amendment.target.removeprefix(f"queries.{query.id}.")
        # An id may hold points: with queries 1 and 1.1, queries.1.1.need is a field of the second.
        if path != amendment.target and _holds(msgspec.to_builtins(query), path):
            query = _applied(query, path, parse_json(amendment.after), Query)
    return query


def _holds(data: Any, path: str) -> bool:
    for step in path.split("."):
        if not isinstance(data, dict) or step not in data:
            return False
        data = data[step]
    return True


def check_filing(seen: Seen, least_seen: Seen, said: Mapping[str, str]) -> None:
    """Raises where an amendment claims to have seen less than the store knows, or does not say who
    files it and why (R13, R25, R56). ``said`` holds its texts by option."""
    order: tuple[Seen, ...] = ("nothing_run", "run_results_not_seen", "results_seen")
    if order.index(seen) < order.index(least_seen):
        raise Refused(
            f"--seen {seen} is less than the store knows ({least_seen}); nothing was written",
            hint=f"say --seen {least_seen}",
        )
    problems = [Problem(name, fault) for name, text in said.items() if (fault := unstorable(text))]
    problems += [
        Problem(name, "empty", "every amendment says it")
        for name in ("--author", "--reason")
        if not said[name].strip()
    ]
    if problems:
        raise Invalid("the amendment is incomplete", problems)


def propose(
    frozen: Frozen,
    queries: dict[str, Query],
    earlier: tuple[Amendment, ...],
    *,
    target: str,
    after: str,
    author: str,
    reason: str,
    seen: Seen,
    least_seen: Seen,
    at_utc: str,
) -> Amendment:
    """A new amendment, checked against what it changes.

    ``target`` is ``protocol.<field path>`` or ``queries.<id>.<field>``; ``after`` is the new value
    as JSON, or plain text. ``least_seen`` is what the store knows to have been seen; a claim of
    less raises `Refused` (R13, R56).
    """
    check_filing(
        seen,
        least_seen,
        {"--target": target, "--after": after, "--author": author, "--reason": reason},
    )
    if target == "protocol.rubric.version":
        raise Refused(
            "the version of the rubric changes with its text, and says what that means for labels; "
            "nothing was written",
            hint="judge amend --rubric FILE --version V --change editorial|clarifying|breaking",
        )
    holder, path, kind = _holder(frozen, queries, earlier, target)
    value = _value(after)
    before = _get(msgspec.to_builtins(holder), path, target)
    _applied(holder, path, value, kind)
    if before == value:
        raise Refused(f"{target} is {after} already; nothing was written")
    return Amendment(
        number=len(earlier) + 1,
        at_utc=at_utc,
        author=author,
        reason=reason,
        seen=seen,
        target=target,
        before=canonical(before).decode(),
        after=canonical(value).decode(),
    )


def _holder(
    frozen: Frozen, queries: dict[str, Query], earlier: tuple[Amendment, ...], target: str
) -> tuple[Any, str, type[Any]]:
    if target.startswith("protocol."):
        return effective(frozen, earlier), target.removeprefix("protocol."), Protocol
    named = [name for name in queries if target.startswith(f"queries.{name}.")]
    if named:
        name = max(named, key=len)
        path = target.removeprefix(f"queries.{name}.")
        if path == "id":
            raise Invalid("the id of a query never changes: its runs and labels go by it")
        return effective_query(queries[name], earlier), path, Query
    raise Invalid(
        f"--target {target!r} names nothing that was frozen",
        hint="write protocol.<field> (such as protocol.depth.cutoffs) or queries.<id>.<field>",
    )


def _value(text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError:
        return text


def _get(data: Any, path: str, target: str) -> Any:
    for step in path.split("."):
        if not isinstance(data, dict) or step not in data:
            known = data if isinstance(data, dict) else ()
            raise Invalid(f"--target {target!r}: no field {step!r}{nearest(step, known)}")
        data = data[step]
    return _lists(data)


def _lists(value: Any) -> Any:
    return parse_json(canonical(value).decode())


def _applied(holder: Any, path: str, value: Any, kind: type[Any]) -> Any:
    data = _lists(holder)
    *steps, last = path.split(".")
    inner = data
    for step in steps:
        inner = inner.get(step) if isinstance(inner, dict) else None
    if not isinstance(inner, dict):
        raise Invalid(f"no field {path!r}")
    inner[last] = value
    record, problems = decode(data, kind)
    if record is None:
        raise Invalid(f"{path} cannot take this value", problems)
    return record
