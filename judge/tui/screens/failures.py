"""Failure review: a request or a hit with its system in view; keys name what went wrong."""

from __future__ import annotations

import asyncio

from judge.errors import JudgeError
from judge.judgements.coding import CodingSitting, allowed_of
from judge.records.failure import FailureView
from judge.records.judgement import FailureCategory
from judge.tui import failure_words, words
from judge.tui.actions import Action
from judge.tui.codes import CODES, PREFIX
from judge.tui.modes import Mode
from judge.tui.screens.aids import AidScreen
from judge.tui.screens.overview import OverviewScreen
from judge.tui.screens.reader import ReaderScreen
from judge.tui.seat import Seat
from judge.tui.widgets.layout import Block, Divider, Either, Ends, Facts, Keys, Text

_CATEGORIES: dict[str, FailureCategory] = {PREFIX + one.category: one.category for one in CODES}


class FailureScreen(AidScreen):
    """Draws the current item and turns keys into codes. Nothing here is a label (R77)."""

    WANTED = ("what went wrong", "'other' needs a note that says what went wrong.")

    def __init__(self, seat: Seat, sitting: CodingSitting) -> None:
        super().__init__(seat)
        self.coding = sitting
        self.item_view: FailureView | None = None
        self.chosen: set[FailureCategory] = set()
        """What is chosen and not saved: a key more or less, then Enter."""
        self._before: FailureView | None = None
        """The item before this one: another need or system is easily missed, so it is said."""

    def on_mount(self) -> None:
        """Opens the item where the person left off; the overview if all are done."""
        self.work(self.open_item(overview=self.sitting.progress().left == 0))

    @property
    def mode(self) -> Mode:
        """Whether the item has its codes."""
        if self.item_view is None:
            return Mode.BROKEN
        return Mode.REVIEWED if self.sitting.done(self.sitting.position) else Mode.REVIEW

    @property
    def _may(self) -> frozenset[FailureCategory]:
        return frozenset() if self.item_view is None else allowed_of(self.item_view)

    # --- drawing --------------------------------------------------------------------------------

    async def open_item(self, *, overview: bool = False) -> None:
        """Reads the current item and draws it."""
        self.draft = None
        if self.item_view is not None:
            self._before = self.item_view
        try:
            self.item_view = await asyncio.to_thread(self.coding.shown)
            self.trouble = None
        except JudgeError as error:
            self.item_view, self.trouble = None, error
        act = self.sitting.item().newest("code")
        self.chosen = set(act.categories) if act else set()
        self.redraw()
        self._sheet().top()
        self.seat.guard.drawn()
        if overview:
            self.do_overview()

    def redraw(self) -> None:
        """Everything, for the current width."""
        packet, view = self.sitting.packet, self.item_view
        where = f"item {self.sitting.position} of {packet.items}"
        what = failure_words.turn(self._before, view)
        self._top.show(Ends(words.whose(packet), words.progress(self.sitting.progress()), "strong"))
        limit = 2 if self.app.size.height < 30 else 6
        self._need.show(
            *(failure_words.head(view, what, limit=limit) if view else []),
            Divider(f"{what}, {where}" if what else where),
        )
        self._sheet().show(self._item(), top=False)
        self.draw_state()

    def _item(self) -> list[Block]:
        if self.item_view is None:
            return self.unreadable()
        return failure_words.item(self.item_view)

    def draw_state(self) -> None:
        """Draws what is named, what was saved, and the keys that mean something here."""
        act = self.sitting.item().newest("code")
        resting = self.sitting.rest_due and not self._unsaved
        facts = failure_words.standing(act, self.chosen, self._unsaved, self.sitting.item().note)
        self._state.show(
            *failure_words.automatic(self.item_view),
            Facts(facts),
            Either(self.saved, self.message),
            *([Text(words.REST, "strong", limit=1)] if resting else []),
        )
        if self.item_view is None and self.trouble is None:
            self._panel.show()  # not read yet
        else:
            keys, actions = self.seat.keys, self.seat.keys.actions
            hidden = {n for n, category in _CATEGORIES.items() if category not in self._may}
            if not self._unsaved:
                hidden |= {"save_codes", "drop_codes"}
            gone = frozenset(key for name in hidden for key in actions[name].keys)
            self._panel.show(Keys(keys.lines(self.mode, without=gone)))
        self.on_sheet_scrolled()

    @property
    def _unsaved(self) -> bool:
        act = self.sitting.item().newest("code")
        return self.chosen != (set(act.categories) if act else set())

    # --- keys -----------------------------------------------------------------------------------

    def perform(self, action: Action) -> None:
        """A category is chosen or dropped; every other action is a method of its own."""
        category = _CATEGORIES.get(action.name)
        if category is None:
            super().perform(action)
        elif category in self._may:
            self.chosen ^= {category}
        elif self.item_view is not None:
            self.message = failure_words.why_not(category, self.item_view)

    def do_drop_codes(self) -> None:
        """Back to what is saved of the item."""
        act = self.sitting.item().newest("code")
        self.chosen = set(act.categories) if act else set()
        self.message = "choice dropped, nothing saved"

    def do_nothing(self) -> None:
        """Nothing to name: saved at once, unless something is chosen."""
        if self.chosen:
            save, drop = self.seat.keys.key("save_codes"), self.seat.keys.key("drop_codes")
            self.message = f"something is chosen: {save} saves it, its own key or {drop} drops it"
        else:
            self.work(self._save(None))

    def do_save_codes(self) -> None:
        """Saves what is chosen; another failure needs its words first (R73)."""
        if not self.chosen:
            nothing = self.seat.keys.key("nothing")
            self.message = f"choose a category, or {nothing} where there is nothing to name"
        elif "other" in self.chosen and not self.note_text.strip():
            self.write_note(self._save_with, required=True)
        else:
            self.work(self._save(self.draft))

    def _save_with(self, note: str | None) -> None:
        if note is None:
            self.say("not saved: 'other' needs a note that says what went wrong")
        else:
            self.draft = note
            self.work(self._save(note))

    async def _save(self, note: str | None) -> None:
        sitting, position = self.coding, self.sitting.position
        was_open = not sitting.done(position)
        chosen = tuple(self.chosen)
        event = await self.commit(lambda: sitting.code(chosen, note))
        self.told(event, position)
        await self.open_item(overview=was_open and sitting.next_open(after=position) is None)

    def do_open_link(self) -> None:
        """The link in the browser; on the clipboard where there is none."""
        hit = self.item_view.hit if self.item_view else None
        link = (hit.link or hit.given_link) if hit else None
        self.follow(link, "no link supplied" if hit else "a request has no link")

    def do_criteria(self) -> None:
        """The categories, and the criteria of relevance."""
        need = self.item_view.need if self.item_view else ""
        blocks = failure_words.criteria(self.sitting.packet, need, self.seat.keys)
        self.app.push_screen(ReaderScreen(self.seat, "Categories and criteria", blocks))

    def summary(self) -> OverviewScreen:
        """How far the coder is, by category."""
        return FailureOverview(self.seat, self.coding)


class FailureOverview(OverviewScreen):
    """Counts by category, time, declaration."""

    DECLARATION = failure_words.DECLARATION

    def __init__(self, seat: Seat, sitting: CodingSitting) -> None:
        super().__init__(seat)
        self.coding = sitting

    def figures(self) -> list[Block]:
        """What was named how often."""
        return failure_words.overview(self.mode, self.seat.keys, self.coding)

    def do_criteria(self) -> None:
        """The categories, and the criteria of relevance."""
        blocks = failure_words.criteria(self.sitting.packet, "", self.seat.keys)
        self.app.push_screen(ReaderScreen(self.seat, "Categories and criteria", blocks))
