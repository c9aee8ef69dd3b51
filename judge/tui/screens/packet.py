"""A screen of the packet itself: it saves, and the criteria and the keys are one key away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from judge.errors import JudgeError
from judge.records.judgement import View
from judge.tui import words
from judge.tui.look import next_look
from judge.tui.screens.base import DeskScreen
from judge.tui.screens.problem import ProblemScreen
from judge.tui.screens.reader import ReaderScreen

SLOW_SECONDS = 0.4
"""A save that takes longer than this says so."""

T = TypeVar("T")
Result = TypeVar("Result")


class PacketScreen(DeskScreen[Result]):
    """What the label screen and the overview share."""

    view: View | None = None
    """The item on the screen, where there is one."""

    def work(self, doing: Coroutine[Any, Any, None]) -> None:
        """Runs ``doing``; until it ends every key is dropped. A `JudgeError` is shown in words."""
        self.seat.busy = True

        async def guarded() -> None:
            try:
                await doing
            except JudgeError as error:
                self.failed(error)
            finally:
                self.seat.busy = False

        self.run_worker(guarded())

    async def commit(self, call: Callable[[], T]) -> T:
        """What ``call`` returns, from a thread: the screen stays alive while the disk is slow."""
        slow = self.set_timer(SLOW_SECONDS, lambda: self.say("saving ... keys are off until then"))
        try:
            return await asyncio.to_thread(call)
        finally:
            slow.stop()

    def failed(self, error: JudgeError) -> None:
        """Something was not saved: says so, in a window that a key of the work cannot close."""
        self.say("NOT saved")
        self.app.push_screen(ProblemScreen(self.seat, error))

    def do_criteria(self) -> None:
        """The need in full, the criteria and the reasons."""
        blocks = words.criteria(self.sitting.packet, self.view)
        self.app.push_screen(ReaderScreen(self.seat, "Criteria", blocks))

    def do_keys(self) -> None:
        """The help."""
        blocks = words.help_blocks(self.sitting.packet, self.seat.keys)
        self.app.push_screen(ReaderScreen(self.seat, "Keys", blocks))

    def do_look(self) -> None:
        """The next set of colours."""
        self.say(next_look(self.app))
