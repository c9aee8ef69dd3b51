"""The command line: parses, calls a step, prints. No rule lives here.

Results go to stdout, everything else to stderr; exit codes are those of `judge.errors`.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def main() -> None:
    """The `judge` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character gets its code instead of an error.
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Runs one command line and returns its exit code."""
    code = 0
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of stdout went away (a pager was quit): nothing is wrong with the study.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _run(arguments: list[str]) -> int:
    import typer
    from typer.main import get_command

    from judge.cli.app import app
    from judge.errors import Incomplete, JudgeError

    command = get_command(app)
    try:
        # Not app(): it would turn Ctrl-C and a closed pipe into exit codes of its own.
        with command.make_context("judge", list(arguments)) as context:
            command.invoke(context)
        return 0
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        return _tell(Incomplete("stopped; what was done is kept", hint="judge status"))
    except typer.TyperException as error:
        return _usage(error)
    except JudgeError as error:
        return _tell(error)
    except KeyboardInterrupt:
        return _tell(Incomplete("stopped; what was done is kept", hint="judge status"))
    except BrokenPipeError:
        raise
    except Exception as error:
        print(
            f"ERROR: a fault of this program ({type(error).__name__}); the details are in "
            f"{_logged()}",
            file=sys.stderr,
        )
        return 1


def _usage(error: typer.TyperException) -> int:
    """A command line that cannot be read: which part, and where its help is."""
    from judge.errors import Invalid

    context = getattr(error, "ctx", None)
    path = context.command_path if context else "judge"
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message(), file=sys.stderr)
        return Invalid.exit_code
    return _tell(Invalid(error.format_message(), hint=f"{path} --help"))


def _tell(error: Exception) -> int:
    from judge.errors import JudgeError
    from judge.text import display_text

    if not isinstance(error, JudgeError):
        raise error
    for line in error.lines():
        print(display_text(line), file=sys.stderr)
    return error.exit_code


def _logged() -> str:
    """Appends the traceback, without values of variables, to a log; returns where it is."""
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    path = state / "blindjudge" / "errors.log"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(path, "a", encoding="utf-8", opener=_private) as log:
            traceback.print_exc(file=log)
    except OSError:
        return "no log: it could not be written"
    return str(path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
