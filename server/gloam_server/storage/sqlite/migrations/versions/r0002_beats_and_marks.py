"""Each record knows its beat and its checksum, and marks store the position of every place at a time, for the deletion of old records."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("journal", sa.Column("beat", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("journal", sa.Column("beat_size", sa.Integer, nullable=False, server_default="0"))
    op.add_column("journal", sa.Column("crc", sa.BigInteger))
    op.create_table(
        "marks",
        sa.Column("at_s", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("at_s", "place", name=op.f("pk_marks")),
    )


def downgrade() -> None:
    op.drop_table("marks")
    op.drop_column("journal", "crc")
    op.drop_column("journal", "beat_size")
    op.drop_column("journal", "beat")
