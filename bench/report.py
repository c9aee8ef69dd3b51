"""A large report: seconds for each of its forms, and where the time goes.

    python -m bench.report [QUERIES] [SYSTEMS]

200 queries at six systems, judged by two assessors, k = 5 and 10, every pair compared, made in
memory. The figures, of which there are dozens, are part of the HTML.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TypeVar

from bench.report_data import large
from judge.reports.build import build
from judge.reports.render.data import report_json
from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown

Result = TypeVar("Result")

QUERIES = 200
SYSTEMS = 6
MOST_SECONDS = 10.0


def main() -> int:
    """Prints the seconds of each part; returns 1 where they are too many together."""
    queries = int(sys.argv[1]) if len(sys.argv) > 1 else QUERIES
    systems = int(sys.argv[2]) if len(sys.argv) > 2 else SYSTEMS
    material = large(queries, systems)
    print(f"report: {queries} queries, {systems} systems, {len(material.items):,} judged items")
    total = 0.0

    def timed(name: str, work: Callable[[], Result]) -> Result:
        nonlocal total
        start = time.perf_counter()
        result = work()
        seconds = time.perf_counter() - start
        total += seconds
        size = f"  {len(result) / 1e6:6.1f} MB" if isinstance(result, bytes | str) else ""
        print(f"  {name:<12}{seconds:6.2f} s{size}")
        return result

    report = timed("numbers", lambda: build(material, version="0"))
    timed("JSON", lambda: report_json(report))
    timed("Markdown", lambda: render_markdown(report))
    page = timed("HTML", lambda: render_html(report))
    print(
        f"  {page.count('<svg')} figures; {total:.2f} s: {total / MOST_SECONDS:.2f} of the time "
        "allowed"
    )
    return int(total > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
