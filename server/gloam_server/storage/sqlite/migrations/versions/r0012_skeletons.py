"""Accounts have the skeleton of their name, which is the same for names that look alike."""

import sqlalchemy as sa
from alembic import op

from gloam_shared.text import skeleton

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("skeleton", sa.String, nullable=False, server_default=""))
    accounts = sa.table("accounts", sa.column("id"), sa.column("folded"), sa.column("skeleton"))
    connection = op.get_bind()
    for number, folded in connection.execute(sa.select(accounts.c.id, accounts.c.folded)).fetchall():
        connection.execute(accounts.update().where(accounts.c.id == number).values(skeleton=skeleton(folded)))
    op.create_index(op.f("ix_accounts_skeleton"), "accounts", ["skeleton"])


def downgrade() -> None:
    op.drop_index(op.f("ix_accounts_skeleton"), "accounts")
    op.drop_column("accounts", "skeleton")
