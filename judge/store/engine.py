"""Two doors to a SQLite file: `read` and `write`. Nothing else opens a transaction.

`write` is BEGIN IMMEDIATE, so that what is read and then written is one step; `read` is
``query_only``, so that a write through the wrong door fails at once. The driver's own
transactions are switched off: left on, they start none at a SELECT and lose concurrent updates
without an error. The journal is DELETE with synchronous EXTRA: a committed label survives a power
cut, and the file is whole without a companion.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from sqlalchemy import URL, Connection, Engine, MetaData, create_engine, event, text
from sqlalchemy.exc import DatabaseError, OperationalError

from judge.errors import Integrity, JudgeError, Refused
from judge.files import unwritable
from judge.records.base import Record
from judge.store.tables import SCHEMA, triggers_of

R = TypeVar("R", bound=Record)

BUSY_SECONDS = 30
_PRAGMAS = {
    "journal_mode": ("DELETE", "delete"),
    "synchronous": ("EXTRA", 3),
    "foreign_keys": ("ON", 1),
    "recursive_triggers": ("ON", 1),
    "secure_delete": ("ON", 1),
    "trusted_schema": ("OFF", 0),
}


_OTHER_FILE = {
    "packet": "name the packet itself, such as packets/A.packet",
    "study store": "name the folder of a study; `judge init` starts one",
}
_OTHER_SCHEMA = {
    "packet": "finish it with the version that made it, or deal it again with this one: "
    "judge packet make CODE --replace --reason '…'",
    "study store": "with the version that made it: `judge publish`; "
    "with this one: `judge rebuild DIR`",
}
"""What to do where another file, or another schema version, lies in the place of each kind."""


class Database:
    """A SQLite file of a known kind. Open with `create` or `existing`; close when done."""

    def __init__(self, path: Path, engine: Engine) -> None:
        self.path = path
        self._engine = engine

    @classmethod
    def create(cls, path: Path, metadata: MetaData, application: int) -> Database:
        """A new file with the tables of ``metadata``. Refuses a path that exists.

        The file is built under a temporary name of its own and gets its name when whole, readable
        by its owner alone (L17). Of two programs that make one file at once, one is refused.
        """
        if path.exists():
            raise _exists(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            os.close(handle)
        except OSError as error:
            raise unwritable(path, error) from None
        draft = Path(name)
        engine = _engine(draft)
        try:
            with translated(path), _writing(engine) as connection:
                metadata.create_all(connection)
                connection.execute(text(f"PRAGMA application_id = {application}"))
                connection.execute(text(f"PRAGMA user_version = {SCHEMA}"))
            engine.dispose()
            _name(draft, path)
        finally:
            engine.dispose()
            draft.unlink(missing_ok=True)
        return cls(path, _engine(path))

    @classmethod
    def existing(cls, path: Path, metadata: MetaData, application: int, what: str) -> Database:
        """An existing file, after its kind, schema version and triggers were checked.

        Raises `Refused` for a missing file, another kind of file or another schema version;
        `Integrity` for a damaged one or one without its append-only triggers.
        """
        if not path.is_file():
            raise Refused(f"{path}: there is no {what} here")
        database = cls(path, _engine(path))
        try:
            database._check(metadata, application, what)
        except BaseException:
            database.close()
            raise
        return database

    def _check(self, metadata: MetaData, application: int, what: str) -> None:
        with self.read() as connection:
            found = connection.execute(text("PRAGMA application_id")).scalar_one()
            version = connection.execute(text("PRAGMA user_version")).scalar_one()
            triggers = text("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            names = set(connection.execute(triggers).scalars())
        if found != application:
            raise Refused(
                f"{self.path} is not a {what} (or it is empty); nothing was changed",
                hint=_OTHER_FILE[what],
            )
        if version != SCHEMA:
            raise Refused(
                f"{self.path} was made by schema {version}; this version reads schema {SCHEMA}",
                hint=_OTHER_SCHEMA[what],
            )
        missing = sorted(triggers_of(metadata) - names)
        if missing:
            raise Integrity(f"{self.path}: append-only triggers are gone: {', '.join(missing)}")

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One short read transaction."""
        with translated(self.path), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One write transaction: committed on leaving, undone on an error."""
        with translated(self.path), _writing(self._engine) as connection:
            yield connection

    def damage(self) -> list[str]:
        """What SQLite itself finds wrong with the pages and indexes of the file.

        It cannot see a changed byte inside a text; digests and chains do.
        """
        with self.read() as connection:
            found = connection.execute(text("PRAGMA integrity_check(5)")).scalars().all()
        return [] if found == ["ok"] else [f"{self.path.name}: {line}" for line in found]

    def copy(self, target: Path) -> None:
        """Writes what is committed into the new file ``target``, without free pages (VACUUM INTO).

        Other programs may hold the file; what they have not committed is not in the copy.
        """
        # The driver's own connection: VACUUM runs in no transaction, and a door opens one.
        with translated(target), closing(self._engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA query_only=0")
            connection.cursor().execute("VACUUM INTO ?", (str(target),))

    def close(self) -> None:
        """Releases the file."""
        self._engine.dispose()


def _exists(path: Path) -> Refused:
    return Refused(f"{path} exists already; nothing was written")


def _name(draft: Path, path: Path) -> None:
    """Gives a finished draft its name, never over a file that is there, as a rename would."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise _exists(path) from None
    except OSError:  # a disk without hard links
        if path.exists():
            raise _exists(path) from None
        os.replace(draft, path)


