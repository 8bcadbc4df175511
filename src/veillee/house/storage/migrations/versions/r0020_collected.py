"""Puzzles from games that were played in the house."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "collected",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("waiting", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=True),
        sa.Column("found", sa.Text, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.UniqueConstraint("game", "number", name="collected_once"),
    )


def downgrade() -> None:
    op.drop_table("collected")
