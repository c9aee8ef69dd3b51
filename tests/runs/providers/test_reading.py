"""Strict JSON, text that can be kept, titles and dates."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.runs.providers.reading import (
    NoListError,
    block_page,
    error_words,
    looks_like_page,
    notices,
    own_id,
    read_date,
    read_object,
    rows,
    said,
    strip_markup,
    text,
    title,
    whole,
    year,
)
from tests.runs.providers.support import reply

# --- the body -----------------------------------------------------------------------------------


def why(body: bytes) -> str:
    with pytest.raises(NoListError) as caught:
        read_object(body)
    return f"{caught.value.kind}: {caught.value.text}"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "malformed"),
        (b'{"results": [{"a"', "malformed"),
        (b'{"a": "\xc3', "malformed"),
        (b"\xff\xfe{}", "malformed"),
        (b'{"a": 1, "a": 2}', "bad_reply"),
        (b'{"a": NaN}', "bad_reply"),
        (b'{"a": -Infinity}', "bad_reply"),
        (b"[" * 100_000, "bad_reply"),
        (b"[1]", "bad_reply"),
        (b"null", "bad_reply"),
        (b"<!DOCTYPE html><html></html>", "bad_reply"),
        (b"\n<html lang='en'><title>Sorry</title>", "bad_reply"),
        (b"<?xml version='1.0'?><error/>", "bad_reply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "bad_reply"),
    ],
)
def test_what_is_no_whole_strict_json(body: bytes, kind: str) -> None:
    assert why(body).startswith(f"{kind}: ")


def test_numbers_with_a_point_stay_the_text_they_were_written_as() -> None:
    body = b'\xef\xbb\xbf{"a": 0.30, "b": 1E400, "c": -0.0, "d": 12}'
    assert read_object(body) == {"a": "0.30", "b": "1E400", "c": "-0.0", "d": 12}


def test_a_list_of_results_is_there_or_the_reply_is_bad() -> None:
    assert rows({"web": {"results": [None, {}]}}, "web", "results") == [None, {}]
    bad: list[Any] = [{}, {"web": []}, {"web": {"results": None}}, {"web": {"results": ["x"]}}]
    for top in bad:
        with pytest.raises(NoListError) as caught:
            rows(top, "web", "results")
        assert caught.value.kind == "bad_reply"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"code": "plan", "message": "Pro only"}}, "plan: Pro only"),
        ({"detail": [{"loc": ["query"], "msg": "missing", "type": "v"}]}, "v: missing: query"),
        ({"error": "no", "message": "spent"}, "no: spent"),
        ({"message": "Too Many Requests", "code": "429"}, "Too Many Requests"),
        (b"<html><head><title>403 &amp; out</title></head></html>", "403 & out"),
        (b"plain words\n in two lines", "plain words in two lines"),
        (b"", "an empty body"),
        (b"x" * 1000, "x" * 299 + "…"),
    ],
)
def test_the_services_own_words(body: Any, words: str) -> None:
    assert said(reply(body).body) == words


def test_words_of_an_object_alone_count_as_an_error() -> None:
    assert error_words(b'{"results": [{"title": "error: insufficient budget"}]}') == ""
    assert error_words(b"run out of searches") == ""


@pytest.mark.parametrize(
    ("body", "status", "blocked"),
    [
        (b"error code: 1010", 403, True),
        (b"error code: 1020", 403, True),
        (b"<html><title>Attention Required! | Cloudflare</title></html>", 403, True),
        (b"<html><title>Just a moment...</title></html>", 503, True),
        (b"<html><title>Just a moment...</title></html>", 200, True),
        (b"<html><title>502 Bad Gateway</title>cloudflare</html>", 502, False),
        (b'{"results": [{"title": "error 1010 and a captcha"}]}', 200, False),
        (b'{"error": "bad key"}', 403, False),
        (b"error code: 1010", 500, False),
    ],
)
def test_a_guard_that_turns_clients_away(body: bytes, status: int, blocked: bool) -> None:
    found = block_page(reply(body, status))
    assert (found is not None) is blocked
    assert found is None or found.kind == "blocked"


def test_a_title_with_a_tag_makes_no_page() -> None:
    assert not looks_like_page(b'{"results": [{"title": "Using <html> in class"}]}')
    assert looks_like_page(b" \n<!doctype HTML>")


# --- values -------------------------------------------------------------------------------------


def test_bug_17_a_lone_surrogate_is_replaced_in_derived_text_only() -> None:
    body = rb'{"a": "cut \ud83d", "b": "whole \ud83e\uddec"}'
    top = read_object(body)
    assert top["a"] == "cut \ud83d"
    assert text(top["a"]) == "cut \ufffd"
    assert text(top["b"]) == "whole 🧬"


@pytest.mark.parametrize(
    ("value", "found"),
    [(" a ", "a"), ("", None), ("  ", None), (7, "7"), (True, None), (None, None), ([], None)],
)
def test_text(value: Any, found: str | None) -> None:
    assert text(value) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [(7, 7), ("12", 12), ("1.0", None), ("-1", None), ("１", None), (True, None), ("9" * 99, None)],
)
def test_whole(value: Any, found: int | None) -> None:
    assert whole(value) == found


def test_a_result_without_a_name_is_named_by_what_was_sent() -> None:
    assert own_id({}, None, "", "b") == "b"
    first, same, other = own_id({"a": 1}), own_id({"a": 1}), own_id({"a": 2})
    assert first == same != other
    assert own_id(None).startswith("no-id:")
    assert own_id({"a": "\ud83d"}).startswith("no-id:")


def test_what_was_said_beside_a_list() -> None:
    kept = notices("warning", ["a", {"message": "b"}, {"odd": 1}, None, ""])
    assert [notice.text for notice in kept] == ["a", "b", '{"odd": 1}']
    assert notices("warning", None) == ()
    assert [notice.text for notice in notices("warning", "one")] == ["one"]


# --- titles -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Role of <i>TP53</i> at 1.73 m<sup>2</sup>", "Role of TP53 at 1.73 m2"),
        ("P<0.001; see <i>TP53</i> (n>5)", "P<0.001; see TP53 (n>5)"),
        ("CSR&amp;amp;D", "CSR&amp;D"),
        ("&lt;i&gt;", "<i>"),
        ("a<b and c>d", "a<b and c>d"),
        ('<mml:math xmlns="x"><mml:mi>α</mml:mi></mml:math>', "α"),
        ("<jats:italic>E. coli</jats:italic>", "E. coli"),
        ("1 < 2 > 0 and <3", "1 < 2 > 0 and <3"),
        ("AT&T, Q&A and salt&pepper", "AT&T, Q&A and salt&pepper"),
        ("&para and &copy", "&para and &copy"),
        ("caf&eacute; &#946;-amyloid &#x3b2; &nosuch;", "café β-amyloid β &nosuch;"),
        ("<i<b>x", "<ix"),
        ("benzo[a]pyrene", "benzo[a]pyrene"),
    ],
)
def test_bug_09_markup_goes_and_signs_stay(raw: str, shown: str) -> None:
    assert strip_markup(raw) == shown


def test_a_title_is_one_line_or_none() -> None:
    assert title("  Sleep\n of   zebrafish ") == "Sleep of zebrafish"
    assert (title(None), title(""), title("<i></i>"), title(["x"])) == (None, None, None, None)


@given(st.text(alphabet="<>&;/ab0 i=\"'#x", max_size=40))
def test_text_without_tags_and_references_is_left_alone(raw: str) -> None:
    stripped = strip_markup(raw)
    if "<" not in raw and "&" not in raw:
        assert stripped == raw
    assert len(stripped) <= len(raw)


# --- dates --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "parts", "precision"),
    [
        ([[None]], (None, None, None), "unknown"),
        ([[2020]], (2020, None, None), "year"),
        ([[2020, 5, 17]], (2020, 5, 17), "day"),
        ([2020, 5], (2020, 5, None), "month"),
        ([], (None, None, None), "unknown"),
        ("2020 Jan-Feb", (2020, None, None), "year"),
        ("Winter 2019", (2019, None, None), "year"),
        ("2020 Dec-2021 Jan", (2020, None, None), "year"),
        ("2020 Jan", (2020, 1, None), "month"),
        ("2020 Sept 5", (2020, 9, 5), "day"),
        ("2020-01-01", (2020, 1, 1), "day"),
        ("2020-01", (2020, 1, None), "month"),
        ("2001-05-01T00:00:00.000Z", (2001, 5, 1), "day"),
        (2020, (2020, None, None), "year"),
        ("2020-13-45", (2020, None, None), "year"),
        ("n.d.", (None, None, None), "unknown"),
        (True, (None, None, None), "unknown"),
        ({}, (None, None, None), "unknown"),
        ("12345678", (None, None, None), "unknown"),
    ],
)
def test_bug_10_a_date_says_how_much_of_it_is_known(
    value: Any, parts: tuple[int | None, ...], precision: str
) -> None:
    found = read_date(value)
    assert (found.year, found.month, found.day) == parts
    assert found.precision == precision


def test_bug_10_openalex_writes_a_year_as_its_first_day() -> None:
    assert read_date("2020-01-01", january_first_is_year=True).precision == "year"
    assert read_date("2020-02-01", january_first_is_year=True).precision == "day"
    assert year("2020-01-01") == "2020"


def test_bug_10_an_unknown_date_never_passes_a_cut_off() -> None:
    assert read_date("2014").by_end_of(2014) is True
    assert read_date("2015-01-01").by_end_of(2014) is False
    assert read_date([[None]]).by_end_of(2014) is None


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_a_date_is_read_out_of_anything(value: Any) -> None:
    found = read_date(value)
    assert found.year is None or 1000 <= found.year <= 2999
    assert not (found.year is None and found.month)
    assert not (found.month is None and found.day)
