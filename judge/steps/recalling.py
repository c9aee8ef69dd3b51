"""Recall of results files, without a study: files in, figures out."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from judge.errors import Invalid
from judge.files import read_bytes
from judge.records.recall import RecallComparison, RecallScore
from judge.reports.recall.comparing import compare
from judge.reports.recall.manifest import check_manifest
from judge.reports.recall.rows import Failures, Question, read_failures, read_questions
from judge.reports.recall.scoring import score
from judge.reports.recall.traps import Traps

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_BUFFER = 1 << 20


def numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    """The non-blank lines of a file, gzip or not, with their numbers; one in memory at a time.

    A byte order mark is left out. Raises `Invalid` for a file that is missing, cannot be read or
    is a gzip file that is cut off or damaged.
    """
    try:
        with open(path, "rb") as raw:
            packed = raw.peek(2)[:2] == _GZIP
            file = io.BufferedReader(gzip.GzipFile(fileobj=raw), _BUFFER) if packed else raw
            for number, line in enumerate(file, 1):
                text = line.removeprefix(_BOM) if number == 1 else line
                if not text.isspace():
                    yield number, text
    except FileNotFoundError:
        raise Invalid(f"{path}: no such file") from None
    except EOFError:
        raise Invalid(f"{path}: the gzip file is cut off; fetch it again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise Invalid(f"{path}: the gzip file is damaged ({error})") from None
    except OSError as error:
        raise Invalid(f"{path}: cannot be read ({error.strerror})") from None


def score_recall(
    questions: Path,
    results: Path,
    *,
    failures: Path | None = None,
    manifest: Path | None = None,
    strict: bool = False,
    system: str = "",
) -> RecallScore:
    """Recall of a results file, with the check of a manifest where one is given.

    A failures file that is not there is noted, and taken as one without a record, as the reference
    does. Raises `Invalid` with every problem of the first file that has any.
    """
    traps = Traps()
    asked = read_questions(numbered(questions), questions.name)
    failed: Failures | None = None
    if failures is not None and failures.exists():
        failed = read_failures(numbered(failures), failures.name)
    elif failures is not None:
        traps.add("failures_absent", failures.name)
    done = score(
        asked,
        numbered(results),
        results.name,
        failures=failed,
        strict=strict,
        system=system,
        traps=traps,
    )
    if manifest is None:
        return done
    inputs = [path for path in (questions, results, failures) if path is not None and path.exists()]
    digests = {path.name: _digest(path) for path in inputs}
    check = check_manifest(read_bytes(manifest), manifest.name, digests, done)
    return msgspec.structs.replace(done, manifest=check)


def compare_recall(named: Sequence[str], questions: Path | None) -> RecallComparison:
    """The comparison of several systems, each given as ``FILE`` or ``NAME=FILE``.

    A ``.json`` file is the output of ``judge recall --per-question --json``; any other is a results
    file, which needs ``questions``. Raises `Invalid`.
    """
    scores: list[RecallScore] = []
    asked: dict[str, Question] = {}
    for one in named:
        name, _, path = ("", "", one) if Path(one).exists() else one.rpartition("=")
        file = Path(path)
        if file.suffix == ".json":
            found = _score_of(file)
            scores.append(msgspec.structs.replace(found, system=name) if name else found)
            continue
        if questions is None:
            raise Invalid(f"{file}: a results file", hint="name the questions with --questions")
        asked = asked or read_questions(numbered(questions), questions.name)
        scores.append(score(asked, numbered(file), file.name, system=name))
    return compare(scores)


def _score_of(file: Path) -> RecallScore:
    try:
        return msgspec.json.decode(read_bytes(file), type=RecallScore)
    except msgspec.MsgspecError as error:
        raise Invalid(
            f"{file}: not the output of `judge recall --json` ({error})",
            hint="judge recall --per-question --json > FILE.json",
        ) from None


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
