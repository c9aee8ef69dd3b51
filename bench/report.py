"""A large report: `judge report` from the store to its files, and the seconds of each part.

    python -m bench.report [QUERIES] [SYSTEMS]

200 queries at six systems, labels of two assessors, k = 5 and 10, every pair compared. The figures,
of which there are dozens, are part of the HTML.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from bench.report_data import large, stored
from judge.reports.build import build
from judge.reports.material import Material
from judge.reports.render.data import report_json
from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown

Result = TypeVar("Result")

QUERIES = 200
SYSTEMS = 6
MOST_SECONDS = 10.0


def main() -> int:
    """Prints the seconds; returns 1 where the command takes too many."""
    queries = int(sys.argv[1]) if len(sys.argv) > 1 else QUERIES
    systems = int(sys.argv[2]) if len(sys.argv) > 2 else SYSTEMS
    material = large(queries, systems)
    print(f"report: {queries} queries, {systems} systems, {len(material.items):,} judged items")
    with tempfile.TemporaryDirectory() as folder:
        stored(Path(folder), material)
        seconds = _command(Path(folder))
    _parts(material)
    print(
        f"  judge report, from the store to the files: {seconds:.2f} s, "
        f"{seconds / MOST_SECONDS:.2f} of the time allowed"
    )
    return int(seconds > MOST_SECONDS)


def _command(folder: Path) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "judge", "report", "--study", str(folder)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - start


def _parts(material: Material) -> None:
    """The same numbers once more, in this process, part by part."""
    report = _timed("numbers", lambda: build(material, version="0"))
    _timed("JSON", lambda: report_json(report))
    _timed("Markdown", lambda: render_markdown(report))
    page = _timed("HTML", lambda: render_html(report))
    print(f"  {page.count('<svg')} figures in the HTML")


def _timed(name: str, work: Callable[[], Result]) -> Result:
    start = time.perf_counter()
    result = work()
    seconds = time.perf_counter() - start
    size = f"  {len(result) / 1e6:6.1f} MB" if isinstance(result, bytes | str) else ""
    print(f"  {name:<12}{seconds:6.2f} s{size}")
    return result


if __name__ == "__main__":
    sys.exit(main())
