"""The fake service as a described one, so that the command line can ask it."""

from __future__ import annotations


def described(at: str = "header", *, paid: bool = False, interval: str = "0.001") -> str:
    """A description of the fake service; the key goes into a header or a parameter."""
    header = '"X-Api-Key" = "${ENV:FAKE_API_KEY}"' if at == "header" else ""
    param = ', api_key = "${ENV:FAKE_API_KEY}"' if at == "param" else ""
    return f"""
name = "fake"
adapter = "1"
paid = {str(paid).lower()}
min_interval_s = {interval}
concurrency = 4
max_depth = 100
unverified = ["whether it exists"]

[request]
method = "GET"
url = "https://fake.example/search"
redirect = "refuse"
params = {{ q = "{{query}}", page = "{{page}}"{param} }}
headers = {{ {header} }}

[paging]
kind = "page"
base = 1
size = 2
end_path = "/last"

[reply]
hits = "/results"
error = "/error"
notices = ["/warnings"]
refusal = {{ status = [422], pattern = "too broad" }}

[fields]
id = "/id"
title = "/title"

[modes.b]
operators = ["AND"]
"""
