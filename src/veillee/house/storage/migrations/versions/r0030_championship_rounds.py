"""Championships in rounds and seasons: tables of several entrants, and the terms that an organiser sets."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.create_table(
        "championship_rounds",
        sa.Column("championship", sa.Text, sa.ForeignKey("championships.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("closed", sa.Float, nullable=True),
    )
    for column in (
        sa.Column("form", sa.Text, nullable=False, server_default="duplicate"),
        sa.Column("scoring", sa.Text, nullable=False, server_default="skill"),
        sa.Column("deals_per_round", sa.Integer, nullable=False, server_default="0"),
        sa.Column("pace", sa.Text, nullable=False, server_default=""),
        sa.Column("round_seconds", sa.Float, nullable=False, server_default="0"),
        sa.Column("begins", sa.Float, nullable=True),
    ):
        op.add_column("championships", column)
    op.add_column("championship_entrants", sa.Column("withdrawn", sa.Float, nullable=True))
    op.add_column("championship_entrants", sa.Column("level", sa.Text, nullable=False, server_default=""))
    for column in (
        sa.Column("round", sa.Integer, nullable=False, server_default="0"),
        sa.Column("group", sa.Integer, nullable=False, server_default="0"),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("seats", sa.Integer, nullable=False, server_default="0"),
        sa.Column("substituted", sa.Boolean, nullable=False, server_default=sa.false()),
    ):
        op.add_column("championship_games", column)


def downgrade() -> None:
    with op.batch_alter_table("championship_games") as games:
        for name in ("substituted", "seats", "seat", "group", "round"):
            games.drop_column(name)
    with op.batch_alter_table("championship_entrants") as entrants:
        for name in ("level", "withdrawn"):
            entrants.drop_column(name)
    with op.batch_alter_table("championships") as championships:
        for name in ("begins", "round_seconds", "pace", "deals_per_round", "scoring", "form"):
            championships.drop_column(name)
    op.drop_table("championship_rounds")
