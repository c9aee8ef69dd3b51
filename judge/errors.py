"""One family of errors, each with the exit code that the command line ends with.

    JudgeError            1  a fault of ours
    ├── Invalid           2  INVALID     the input is wrong; lists every problem found
    ├── Refused           3  REFUSED     not allowed at this stage; nothing was written
    ├── Integrity         4  INTEGRITY   evidence no longer matches its digest
    └── Incomplete        5  INCOMPLETE  stopped before the end; what is done is kept

Every message ends with what to do next (``hint``); the faces print it, nobody else does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong in an input: where it is, what was found, what is allowed."""

    where: str
    found: str
    allowed: str = ""

    def __str__(self) -> str:
        tail = f"; {self.allowed}" if self.allowed else ""
        return f"{self.where}: {self.found}{tail}" if self.where else f"{self.found}{tail}"


class JudgeError(Exception):
    """Base of every error the tool raises on purpose."""

    exit_code = 1
    kind = "ERROR"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def lines(self) -> list[str]:
        """The error as a person reads it: the sentence, then what to do next."""
        return [f"{self.kind}: {self.message}", *([f"Next: {self.hint}"] if self.hint else [])]


class Invalid(JudgeError):
    """Input is wrong. Carries all problems of the input, never only the first."""

    exit_code = 2
    kind = "INVALID"

    def __init__(self, message: str, problems: Iterable[Problem] = (), *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.problems = tuple(problems)

    def lines(self) -> list[str]:
        head, *rest = super().lines()
        return [head, *(f"  {problem}" for problem in self.problems), *rest]


class Refused(JudgeError):
    """The command is not allowed at this stage. Nothing was written."""

    exit_code = 3
    kind = "REFUSED"


class Integrity(JudgeError):
    """Evidence no longer matches its digest; the message names which."""

    exit_code = 4
    kind = "INTEGRITY"


class Incomplete(JudgeError):
    """Stopped before the end; what is done is kept, the hint names the command that goes on."""

    exit_code = 5
    kind = "INCOMPLETE"
