"""Each server's start is a claim: the newest one is the only writer."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "claims",
        sa.Column("number", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.Column("content", sa.String, nullable=False),
        sa.Column("at_s", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_claims")),
    )


def downgrade() -> None:
    op.drop_table("claims")
