"""What an assessor can see of an item, as features of few values each: the input of the audit.

Form is how something is written: a service leaves its mark there, and a neutral source of text
does not. Content is what a record says, which comes from the record whichever system found it.
Digits and rare letters in a title are content: an accession number is what a mode searches for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from judge.judgements.pool import only_system
from judge.judgements.wording import one_neutral
from judge.records.audit import FeatureKind
from judge.records.judgement import View
from judge.records.run import PooledRecord
from judge.text import fold


@dataclass(frozen=True)
class Shown:
    """One item as it lies in a packet, and the open half's word on who found it."""

    item_id: str
    position: int
    """1..n, the order on the screen; the order of a sequence of these is the order of rows."""
    view: View
    pooled: PooledRecord
    again: bool = False
    """Whether it comes again as a hidden repeat."""
    source: str = ""
    """Where its text was looked up; empty where that is not known."""
    repeat: bool = False
    """Whether it is a hidden repeat: it shows what was shown before, so it is no new guess."""

    @property
    def system(self) -> str | None:
        """The one system that found it; None where several did."""
        return only_system(self.pooled)


@dataclass(frozen=True)
class Feature:
    """A name and the value of each item."""

    name: str
    kind: FeatureKind
    values: tuple[str, ...]


_ENTITY = re.compile(r"&(?:#x?)?\w+;")
_TAG = re.compile(r"</?\w[^<>]*>")
_WORD = re.compile(r"\w+")
_ABSENT = "absent"
_FIELDS = ("title", "journal", "year", "type", "abstract", "link")


def features(items: Sequence[Shown]) -> tuple[Feature, ...]:
    """Every visible feature of ``items``, in the order of the table.

    How long a text is counts as content where all texts are from one neutral source, and as form
    where a service may have cut or padded it.
    """
    length: FeatureKind = "residual" if one_neutral(item.source for item in items) else "form"
    one_by_one: list[tuple[str, FeatureKind, Callable[[View], str]]] = [
        ("missing fields", "form", _missing),
        ("title first character", "form", lambda view: _class(view.title, 0)),
        ("title last character", "form", lambda view: _class(view.title, -1)),
        ("title length", length, lambda view: _band(view.title, 30)),
        ("title style", "form", lambda view: _style(view.title)),
        ("abstract first character", "form", lambda view: _class(view.abstract, 0)),
        ("abstract last character", "form", lambda view: _class(view.abstract, -1)),
        ("abstract length", length, lambda view: _band(view.abstract, 400)),
        ("abstract markup", "form", lambda view: _markup(view.abstract)),
        ("journal last character", "form", lambda view: _class(view.journal, -1)),
        ("journal style", "form", lambda view: _style(view.journal)),
        ("year shape", "form", lambda view: _shape(view.year)),
        ("type style", "form", lambda view: _style(view.type)),
        ("link host", "form", lambda view: _host(view.link)),
        ("link shape", "form", lambda view: _link_shape(view.link)),
        ("journal", "residual", lambda view: view.journal or _ABSENT),
        ("year", "residual", lambda view: view.year or _ABSENT),
        ("type", "residual", lambda view: view.type or _ABSENT),
        ("term overlap with the need", "residual", _overlap),
    ]
    found = [
        Feature(name, kind, tuple(value(item.view) for item in items))
        for name, kind, value in one_by_one
    ]
    places = _places(items, [item.position for item in items])
    rows = _places(items, range(len(items)))
    return (
        *found,
        Feature("repeated titles", "form", _repeats(items)),
        Feature("position", "deal", tuple(str(place * 10 // of) for place, of in places)),
        Feature("position parity", "deal", tuple(str(place % 2) for place, _ in places)),
        Feature("row order", "deal", tuple(str(place * 10 // of) for place, of in rows)),
        Feature("id first character", "deal", tuple(item.item_id[:1] for item in items)),
        Feature("comes again", "deal", tuple("yes" if item.again else "no" for item in items)),
    )


def _missing(view: View) -> str:
    return " ".join(name for name in _FIELDS if not getattr(view, name)) or "none"


def _class(text: str | None, place: int) -> str:
    """The class of a letter or digit, any other character itself."""
    if not text:
        return _ABSENT
    char = text[place]
    if char.isdigit():
        return "digit"
    if char.isalpha():
        return "upper case" if char.isupper() else "letter"
    return char


def _band(text: str | None, width: int) -> str:
    return _ABSENT if text is None else str(min(len(text) // width, 9))


def _markup(text: str | None) -> str:
    if text is None:
        return _ABSENT
    marks = {
        "entity": _ENTITY.search(text),
        "tag": _TAG.search(text),
        "highlight": "**" in text or "[[" in text,
        "line break": "\n" in text or "\r" in text,
        "blanks": "  " in text or text != text.strip(),
        "cut": text.rstrip().endswith(("...", "…")),
    }
    return " ".join(name for name, found in marks.items() if found) or "plain"


def _style(text: str | None) -> str:
    """Markup and the use of capitals."""
    if not text:
        return _ABSENT
    words = [word for word in re.findall(r"[^\W\d_]{4,}", text)][1:]
    capitals = sum(word[0].isupper() for word in words)
    if text.isupper():
        case = "upper"
    elif len(words) > 1 and capitals * 5 >= len(words) * 4:
        case = "title"
    else:
        case = "lower" if text.islower() else "sentence"
    return f"{_markup(text)} {case}"


def _shape(text: str | None) -> str:
    """``2020-Jan`` as ``9999-aaa``: digits and letters alike, the rest as it is."""
    if not text:
        return _ABSENT
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text))[:16]


def _parts(link: str) -> tuple[str, str]:
    """Host and the rest; an address that cannot be split is all host."""
    try:
        split = urlsplit(link)
    except ValueError:
        return link, ""
    return split.netloc, split._replace(netloc="").geturl()


def _host(link: str | None) -> str:
    return _parts(link)[0] if link else _ABSENT


def _link_shape(link: str | None) -> str:
    """Scheme, closing slash, query and fragment; a path names the record, so it is content."""
    if not link:
        return _ABSENT
    rest = _parts(link)[1]
    marks = [mark for mark in "?#&%" if mark in rest]
    return " ".join([link.partition(":")[0], *marks, "/" if link.endswith("/") else ""])


def _overlap(view: View) -> str:
    """How many fifths of the need's words of four letters or more the text holds."""
    need = {word for word in _WORD.findall(fold(view.need)) if len(word) > 3}
    text = set(_WORD.findall(fold(f"{view.title or ''} {view.abstract or ''}")))
    return str(5 * len(need & text) // len(need)) if need else _ABSENT


def _repeats(items: Sequence[Shown]) -> tuple[str, ...]:
    """How many other items of the need have the same title, punctuation aside."""
    keys = [
        (item.pooled.query_id, " ".join(_WORD.findall(fold(item.view.title or ""))))
        for item in items
    ]
    counts = Counter(keys)
    return tuple(str(min(counts[key] - 1, 2)) if key[1] else "0" for key in keys)


def _places(items: Sequence[Shown], order: Sequence[int]) -> list[tuple[int, int]]:
    """Each item's place within its need, from 0, and the size of the need.

    Within, since the order of needs says nothing that the need itself does not.
    """
    by_need: dict[str, list[int]] = {}
    for index in sorted(range(len(items)), key=lambda index: order[index]):
        by_need.setdefault(items[index].pooled.query_id, []).append(index)
    places = [(0, 1)] * len(items)
    for indices in by_need.values():
        for place, index in enumerate(indices):
            places[index] = (place, len(indices))
    return places
