"""Protocol lint: each rule with the smallest change that breaks it, all of them listed at once."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.decode import read_toml
from judge.errors import Invalid, Problem
from judge.protocol.lint import LABEL_KEYS, PROMPT_KEYS, hidden_keys, lint, share_of
from judge.queries.lint import Finding
from judge.records.protocol import Protocol
from tests.steps.studies import PROTOCOL, RUBRIC


def changed(*changes: tuple[str, str]) -> str:
    """The protocol of the small study with pieces of its text replaced."""
    text = PROTOCOL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def problems(*changes: tuple[str, str], rubric: str = RUBRIC) -> list[str]:
    protocol = read_toml(changed(*changes).encode(), "protocol.toml", Protocol)
    return [str(problem) for problem in lint(protocol, rubric)]


def test_a_protocol_that_says_everything_has_no_problem() -> None:
    assert problems() == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "A small study"', 'title = " "', "title: empty; name the study"),
        (
            'decision = "Which mode to open first."',
            'decision = ""',
            "decision: empty; say what decision this evaluation serves",
        ),
        (
            'intended_users = "Information specialists"',
            'intended_users = "\\t"',
            "intended_users: empty; say who will use the search",
        ),
        (
            'source_scope = "Nine notes"',
            'source_scope = ""',
            "source_scope: empty; say which sources and years are in scope",
        ),
        (
            'measures = ["precision_at_k", "agreement"]',
            "measures = []",
            "measures: empty; at least one is needed",
        ),
        (
            'need = "Papers on one drug."',
            'need = ""',
            "families[1].need: empty; say what people want to find",
        ),
        (
            'text = "Another drug stands first."',
            'text = ""',
            "unacceptable_failures[1].text: empty",
        ),
        ("requested = 5", "requested = 3", "depth.requested: 3 is less than depth.pool (4)"),
        ("pool = 4", "pool = 3", "depth.cutoffs: cutoff 4 is deeper than the pool (3)"),
        ("pool = 4", "pool = 0", "depth.pool: 0; at least 1"),
        ("cutoffs = [2, 4]", "cutoffs = []", "depth.cutoffs: empty; at least one cutoff"),
        ("cutoffs = [2, 4]", "cutoffs = [4, 2]", "depth.cutoffs: [4, 2]; rising whole numbers"),
        ("cutoffs = [2, 4]", "cutoffs = [2, 2]", "depth.cutoffs: [2, 2]; rising whole numbers"),
        ("cutoffs = [2, 4]", "cutoffs = [0, 4]", "depth.cutoffs: [0, 4]; rising whole numbers"),
        (
            'organism = "As the need says"',
            'organism = ""',
            "rubric.organism: empty; fill in or write 'not relevant here'",
        ),
        ('version = "1"', 'version = ""', "rubric.version: empty"),
        ('clause = "1.1"', 'clause = "7.3"', "reasons[1].clause: '7.3' is not in rubric.md"),
        ('clause = "1.1"', 'clause = " "', "reasons[1].clause: ' ' is not in rubric.md"),
        ('key = "a"', 'key = "ab"', "reasons[1].key: 'ab'; one printable character"),
        ('key = "a"', 'key = " "', "reasons[1].key: ' '; one printable character"),
        ('key = "a"', 'key = "1"', "reasons[1].key: '1' is a label key; none of 1 0 5 ? l"),
        (
            'labels = ["relevant", "uncertain"]',
            'labels = ["relevant"]',
            "reasons: no reason for uncertain; every judgement needs one (R50)",
        ),
        ('labels = ["not_relevant"]', "labels = []", "reasons[2].labels: empty"),
        ('text = "About the need"', 'text = ""', "reasons[1].text: empty"),
        ('code = "off_topic"', 'code = "on_topic"', "reasons: 'on_topic', 'on_topic' are one code"),
        ('code = "off_topic"', 'code = "On_Topic"', "reasons: 'on_topic', 'On_Topic' are one code"),
        ('code = "S"', 'code = "../S"', "systems: code '../S'; 1 to 40 of A-Z a-z 0-9 . _ -"),
        (
            'practice = ["C"]',
            'practice = ["a"]',
            "people: 'A', 'a' are one code; codes are unique, whatever",
        ),
        ('adjudicator = "D"', 'adjudicator = ""', "people.adjudicator: empty; the code of the"),
        ('adjudicator = "D"', 'adjudicator = "A"', "people.adjudicator: 'A' is an assessor"),
        (
            'assessors = ["A", "B"]',
            'assessors = ["A"]',
            "people.assessors: one assessor; agreement needs two",
        ),
        ('assessors = ["A", "B"]', "assessors = []", "people.assessors: empty"),
        ('run_by = "Code R"', 'run_by = ""', "people.run_by: empty; say who (R81)"),
        ('ties = "none"', 'ties = ""', "people.ties: empty; say who, or 'none' for no ties (R81)"),
        ('run_by = "Code R"', 'run_by = " "', "people.run_by: empty"),
        (
            'same_record = ["same_id"]',
            "same_record = []",
            "choices.same_record: empty; what makes two hits duplicates (R67)",
        ),
        (
            'largest_entity_share = "1"',
            'largest_entity_share = "1/0"',
            "largest_entity_share: '1/0'; a share as \"1/5\", from 0 to 1",
        ),
        (
            'largest_entity_share = "1"',
            'largest_entity_share = "0.2"',
            "largest_entity_share: '0.2'; a share",
        ),
        (
            'largest_entity_share = "1"',
            'largest_entity_share = "3/2"',
            "largest_entity_share: '3/2'; a share",
        ),
        (
            "strata = []",
            'strata = [{name = "organism", values = []}]',
            "strata[1].values: empty; the values a query may have",
        ),
        (
            "[choices]",
            '[sharing]\ntitel = "share"\n\n[choices]',
            "sharing.titel: no field to share (did you mean 'title'?); one of title, abstract",
        ),
        (
            "strata = []",
            'strata = []\ncomparisons = [["K", "K"]]',
            "comparisons[1]: ['K', 'K']; two different system codes",
        ),
        (
            "strata = []",
            'strata = []\ncomparisons = [["K", "S"], ["S", "K"]]',
            "comparisons[2]: ['S', 'K'] is the pair of comparisons[1]; each pair once",
        ),
        (
            "strata = []",
            'strata = []\ncriteria = [{code = "c", text = "P@2 of 1/2", reason = " "}]',
            "criteria[1].reason: empty; each needs both (R80)",
        ),
    ],
)
def test_each_thing_that_is_missing_or_wrong_is_named(old: str, new: str, said: str) -> None:
    found = problems((old, new))
    assert any(problem.startswith(said) for problem in found), found


CLAIM = (
    'strata = []\nclaims = [{{id = "c1", system = "{system}", behaviour = "refusal", '
    'text = "{text}", address = "{address}", read_on = "{day}"}}]'
)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"system": "X"}, "claims[1].system: 'X' is no system"),
        ({"text": " "}, "claims[1].text: empty; say what the documentation says"),
        ({"address": ""}, "claims[1].address: empty; say where it was read"),
        ({"day": "2026-02-30"}, "claims[1].read_on: '2026-02-30'; a day as YYYY-MM-DD"),
        ({"day": "yesterday"}, "claims[1].read_on: 'yesterday'; a day as YYYY-MM-DD"),
    ],
)
def test_a_documented_claim_says_where_and_when_it_was_read(
    changes: dict[str, str], said: str
) -> None:
    whole = {"system": "K", "text": "Refuses.", "address": "https://x.example", "day": "2026-11-01"}
    assert problems(("strata = []", CLAIM.format(**whole))) == []
    (found,) = problems(("strata = []", CLAIM.format(**whole | changes)))
    assert found.startswith(said)


def test_an_empty_rubric_is_a_problem() -> None:
    assert "rubric.md: empty; write down what counts as relevant" in problems(rubric=" \n")


def test_a_clause_that_nobody_finished_is_a_problem() -> None:
    unfinished = "# Criteria\n\n1.1 Relevant is what …\n\n1.2 Anything … else does not count.\n"
    assert problems(rubric=unfinished) == ["rubric.md: line 3 ends in …; finish the clause"]


def test_a_share_of_items_shown_twice_is_a_fraction() -> None:
    share = 'strata = []\nrepeats_share = "{}"'
    for allowed in ("0", "1/20", "1"):
        assert problems(("strata = []", share.format(allowed))) == []
    for wrong in ("5 %", "0.1", "3/2", "1/0"):
        (found,) = problems(("strata = []", share.format(wrong)))
        assert found == f'repeats_share: {wrong!r}; a share as "1/5", from 0 to 1'


def test_settling_by_discussion_needs_no_third_person_and_two_to_discuss() -> None:
    discussion = ('adjudication = "third_person"', 'adjudication = "discussion"')
    assert problems(discussion, ('adjudicator = "D"', 'adjudicator = ""')) == []
    alone = problems(
        discussion,
        ('assessors = ["A", "B"]', 'assessors = ["A"]'),
        ('"agreement"', '"judged_at_k"'),
    )
    assert alone == [
        "people.adjudication: 'discussion' with one assessor; two to discuss",
    ]


def test_a_problem_without_a_place_starts_with_what_was_found() -> None:
    assert str(Problem("", "not TOML", "mend it")) == "not TOML; mend it"
    assert str(Finding("problem", "", "not TOML")) == "not TOML"
    assert str(Problem("title", "empty")) == "title: empty"


def test_one_key_may_complete_two_labels_but_not_one_label_twice() -> None:
    same = ('key = "x"', 'key = "a"')
    assert problems(same) == []
    found = problems(same, ('labels = ["not_relevant"]', 'labels = ["not_relevant", "relevant"]'))
    assert [one for one in found if "key 'a' stands 2 times for relevant" in one]


def test_five_mistakes_are_five_problems() -> None:
    found = problems(
        ('decision = "Which mode to open first."', 'decision = ""'),
        ("cutoffs = [2, 4]", "cutoffs = [2, 9]"),
        ('key = "x"', 'key = "5"'),
        ('adjudicator = "D"', 'adjudicator = "B"'),
        ('ties = "none"', 'ties = ""'),
    )
    assert [re.split(r"[:\[]", one)[0] for one in found] == [
        "decision",
        "people",  # the code B stands twice
        "depth.cutoffs",
        "reasons",
        "people.adjudicator",
        "people.ties",
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("index_frozen", "index_frosen", "unknown key (did you mean 'index_frozen'?)"),
        ('uncertain = "bounds"\n', "", "choices.uncertain: missing; one of bounds, relevant"),
        (
            'failed_request = "that_system"\n',
            "",
            "choices.failed_request: missing; one of that_system, all_systems",
        ),
        (
            'duplicates = "first_counts"\n',
            "",
            "choices.duplicates: missing; one of first_counts, every_copy_counts",
        ),
        ('gaps = "bounds"\n', "", "choices.gaps: missing; one of bounds, exclude_query"),
        (
            'evidence_level = "abstract"\n',
            "",
            "rubric.evidence_level: missing; one of abstract, full_text",
        ),
        ("pool = 4", 'pool = "4"', "depth.pool: text ('4') where a whole number is expected"),
        ("cutoffs = [2, 4]", "cutoffs = 4", "depth.cutoffs: a whole number (4) where a list is"),
        (
            'adjudication = "third_person"',
            'adjudication = "third_persn"',
            "'third_persn' is not allowed (did you mean 'third_person'?)",
        ),
    ],
)
def test_a_protocol_is_strict_about_its_keys_and_values(old: str, new: str, said: str) -> None:
    with pytest.raises(Invalid) as error:
        read_toml(changed((old, new)).encode(), "protocol.toml", Protocol)
    assert said in "\n".join(error.value.lines())


@given(st.integers(0, 60), st.integers(1, 60))
def test_a_share_is_an_exact_fraction(part: int, whole: int) -> None:
    found = share_of(f"{part}/{whole}")
    assert found is not None
    assert found * whole == part


@pytest.mark.parametrize("text", ["", "1/", "/2", "-1/2", "1/0", "0.5", "1e-1", " 1/2", "½"])
def test_what_is_no_share_is_none(text: str) -> None:
    assert share_of(text) is None


@pytest.mark.parametrize(
    ("key", "meaning"),
    [
        ("f", "full text"),
        ("g", "criteria"),
        ("k", "keys"),
        ("t", "terms"),
        ("u", "drop this label"),
        ("v", "colours"),
    ],
)
def test_a_reason_key_that_hides_a_key_of_the_desk_is_told(key: str, meaning: str) -> None:
    text = changed(('key = "a"', f'key = "{key}"'))
    protocol = read_toml(text.encode(), "protocol.toml", Protocol)
    assert lint(protocol, RUBRIC) == []  # it can be worked with
    assert [str(one) for one in hidden_keys(protocol)] == [
        f"reasons[1].key: '{key}' hides the desk's key for '{meaning}' while a reason is asked "
        "for; another key than f g k t u v"
    ]


@pytest.mark.parametrize("key", sorted(LABEL_KEYS))
def test_a_reason_with_a_label_key_is_a_problem(key: str) -> None:
    assert problems(('key = "a"', f'key = "{key}"')) == [
        f"reasons[1].key: '{key}' is a label key; none of 1 0 5 ? l"
    ]


def test_two_reasons_of_one_label_have_two_keys() -> None:
    assert problems(('key = "x"', 'key = "a"'), ('["not_relevant"]', '["relevant"]')) == [
        "reasons: key 'a' stands 2 times for relevant",
        "reasons: no reason for not_relevant; every judgement needs one (R50)",
    ]


def test_the_reasons_of_a_new_study_hide_nothing() -> None:
    from judge.steps.planning import TEMPLATE

    text = (TEMPLATE / "protocol" / "protocol.toml").read_text("utf-8")
    keys = re.findall(r'^key = "(.+)"$', text, re.MULTILINE)
    assert len(keys) == 3
    assert not set(keys) & (LABEL_KEYS | PROMPT_KEYS.keys())
