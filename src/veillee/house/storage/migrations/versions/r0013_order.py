"""Keeping order: bans, the log of acts, and where messages came from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    for name in ("talk", "reports"):
        op.add_column(name, sa.Column("address", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "bans",
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("whom", sa.Text, primary_key=True),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "acts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("whom", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("acts")
    op.drop_table("bans")
    for name in ("reports", "talk"):
        with op.batch_alter_table(name) as table:
            table.drop_column("address")
