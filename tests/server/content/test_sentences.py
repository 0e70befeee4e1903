"""Every line of the log, for every creature, item, spell and trap of every campaign, read by rules of English."""

import re
from collections.abc import Iterator

import pytest

from gloam_shared.event_kinds import TEMPLATES
from gloam_shared.narration.rendering import end_of_life, render_line, with_article, with_definite_article
from gloam_shared.view.view import LogLine
from support.content.item_phrases import CAMPAIGNS
from support.content.sentences import creature_names, faults, force_names, item_names

OF_TWO = re.compile(r"^.* and .* (trade|begin)\b")
"""Sentences with two subjects, whose verb is plural."""
IMPERSONAL = (
    "grows_limb",
    "bores",
    "brightens",
    "reveals",
    "gains_trait",
    "speaks",
    "hears",
    "begins_movement",
)
"""Kinds whose sentences do not begin with their subject, or have the verb in their source."""
OTHER_SOURCES = ("grows_limb", "hesitates", "gains_trait", "speaks", "hears")
"""Kinds whose source is a phrase of its own, and no spell or trap."""
DIRECTIONS = ("attacked_from",)
"""Kinds whose source is a direction."""


def lines(campaign: str) -> Iterator[LogLine]:
    """Yield every kind of line with every name in each of its places."""
    for kind in TEMPLATES:
        if kind in DIRECTIONS:
            yield LogLine(kind, "you", "", 0, "north-east")
            continue
        for name in creature_names(campaign):
            yield LogLine(kind, name, "you", 3, "rock")
            yield LogLine(kind, name, "orc", 3, "rock")
            yield LogLine(kind, "you", name, 3, "rock")
        for name in item_names(campaign):
            yield LogLine(kind, "you", name, 3, name)
            yield LogLine(kind, "orc", name, 3, name)
            yield LogLine(kind, "orc", "you", 3, name)
        for name in () if kind in OTHER_SOURCES else force_names(campaign):
            yield LogLine(kind, "you", "orc", 3, name)
            yield LogLine(kind, "orc", "you", 3, name)
            yield LogLine(kind, "orc", "rat", 3, name)


def verb_fault(line: LogLine, text: str) -> list[str]:
    """Return the sentence if its verb has another number than its subject."""
    subject = "You" if line.subject == "you" else with_definite_article(line.subject)
    start = f"{subject[:1].upper()}{subject[1:]} "
    if not text.startswith(start) or line.kind in IMPERSONAL or OF_TWO.match(text):
        return []
    verb = text.removeprefix(start).removeprefix("no longer ").split()[0].strip(".!,:")
    third = (verb.endswith("s") and not verb.endswith("ss")) or verb == "was"
    return [] if third is (line.subject != "you") else [f"number of the verb: {text}"]


@pytest.mark.thorough
@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_every_line_of_the_log_reads_right(campaign: str) -> None:
    told = {render_line(line): line for line in lines(campaign)}
    assert [fault for text, line in told.items() for fault in (*faults(text), *verb_fault(line, text))] == []


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_every_end_and_every_name_reads_right(campaign: str) -> None:
    everything = [*creature_names(campaign), *item_names(campaign), *force_names(campaign)]
    told = [f"Ann {end_of_life(name)}." for name in everything]
    told += [f"It is {with_article(name)}." for name in everything]
    told += [f"It is {with_definite_article(name)}." for name in everything]
    assert [fault for text in told for fault in faults(text)] == []


def test_verbs_have_the_number_of_their_subject() -> None:
    assert render_line(LogLine("blasted", "you", "", 6, "spikes")) == "You take 6 damage from the spikes!"
    assert render_line(LogLine("blasted", "orc", "", 6, "a jet of fire")) == (
        "The orc takes 6 damage from the jet of fire!"
    )
    assert end_of_life("spikes") == "was killed by spikes"


def test_a_players_own_body_is_felt_not_seen() -> None:
    told = [template.by_you for template in TEMPLATES.values()]
    assert [sentence for sentence in told if sentence.startswith("You look")] == []


def test_the_rules_find_the_faults() -> None:
    wrong = [
        "The a jet of fire hits you.", "It drops a +6 Skadru's pelt.", "You see a apple.", "You see an unicorn.",
        "It steals your Skadru's pelt!", "The spikes hits you.", "You see a bread.",
    ]  # fmt: skip
    assert [text for text in wrong if not faults(text)] == []
    assert verb_fault(LogLine("strikes", "orc", "rat"), "The orc strike the rat.")
    assert verb_fault(LogLine("strikes", "you", "rat"), "You strikes the rat.")
