"""Packets of failure review that come back: checked like any other, and for their codes too."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from judge.errors import Integrity, Invalid, Refused
from judge.records.judgement import FailureCategory, LabelEvent
from judge.steps.context import Context
from judge.steps.judging import (
    collect_packet,
)
from judge.steps.reviewing import failure_packet
from tests.steps.acts import (
    at,
    refused,
    rewrite,
)
from tests.steps.reviews import code_packet, declare, literal
from tests.steps.studies import without_triggers


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return declare(at("settled", tmp_path))


def coded(context: Context) -> Path:
    path = failure_packet(context, "A")
    code_packet(path, literal)
    return path


def test_the_same_packet_twice_changes_nothing(context: Context) -> None:
    path = coded(context)
    assert collect_packet(context, path, "A").events > 0
    assert collect_packet(context, path, "A").events == 0


def test_the_packet_of_another_person_is_refused(context: Context) -> None:
    refused(context, coded(context), "D", Refused, "this is the packet of A, not of D")


def test_a_packet_of_another_study_is_refused(context: Context, tmp_path: Path) -> None:
    other = declare(at("settled", tmp_path / "other"))
    path = coded(context)
    refused(other, path, None, Refused, "was not dealt by this study")


def test_a_packet_that_is_not_handed_in_is_refused(context: Context) -> None:
    path = failure_packet(context, "A")
    code_packet(path, literal, hand_in=False)
    refused(context, path, "A", Refused, "A has not handed in")


def test_a_packet_that_was_cut_short_is_refused(context: Context) -> None:
    path = coded(context)
    without_triggers(path, ("DELETE FROM label_event WHERE seq = 2", ()))
    refused(context, path, "A", Integrity, "the chain of labels is broken")


def test_a_view_that_was_changed_is_refused(context: Context) -> None:
    path = coded(context)
    with closing(sqlite3.connect(path)) as connection:
        (body,) = connection.execute("SELECT body FROM view LIMIT 1").fetchone()
    changed = body.replace('"system":"', '"system":"x')
    without_triggers(path, ("UPDATE view SET body = ? WHERE body = ?", (changed, body)))
    refused(context, path, "A", Integrity, "a view does not match its digest")


@pytest.mark.parametrize(
    ("categories", "note", "words"),
    [
        (("timeout",), "", "timeout cannot be named here"),
        (("other",), "", "'other' without a note"),
    ],
)
def test_a_forged_code_is_refused(
    context: Context, categories: tuple[FailureCategory, ...], note: str, words: str
) -> None:
    def forged(events: list[LabelEvent]) -> list[LabelEvent]:
        return [
            msgspec.structs.replace(one, categories=categories, note=note)
            if one.kind == "code"
            else one
            for one in events
        ]

    path = coded(context)
    rewrite(path, forged)
    refused(context, path, "A", Invalid, words)


def test_a_label_has_no_place_in_failure_review(context: Context) -> None:
    def forged(events: list[LabelEvent]) -> list[LabelEvent]:
        label = msgspec.structs.replace(
            events[0],
            kind="label",
            label="relevant",
            reason="on_topic",
            categories=(),
            evidence="abstract",
        )
        return [label, *events]

    path = coded(context)
    rewrite(path, forged)
    refused(context, path, "A", Invalid, "a label in a packet of kind failures")
