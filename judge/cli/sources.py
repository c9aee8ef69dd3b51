"""Commands after capture: files for other tools, and what other sources say of a record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judge.cli.common import JsonOption, StudyOption, at_work, note, say, say_json

if TYPE_CHECKING:
    from judge.queries.provenance import KeywordQuery

SystemsArgument = Annotated[
    list[str] | None, typer.Argument(help="Codes of systems; all without any.")
]


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    app.command("export-results")(export_results)
    app.command("import-results")(import_results)
    app.command("keyword-queries")(keyword_queries)
    app.command("resolve-ids")(resolve_ids)
    app.command("check-sources")(check_sources)
    app.command("cutoff-year")(cutoff_year)


def _plain(result: Any) -> dict[str, Any]:
    """The fields of a result, with paths as text."""
    return {
        name: str(value) if isinstance(value, Path) else value
        for name, value in vars(result).items()
    }


def export_results(
    out: Annotated[Path, typer.Option(help="The folder for the files.")],
    systems: SystemsArgument = None,
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Write each system's answers and failures as the files that recall is scored from.

    A question without an answer stands in the failures file alone, never as an empty list.

    Example: judge export-results keyword --out results
    """
    from judge.steps.results import export_results as export

    with at_work(study) as context:
        done = export(context, out, systems or ())
    if json:
        return say_json([_plain(one) for one in done])
    for one in done:
        say(f"{one.results}: {one.answered} answered questions of {one.system}")
        if one.failures is not None:
            say(f"{one.failures}: {one.failed} without a list")
        if one.open:
            say(f"  {one.open} questions are still open at {one.system}: in neither file")
    return None


