"""A world stores the content that it uses, so that an upgrade can say what changes."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "contents",
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("files", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_contents")),
    )


def downgrade() -> None:
    op.drop_table("contents")
