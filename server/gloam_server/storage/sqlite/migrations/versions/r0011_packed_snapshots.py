"""Snapshots are compressed from here on. No table changes: the number keeps older versions from reading what they cannot."""

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing: bodies that are not compressed can still be read."""


def downgrade() -> None:
    """Change nothing."""
