"""What may not stand in the description of a service: refused whole, with every problem named."""

from __future__ import annotations

import pytest

from judge.errors import Invalid
from judge.runs.described import load_described
from tests.runs.providers.descriptions import plain


def problems(*changes: tuple[str, str]) -> str:
    with pytest.raises(Invalid) as caught:
        plain(*changes)
    return "\n".join(map(str, caught.value.problems))


@pytest.mark.parametrize(
    ("old", "new", "said_so"),
    [
        ("paid = true", "paid = true\nretries = 3", "unknown key"),
        ("[fields]", "[fields]\npmdi = '/x'", "did you mean 'pmid'?"),
        ("paid = true", "", "paid: missing"),
        ("${ENV:PLAIN_KEY}", "sk-abcdefghijklmnop", "looks like a key in the clear"),
        ("${ENV:PLAIN_KEY}", "short", "looks like a key in the clear"),
        ("X-Key = \"${ENV:PLAIN_KEY}\"", "X-Trace = \"Bearer abc\"", "looks like a key"),
        (
            "X-Key = \"${ENV:PLAIN_KEY}\"",
            "X-Trace = \"0f8fad5b-d9cb-469f-a165-70867728950e\"",
            "looks like a key",
        ),
        ("${ENV:PLAIN_KEY}", "${ENV:plain}", "in capitals"),
        ("${ENV:PLAIN_KEY}", "${ENV:A}${ENV:B}", "at the end of the value"),
        ("${ENV:PLAIN_KEY}", "abc123 ${ENV:A}", "a scheme such as Bearer"),
        ('kinds = ["paper"]', 'kinds = ["${ENV:A}"]', "never into a body"),
        ('kinds = ["paper"]', 'api_key = "x"', "looks like a key in the clear"),
        ("https://plain.example", "http://plain.example", "http sends keys in the clear"),
        ("https://plain.example", "http://127.0.0.1.evil.example", "http sends keys"),
        ("https://plain.example", "https://me:pw@plain.example", "no user and no password"),
        ("/search", "/search?key=abc", "scheme, host and path alone"),
        ("https://plain.example/search", "/search", "https:// and a host"),
        ("https://plain.example/search", "https://[bad", "request.url"),
        ('method = "POST"', 'method = "PUT"', "one of GET, POST"),
        ('method = "POST"', 'method = "GET"', "a GET has no body"),
        ('method = "POST"', 'method = "POST"\nredirect = "follow"', "one of refuse"),
        ('q = "{query}"', 'q = "({query}) AND x"', "the query is sent as it is"),
        ('q = "{query}"', 'q = "x"', "{query} stands 0 times"),
        ('kinds = ["paper"]', 'again = "{query}"', "{query} stands 2 times"),
        ("{cursor}", "{curser}", "unknown place {curser}"),
        ('kinds = ["paper"]', 'odd = "{x y}"', "a brace that belongs to no place"),
        ("{cursor}", "{offset}", "{cursor} is missing"),
        ('kinds = ["paper"]', 'start = "{offset}"', "{offset} has no use"),
        ('next_path = "/next"', "", "paging.next_path: missing"),
        ('hits = "/found/items"', 'hits = "found.items"', "is no JSON Pointer"),
        ('hits = "/found/items"', 'hits = "/a~2b"', "is no JSON Pointer"),
        ('empty_pattern = "^nothing found$"', 'empty_pattern = "("', "is no pattern"),
        ("[modes.all]", "", "modes"),
        ("[modes.all]", "[modes.a]\n[modes.b]", "{mode} is missing"),
        ('[modes.all]', '[modes.all]\noperators = ["NEAR"]', "'NEAR' is not allowed"),
        ("size = 20", "size = 0", "paging.size: 0: 1 at least"),
        ("max_depth = 40", "max_depth = -1", "max_depth: -1: 1 at least"),
        ("min_interval_s = 1", "min_interval_s = nan", "min_interval_s: nan"),
        ("min_interval_s = 1", "min_interval_s = inf", "min_interval_s: inf"),
        ("max_depth = 40", "max_depth = 40\nconcurrency = 9", "four at most"),
        ('name = "plain"', 'name = "Plain service"', "small letters"),
        ('adapter = "1"', 'adapter = "1 b"', "letters, digits"),
    ],
)  # fmt: skip
def test_a_description_is_refused(old: str, new: str, said_so: str) -> None:
    assert said_so in problems((old, new))


def test_a_result_needs_something_that_names_it() -> None:
    fields = ('url = "/address"', ""), ('pmid = "/ids/0"', "")
    assert "nothing would name a result" in problems(*fields)
    assert plain(fields[0]).facts.name == "plain"


def test_every_problem_is_named_at_once() -> None:
    found = problems(
        ("https://plain.example", "http://plain.example"),
        ("${ENV:PLAIN_KEY}", "sk-abcdefghijklmnop"),
        ('hits = "/found/items"', 'hits = "items"'),
    )
    assert found.count("\n") == 2
    assert "sk-abcdefghijklmnop" not in found


def test_a_refusal_needs_words_that_name_it() -> None:
    refusal = 'refusal = { status = [422], pattern = "" }\nerror = "/problem"'
    assert "it would take every reply" in problems(('error = "/problem"', refusal))


def test_a_file_that_is_no_toml_is_refused() -> None:
    with pytest.raises(Invalid):
        load_described(b"name = ", "x.toml")
