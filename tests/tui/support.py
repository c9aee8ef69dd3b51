"""Packets, clocks and screens as text, for the tests of the desk."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from judge.judgements.sitting import Sitting
from judge.judgements.sittings import sit_down
from judge.records.judgement import Packet, Reveal, Side, View
from judge.records.protocol import Reason
from judge.store.desk import Desk
from judge.store.packet_file import PacketItem, create_packet
from judge.tui.app import DeskApp
from judge.tui.keymap import Keymap
from judge.tui.look import chosen_look
from judge.tui.screens.label import LabelScreen
from judge.tui.terms import Terms

GOLDEN = Path(__file__).parent / "golden"

REASONS = (
    Reason(
        code="about_the_need",
        key="a",
        labels=("relevant", "uncertain"),
        text="About the entity, organism and mechanism of the need",
        clause="1.1",
    ),
    Reason(
        code="wrong_organism",
        key="w",
        labels=("not_relevant", "uncertain"),
        text="Another organism than the need names",
        clause="2.1",
    ),
    Reason(
        code="mention_only",
        key="p",
        labels=("not_relevant",),
        text="Only mentioned in passing",
        clause="1.3",
    ),
    Reason(
        code="not_enough",
        key="s",
        labels=("uncertain", "cannot_judge"),
        text="What can be read does not settle it",
        clause="5.2",
    ),
)

RUBRIC = """# What counts as relevant (version 1)

Read the need first, then the title, then the abstract. One label, one reason; judge the record
as it stands.

## 1 Entity

1.1 The gene or drug of the need must be a subject of the record.

1.3 A passing mention does not count.

## 2 Organism

