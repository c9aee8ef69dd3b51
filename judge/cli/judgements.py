"""Commands of the judgements: pool, packet, label, unlock, collect, adjudicate, export …"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judge.cli.common import JsonOption, StudyOption, at_work, note, say, say_json
from judge.records.judgement import GUESSES, PacketKind

packet = typer.Typer(no_args_is_help=True, help="Packets: what one person labels.")

CodeArgument = Annotated[str, typer.Argument(help="The assessor's code, such as A.")]


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    app.command()(pool)
    app.add_typer(packet, name="packet")
    app.command()(label)
    app.command()(unlock)
    app.command()(collect)
    app.command()(adjudicate)
    app.command("import-labels")(import_labels)
    app.command()(failures)
    app.command()(export)


def pool(study: StudyOption = None, json: JsonOption = False) -> None:
    """Pool the hits, one item per need and record.

    To the declared depth, whichever systems found them.

    Example: judge pool
    """
    from judge.steps.judging import pool_study

    with at_work(study) as context:
        new = pool_study(context)
    needs = len({record.query_id for record in new})
    if json:
        say_json({"new": len(new), "needs": needs})
    else:
        say(f"{len(new)} new items over {needs} needs")
    note("Next: judge packet make A (once for each assessor)" if new else "Next: judge status")


@packet.command("make")
def packet_make(
    code: CodeArgument,
    replace: Annotated[
        bool, typer.Option("--replace", help="Void the one that is out: it is lost or damaged.")
    ] = False,
    reason: Annotated[str, typer.Option(help="With --replace: why; it is recorded.")] = "",
    failures: Annotated[
        bool, typer.Option("--failures", help="Failure review, once relevance is locked.")
    ] = False,
    guesses: Annotated[
        bool, typer.Option("--guesses", help="After the lock: which system found it?")
    ] = False,
    study: StudyOption = None,
) -> None:
    """Deal a packet to an assessor.

    It holds every pooled item that this person has not had yet, in an order of its own; with
    --failures the requests and hits that are worth coding, with request and system in view; with
    --guesses it asks which system found about 30 items, once this person's labels are locked.

    Example: judge packet make A
    """
    from judge.errors import Invalid
    from judge.steps.guessing import guess_packet
    from judge.steps.judging import make_packet
    from judge.steps.replacing import replace_packet
    from judge.steps.reviewing import failure_packet

    if reason and not replace:
        raise Invalid("--reason is for --replace; nothing was dealt")
    with at_work(study) as context:
        if failures and guesses:
            raise Invalid("--failures and --guesses are two packets; deal them one by one")
        make = failure_packet if failures else guess_packet if guesses else make_packet
        path = replace_packet(context, code, reason) if replace else make(context, code)
    say(str(path))
    command = "failures" if path.name.endswith(".failures.packet") else "label"
    asked = GUESSES if path == context.study.packet(code, "guess") else ""
    note(f"Next: judge {command} {code}{asked} (here, or with the file on that person's machine)")


@packet.command("audit")
def packet_audit(code: CodeArgument, study: StudyOption = None, json: JsonOption = False) -> None:
    """Ask whether anything in a packet tells the system.

    The best guess from each visible feature alone, against chance. Every packet is audited when
    it is made; this reads the file again. Ends with 3 where something leaks.

    Example: judge packet audit A
    """
    from judge.errors import Refused
    from judge.steps.auditing import audit_packet

    with at_work(study) as context:
        path = next(iter(context.study.packets(code)), None)
        if path is None:
            raise Refused(f"no packet of {code} is here", hint=f"judge packet make {code}")
        found = audit_packet(context, path)
    if json:
        say_json({"table": found.table, "leaks": found.leaks})
    else:
        for line in found.table.lines:
            verdict = "LEAKS" if line.flagged else line.kind
            say(
                f"{line.name:26} tells {line.tells:9} {line.accuracy}  "
                f"threshold {line.threshold:14} {verdict}"
            )
        say(found.table.said)
        if found.stored != found.table:
            say("not the table of the day the packet was dealt")
    if found.leaks:
        raise Refused(f"packet leaks: {'; '.join(found.leaks)}")
    note(f"Next: judge label {code}")


def label(
    who: Annotated[str, typer.Argument(help="A code such as A, or the path of a packet file.")],
    guesses: Annotated[
        bool, typer.Option("--guesses", help="The questions after the lock, of this code.")
    ] = False,
    study: StudyOption = None,
) -> None:
    """Open a packet at the desk: one key, saved, next.

    Every key is listed under the key k. JUDGE_KEYS names a file of other keys (else
    ~/.config/blindjudge/keys.toml), JUDGE_THEME is dark, light or contrast, NO_COLOR has none.

    Example: judge label A
    """
    from judge.tui.app import run

    raise typer.Exit(run(_packet(who, study, "guess" if guesses else "label")))


def _packet(who: str, study: Path | None, kind: PacketKind = "label") -> Path:
    """A packet by its path, or by a code inside a study; the study's store is not opened."""
    from judge.study import Study

    if who.endswith(".packet") or "/" in who:
        return Path(who)
    return Study.locate((study or Path.cwd()).resolve()).packet(who, kind)


def unlock(
    code: CodeArgument,
    reason: Annotated[str, typer.Option(help="Why it must be opened again; it is recorded.")],
    study: StudyOption = None,
) -> None:
    """Open a packet again that was handed in.

    Example: judge unlock A --reason 'item 12 was a slip'
    """
    from judge.judgements.collect import desk_command
    from judge.steps.judging import unlock_packet

    with at_work(study) as context:
        kind = unlock_packet(context, code, reason)
    say(f"{code}: unlocked; the reason is recorded")
    note(f"Next: {desk_command(kind, code)}, then judge collect {code}")


