"""Plain TREC files as arrays: the columns of every line at once, or nothing.

A file is regular where every line ends in a newline and has the same number of columns of plain
ASCII, one blank or tab between them. Anything else is left to the readers of
`judge.runs.importing` and `judge.judgements.importing`, which name every problem with its line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

_BLANK, _TAB, _NEWLINE, _ZERO, _NINE, _MINUS = b" \t\n09-"
_WIDEST = 256
"""A longer column is not worth a special way."""
_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(31))


@dataclass(frozen=True)
class Columns:
    """Where the columns of a regular file stand. All arrays have the shape (columns, lines)."""

    padded: bytes
    """The file, with room to read past its end."""
    starts: NDArray[np.int32]
    lengths: NDArray[np.int32]

    @property
    def lines(self) -> int:
        return int(self.starts.shape[1])

    def text(self, column: int, line: int) -> str:
        """One cell."""
        start = int(self.starts[column, line])
        return self.padded[start : start + int(self.lengths[column, line])].decode("ascii")

    def words(self, column: int) -> list[Words]:
        """A column as 64-bit numbers, eight letters each, that compare and sort as the text does.

        Equal in all words means equal as text: a cell holds no NUL, which pads it.
        """
        # Any eight bytes of the file as one number, wherever they start.
        every = np.ndarray((len(self.padded) - 8,), dtype=">u8", buffer=self.padded, strides=(1,))
        found = []
        for offset in range(0, max(1, int(self.lengths[column].max())), 8):
            held = np.clip(self.lengths[column] - offset, 0, 8)
            spare = ((8 - held) * 8).astype(np.uint64)
            word = every[self.starts[column] + offset].astype(np.uint64)
            # A shift by 64 is not defined: nothing is held there.
            found.append(np.where(held > 0, (word >> spare % 64) << spare % 64, np.uint64(0)))
        return found

    def integers(self, column: int, digits: int, *, signed: bool) -> Ints | None:
        """A column as whole numbers of at most so many digits; None where it is something else."""
        places, lengths = self.starts[column], self.lengths[column]
        letters = np.frombuffer(self.padded, dtype=np.uint8)
        negative = letters[places] == _MINUS
        if negative.any():
            if not signed:
                return None
            places, lengths = places + negative, lengths - negative
        if int(lengths.max()) > digits or int(lengths.min()) < 1:
            return None
        values = np.zeros(self.lines, dtype=np.int64)
        for place in range(int(lengths.max())):
            letter = letters[places + place]
            held = lengths > place
            if (held & ((letter < _ZERO) | (letter > _NINE))).any():
                return None
            values = np.where(held, 10 * values + letter - _ZERO, values)
        return np.where(negative, -values, values)

    def floats(self, column: int) -> NDArray[np.float64] | None:
        """A column as finite decimal numbers; None where one is something else."""
        width = int(self.lengths[column].max())
        cells = np.ndarray(
            (len(self.padded) - width,), dtype=f"S{width}", buffer=self.padded, strides=(1,)
        )[self.starts[column]]
        letters = cells.view(np.uint8).reshape(self.lines, width)
        letters[np.arange(width) >= self.lengths[column][:, None]] = 0
        # Python's float() takes more spellings than these letters can write; what else it takes
        # (1e5, .5, +1) is a decimal number.
        if not _OF_NUMBERS[letters].all():
            return None
        try:
            values = cells.astype(np.float64)
        except ValueError:
            return None
        return values if np.isfinite(values).all() else None


_OF_NUMBERS = np.zeros(256, dtype=bool)
_OF_NUMBERS[list(b"\x000123456789.+-eE")] = True


def columns(data: bytes, count: int) -> Columns | None:
    """The ``count`` columns of a regular file; None for any other."""
    if not data.endswith(b"\n") or len(data) >= 2**31 - _WIDEST:
        return None
    letters = np.frombuffer(data, dtype=np.uint8)
    if int(letters.max()) > 0x7E:
        return None
    breaks = np.flatnonzero(letters <= _BLANK)
    if len(breaks) % count:
        return None
    ends = breaks.astype(np.int32).reshape(-1, count)
    marks = letters[ends]
    between = marks[:, :-1]
    if not ((between == _BLANK) | (between == _TAB)).all() or (marks[:, -1] != _NEWLINE).any():
        return None
    starts = np.empty((count, len(ends)), dtype=np.int32)
    starts[0, 0] = 0
    starts[0, 1:] = ends[:-1, -1] + 1
    for column in range(1, count):
        starts[column] = ends[:, column - 1] + 1
    lengths = np.ascontiguousarray(ends.T) - starts
    if int(lengths.min()) < 1 or int(lengths.max()) > _WIDEST:
        return None
    return Columns(data + bytes(_WIDEST), starts, lengths)


def blocks(words: list[Words]) -> Ints:
    """Lines at which a column changes, from its words: 0 first, and the number of lines last."""
    changes = np.zeros(len(words[0]), dtype=bool)
    changes[0] = True
    for word in words:
        changes[1:] |= word[1:] != word[:-1]
    return np.append(np.flatnonzero(changes), len(changes))


def mixed(code: Ints, words: list[Words]) -> Words:
    """A 64-bit number for a code and words; different ones may share it, which is rare.

    (The mixing steps of SplitMix64, Steele, Lea & Flood 2014.)
    """
    one, two, shift = _MIX
    found = code.astype(np.uint64) * one
    for word in words:
        found = (found ^ word) * two
        found ^= found >> shift
    return found
