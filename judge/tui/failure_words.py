"""The sentences of failure review. Pure functions from records to blocks of text."""

from __future__ import annotations

from collections.abc import Collection

from judge.judgements.coding import CodingSitting
from judge.records.failure import FailureView, ShownHit
from judge.records.judgement import FailureCategory, LabelEvent, Packet
from judge.tui import words
from judge.tui.codes import CODES, PREFIX, WORD
from judge.tui.keymap import Keymap
from judge.tui.modes import Mode
from judge.tui.widgets.layout import Block, Row, Text, markdown

DECLARATION = (
    "I named what I saw in the requests and hits themselves, and I did not compare notes with "
    "anybody about these items before handing in."
)
EXPECTED = {
    "ordinary": "",
    "no_match_control": "a control: no match is expected",
    "documented_guard": "a guard: documented behaviour is tested",
    "invalid_by_design": "invalid by design: it should be turned away",
}
FINAL: dict[str, str] = {label: word for label, word in words.LABEL.items()}
_AT = 9
"""Cells from the left edge to what a short head names."""


def turn(before: FailureView | None, view: FailureView | None) -> str:
    """What is another than at the item before; empty where nothing is."""
    if before is None or view is None:
        return ""
    if before.need != view.need:
        return "another need"
    return "another system" if before.system != view.system else ""


def head(view: FailureView, what: str, *, limit: int) -> list[Block]:
    """The need, and what was sent to whom; strong where it is another than before."""
    sent = f"{view.submitted}  (to {view.system}, {view.mode})"
    return [
        Row("Need", view.need, 6, "strong" if what == "another need" else "plain", "quiet", limit),
        Row("Sent", sent, 6, "strong" if what else "plain", "quiet", 2),
    ]


def automatic(view: FailureView | None) -> list[Block]:
    """What the records say: marked as theirs, and no key of the coder's changes it."""
    if view is None or not view.automatic:
        return []
    said = "; ".join(f"{WORD[fact.code]} - {fact.text}" for fact in view.automatic)
    return [Row("Automatic", said, 11, "strong", "quiet", 2)]


def item(view: FailureView) -> list[Block]:
    """The request with its list, or the hit."""
    return _request(view) if view.hit is None else _hit(view.hit)


def _request(view: FailureView) -> list[Block]:
    count = "" if view.returned is None else f", {view.returned} hits"
    blocks: list[Block] = [Text(f"The request: {view.outcome}{count}", "strong")]
    if EXPECTED[view.expected]:
        blocks.append(_fact("query", EXPECTED[view.expected]))
    if view.translation:
        blocks.append(_fact("changed", view.translation))
    if view.unparsed:
        blocks.append(_fact("operator", f"not parsed by this mode: {', '.join(view.unparsed)}"))
    blocks += [_fact("said", text) for text in view.said] or [_fact("said", "nothing")]
    if view.listed:
        blocks.append(Text(""))
    for hit in view.listed:
        label = FINAL.get(hit.label, "no final label")
        title = hit.title or "no title supplied"
        blocks.append(Row(f"{hit.rank:>3}", f"{label:<14}  {title}", 5, limit=1))
    return blocks


def _hit(hit: ShownHit) -> list[Block]:
    label = FINAL.get(hit.label, "no final label")
    facts = [part for part in (hit.journal, hit.year, hit.type) if part]
    blocks: list[Block] = [
        Text(f"The hit at rank {hit.rank}, finally {label}", "quiet"),
        Text(hit.title, "strong") if hit.title else Text("no title supplied", "warn"),
    ]
    if facts:
        blocks.append(Text(", ".join(facts), "quiet"))
    given = {
        "title": hit.given_title if hit.given_title != hit.title else None,
        "year": hit.given_year,
        "type": hit.given_type,
        "notice": hit.given_notice,
        "link": hit.given_link,
    }
    said = "; ".join(f"{name} {text}" for name, text in given.items() if text)
    blocks.append(_fact("service", said or "gave no more than an identifier"))
    blocks.append(_fact("record", hit.record_id + (f"  {hit.link}" if hit.link else "")))
    blocks.append(Text(""))
    if hit.abstract and hit.abstract.strip():
        blocks.append(Text(hit.abstract))
    else:
        blocks.append(Text("no abstract supplied", "warn"))
    return blocks


def _fact(name: str, text: str) -> Row:
    return Row(name, text, _AT, head_kind="quiet")


def standing(
    act: LabelEvent | None, chosen: Collection[str], unsaved: bool, note: str
) -> tuple[str, ...]:
    """What the item has or is about to get, and its note."""
    if unsaved:
        said = f"{words.coded(chosen)}, not saved yet" if chosen else "all dropped, not saved yet"
    elif act is None:
        said = "not coded yet"
    else:
        said = f"coded: {words.coded(act.categories)}"
    return said, f"note: {note}" if note.strip() else "no note"


def why_not(category: FailureCategory, view: FailureView) -> str:
    """Why a category is not to be named of an item."""
    word = WORD[category]
    if category in {fact.code for fact in view.automatic}:
        return f"{word}: the records say so already, and it stays; a note can say more"
    if category == "missing_link":
        return f"{word}: the records alone say that, and here they do not"
    if category in ("broad_query_refusal", "service_unavailable", "timeout"):
        if view.hit is None:
            return f"{word}: needs such an outcome, and this request ended as {view.outcome}"
        return f"{word}: of a request, not of a hit"
    return (
        f"{word}: of a {'hit, not of a request' if view.hit is None else 'request, not of a hit'}"
    )


def criteria(packet: Packet, need: str, keys: Keymap) -> list[Block]:
    """Every category with its key and meaning, then the need and the criteria of relevance."""
    blocks: list[Block] = [Text("Categories", "strong")]
    blocks += [
        Row(keys.key(PREFIX + one.category), f"{one.word}: {one.meaning}", 4) for one in CODES
    ]
    blocks += [
        Text(""),
        Text(
            "What the records say by themselves is marked Automatic. It is counted apart and "
            "nobody names it again. No category changes a label or a score."
        ),
        Text(""),
    ]
    if need:
        blocks += [Text("The need", "strong"), Text(need), Text("")]
    return blocks + markdown(packet.rubric.strip())


def overview(mode: Mode, keys: Keymap, sitting: CodingSitting) -> list[Block]:
    """How many are coded, what was named how often, and what comes next."""
    now, packet = sitting.progress(), sitting.packet
    blocks: list[Block] = [words.headline(mode, now, "are coded"), Text("")]
    blocks += [Row(f"{count:>6}", WORD[code], 8) for code, count in sitting.named().items()]
    blocks += [Row(f"{sitting.nothing():>6}", "nothing to name", 8)]
    if now.left:
        blocks.append(Row(f"{now.left:>6}", "not coded yet", 8))
    return [
        *blocks,
        Text(""),
        Text(words.time_spent(now)),
        *words.closing(mode, keys, packet, DECLARATION),
    ]
