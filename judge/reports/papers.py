"""The pages of a release for people: how to cite it, whose data it holds, how to check it."""

from __future__ import annotations

import json
import re

from judge.records.release import Release, TrecMean
from judge.reports.gate import KINDS
from judge.reports.material import Material
from judge.text import display_text

SCOPE = (
    "An executed search test speaks for retrieval under this set-up and does not validate a "
    "research workflow."
)
_EMBEDDED = "embedded"
_BIOASQ_ID = re.compile(r"(?:golden_enriched:)?[0-9a-f]{24}")


def citation(material: Material, release: Release) -> bytes:
    """`CITATION.cff`, Citation File Format 1.2.0. JSON strings are YAML strings.

    The one author is whoever the protocol says ran the study, as an entity: no name is made up.
    """
    title = release.title
    if release.kind == "worked_example":
        title += " (worked example)"
    lines = {
        "cff-version": "1.2.0",
        "message": "Cite this release with its version, which is the digest of its protocol.",
        "type": "dataset",
        "title": title,
        "version": release.freeze_id,
        "date-released": release.released_on,
    }
    text = "".join(f"{name}: {_quoted(value)}\n" for name, value in lines.items())
    text += f"authors:\n  - name: {_quoted(material.frozen.protocol.people.run_by)}\n"
    return text.encode()


def _quoted(text: str) -> str:
    return json.dumps(display_text(text), ensure_ascii=False)


def notice(material: Material, release: Release) -> bytes:
    """`NOTICE.md`: whose data stand in the bundle, and under which terms."""
    parts = [f"# Notice\n\nThis bundle is a {KINDS[release.kind]}."]
    if release.kind == "worked_example":
        parts.append(
            "Its labels are scripted: nobody judged, and no figure in it says anything about any "
            "search service."
        )
    parts.append(
        "What the team wrote (protocol, queries, criteria, labels, notes) is the team's. Replies "
        "of search services, titles and abstracts stay under the terms of those they came from; "
        "that they lie here gives nobody a right to them."
    )
    if _holds_nlm(material):
        parts.append(
            "## National Library of Medicine\n\nCourtesy of the U.S. National Library of Medicine."
            "\n\nRecords with a PMID rest on MEDLINE/PubMed data as of the retrieval dates in "
            "runs/records.jsonl; they may not reflect the most current data available from NLM. "
            "NLM does not endorse this evaluation or its results. Abstracts may be under the "
            "copyright of their publishers."
        )
    if _holds_bioasq(material):
        parts.append(
            "## BioASQ\n\nQuestions and gold papers with BioASQ ids are from the BioASQ challenge "
            "(bioasq.org) and stay under its terms. Cite: G. Tsatsaronis et al., An overview of "
            "the BIOASQ large-scale biomedical semantic indexing and question answering "
            "competition, BMC Bioinformatics 16:138, 2015, doi:10.1186/s12859-015-0564-6."
        )
    return "\n\n".join(parts).encode() + b"\n"


def _holds_nlm(material: Material) -> bool:
    """PMIDs of a service's replies, or PubMed's own. The embedded search has notes of the team."""
    return (
        any(
            hit.pmid
            for run in material.runs
            for hit in run.raw_results or ()
            if run.service != _EMBEDDED
        )
        or any(
            said.source == "pubmed" and said.body
            for check in material.checks.values()
            for said in check.says
        )
        or _holds_bioasq(material)
    )


def _holds_bioasq(material: Material) -> bool:
    """Questions by their BioASQ ids, or queries whose note says so; gold papers are PMIDs."""
    return any(
        _BIOASQ_ID.fullmatch(query.id) or "bioasq" in query.note.lower()
        for query in (*material.evaluation, *material.development)
    )


