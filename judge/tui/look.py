"""Colours: dark, light, high contrast, or none. They help the eye; the meaning is in the words."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import App
from textual.theme import Theme

from judge.errors import Invalid

HIGH_CONTRAST = Theme(
    name="judge-contrast",
    primary="#ffff00",
    accent="#ffff00",
    warning="#ffff00",
    error="#ffff00",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#000000",
    dark=True,
    variables={"text-muted": "#ffffff", "text-accent": "#ffff00", "text-warning": "#ffff00"},
)
"""White and yellow on black, nothing dimmed: 21:1 and 19:1."""

LOOKS = {"dark": "textual-dark", "light": "textual-light", "contrast": HIGH_CONTRAST.name}
NO_COLOUR = "ansi-dark"
"""The theme that draws in the terminal's own two colours under ``NO_COLOR``."""


def chosen_look(environment: Mapping[str, str]) -> str:
    """The theme to begin with, from ``JUDGE_THEME``. Raises `Invalid` for an unknown one."""
    if "NO_COLOR" in environment:
        return NO_COLOUR
    wanted = environment.get("JUDGE_THEME") or "dark"
    if wanted not in LOOKS:
        raise Invalid(f"JUDGE_THEME is {wanted!r}; it can be {', '.join(LOOKS)}")
    return LOOKS[wanted]


def next_look(app: App[None]) -> str:
    """Changes to the next set of colours; says which."""
    if app.theme == NO_COLOUR:
        return "NO_COLOR is set: there are no colours to choose"
    names = list(LOOKS)
    themes = list(LOOKS.values())
    number = (themes.index(app.theme) + 1) % len(themes)
    app.theme = themes[number]
    return f"colours: {names[number]}"
