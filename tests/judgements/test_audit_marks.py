"""What may never be in a packet is found wherever it is planted (L1, L3, L4, L7, L8, L12)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from judge.judgements.audit import known_of, leak_audit, leaks, marks
from judge.judgements.visible import Shown
from judge.records.judgement import View
from judge.records.protocol import Reason
from judge.records.query import Query, Translation
from tests.judgements.audited import KNOWN, PACKET, clean
from tests.steps.studies import TWO_ASSESSORS


def reason(text: str) -> Reason:
    return Reason(code="r", key="r", labels=("relevant",), text=text, clause="1")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"study_title": "Lexisearch tested"}, "the study title names 'Lexisearch'"),
        ({"study_title": "A semantic study"}, "the study title names 'semantic'"),
        ({"packet_id": "keyword-1"}, "the packet id names 'keyword'"),
        (
            {"rubric": "See https://api.lexisearch.example/help."},
            "the rubric names 'api.lexisearch.example'",
        ),
        (
            {"reasons": (reason("as in r1/lexisearch/q1/1"),)},
            "reason r names 'r1/lexisearch/q1/1'",
        ),
    ],
)
def test_a_name_in_the_head_is_refused(change: dict[str, Any], said: str) -> None:
    packet = msgspec.structs.replace(PACKET, **change)
    found = marks(packet, clean(), KNOWN)
    assert found == (said,)
    assert leaks(leak_audit(packet, clean(10)), found) == (said,)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda item: replace(item, item_id="semantic-7"), "field 'id' names 'semantic'"),
        (lambda item: with_view(item, type="keyword hit"), "field 'type' names 'keyword'"),
        (
            lambda item: with_view(item, link=f"{item.view.link}?from=lexisearch"),
            "field 'link' is not the canonical link of its record",
        ),
        (lambda item: with_view(item, link=None), "field 'link' is not the canonical link of its"),
        (
            lambda item: with_view(item, need='Papers: "aspirin" AND stroke'),
            "field 'need' holds the submitted text",
        ),
        (
            lambda item: replace(item, item_id=number_of(item)),
            "its id follows from the record's own number",
        ),
        (
            lambda item: replace(
                item, item_id=hashlib.sha256(number_of(item).encode()).hexdigest()[:16]
            ),
            "its id follows from the record's own number",
        ),
    ],
)
def test_a_mark_on_an_item_is_refused(change: Callable[[Shown], Shown], said: str) -> None:
    items = clean()
    found = marks(PACKET, [change(items[0]), *items[1:]], KNOWN)
    assert len(found) == 1
    assert found[0].startswith(f"item 1: {said}")


def with_view(item: Shown, **fields: Any) -> Shown:
    return replace(item, view=msgspec.structs.replace(item.view, **fields))


def number_of(item: Shown) -> str:
    return item.pooled.record_id.removeprefix("pmid:")


def test_a_record_twice_under_one_need_and_an_id_twice_are_refused() -> None:
    items = clean()
    again = replace(items[0], position=81, item_id="0" * 16)
    assert marks(PACKET, [*items, again], KNOWN) == ("1 records stand twice under one need",)
    one_id = [replace(items[0], item_id=items[1].item_id), *items[1:]]
    assert marks(PACKET, one_id, KNOWN) == ("two items have one id",)


def test_words_that_stand_there_by_right_are_no_marks() -> None:
    items = clean()
    title = with_view(items[0], title="Keyword and semantic search", abstract="lexisearch")
    assert marks(PACKET, [title, *items[1:]], KNOWN) == ()  # the rubric says keyword, too
    longer = msgspec.structs.replace(PACKET, study_title="Keywords, and semantics")
    assert marks(longer, items, KNOWN) == ()  # whole words alone count


@pytest.mark.parametrize("field", ["score", "rank", "system", "version"])
def test_a_field_that_only_one_service_has_cannot_be_in_a_view(field: str) -> None:
    plain = msgspec.to_builtins(clean(1)[0].view)
    with pytest.raises(msgspec.ValidationError, match=f"unknown field `{field}`"):
        msgspec.convert({**plain, field: "1"}, View, strict=True)


def test_what_is_known_of_a_study() -> None:
    query = Query(
        id="q1",
        family="f",
        need="Papers on zinc.",
        text="zinc",
        expected="ordinary",
        translations={"S": Translation(text="about zinc", note="plain")},
    )
    known = known_of(TWO_ASSESSORS, [query], [])
    assert known.names == ("keyword", "semantic")  # the codes K and S stand in any text
    assert known.hosts == ()
    assert known.submitted == {"q1": ("about zinc", "zinc")}
