"""What helps while labelling and is no label: moving, history, search, link, quote, terms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from judge.judgements.highlight import own_terms
from judge.judgements.quote import passage, quoted, with_quote
from judge.tui import words
from judge.tui.screens.find import Entry, FindScreen
from judge.tui.screens.item import ItemScreen
from judge.tui.screens.note import NoteScreen
from judge.tui.screens.quote import QuoteScreen

SCOPE = "Of the items you have had before you; the others keep the order they were dealt in."


class AidScreen(ItemScreen):
    """The part of a screen of items that gives no label."""

    # --- moving ---------------------------------------------------------------------------------

    def do_previous(self) -> None:
        """The item before."""
        self._go(self.sitting.position - 1, "this is the first item")

    def do_next(self) -> None:
        """The item after."""
        self._go(self.sitting.position + 1, "this is the last item")

    def _go(self, position: int, at_the_end: str) -> None:
        if 1 <= position <= self.sitting.packet.items:
            self._open_at(position)
        else:
            self.say(at_the_end)

    def _open_at(self, position: int | None) -> None:
        if position is not None:
            self.sitting.go(position)
            self.work(self.open_item())

    def do_next_open(self) -> None:
        """The next item without a label."""
        following = self.sitting.next_open(after=self.sitting.position)
        if following is None:
            self.say("all items are done")
        else:
            self._open_at(following)

    def do_retry(self) -> None:
        """Reads the item again."""
        self.work(self.open_item())

    def do_history(self) -> None:
        """What was done in this sitting."""
        self._list(self._acts, "This sitting, newest first", typing=False)

    def do_search(self) -> None:
        """Notes and titles of the items that were before the person."""
        self._list(self._items, "Search notes and titles", typing=True)

    def _list(self, entries: Callable[[], list[Entry]], title: str, *, typing: bool) -> None:
        async def shown() -> None:
            found = await asyncio.to_thread(entries)  # titles may have to be read
            screen = FindScreen(self.seat, title, found, scope=SCOPE if typing else "")
            self.app.push_screen(screen, self._open_at)

        self.work(shown())

    def _acts(self) -> list[Entry]:
        history, titles = self.sitting.history(), self.sitting.titles()
        by_number = {act.seq: act for act in history}
        entries = []
        for act in history:
            if act.position is None:
                continue
            undone = by_number.get(act.undoes) if act.undoes is not None else None
            said = words.act(act, self.sitting.packet.reasons)
            if undone is not None:
                said = f"undo of {words.act(undone, self.sitting.packet.reasons)}"
            elif not self.sitting.stands(act):
                said = f"(taken back) {said}"
            title = _shown(titles[act.position])
            entries.append(Entry(act.position, f"item {act.position}: {said} - {title}"))
        return entries

    def _items(self) -> list[Entry]:
        entries = []
        for position, title in self.sitting.titles().items():
            item, said = self.sitting.item(position), _shown(title)
            act = item.newest(self.sitting.closing) or item.label
            parts = [words.summary(act, self.sitting.packet.reasons) if act else "open"]
            parts += [f"note: {item.note}"] if item.note.strip() else []
            text = f"item {position}: {' - '.join([*parts, said])}"
            entries.append(Entry(position, text, f"{said}\n{item.note}"))
        return entries

    # --- the paper ------------------------------------------------------------------------------

    def do_open_link(self) -> None:
        """The link in the browser; on the clipboard where there is none."""
        self.follow(self.view.link if self.view else None, "no link supplied")

    def do_quote(self) -> None:
        """Words of the abstract into the note."""
        text = (self.view.abstract if self.view else None) or ""
        found = passage(text)
        if not found.words:
            self.say("no abstract to quote")
            return

        def taken(place: tuple[int, int] | None) -> None:
            if place is not None:
                self.keep_note(with_quote(self.note_text, quoted(text, *place)))

        self.app.push_screen(QuoteScreen(self.seat, found), taken)

    # --- terms ----------------------------------------------------------------------------------

    def marks(self, text: str) -> tuple[tuple[int, int], ...]:
        """What to underline in a shown text; nothing while terms are off."""
        if self.view is None or not self.sitting.highlight:
            return ()
        return self.seat.terms.marks(self.view.need, text)

    def do_highlight(self) -> None:
        """Terms on or off; each label from now on records which."""
        self.sitting.highlight = not self.sitting.highlight
        self.redraw()
        self.say(f"terms {'underlined' if self.sitting.highlight else 'not underlined'}")

    def do_own_terms(self) -> None:
        """Writes the person's own terms."""
        title = "Your own terms, parted by commas or lines; * stands for any ending"
        text = ", ".join(self.seat.terms.own)
        self.app.push_screen(NoteScreen(self.seat, title, text), self._take_terms)

    def _take_terms(self, text: str | None) -> None:
        if text is None:
            return

        async def kept() -> None:
            await self.commit(lambda: self.seat.terms.keep(own_terms(text)))
            self.redraw()
            self.say(f"own terms kept: {len(self.seat.terms.own)}")

        self.work(kept())


def _shown(title: str | None) -> str:
    """A title in a list of items."""
    return "this item cannot be read" if title is None else title or "no title supplied"
