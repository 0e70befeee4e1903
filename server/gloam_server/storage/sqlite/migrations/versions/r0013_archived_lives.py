"""Lives of players who have been away for long go out of memory into rows."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "archived_lives",
        sa.Column("account", sa.Integer, nullable=False),
        sa.Column("life", sa.BigInteger, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("returned", sa.BigInteger),
        sa.Column("crc", sa.BigInteger, nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_archived_lives_account_accounts")
        ),
        sa.PrimaryKeyConstraint("account", "sequence", "place", name=op.f("pk_archived_lives")),
    )
    op.create_index(op.f("ix_archived_lives_returned"), "archived_lives", ["returned"])


def downgrade() -> None:
    op.drop_index(op.f("ix_archived_lives_returned"), "archived_lives")
    op.drop_table("archived_lives")
