"""What a reader's browser makes of the page: its policy, its contrast, its print."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from judge.records.report import Report
from judge.reports.build import build
from judge.reports.figures.style import GROUND, INK, QUIET, SERIES, ZERO, tint
from judge.reports.render.html import render_html
from tests.reports.render.pages import read_html
from tests.reports.studies import study

# How each colour of the style sheet is used: whoever adds one has to say.
TEXT = {"ink", "quiet", "mark"}
GROUNDS = {"ground", "band", "banner"}
GRAPHICS = {"mark", "banner-line", "quiet", "ink"}
DECORATION = {"line"}  # rules between rows: rows are told apart by their space as well
CARD = {"card"}  # under figures, which bring their own ink


def style_sheet(page: str) -> str:
    (css,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    return str(css)


def luminance(colour: str) -> float:
    """Relative luminance after WCAG 2.2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def schemes(page: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The custom properties in light, in dark and in print, each over those before it."""
    light, *rest = (
        dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})", block))
        for block in re.findall(r":root\s*{(.*?)}", style_sheet(page), re.DOTALL)
    )
    yield "light", light
    for name, changed in zip(("dark", "print"), rest, strict=True):
        yield name, light | changed


def test_the_contrast_of_wcag_is_computed_as_published() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast("#0072b2", "#ffffff") == pytest.approx(5.19, abs=0.02)


def test_text_and_marks_stand_out_in_every_scheme(report: Report) -> None:
    found = dict(schemes(render_html(report)))
    assert set(found) == {"light", "dark", "print"}
    for name, colours in found.items():
        assert set(colours) == TEXT | GROUNDS | GRAPHICS | DECORATION | CARD, name
        for text, ground in product(TEXT, GROUNDS):
            assert contrast(colours[text], colours[ground]) >= 4.5, (name, text, ground)
        for mark, ground in product(GRAPHICS, GROUNDS):
            assert contrast(colours[mark], colours[ground]) >= 3, (name, mark, ground)


def test_no_colour_is_set_outside_the_custom_properties(report: Report) -> None:
    css = re.sub(r":root\s*{.*?}", "", style_sheet(render_html(report)), flags=re.DOTALL)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgb|hsl", re.sub(r"#t-[\w-]+", "", css)) == []


def test_figures_stand_on_white_with_series_of_3_to_1_and_text_of_4_5_to_1(report: Report) -> None:
    for name, colours in schemes(render_html(report)):
        assert colours["card"] == GROUND.lower() == "#ffffff", name
    assert all(contrast(one.colour, GROUND) >= 3 for one in SERIES)
    assert contrast(ZERO, GROUND) >= 3
    assert contrast(QUIET, GROUND) >= 4.5
    assert all(contrast(INK, tint(share / 10)) >= 7 for share in range(11))
    assert len({one.colour for one in SERIES}) == len({one.marker for one in SERIES}) == 6
    assert len({one.hatch for one in SERIES}) == 6


def test_the_one_style_sheet_is_allowed_by_its_hash_and_nothing_else_is(report: Report) -> None:
    page = render_html(report)
    (policy,) = (
        attrs["content"]
        for tag, attrs in read_html(page).tags
        if tag == "meta" and attrs.get("http-equiv") == "Content-Security-Policy"
    )
    digest = base64.b64encode(hashlib.sha256(style_sheet(page).encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )


def test_no_element_carries_a_style_or_a_handler_and_all_references_stay_inside(
    report: Report,
) -> None:
    page = render_html(report)
    tags = read_html(page).tags
    assert "svg" in {tag for tag, _ in tags}
    names = {name for _, attrs in tags for name in attrs}
    assert "style" not in names
    assert not [name for name in names if name.startswith("on")]
    assert [tag for tag, _ in tags].count("style") == 1
    ids = [str(attrs["id"]) for _, attrs in tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    used = [
        *re.findall(r"url\(([^)]*)\)", page),
        *(str(attrs["href"]) for _, attrs in tags if "href" in attrs),
    ]
    assert used
    assert {one.removeprefix("#") for one in used} <= set(ids)
    assert all(one.startswith("#") for one in used)
    labels = [str(attrs["aria-labelledby"]) for _, attrs in tags if "aria-labelledby" in attrs]
    assert {one for label in labels for one in label.split()} <= set(ids)


def test_a_wide_table_scrolls_in_a_region_that_a_keyboard_reaches(report: Report) -> None:
    page = render_html(report)
    tags = read_html(page).tags
    regions = [attrs for tag, attrs in tags if attrs.get("role") == "region"]
    tables = [tag for tag, _ in tags if tag in ("table", "svg")]
    assert len(regions) == len(tables)
    assert all(attrs["tabindex"] == "0" and attrs["aria-label"] for attrs in regions)
    assert re.search(r"\.scroll\s*{[^}]*overflow-x:\s*auto", style_sheet(page))


def test_the_first_link_skips_to_the_report(report: Report) -> None:
    tags = read_html(render_html(report)).tags
    links = [attrs["href"] for tag, attrs in tags if tag == "a"]
    assert links[0] == "#report"
    assert ("main", {"id": "report"}) in tags


def test_paper_is_a4_with_heads_repeated_and_no_figure_cut(report: Report) -> None:
    css = style_sheet(render_html(report))
    assert re.search(r"@page\s*{[^}]*size:\s*A4", css)
    paper = css[css.index("@media print") :]
    assert re.search(r"thead\s*{[^}]*table-header-group", paper)
    kept = re.search(r"([^{}]*){ break-inside: avoid; }", paper)
    assert kept is not None
    assert {"tr", "figure", ".keep"} <= {one.strip() for one in kept[1].split(",")}


@pytest.mark.parametrize("dark", [False, True])
def test_a_browser_shows_the_figures_and_the_style_under_the_policy(
    dark: bool, tmp_path: Path
) -> None:
    """A policy that blocks what the page needs shows in no parser; a browser's picture tells."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("no chromium on this machine to look with")
    from PIL import Image

    page, picture = tmp_path / "report.html", tmp_path / "report.png"
    page.write_text(render_html(build(study(), version="0.0")), encoding="utf-8")
    subprocess.run(
        [
            *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
            *("--force-device-scale-factor=1", "--window-size=1000,14000"),
            *(["--blink-settings=preferredColorScheme=0"] if dark else []),
            f"--user-data-dir={tmp_path / 'profile'}",
            *(f"--screenshot={picture}", page.as_uri()),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    with Image.open(picture) as image:
        seen = {
            colour: count for count, colour in image.convert("RGB").getcolors(maxcolors=2**24) or []
        }
    blue, ground = (0, 0x72, 0xB2), (0x14, 0x17, 0x1A) if dark else (255, 255, 255)
    assert seen[blue] > 500
    assert max(seen, key=lambda colour: seen[colour]) == ground
