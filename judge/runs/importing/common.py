"""What every import shares: opening foreign files, collecting what is wrong, and one read line.

Files of other tools are taken as they come where that changes nothing (gzip, CRLF, a byte order
mark, blank lines) and each of these is noted; whatever would change an id, a rank or a score is
told and left to the user.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from judge.decode import count_problems
from judge.errors import Invalid, Problem
from judge.files import decode_text, nearest
from judge.records.run import Notice
from judge.text import id_fault

_GZIP = b"\x1f\x8b"
_SHOWN = 3
_SPREADSHEET = re.compile(
    r"[0-9]+\.0|[0-9](?:\.[0-9]+)?[eE]\+?[0-9]+|NA|N/A|NaN|nan|None|null|#N/A", re.ASCII
)
_PADDED = re.compile(r"0[0-9]+", re.ASCII)


@dataclass(slots=True)
class Row:
    """One line of a run file, as read. ``fields`` are the further fields of a hit, by name."""

    line: int
    query_id: str
    record_id: str
    rank: int | None
    score: str | None
    system: str | None
    fields: dict[str, str] = field(default_factory=dict)
    repaired: int = 0
    """Characters that cannot be stored and were replaced (lone surrogates)."""


@dataclass(frozen=True)
class Reading:
    """The lines of a run file, and what was noticed about the file as a whole."""

    rows: list[Row]
    notices: list[Notice]


class Faults:
    """Collects what is wrong in a file; equal findings on many lines become one problem."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lines: dict[tuple[str, str], list[int]] = {}
        self._more: Counter[tuple[str, str]] = Counter()

    def add(self, line: int, found: str, allowed: str = "") -> None:
        """Notes a finding on a line."""
        lines = self._lines.setdefault((found, allowed), [])
        if len(lines) < _SHOWN:
            lines.append(line)
        else:
            self._more[found, allowed] += 1

    def extend(self, problems: Iterable[Problem]) -> None:
        """Takes over problems whose place is given as `name: line n`."""
        for problem in problems:
            self.add(int(problem.where.rpartition(" ")[2]), problem.found, problem.allowed)

    def problems(self) -> list[Problem]:
        """All problems, in the order of their first line."""
        found = sorted(self._lines.items(), key=lambda item: item[1][0])
        return [
            Problem(f"{self.name}: {_where(lines, self._more[key])}", *key) for key, lines in found
        ]

    def stop(self, *, hint: str = "") -> None:
        """Raises `Invalid` with all problems, if there are any."""
        if self._lines:
            problems = self.problems()
            raise Invalid(f"{self.name} has {count_problems(problems)}", problems, hint=hint)


def _where(lines: list[int], more: int) -> str:
    if len(lines) == 1:
        return f"line {lines[0]}"
    if more:
        return f"lines {', '.join(map(str, lines))} and {more:,} more"
    return f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}"


def open_text(data: bytes, name: str) -> tuple[str, list[Notice]]:
    """The text of a file from elsewhere, gzip or not, with ``\\n`` line ends; and what was noted.

    Raises `Invalid` for an empty file, a gzip file that is cut or damaged, and bytes that are not
    UTF-8 text.
    """
    if data.startswith(_GZIP):
        try:
            data = gzip.decompress(data)
        except EOFError:
            raise Invalid(f"{name}: the gzip file is cut off; fetch it again") from None
        except (OSError, zlib.error) as error:
            raise Invalid(f"{name}: the gzip file is damaged ({error})") from None
    elif data and name.lower().endswith(".gz"):
        raise Invalid(f"{name}: not a gzip file, whatever its name says")
    text = decode_text(data, name, crlf=True)
    notices = []
    if b"\r\n" in data:
        notices.append(Notice(kind="crlf", text=f"{name} has CRLF line ends; read as line ends"))
    if data.startswith(b"\xef\xbb\xbf"):
        notices.append(Notice(kind="byte_order_mark", text=f"{name} starts with one; left out"))
    return text, notices


def blank_lines(count: int) -> list[Notice]:
    """The notice for blank lines that were passed over."""
    return [Notice(kind="blank_lines", text=f"blank lines passed over: {count}")] if count else []


def cut_columns(line: str) -> list[str]:
    """The columns of a line of a TREC file: split at blanks and tabs alone, as trec_eval does.

    Any other white space stays in its column, where the check of ids finds it.
    """
    return [part for part in line.replace("\t", " ").split(" ") if part]


def check_ids(
    rows: Iterable[tuple[int, str, str]], known: frozenset[str] | None, faults: Faults
) -> None:
    """Checks (line, query id, record id) of each row.

    ``known`` are the ids of the queries; None where the file itself says which they are.
    """
    verdicts: dict[tuple[bool, str], tuple[str, str]] = {}
    for line, query_id, record_id in rows:
        for is_query, text in ((True, query_id), (False, record_id)):
            verdict = verdicts.get((is_query, text))
            if verdict is None:
                verdict = _verdict(text, known if is_query else None)
                verdicts[is_query, text] = verdict
            if verdict[0]:
                faults.add(line, *verdict)


def _verdict(text: str, known: frozenset[str] | None) -> tuple[str, str]:
    if fault := id_fault(text):
        return fault, "ids are text without blanks or invisible characters"
    if known is None or text in known:
        return "", ""
    bare = text.lstrip("0")
    padded = sorted(other for other in known if bare and other.lstrip("0") == bare)
    close = f" ({padded[0]!r} is one: zeros count)" if padded else nearest(text, known)
    return (
        f"unknown query id {text!r}{close}",
        "an id of the queries, upper and lower case told apart",
    )


def id_notices(record_ids: Iterable[str]) -> list[Notice]:
    """What the ids of a file should make a user look twice at; all are kept as they are."""
    distinct = set(record_ids)
    notices = []
    changed = sorted(text for text in distinct if _SPREADSHEET.fullmatch(text))
    if changed:
        text = f"ids that look as if a spreadsheet had changed them: {_some(changed)}"
        notices.append(Notice(kind="suspicious_ids", text=text))
    padded = sorted(text for text in distinct if _PADDED.fullmatch(text))
    if padded:
        text = f"ids that start with 0, kept so: {_some(padded)}"
        both = [text for text in padded if text.lstrip("0") in distinct]
        if both:
            text += f"; without the zeros there is another document for {_some(both)}"
        notices.append(Notice(kind="leading_zeros", text=text))
    return notices


def _some(items: list[str]) -> str:
    shown = ", ".join(map(repr, items[:_SHOWN]))
    more = len(items) - _SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown


def spans(numbers: Iterable[int]) -> str:
    """Numbers as text, neighbours joined: ``1, 3-5, 9``; no more than ten spans are shown."""
    found: list[list[int]] = []
    for number in sorted(set(numbers)):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return span_text((first, last) for first, last in found)


def span_text(pairs: Iterable[tuple[int, int]]) -> str:
    """Spans (first, last) as text; no more than ten are shown."""
    parts = [str(first) if first == last else f"{first}-{last}" for first, last in pairs]
    return ", ".join(parts[:10]) + (", …" if len(parts) > 10 else "")
