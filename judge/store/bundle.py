"""A released folder as files: its manifest, what may not stand in it, and its texts left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import msgspec

from judge.canonical import canonical, sha256
from judge.errors import Integrity
from judge.files import parse_json, read_bytes, write_atomic
from judge.store.ledger import KIND_OF
from judge.store.published import FILES, RAW
from judge.store.sharing import LEFT_OUT, left_out_of, without

MANIFEST = "MANIFEST.sha256"
RELEASE = "release.json"
STORE = "study.db"
"""What `judge rebuild` makes in a bundle: the only file that may be added."""
_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")
_ADDRESS = re.compile(
    rb"(?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*"
    rb"\.[A-Za-z]{2,}"
)
_LEAST = 24
"""Characters: a shorter text that is left out may stand elsewhere by chance."""


def is_bundle(folder: Path) -> bool:
    """Whether ``folder`` is a release, or was one before a file of it was taken away."""
    return (folder / MANIFEST).is_file() or (folder / RELEASE).is_file()


def names_in(folder: Path) -> list[str]:
    """Every file of a folder, relative to it, sorted. A link is a file, wherever it leads."""
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    )


def write_manifest(folder: Path) -> None:
    """Writes the digests of all other files, as ``sha256sum -c`` reads them."""
    lines = [
        f"{sha256(read_bytes(folder / name))}  {name}\n"
        for name in names_in(folder)
        if name != MANIFEST
    ]
    write_atomic(folder / MANIFEST, "".join(lines).encode())


def manifest_problems(folder: Path) -> list[str]:
    """Every file that is changed, gone, or was not released, each named."""
    path = folder / MANIFEST
    if not path.is_file():
        return [f"{MANIFEST}: missing"]
    found: list[str] = []
    listed: dict[str, str] = {}
    text = read_bytes(path).decode("utf-8", "replace")
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        match = _LINE.fullmatch(line)
        if match is None or match[2] in listed:
            found.append(f"{MANIFEST}: line {number} is no digest and name, or stands twice")
        else:
            listed[match[2]] = match[1]
    if not text.endswith("\n") or list(listed) != sorted(listed):
        found.append(f"{MANIFEST}: its lines are cut off or out of order")
    present = {name for name in names_in(folder) if name not in (MANIFEST, STORE)}
    found += [
        f"{name}: missing, and {MANIFEST} names it" for name in sorted(listed.keys() - present)
    ]
    found += [f"{name}: {MANIFEST} does not name it" for name in sorted(present - listed.keys())]
    for name in sorted(present & listed.keys()):
        if (folder / name).is_symlink():
            found.append(f"{name}: a link, not the file that {MANIFEST} names")
        elif sha256(read_bytes(folder / name)) != listed[name]:
            found.append(f"{name}: its bytes are not those that {MANIFEST} names")
    return found


def with_address(folder: Path) -> tuple[str, ...]:
    """The files that hold an e-mail address."""
    return tuple(name for name in names_in(folder) if _ADDRESS.search(read_bytes(folder / name)))


def leave_out(
    folder: Path, fields: Collection[str], corpus: Path
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Takes the texts of ``fields`` out of a published folder; returns counts and the texts.

    Raw replies and the corpus go too where a text of a record may not be shared: they hold it.
    """
    counts: Counter[str] = Counter()
    texts: set[str] = set()
    kept = []
    for table, name in FILES.items():
        path = folder / name
        if not path.is_file():
            continue
        lines = []
        for number, line in enumerate(read_bytes(path).splitlines(), 1):
            record = msgspec.convert(parse_json(line.decode()), KIND_OF[table], strict=True)
            made, gone, said = without(record, fields)
            if gone:
                counts.update(gone)
                texts.update(said.values())
                kept.append(left_out_of(name, number, record, gone))
            lines.append(canonical(made) + b"\n")
        write_atomic(path, b"".join(lines))
    if kept:
        write_atomic(folder / LEFT_OUT, b"".join(canonical(one) + b"\n" for one in kept))
    if any(field != "note" for field in fields):
        for raw in sorted((folder / RAW).glob("*")):
            raw.unlink()
            counts["raw replies"] += 1
        if corpus.is_file():
            corpus.unlink()
            counts["corpus file"] += 1
    return dict(counts), tuple(sorted(texts))


def that_show(folder: Path, texts: Iterable[str]) -> tuple[str, ...]:
    """The files in which one of ``texts`` stands, as it is or as JSON writes it."""
    spelled = {text for text in texts if len(text) >= _LEAST}
    forms = {
        form.encode()
        for text in spelled
        for form in (text, msgspec.json.encode(text).decode()[1:-1])
    }
    found = []
    for name in names_in(folder):
        data = read_bytes(folder / name)
        if any(form in data for form in forms):
            found.append(name)
    return tuple(found)


def differences(folder: Path, expected: Mapping[str, bytes]) -> list[str]:
    """Where a file that follows from others is not what they amount to."""
    found = []
    for name, data in expected.items():
        path = folder / name
        if not path.is_file():
            found.append(f"{name}: missing")
        elif read_bytes(path) != data:
            found.append(f"{name}: is not what the records amount to")
    return found


def read_release_file(folder: Path) -> bytes:
    """The bytes of `release.json`. Raises `Integrity` where it is gone."""
    path = folder / RELEASE
    if not path.is_file():
        raise Integrity(f"{RELEASE}: missing")
    return read_bytes(path)
