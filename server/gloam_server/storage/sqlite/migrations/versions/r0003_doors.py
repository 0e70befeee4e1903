"""Accounts have a password and any number of devices, and know when they were last played; invites."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("last_seen_s", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("accounts", sa.Column("password_hash", sa.String))
    op.create_table(
        "tokens",
        sa.Column("account", sa.Integer, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("added_s", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_tokens_account_accounts")),
        sa.PrimaryKeyConstraint("account", "token_hash", name=op.f("pk_tokens")),
    )
    op.create_table(
        "invites",
        sa.Column("code_hash", sa.LargeBinary, nullable=False),
        sa.Column("uses_left", sa.Integer, nullable=False),
        sa.Column("account", sa.Integer),
        sa.Column("created_s", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_invites_account_accounts")),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_invites")),
    )
    op.execute("INSERT INTO tokens SELECT id, token_hash, created_s FROM accounts")
    # The day in which a name without a password stays its device's begins with the upgrade.
    op.execute("UPDATE accounts SET last_seen_s = CAST(strftime('%s', 'now') AS INTEGER)")
    op.drop_column("accounts", "token_hash")


def downgrade() -> None:
    op.add_column("accounts", sa.Column("token_hash", sa.LargeBinary, nullable=False, server_default=""))
    op.execute(
        "UPDATE accounts SET token_hash = "
        "coalesce((SELECT token_hash FROM tokens WHERE account = accounts.id ORDER BY added_s LIMIT 1), x'')"
    )
    op.drop_table("invites")
    op.drop_table("tokens")
    op.drop_column("accounts", "password_hash")
    op.drop_column("accounts", "last_seen_s")
