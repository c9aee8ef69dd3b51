"""matplotlib's SVG made fit to stand inside a page, the same on every machine.

What it writes is a document of its own: with a style sheet that would reach the whole page, style
attributes that a strict Content-Security-Policy blocks, ids that clash with those of the next
figure, and more digits than two machines agree on. Here each style becomes presentation
attributes, ids get the figure's name, coordinates two decimals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_REFERENCE = re.compile(r"#([\w.-]+)")
_NOWHERE = re.compile(r"rotate\(-?0(?:\s[^)]*)?\)")
_DROPPED = {"metadata", "style"}
_PLAIN = {"font-family", "stroke-dashoffset"}
"""Set once in the page's style sheet, or written as their defaults."""
_GEOMETRY = {"d", "x", "y", "width", "height", "transform", "stroke-width", "stroke-dasharray"}


def inline(
    source: str,
    prefix: str,
    width: int,
    height: int,
    title: str,
    description: str,
    texts: list[str],
) -> str:
    """The ``<svg>`` element of a figure, as text.

    ``texts`` are the words of the figure: the text elements of ``source`` hold their places in
    that list, so that no word ever passes through matplotlib, which would read markup in it.
    """
    root = ElementTree.fromstring(source)
    parts = [_element(child, prefix, texts) for child in root]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" stroke-linejoin="round" '
        f'aria-labelledby="{prefix}-title {prefix}-desc">\n'
        f'<title id="{prefix}-title">{escape(title)}</title>\n'
        f'<desc id="{prefix}-desc">{escape(description)}</desc>\n' + "".join(parts) + "</svg>"
    )


def _element(element: ElementTree.Element, prefix: str, texts: list[str]) -> str:
    name = _local(element.tag)
    if name in _DROPPED:
        return ""
    inner = "".join(_element(child, prefix, texts) for child in element)
    if name == "text":
        inner = escape(texts[int(element.text or "")])
    elif not inner and name in ("g", "defs"):
        return ""
    attributes = "".join(
        f" {key}={quoteattr(value)}" for key, value in _attributes(element, prefix).items()
    )
    if name == "g" and not attributes:
        return inner
    end = f">{inner}</{name}>" if inner else "/>"
    return f"<{name}{attributes}{end}" + ("" if name == "text" else "\n")


def _attributes(element: ElementTree.Element, prefix: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for key, value in element.attrib.items():
        if key == "style":
            for one in filter(None, (part.strip() for part in value.split(";"))):
                prop, _, setting = one.partition(":")
                if prop.strip() not in _PLAIN:
                    found[prop.strip()] = setting.strip()
        else:
            found[_local(key)] = value
    if _local(element.tag) == "g":
        # Named for the artist, and referred to by nothing.
        found.pop("id", None)
    if _NOWHERE.fullmatch(found.get("transform", "")):
        del found["transform"]
    return {key: _value(key, value, prefix) for key, value in found.items()}


def _value(key: str, value: str, prefix: str) -> str:
    if key == "id":
        return f"{prefix}-{value}"
    if key in _GEOMETRY:
        value = _NUMBER.sub(_short, " ".join(value.split()))
    elif key == "href" or value.startswith("url("):
        value = _REFERENCE.sub(rf"#{prefix}-\1", value)
    return value


def _short(number: re.Match[str]) -> str:
    text = f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _local(name: str) -> str:
    return name.rpartition("}")[2]