def how_to_check(material: Material, release: Release) -> bytes:
    """`HOW-TO-CHECK.md`: the ways to check the bundle, and what each of them cannot show."""
    whole = not release.left_out
    parts = [
        f"# How to check this\n\n{display_text(release.title)}: a {KINDS[release.kind]}, released "
        f"{release.released_on}. {SCOPE}",
        _with_sha256sum(),
        _with_tool(whole),
        _with_trec_eval(release),
        _what_is_left_out(release),
        "## What no check can show\n\nDigests and chains show that nothing changed since it was "
        "written, and in which order; not when. Whoever writes every file anew, replies of the "
        "services and labels with them, and then every digest, makes a bundle that holds together. "
        "A line kept elsewhere shows the difference, since only the bundle that was released ends "
        f"with it:\n\n    {release.chain_head}\n\nCompare it with a copy that came to you another "
        "way: from whoever released this, a mail, a journal, an archive. Nor does any check show "
        "that a person judged with care, or that a service answered what its reply says.",
    ]
    return "\n\n".join(parts).encode() + b"\n"


def _with_sha256sum() -> str:
    return (
        "## With sha256sum alone\n\n    sha256sum -c MANIFEST.sha256\n"
        "    sha256sum protocol/frozen.json\n\nThe first names every file that is not as it was "
        "released. `find . -type f | wc -l` counts one more than the manifest has lines, which is "
        "the manifest itself; a larger count means that a file was added. The second prints the "
        "version in CITATION.cff. Raw replies lie in runs/raw under their own SHA-256."
    )


def _with_tool(whole: bool) -> str:
    said = (
        "## With this tool alone\n\n    judge verify .\n\nchecks the manifest, every digest and "
        "chain, and then recomputes: "
    )
    if whole:
        return said + (
            "replies are read again, labels derived again from the acts of the desk, the run "
            "files, tables, qrels, this page and the report written again, and compared byte by "
            "byte.\n\n    judge rebuild .\n\nmakes the study's store again, so that every "
            "command works on it."
        )
    return said + (
        "labels are derived again from the acts of the desk; run files, tables, qrels and this "
        "page written again and compared byte by byte; precision and comparisons of the report "
        "computed again. `judge rebuild .` refuses, since texts are "
        "left out: a study whose records do not match their own digests is none."
    )


def _with_trec_eval(release: Release) -> str:
    parts = [
        "## With trec_eval alone\n\n    trec_eval -q -m P.5,10 judgements/qrels/final.qrels "
        "runs/trec/SYSTEM.run\n\n(with the cutoffs and systems below) prints P@k per query to "
        "four places. It takes what nobody judged for not relevant; its figure is the report's "
        "for a complete query, whose first k ranks are all decided. The mean over exactly the "
        "queries named here is that of the table; any other mean of trec_eval is another number.",
        "| system | k | queries | mean P@k, exact | which |\n|---|---|---|---|---|\n"
        + "\n".join(_row(one) for one in release.trec),
    ]
    if missing := [_not_given(one) for one in release.trec if one.others]:
        parts.append("Complete queries whose P@k the two files do not give:\n\n")
        parts[-1] += "\n".join(missing)
    parts.append(
        "What each file cannot carry:\n\n"
        + "\n".join(f"- {loss.file}: {_lost(loss.lost)}. {loss.said}" for loss in release.losses)
    )
    return "\n\n".join(parts)


def _row(one: TrecMean) -> str:
    which = ", ".join(one.queries) or "none"
    return f"| {one.system} | {one.k} | {len(one.queries)} | {one.mean} | {which} |"


def _not_given(one: TrecMean) -> str:
    which = "; ".join(f"{query} ({why})" for query, why in one.others.items())
    return f"- {one.system}, k = {one.k}: {which}"


def _lost(lost: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in lost.items()) or "nothing is lost"


def _what_is_left_out(release: Release) -> str:
    if not release.left_out:
        return "## What is left out\n\nNothing: every field of every record is in the bundle."
    counts = "\n".join(f"- {name}: {count}" for name, count in release.left_out.items())
    return (
        f"## What is left out\n\n{counts}\n\nleft_out.jsonl names each record that lacks a text, "
        "with the digest of the record as it was, which the chain holds. That chain therefore "
        "still verifies; but what the digest of such a record covers is believed and not "
        "computed. Not recomputed from this bundle: of the report, all but precision and "
        "comparisons (its bytes are those that the chain names); where raw replies are left out, "
        "the lists in runs/records.jsonl; where texts of records are, what an assessor saw of "
        "them. The digest of a short text can be guessed by trying."
    )
