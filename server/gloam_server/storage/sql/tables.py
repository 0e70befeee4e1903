"""The tables of a world and their columns, as the steps in `sql.migrations` leave them.

Here without types, for what examines or copies a file; a test compares them with a new file. A referenced table is before
the tables that refer to it. `crc` is the checksum of a row's other columns, which triggers keep (`checksum_triggers`).
"""

from collections.abc import Mapping
from typing import Final

TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    # One row. The seed is decimal text: it may be larger than the database's integers.
    "realm": ("id", "campaign", "seed", "rules", "content", "created_s", "crc"),
    # The campaigns that the realm has used, with their files.
    "contents": ("digest", "files", "crc"),
    # A released name has " NUMBER" after its folded form and its skeleton: no login matches it, and its deaths stay.
    # `skeleton` is the same for names that look alike; names from before the column may share one.
    # `watchers` says who may watch the player, null before the player has chosen.
    "accounts": (
        *("id", "name", "folded", "created_s", "last_seen_s", "password_hash", "crc", "skeleton", "watchers"),
    ),
    "tokens": ("account", "token_hash", "added_s", "crc"),
    # An invite with an account gives that account to a device; one without admits new players.
    "invites": ("code_hash", "uses_left", "account", "created_s", "crc"),
    "bans": ("account", "until_s", "crc"),
    # The means to resume each account's last session after a cut; `left_s` is null while it plays.
    "resumptions": ("account", "token_hash", "device_hash", "former_hash", "left_s", "crc"),
    # The players that an account ignores (0) or blocks (1).
    "shunned": ("account", "other", "blocked", "crc"),
    # The newest chat, for players who are away. `hearers` are accounts with spaces between them, "" for all.
    "words": ("number", "at_s", "channel", "account", "name", "text", "hearers", "crc"),
    # Up to which number of `words` each account was there.
    "listeners": ("account", "heard", "crc"),
    # Reports of players about others for the host; `lines` is a JSON list.
    "reports": ("id", "at_s", "account", "name", "about", "why", "lines", "crc"),
    # The servers that wrote here, the newest last: each start adds a claim. Only the newest claim may write.
    "claims": ("number", "rules", "content", "at_s", "libraries", "crc"),
    # The primary key (place, sequence) is the fence: two writers cannot both append at one sequence. Records of one
    # append share a beat number, and each stores their number. `crc` covers the other columns, in rows from before
    # `digest` only the body. `digest` is of the state after a batch's last record of a partition. There is no rowid: one tree
    # instead of two has half the pages of every commit.
    "journal": ("place", "sequence", "body", "state_hash", "beat", "beat_size", "crc", "digest"),
    # Each partition's position at a time: the journal itself has no clock.
    "marks": ("at_s", "place", "sequence"),
    "snapshots": ("place", "sequence", "rules", "body", "state_hash", "crc"),
    # The ended lives, which the ladder ranks, written with the batch that ends them. `life` is the number of the body in
    # the realm, so that no life has two rows; negative for lives from before there was a ladder. `sequence` is the realm's
    # record of the death. Bounded: the ladder says which rows to delete.
    "deaths": (
        *("id", "account", "name", "killer", "depth", "level", "experience", "turns", "at_s", "crc"),
        *("life", "sequence", "deepest", "kills", "wins", "won", "title", "beacons"),
    ),
    # Lives that are out of memory: the realm's part as partition 0, and the map memory of each level. `sequence` is the
    # realm's record that archived the life, `returned` the one that returned it, null until then.
    "archived_lives": ("account", "life", "place", "sequence", "body", "returned", "crc"),
}

CHECKSUMMED: Final = tuple(name for name in TABLES if name not in ("journal", "marks"))
"""The tables with checksums by triggers. Records get theirs when they are written; marks need none, because
they only say what may be deleted.
"""
