"""How much of a paper a label rests on."""

from __future__ import annotations

from judge.records.judgement import View
from judge.records.protocol import EvidenceLevel


def evidence_shown(view: View, *, full_text: bool) -> EvidenceLevel:
    """What a label rests on (R47): what was on the screen, raised where the paper was read."""
    if full_text:
        return "full_text"
    return "abstract" if (view.abstract or "").strip() else "title"
