"""A description of a service, and the same with parts of it changed."""

from __future__ import annotations

from judge.runs.described import load_described
from judge.runs.providers.paging import Paged

PLAIN = """
name = "plain"
adapter = "1"
paid = true
min_interval_s = 1
max_depth = 40

[request]
method = "POST"
url = "https://plain.example/search"
headers = { X-Key = "${ENV:PLAIN_KEY}" }

[request.body]
q = "{query}"
options = { size = "{page_size}", cursor = "{cursor}", until = "{max_year}", kinds = ["paper"] }

[paging]
kind = "cursor"
size = 20
next_path = "/next"

[reply]
hits = "/found/items"
empty_pattern = "^nothing found$"
error = "/problem"

[fields]
url = "/address"
title = "/name"
pmid = "/ids/0"
date = "/when"
retracted = "/withdrawn"
score = "/score"

[modes.all]
"""


def plain(*changes: tuple[str, str]) -> Paged:
    text = PLAIN
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return load_described(text.encode("utf-8"), "plain.toml")
