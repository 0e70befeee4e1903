"""The golden journal: what was played once leads to the same state for as long as the rules are the same."""

import os
from collections import Counter

import pytest

from gloam_server.world.model.inputs import decode
from gloam_server.world.transition.version import RULES_VERSION
from support.content.campaigns import shipped
from support.golden import journal_recording
from support.run.hashing import said_under_each_order

AGAIN = (
    "The golden journal no longer leads to its state: the rules or the campaign have changed. If that was meant, raise "
    "RULES_VERSION (server/gloam_server/world/transition/version.py) and re-record with GLOAM_UPDATE_GOLDEN=1."
)
if os.environ.get("GLOAM_UPDATE_GOLDEN") == "1":
    journal_recording.write(journal_recording.record())


def test_it_leads_to_the_state_that_was_recorded() -> None:
    kept = journal_recording.read()
    assert journal_recording.replay(kept.inputs) == kept.state_hash, AGAIN


def test_recorded_under_rules_and_content() -> None:
    """It was recorded under these rules and with this content."""
    kept = journal_recording.read()
    assert (kept.rules, kept.content) == (RULES_VERSION, shipped(journal_recording.CAMPAIGN).digest), (
        "The golden journal was recorded under other rules or with other content; re-record it with "
        "GLOAM_UPDATE_GOLDEN=1."
    )


def test_it_holds_enough_of_everything() -> None:
    kinds = Counter(
        type(decode(body)).__name__ for bodies in journal_recording.read().inputs.values() for body in bodies
    )

    assert kinds.total() >= journal_recording.INPUTS
    assert set(kinds) >= {
        "PopulateLevel",
        "EnterPlay",
        "Arrive",
        "Turn",
        "UnattendedTurn",
        "Leave",
        "StoreBody",
        "FreeAction",
        "RecordMove",
    }


@pytest.mark.thorough
def test_playing_replaying_not_depend_order() -> None:
    """Playing and replaying do not depend on the order of hashing."""
    assert len(said_under_each_order("-m", "support.golden.journal_recording")) == 1
