"""The players that others ignore or block, the newest words for players who are away, and reports for the host."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def _crc() -> "sa.Column[int]":
    return sa.Column("crc", sa.BigInteger, nullable=False, server_default="0")


def upgrade() -> None:
    op.create_table(
        "shunned",
        sa.Column("account", sa.Integer, nullable=False),
        sa.Column("other", sa.Integer, nullable=False),
        sa.Column("blocked", sa.Integer, nullable=False),
        _crc(),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_shunned_account_accounts")),
        sa.ForeignKeyConstraint(["other"], ["accounts.id"], name=op.f("fk_shunned_other_accounts")),
        sa.PrimaryKeyConstraint("account", "other", name=op.f("pk_shunned")),
    )
    op.create_table(
        "words",
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("at_s", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("account", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("hearers", sa.String, nullable=False),
        _crc(),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_words")),
    )
    op.create_table(
        "listeners",
        sa.Column("account", sa.Integer, nullable=False),
        sa.Column("heard", sa.BigInteger, nullable=False),
        _crc(),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_listeners_account_accounts")),
        sa.PrimaryKeyConstraint("account", name=op.f("pk_listeners")),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at_s", sa.BigInteger, nullable=False),
        sa.Column("account", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("about", sa.String, nullable=False),
        sa.Column("why", sa.String, nullable=False),
        sa.Column("lines", sa.LargeBinary, nullable=False),
        _crc(),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
    )


def downgrade() -> None:
    for table in ("reports", "listeners", "words", "shunned"):
        op.drop_table(table)
