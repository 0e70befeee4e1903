"""Bans of accounts, and their ends."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bans",
        sa.Column("account", sa.Integer, nullable=False),
        sa.Column("until_s", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_bans_account_accounts")),
        sa.PrimaryKeyConstraint("account", name=op.f("pk_bans")),
    )


def downgrade() -> None:
    op.drop_table("bans")
