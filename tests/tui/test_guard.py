"""Held keys and keys typed ahead, on a clock that the test moves."""

from __future__ import annotations

from judge.tui.guard import KeyGuard
from tests.tui.support import Clock


def test_a_key_held_down_repeats_itself_however_long() -> None:
    clock = Clock()
    guard = KeyGuard(clock)
    guard.see("1")
    assert not guard.held
    # A keyboard waits half a second, then repeats about thirty times a second.
    for pause in [0.5, *[0.03] * 60]:
        clock.now += pause
        guard.see("1")
        assert guard.held


def test_the_same_key_after_a_second_is_meant() -> None:
    clock = Clock()
    guard = KeyGuard(clock)
    guard.see("1")
    clock.now += 1.0
    guard.see("1")
    assert not guard.held


def test_another_key_in_between_is_work() -> None:
    clock = Clock()
    guard = KeyGuard(clock)
    for key in "1a1a":
        clock.now += 0.1
        guard.see(key)
        assert not guard.held


def test_nothing_counts_until_the_item_has_been_there_for_a_moment() -> None:
    clock = Clock()
    guard = KeyGuard(clock)
    assert not guard.too_soon
    guard.drawn()
    clock.now += 0.29
    assert guard.too_soon
    clock.now += 0.02
    assert not guard.too_soon


def test_a_second_press_is_one_that_nothing_follows() -> None:
    clock = Clock()
    guard = KeyGuard(clock)
    guard.see("u")
    assert not guard.pressed_again
    clock.now += 0.33
    guard.see("u")
    assert guard.pressed_again
    assert not guard.quiet
    clock.now += 0.16
    assert guard.quiet
    clock.now += 0.05
    guard.see("u")
    assert not guard.pressed_again
