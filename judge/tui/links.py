"""Opening a link from a terminal: in the browser of the desktop, where there is one."""

from __future__ import annotations

import os
import subprocess
import sys
import webbrowser
from collections.abc import Mapping
from urllib.parse import urlsplit


def is_web_address(link: str) -> bool:
    """Whether a link may be given to a browser or put on the clipboard: http(s), one line."""
    if not link.isprintable() or " " in link:
        return False
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def has_display(platform: str, environment: Mapping[str, str]) -> bool:
    """Whether a window that opens here would be seen by the person at the keyboard."""
    if "SSH_CONNECTION" in environment and "DISPLAY" not in environment:
        return False
    if platform in ("darwin", "win32"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_in_browser(link: str) -> bool:
    """Opens a web address in a new process; False where there is no browser to show it.

    A process of its own, without this terminal: what a browser prints would be drawn over the
    desk, and a browser for terminals would take its keys.
    """
    if not has_display(sys.platform, os.environ):
        return False
    try:
        webbrowser.get()
        subprocess.Popen(
            [sys.executable, "-m", "webbrowser", "-t", link],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (webbrowser.Error, OSError):
        return False
    return True
