"""The freeze: protocol, rubric, queries and corpus under one digest, before anything is asked.

Pure functions from what the files hold to the bytes of `protocol/frozen.json` and the planned run
records. No byte of them changes again; what changes later is an amendment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from judge.canonical import canonical, sha256
from judge.decode import read_toml
from judge.errors import Integrity, Invalid
from judge.records.base import NOT_APPLICABLE
from judge.records.protocol import Frozen, Protocol
from judge.records.query import Query
from judge.records.run import RunRecord

FORMAT = 1


def freeze(
    protocol: Protocol, rubric: bytes, queries: Mapping[str, bytes], corpus: bytes | None
) -> Frozen:
    """The frozen record of what the files hold; ``queries`` by file name."""
    return Frozen(
        format=FORMAT,
        protocol=protocol,
        rubric_sha256=sha256(rubric),
        queries_sha256={name: sha256(data) for name, data in sorted(queries.items())},
        corpus_sha256=NOT_APPLICABLE if corpus is None else sha256(corpus),
    )


def frozen_bytes(frozen: Frozen) -> bytes:
    """The bytes of `protocol/frozen.json`: canonical JSON and one line end."""
    return canonical(frozen) + b"\n"


def freeze_id(frozen: Frozen) -> str:
    """SHA-256 of the bytes of `protocol/frozen.json`: the name of the freeze.

    ``sha256sum protocol/frozen.json`` prints it.
    """
    return sha256(frozen_bytes(frozen))


def check_frozen(found: bytes, frozen: Frozen) -> None:
    """Raises `Integrity` where ``found`` are not the frozen bytes, naming what changed (R24)."""
    if found == frozen_bytes(frozen):
        return
    name = freeze_id(frozen)[:12]
    if found.replace(b"\r\n", b"\n") == frozen_bytes(frozen):
        raise Integrity(
            f"protocol/frozen.json no longer matches freeze {name}… (line ends were changed)",
            hint="git's core.autocrlf may have done it; take the file out of git again",
        )
    try:
        changed = list(_differences(msgspec.json.decode(found), msgspec.to_builtins(frozen)))
    except (msgspec.DecodeError, UnicodeDecodeError):
        changed = ["the file is no longer JSON"]
    what = ", ".join(changed[:8]) or "the spelling of the file, not its values"
    raise Integrity(
        f"protocol/frozen.json no longer matches freeze {name}… (changed: {what})",
        hint="put the file back as it was; a wanted change goes through `judge amend`",
    )


def check_protocol(found: bytes, frozen: Frozen) -> None:
    """Raises `Integrity` where ``found``, the bytes of `protocol/protocol.toml`, no longer says
    what was frozen, naming each field (R24). Comments and layout may change: nobody works by them.
    """
    try:
        changed = protocol_changes(read_toml(found, "protocol.toml", Protocol), frozen)
    except Invalid as error:
        changed = [error.message]
    if changed:
        raise Integrity(
            "protocol/protocol.toml no longer says what was frozen "
            f"(changed: {', '.join(changed[:8])}); a wanted change goes through judge amend",
            hint="put the file back as it was",
        )


def protocol_changes(protocol: Protocol, frozen: Frozen) -> list[str]:
    """The fields in which ``protocol`` says something else than the frozen one."""
    said, was = (_plain(msgspec.to_builtins(one)) for one in (protocol, frozen.protocol))
    return list(_differences(said, was))


def _differences(found: Any, expected: Any, path: str = "") -> Iterable[str]:
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in sorted({*found, *expected}):
            at = f"{path}.{key}" if path else key
            if key not in found or key not in expected:
                yield at
            else:
                yield from _differences(found[key], expected[key], at)
    elif msgspec.to_builtins(found) != _plain(expected):
        yield path


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def run_id(round_name: str, system: str, query_id: str, attempt: int) -> str:
    """The name of one execution; attempt 0 is the plan."""
    return f"{round_name}/{system}/{query_id}/{attempt}"


def planned_runs(protocol: Protocol, queries: Iterable[Query]) -> tuple[RunRecord, ...]:
    """A planned record for every (query, system): what is to be captured is still null (R40)."""
    return tuple(
        RunRecord(
            status="planned",
            query_id=query.id,
            information_need=query.need,
            query=query.submitted(system.code),
            mode=system.mode,
            cutoffs=protocol.depth.cutoffs,
            run_id=run_id(protocol.scored_round, system.code, query.id, 0),
            round=protocol.scored_round,
            system=system.code,
            service=system.service,
            endpoint=system.endpoint,
            filters=system.filters,
            parameters=system.parameters,
            requested=protocol.depth.requested,
        )
        for query in queries
        for system in protocol.systems
    )
