"""The tables. A change here needs a step in `migrations`; a test compares the two."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
)

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _checksum_column() -> "Column[int]":
    """Return the column for the checksum of a row's other columns, which triggers keep (`checksum_triggers`)."""
    return Column("crc", BigInteger, nullable=False, server_default="0")


realm: Final = Table(
    "realm",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="one_row"), primary_key=True),
    Column("campaign", String, nullable=False),
    Column(
        "seed", String, nullable=False
    ),  # as decimal text: a seed may be larger than the database's integers
    Column("rules", Integer, nullable=False),
    Column("content", String, nullable=False),
    Column("created_s", BigInteger, nullable=False),
    _checksum_column(),
)

contents: Final = Table(
    "contents",
    metadata,
    Column("digest", String, primary_key=True),
    Column("files", LargeBinary, nullable=False),
    _checksum_column(),
)
"""The campaigns that the realm has used, with their files."""

accounts: Final = Table(
    "accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("folded", String, nullable=False, unique=True),
    Column("skeleton", String, nullable=False, index=True, server_default=""),
    Column("created_s", BigInteger, nullable=False),
    Column("last_seen_s", BigInteger, nullable=False, server_default="0"),
    Column("password_hash", String),
    _checksum_column(),
)
"""A released name has " NUMBER" after its folded form and its skeleton: no login matches it, and its deaths stay.
`skeleton` is the same for names that look alike; names from before the column may share one.
"""

tokens: Final = Table(
    "tokens",
    metadata,
    Column("account", Integer, ForeignKey("accounts.id"), primary_key=True),
    Column("token_hash", LargeBinary, primary_key=True),
    Column("added_s", BigInteger, nullable=False),
    _checksum_column(),
)

invites: Final = Table(
    "invites",
    metadata,
    Column("code_hash", LargeBinary, primary_key=True),
    Column("uses_left", Integer, nullable=False),
    Column("account", Integer, ForeignKey("accounts.id")),
    Column("created_s", BigInteger, nullable=False),
    _checksum_column(),
)
"""An invite with an account gives that account to a device; one without admits new players."""

bans: Final = Table(
    "bans",
    metadata,
    Column("account", Integer, ForeignKey("accounts.id"), primary_key=True, autoincrement=False),
    Column("until_s", BigInteger, nullable=False),
    _checksum_column(),
)
"""Bans and their ends."""

resumptions: Final = Table(
    "resumptions",
    metadata,
    Column("account", Integer, ForeignKey("accounts.id"), primary_key=True, autoincrement=False),
    Column("token_hash", LargeBinary, nullable=False),
    Column("device_hash", LargeBinary, nullable=False),
    Column("former_hash", LargeBinary),
    Column("left_s", BigInteger),
    _checksum_column(),
)
"""The means to resume each account's last session after a cut; `left_s` is null while it plays."""

shunned: Final = Table(
    "shunned",
    metadata,
    Column("account", Integer, ForeignKey("accounts.id"), primary_key=True, autoincrement=False),
    Column("other", Integer, ForeignKey("accounts.id"), primary_key=True, autoincrement=False),
    Column("blocked", Integer, nullable=False),
    _checksum_column(),
)
"""The players that an account ignores (0) or blocks (1)."""

words: Final = Table(
    "words",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at_s", BigInteger, nullable=False),
    Column("channel", String, nullable=False),
    Column("account", Integer, nullable=False),
    Column("name", String, nullable=False),
    Column("text", String, nullable=False),
    Column("hearers", String, nullable=False),
    _checksum_column(),
)
"""The newest words of players, for players who are away. `hearers` are accounts with spaces between them, "" for
all."""

listeners: Final = Table(
    "listeners",
    metadata,
    Column("account", Integer, ForeignKey("accounts.id"), primary_key=True, autoincrement=False),
    Column("heard", BigInteger, nullable=False),
    _checksum_column(),
)
"""Up to which number of `words` each account was there."""

reports: Final = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at_s", BigInteger, nullable=False),
    Column("account", Integer, nullable=False),
    Column("name", String, nullable=False),
    Column("about", String, nullable=False),
    Column("why", String, nullable=False),
    Column("lines", LargeBinary, nullable=False),
    _checksum_column(),
)
"""Reports of players about others for the host; `lines` is a JSON list."""

claims: Final = Table(
    "claims",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("rules", Integer, nullable=False),
    Column("content", String, nullable=False),
    Column("at_s", BigInteger, nullable=False),
    Column("libraries", String, nullable=False, server_default=""),
    _checksum_column(),
)
"""The servers that wrote here, the newest last: each start adds a claim. Only the newest claim may write."""

journal: Final = Table(
    "journal",
    metadata,
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
    Column("state_hash", LargeBinary),
    Column("beat", BigInteger, nullable=False, server_default="0"),
    Column("beat_size", Integer, nullable=False, server_default="0"),
    Column("crc", BigInteger),
    Column("digest", BigInteger),
    sqlite_with_rowid=False,  # one tree instead of two: half the pages of every commit
)
"""The primary key is the fence: two writers cannot both append at one sequence. Records of one append share a
beat number, and each stores their number. `crc` covers the other columns, in rows from before `digest` only
the body: a flipped bit must not become another command. `digest` is the digest of the state after a batch's last
record of a place.
"""

marks: Final = Table(
    "marks",
    metadata,
    Column("at_s", BigInteger, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("sequence", BigInteger, nullable=False),
)
"""Each partition's position at a time: the journal itself has no clock."""

snapshots: Final = Table(
    "snapshots",
    metadata,
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("rules", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("state_hash", LargeBinary, nullable=False),
    _checksum_column(),
)

deaths: Final = Table(
    "deaths",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account", Integer, ForeignKey("accounts.id"), nullable=False),
    Column("name", String, nullable=False),
    Column("killer", String, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("level", Integer, nullable=False),
    Column("experience", BigInteger, nullable=False),
    Column("turns", BigInteger, nullable=False),
    Column("at_s", BigInteger, nullable=False),
    Column("life", BigInteger, unique=True, index=True),
    Column("sequence", BigInteger, nullable=False, server_default="0"),
    Column("title", String, nullable=False, server_default=""),
    Column("deepest", Integer, nullable=False, server_default="0"),
    Column("kills", BigInteger, nullable=False, server_default="0"),
    Column("wins", Integer, nullable=False, server_default="0"),
    Column("won", Integer, nullable=False, server_default="0"),
    _checksum_column(),
)
"""The ended lives, which the ladder ranks: written with the batch that ends them. `life` is the number of the body
in the realm, so that no life has two rows; negative for lives from before there was a ladder. `sequence` is the
realm's record of the death. Bounded: the ladder says which rows to delete.
"""

archived_lives: Final = Table(
    "archived_lives",
    metadata,
    Column("account", Integer, ForeignKey("accounts.id"), nullable=False),
    Column("life", BigInteger, nullable=False),
    Column("place", Integer, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("returned", BigInteger, index=True),
    PrimaryKeyConstraint("account", "sequence", "place"),
    _checksum_column(),
)
"""Lives that are out of memory: the realm's part as place 0, and the map memory of each level. `sequence` is the realm's
record that archived the life, `returned` the one that returned it, null until then.
"""