def collect(
    who: Annotated[str, typer.Argument(help="A code such as A, or the path of a packet file.")],
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Take a handed-in packet back, whole or not at all.

    Example: judge collect A
    """
    from judge.errors import Refused
    from judge.steps.guessing import answered
    from judge.steps.judging import collect_packet

    with at_work(study) as context:
        path = _packet(who, context.study.root)
        code = None if path == Path(who) else who
        paths = [path]
        if code is not None:
            asked = context.study.packet(code, "guess")
            paths = [one for one in context.study.packets(code) if one != asked]
            if asked.is_file() and (not paths or answered(asked)):
                paths.append(asked)
            if not paths:
                raise Refused(
                    f"no packet of {code} is here; nothing was changed",
                    hint=f"judge collect PATH; judge packet make {code} where none was dealt; "
                    f"judge packet make {code} --replace --reason '…' where it is lost",
                )
        taken = [collect_packet(context, one, code) for one in paths]
    if json:
        return say_json([{**vars(one), "frozen": bool(one.frozen)} for one in taken])
    for one in taken:
        if one.events:
            say(f"{one.assessor}: {one.events} acts collected")
        else:
            say(f"{one.assessor}: already collected, nothing changed")
        if one.frozen:
            say("all assessors are in; their first labels are frozen")
        elif one.waiting:
            say(f"still out: {', '.join(one.waiting)}")
    note("Next: judge status")
    for one in taken:
        if one.ask_guesses:
            note(
                f"To measure how well blinding held: judge packet make {one.assessor}{GUESSES} "
                "asks which system found what"
            )
    return None


def adjudicate(study: StudyOption = None) -> None:
    """Settle disagreements at the desk.

    A blind label first, then all labels side by side, then a decision. Where the protocol says
    discussion, the assessors sit here together and decide without a blind label.

    Example: judge adjudicate
    """
    from judge.steps.judging import adjudication_packet
    from judge.tui.app import run

    with at_work(study) as context:
        path = adjudication_packet(context)
    raise typer.Exit(run(path))


def import_labels(
    file: Annotated[Path, typer.Argument(help="TREC qrels, or a CSV with a column per assessor.")],
    relevant_from: Annotated[
        int | None, typer.Option(help="Qrels: the lowest grade that is relevant.")
    ] = None,
    assessor: Annotated[
        str, typer.Option(help="Qrels: whose labels they are; final for final ones.")
    ] = "final",
    map_: Annotated[
        str, typer.Option("--map", help="CSV: yes=relevant,no=not_relevant,maybe=uncertain")
    ] = "",
    columns: Annotated[str, typer.Option(help="CSV: 'Screener 1=A,Screener 2=B,Final=final'")] = "",
    query: Annotated[str, typer.Option(help="CSV: the column of the query id.")] = "query_id",
    record: Annotated[str, typer.Option(help="CSV: the column of the record id.")] = "record_id",
    only_query: Annotated[
        str | None, typer.Option(help="CSV about one query alone: its id.")
    ] = None,
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Import labels made elsewhere.

    They are marked as not blinded by this tool.

    Example: judge import-labels qrels.txt --relevant-from 1
    """
    from judge.errors import Invalid
    from judge.steps.importing import import_columns, import_grades

    if (relevant_from is None) == (not map_):
        raise Invalid(
            "say what the labels mean: --relevant-from GRADE for qrels, --map for a table"
        )
    with at_work(study) as context:
        if relevant_from is not None:
            taken = import_grades(context, file, relevant_from=relevant_from, assessor=assessor)
        else:
            taken = import_columns(
                context,
                file,
                mapping=_pairs("--map", map_),
                assessors=_pairs("--columns", columns),
                query=query,
                record=record,
                only_query=only_query,
            )
    if json:
        return say_json(vars(taken))
    for code, counts in taken.by_assessor.items():
        shown = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        say(f"{code}: {shown}")
    say(f"not judged in the file: {taken.not_judged}; outside the pool: {taken.outside_pool}")
    for notice in taken.notices:
        say(f"  {notice.kind}: {notice.text}")
    note("Next: judge status")
    return None


def _pairs(option: str, text: str) -> dict[str, str]:
    """``a=b,c=d`` as a dictionary; an equals sign inside a name is not possible."""
    from judge.errors import Invalid

    pairs: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = part.rpartition("=")
        if not equals or not name.strip() or not value.strip():
            raise Invalid(f"{option} {text!r}: {part!r} is not NAME=VALUE")
        if name.strip() in pairs:
            raise Invalid(f"{option} {text!r}: {name.strip()!r} stands twice")
        pairs[name.strip()] = value.strip()
    return pairs


def failures(
    who: Annotated[str, typer.Argument(help="A code such as A, or the path of a packet file.")],
    study: StudyOption = None,
) -> None:
    """Open a packet of failure review at the desk.

    One key for each category. Nothing in it changes a label or a score.

    Example: judge failures A
    """
    from judge.tui.app import run

    raise typer.Exit(run(_packet(who, study, "failures")))


def export(
    folder: Annotated[Path, typer.Argument(help="Where the files go.")],
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Write labels as qrels, CSV and JSON Lines.

    Qrels per assessor and final; what a grade cannot say is counted.

    Example: judge export out
    """
    from judge.steps.judging import export_labels

    with at_work(study) as context:
        left_out = export_labels(context, folder)
    if json:
        return say_json(left_out)
    for name, counts in left_out.items():
        shown = ", ".join(f"{count} {label}" for label, count in sorted(counts.items()))
        say(f"{folder}/qrels/{name}: a grade cannot say: {shown or 'nothing left out'}")
    say(f"{folder}/items.csv, {folder}/items.jsonl: everything")
    return None
