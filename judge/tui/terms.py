"""The terms that are pointed out at the desk: of the need, and a person's own in a file.

The file ``<packet>.terms`` lies beside the packet and stays on this machine: one term a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from judge.errors import Invalid
from judge.files import decode_text, write_atomic
from judge.judgements.highlight import need_terms, own_terms, spans


@dataclass
class Terms:
    """What to point out; whether it is pointed out is `Sitting.highlight`."""

    path: Path
    own: tuple[str, ...] = ()

    @staticmethod
    def at(packet: Path) -> Terms:
        """The terms beside a packet. Raises `Invalid` for a file that is not text."""
        path = packet.with_name(packet.name + ".terms")
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return Terms(path)
        except OSError as error:
            raise Invalid(f"{path}: cannot be read ({error.strerror})") from None
        return Terms(path, own_terms(decode_text(data, str(path), crlf=True, empty=True)))

    def keep(self, own: tuple[str, ...]) -> None:
        """Writes the person's own terms. Raises `Refused` where that cannot be done."""
        write_atomic(self.path, "".join(f"{term}\n" for term in own).encode())
        self.own = own

    def marks(self, need: str, text: str) -> tuple[tuple[int, int], ...]:
        """What to point out in a shown text."""
        return spans(text, need_terms(need), self.own)