2.1 Where the need names people, work in mice does not count.
"""

NEED = "Does benzo[a]pyrene form DNA adducts in human liver cells?"
ABSTRACT = (
    "BACKGROUND: Benzo[a]pyrene is activated by CYP1A1 to a diol epoxide that binds to guanine. "
    "METHODS: Human hepatocytes from six donors were exposed to 0.1 to 10 µM for 24 h and adducts "
    "were counted by 32P-postlabelling. RESULTS: Adducts rose with dose in every donor (P<0.001); "
    "the spread between donors was 14-fold. CONCLUSION: Human liver cells form adducts at doses "
    "that occur in smokers."
)


def view(number: int, **changes: str | None) -> View:
    """The view of an item: title ``Title NN`` unless told otherwise."""
    fields: dict[str, str | None] = {
        "title": f"Title {number:02}: benzo[a]pyrene adducts in human hepatocytes",
        "journal": "Journal of Test Toxicology",
        "year": "2019",
        "type": "journal article",
        "abstract": ABSTRACT,
        "link": f"https://records.example/{number:06}",
        **changes,
    }
    return View(need=NEED, **fields)


def packet(items: int, **changes: object) -> Packet:
    """The head of a labelling packet of assessor A."""
    fields: dict[str, object] = {
        "packet_id": "p" * 8,
        "kind": "label",
        "assessor": "A",
        "origin": "blind",
        "study_title": "Adduct study 2026",
        "freeze_id": "0" * 64,
        "rubric_version": "1",
        "rubric": RUBRIC,
        "reasons": REASONS,
        "evidence_level": "abstract",
        "note": "optional",
        "items": items,
        "dealt_on": "2026-01-15",
        **changes,
    }
    return Packet(**fields)  # type: ignore[arg-type]


REVEAL = Reveal(
    first=Side(
        label="relevant",
        cannot_kind=None,
        reason="about_the_need",
        note="dose and donor counts are given",
        evidence="abstract",
    ),
    second=Side(
        label="not_relevant",
        cannot_kind=None,
        reason="wrong_organism",
        note="",
        evidence="full_text",
    ),
)


def make_packet(
    path: Path,
    views: list[View] | int = 3,
    *,
    reveals: list[Reveal] | None = None,
    **changes: object,
) -> Path:
    """Writes a packet of ``views`` (or of so many ordinary ones) to ``path``."""
    if isinstance(views, int):
        views = [view(number) for number in range(1, views + 1)]
    create_packet(
        path,
        packet(len(views), **changes),
        [
            PacketItem(f"i{number:04}", shown, reveals[number] if reveals else None)
            for number, shown in enumerate(views)
        ],
    )
    return path


@dataclass
class Clock:
    """A monotonic clock that a test moves."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Bench:
    """An app under test: its pilot, its clock, and shorthands."""

    app: DeskApp
    pilot: Pilot[None]
    clock: Clock
    desk: Desk

    @property
    def sitting(self) -> Sitting:
        """The sitting behind the screens."""
        return self.app.seat.sitting

    @property
    def label(self) -> LabelScreen:
        """The label screen, whatever lies over it."""
        return next(s for s in self.app.screen_stack if isinstance(s, LabelScreen))

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits for a condition, ten seconds at most."""
        with anyio.fail_after(10):
            while not condition():
                await self.pilot.pause()

    async def rest(self) -> None:
        """Waits until nothing is being saved or read and the screen is drawn."""
        quiet = 0
        with anyio.fail_after(10):
            while quiet < 2:
                await self.pilot.pause()
                quiet = quiet + 1 if not self.app.seat.busy and drawn(self.app.screen) else 0

    async def press(self, *keys: str, after: float = 5.0) -> None:
        """Presses keys as a person does who reads: ``after`` seconds before each."""
        for key in keys:
            self.clock.now += after
            await self.pilot.press(key)
            await self.rest()

    async def resize(self, width: int, height: int) -> None:
        """Makes the window so large and waits until it is drawn."""
        if self.app.size != (width, height):
            await self.pilot.resize_terminal(width, height)
            await self.until(lambda: self.text().count("\n") == height)
            await self.rest()

    def text(self) -> str:
        """The screen as a person reads it."""
        return screen_text(self.app.screen)

    def kinds(self) -> list[str]:
        """The kinds of all events on disk."""
        return [event.kind for event in self.desk.events()]

    def labels(self) -> list[tuple[int | None, str | None, str]]:
        """Position, label and reason of every label on disk."""
        return [
            (event.position, event.label, event.reason)
            for event in self.desk.events()
            if event.kind in ("label", "decision")
        ]


def drawn(screen: Screen[object]) -> bool:
    """Whether no widget waits to be laid out or painted."""
    waiting = [
        widget
        for widget in (screen, *screen.walk_children(Widget))
        if widget._layout_required or widget._repaint_required or widget._scroll_required
    ]
    return not waiting and not screen._dirty_widgets


def screen_text(screen: Screen[object]) -> str:
    """All cells of a screen as text, blanks at line ends cut."""
    strips = screen._compositor.render_strips()
    return "\n".join("".join(s.text for s in strip).rstrip() for strip in strips) + "\n"


def check_golden(name: str, text: str) -> None:
    """Compares with a golden file; ``UPDATE_GOLDEN=1`` writes it instead."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN") == "1":
        path.write_text(text, "utf-8", newline="\n")
    assert text == path.read_text("utf-8")


@asynccontextmanager
async def bench(
    path: Path,
    *,
    size: tuple[int, int] = (80, 24),
    desk: Callable[[Path], Desk] = Desk,
    log: Path | None = None,
    keys: Keymap | None = None,
) -> AsyncIterator[Bench]:
    """Opens the packet in a new app and waits for the first item."""
    clock = Clock()
    with desk(path) as opened:
        sitting = sit_down(opened, monotonic=clock, today=lambda: "2026-01-16")
        app = DeskApp(
            sitting,
            monotonic=clock,
            log_path=log or path.with_suffix(".log"),
            terms=Terms.at(path),
            keys=keys,
            look=chosen_look(os.environ),
        )
        async with app.run_test(size=size) as pilot:
            made = Bench(app, pilot, clock, opened)
            await made.rest()
            yield made
