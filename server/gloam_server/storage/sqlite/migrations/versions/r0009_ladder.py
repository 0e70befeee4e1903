"""Deaths have everything that the ladder ranks; the number of the life keeps each from being written twice."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_COUNTS = ("sequence", "deepest", "kills", "wins", "won")


def upgrade() -> None:
    op.add_column("deaths", sa.Column("life", sa.BigInteger))
    for count in _COUNTS:
        kind = sa.BigInteger if count in ("sequence", "kills") else sa.Integer
        op.add_column("deaths", sa.Column(count, kind, nullable=False, server_default="0"))
    op.add_column("deaths", sa.Column("title", sa.String, nullable=False, server_default=""))
    op.execute("UPDATE deaths SET life = -id, deepest = depth")
    op.create_index(op.f("ix_deaths_life"), "deaths", ["life"], unique=True)


def downgrade() -> None:
    op.drop_index(op.f("ix_deaths_life"), "deaths")
    for column in ("title", *_COUNTS, "life"):
        op.drop_column("deaths", column)
