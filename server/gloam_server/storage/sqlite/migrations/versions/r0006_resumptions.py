"""Resume tokens, which continue a conversation after a lost connection."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "resumptions",
        sa.Column("account", sa.Integer, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("device_hash", sa.LargeBinary, nullable=False),
        sa.Column("former_hash", sa.LargeBinary),
        sa.Column("left_s", sa.BigInteger),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_resumptions_account_accounts")),
        sa.PrimaryKeyConstraint("account", name=op.f("pk_resumptions")),
    )


def downgrade() -> None:
    op.drop_table("resumptions")