def import_results(
    results: Annotated[Path, typer.Argument(help="A results file (JSON Lines); .gz as well.")],
    failures: Annotated[
        Path | None, typer.Option(help="Its failures file; an answer counts before a failure.")
    ] = None,
    system: Annotated[
        str | None, typer.Option(help="The system of the file; its provider names it without.")
    ] = None,
    retrieved_at: Annotated[
        str, typer.Option(help="When the service answered, as 2026-11-30T09:00:00Z.")
    ] = "unavailable",
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Import a results file, and its failures, that were made elsewhere.

    Example: judge import-results elicit.jsonl --failures elicit.failures.jsonl --system A
    """
    from judge.clock import is_utc
    from judge.errors import Invalid
    from judge.records.base import UNAVAILABLE
    from judge.steps.results import import_results as take

    if retrieved_at != UNAVAILABLE and not is_utc(retrieved_at):
        raise Invalid(
            f"--retrieved-at {retrieved_at!r} is no UTC time; write 2026-11-30T09:00:00Z (R29)"
        )
    with at_work(study) as context:
        done = take(context, results, failures=failures, system=system, retrieved_at=retrieved_at)
    if json:
        return say_json(vars(done))
    for code, count in done.answered.items():
        say(f"{code}: {count} answers, {done.failed[code]} failures")
    if done.open:
        pairs = ", ".join(f"{query} at {code}" for code, query in done.open[:3])
        say(f"{len(done.open)} queries are in neither file ({pairs}…): still open")
    note("Next: judge pool")
    return None


def keyword_queries(
    questions: Annotated[Path, typer.Argument(help="A questions file (JSON Lines); .gz as well.")],
    provider: Annotated[
        list[str] | None, typer.Option(help="Rows of this provider alone; may be repeated.")
    ] = None,
    question: Annotated[
        list[str] | None, typer.Option(help="Rows of this question alone; may be repeated.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="A file for the rows; they are printed without.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Report where the keyword queries of a questions file came from.

    One JSON line for each, on stdout or in --out; the summary is printed beside it (with --json as
    JSON, which needs --out). Every prompt is held against its digest; a digest that differs ends
    in an error, after the report.

    Example: judge keyword-queries questions.jsonl --provider google_scholar --out rows.jsonl
    """
    import msgspec

    from judge.errors import Invalid
    from judge.files import read_bytes, write_atomic
    from judge.queries.provenance import chosen, summary
    from judge.queries.provenance import keyword_queries as read
    from judge.runs.importing.common import open_text

    if json and out is None:
        raise Invalid("--json prints the summary, so that the rows need a file", hint="--out FILE")
    text, _ = open_text(read_bytes(questions), questions.name)
    rows = chosen(read(text, questions.name), provider or (), question or ())
    lines = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    found = summary(rows)
    if out is None:
        print(lines.decode(), end="")
    else:
        write_atomic(out, lines)
    if json:
        say_json(found)
    else:
        tell = note if out is None else say
        tell(f"{found.rows} keyword queries of {found.questions} questions")
        for name in ("provider", "model", "source", "prompt_hash"):
            counts: dict[str, int] = getattr(found, f"by_{name}")
            parts = ", ".join(f"{count} {value}" for value, count in counts.items())
            tell(f"  {name}: {parts or 'none'}")
        tell(f"  sent text differs from the generated one: {found.sent_differs}")
    _check_prompts(rows)


def _check_prompts(rows: tuple[KeywordQuery, ...]) -> None:
    from judge.errors import Integrity

    wrong = [f"{row.question_id} at {row.provider}" for row in rows if row.prompt_hash == "differs"]
    if wrong:
        raise Integrity(
            f"{len(wrong)} prompts do not match their digest ({', '.join(wrong[:5])})",
            hint="the rows are written; ask whoever made the file",
        )


def check_sources(
    again: Annotated[
        bool, typer.Option("--again", help="Check records too that have their verdicts.")
    ] = False,
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Ask PubMed, Crossref and OpenAlex about every pooled record.

    Before pooling: about every hit within pool depth. Retractions, corrections, concerns,
    preprints, types and dates, each verdict by its source; and the neutral text that packets show,
    from PubMed, else Europe PMC, else Crossref. Free; goes on where it was stopped.

    Example: judge check-sources
    """
    from judge.steps.sources import check_sources as check

    with at_work(study) as context:
        done = check(context, again=again)
    if json:
        return say_json(vars(done))
    say(f"{done.checked} records checked, {done.earlier} had their verdicts already")
    for name, counts in done.verdicts.items():
        parts = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        say(f"  retracted by {name}: {parts}")
    for name, count in done.texts.items():
        say(f"  text from {name}: {count}")
    for record in done.retracted:
        say(f"  retracted: {record}")
    errors = sum(counts.get("error", 0) for counts in done.verdicts.values())
    if errors:
        note(f"{errors} verdicts are errors and say nothing; judge check-sources asks again")
    if done.bare:
        say(f"  without any text to show: {', '.join(done.bare[:10])}")
    note("Next: judge pool, then judge packet make")
    return None


def resolve_ids(study: StudyOption = None, json: JsonOption = False) -> None:
    """Ask NCBI's ID converter for the PMID of every PMCID, before pooling.

    A paper's PubMed page and PMC page then are one record. The raw records stay as they are; a
    PMCID that stays unresolved is a record of its own.

    Example: judge resolve-ids
    """
    from judge.steps.resolving import resolve_ids as resolve

    with at_work(study) as context:
        done = resolve(context)
    if json:
        return say_json(vars(done))
    say(f"{done.asked} PMCIDs asked for")
    for state, count in done.states.items():
        say(f"  {state}: {count}")
    if done.left:
        say(f"  still without a PMID: {', '.join(done.left[:10])}")
    note("Next: judge check-sources, or judge pool")
    return None


def cutoff_year(
    out: Annotated[Path, typer.Option(help="The folder for the files.")],
    systems: SystemsArgument = None,
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Cut lists off at each query's year, for services that cannot; write derived results files.

    Renumbered, with the raw rank of every candidate and the reason for every hit left out. The
    year is PubMed's where `judge check-sources` found it; an unknown year never passes.

    Example: judge cutoff-year brave --out cut
    """
    import msgspec

    from judge.steps.results import cut_off

    with at_work(study) as context:
        done = cut_off(context, out, systems or ())
    if json:
        return say_json(
            [{"file": str(one.file), **msgspec.structs.asdict(one.counts)} for one in done]
        )
    for path, one in ((cut.file, cut.counts) for cut in done):
        say(f"{path}: {one.kept} of {one.raw} hits in {one.lists} lists of {one.system}")
        say(
            f"  left out: {one.too_late} too late, {one.year_unknown} of unknown year, "
            f"{one.copies} later copies"
        )
        if one.filtered:
            say(f"  not cut here: {one.filtered} lists that the service itself cut off")
    return None
