"""Records have a digest of the state they led to, every row has a checksum, and a claim names its libraries."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_SEALED = (
    "realm",
    "contents",
    "accounts",
    "tokens",
    "invites",
    "bans",
    "resumptions",
    "claims",
    "snapshots",
    "deaths",
)


def upgrade() -> None:
    op.add_column("journal", sa.Column("digest", sa.BigInteger))
    op.add_column("claims", sa.Column("libraries", sa.String, nullable=False, server_default=""))
    for table in _SEALED:
        op.add_column(table, sa.Column("crc", sa.BigInteger, nullable=False, server_default="0"))


def downgrade() -> None:
    for table in _SEALED:
        op.drop_column(table, "crc")
    op.drop_column("claims", "libraries")
    op.drop_column("journal", "digest")
