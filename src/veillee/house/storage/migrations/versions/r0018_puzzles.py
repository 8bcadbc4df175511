"""Who has solved which puzzle."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "puzzled",
        sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("seed", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("choice", sa.Integer, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("puzzled")