def _engine(path: Path) -> Engine:
    # hide_parameters: a traceback must not print bound values, which hold record text.
    # URL.create, since a path may hold "?", which in a URL starts the parameters.
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": BUSY_SECONDS},
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def _connect(dbapi: Any, _: Any) -> None:
        dbapi.isolation_level = None
        # A damaged byte must reach the digest check, not stop the driver.
        dbapi.text_factory = lambda data: data.decode("utf-8", "replace")
        for pragma, (setting, expected) in _PRAGMAS.items():
            dbapi.execute(f"PRAGMA {pragma}={setting}")
            found = dbapi.execute(f"PRAGMA {pragma}").fetchone()[0]
            if found != expected:
                raise JudgeError(f"SQLite keeps {pragma}={found!r}; {expected!r} is needed")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        write = connection.get_execution_options().get("write", False)
        connection.exec_driver_sql(f"PRAGMA query_only={0 if write else 1}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    return engine


@contextmanager
def _writing(engine: Engine) -> Iterator[Connection]:
    with engine.connect().execution_options(write=True) as connection, connection.begin():
        yield connection


_SENTENCES = {
    "SQLITE_BUSY": "another program holds it; close it, then try again",
    "SQLITE_LOCKED": "another program holds it; close it, then try again",
    "SQLITE_READONLY": "it cannot be written (read-only file or folder)",
    "SQLITE_READONLY_DIRECTORY": "its folder cannot be written",
    "SQLITE_CANTOPEN": "it cannot be opened (missing, or no permission)",
    "SQLITE_FULL": "the disk is full; free some space, then try again",
    "SQLITE_IOERR": "the disk reports an error",
}
# SQLITE_ERROR: a statement of ours that does not fit the file, so its schema was changed.
_DAMAGED = {"SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_ERROR"}


def stored(body: str, kind: type[R], what: str) -> R:
    """A record from its stored ``body``. Raises `Integrity`, naming ``what``, where it is none."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.DecodeError as error:
        raise Integrity(f"{what} cannot be read as it was written ({error})") from None


def _damaged(path: Path, name: str) -> Integrity:
    return Integrity(
        f"{path} is damaged or not a store of this tool ({name})",
        hint="restore it from a backup, or `judge rebuild` from the published folders",
    )


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns SQLite's errors into sentences; what was committed before stays."""
    try:
        yield
    except UnicodeDecodeError:  # SQLite's own sentence about a damaged schema
        raise _damaged(path, "SQLITE_CORRUPT") from None
    except (DatabaseError, sqlite3.Error) as error:
        original = error.orig if isinstance(error, DatabaseError) else error
        name = str(getattr(original, "sqlite_errorname", ""))
        if name in _DAMAGED:
            raise _damaged(path, name) from None
        if name in _SENTENCES or isinstance(error, OperationalError):
            sentence = _SENTENCES.get(name) or _SENTENCES.get(name.rsplit("_", 1)[0], str(original))
            raise Refused(f"{path}: {sentence}; nothing was written") from None
        raise Integrity(f"{path}: the store refused a write ({original})") from None
