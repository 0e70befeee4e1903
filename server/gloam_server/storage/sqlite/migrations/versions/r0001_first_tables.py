"""The first tables: realm, accounts, journal, snapshots, deaths."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "realm",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("campaign", sa.String, nullable=False),
        sa.Column("seed", sa.String, nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.Column("content", sa.String, nullable=False),
        sa.Column("created_s", sa.BigInteger, nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_realm_one_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_realm")),
    )
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("folded", sa.String, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("created_s", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("folded", name=op.f("uq_accounts_folded")),
    )
    op.create_table(
        "journal",
        sa.Column("place", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("sequence", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("state_hash", sa.LargeBinary),
        sa.PrimaryKeyConstraint("place", "sequence", name=op.f("pk_journal")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "snapshots",
        sa.Column("place", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("sequence", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("state_hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("place", "sequence", name=op.f("pk_snapshots")),
    )
    op.create_table(
        "deaths",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("account", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("killer", sa.String, nullable=False),
        sa.Column("depth", sa.Integer, nullable=False),
        sa.Column("level", sa.Integer, nullable=False),
        sa.Column("experience", sa.BigInteger, nullable=False),
        sa.Column("turns", sa.BigInteger, nullable=False),
        sa.Column("at_s", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_deaths_account_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deaths")),
    )


def downgrade() -> None:
    for table in ("deaths", "snapshots", "journal", "accounts", "realm"):
        op.drop_table(table)
