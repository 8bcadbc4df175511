"""Championships: the same sealed deals for all entrants."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.create_table(
        "championships",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("organiser", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("ends", sa.Float, nullable=False),
    )
    op.create_table(
        "championship_deals",
        sa.Column("championship", sa.Text, sa.ForeignKey("championships.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seed", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "championship_entrants",
        sa.Column("championship", sa.Text, sa.ForeignKey("championships.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),
        sa.Column("joined", sa.Float, nullable=False),
        sa.UniqueConstraint("championship", "guest", name="entered_once"),
    )
    op.create_table(
        "championship_games",
        sa.Column("championship", sa.Text, primary_key=True),
        sa.Column("entrant", sa.Integer, primary_key=True),
        sa.Column("deal", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="SET NULL"), nullable=True),
        sa.Column("begun", sa.Float, nullable=False),
        sa.Column("ended", sa.Float, nullable=True),
        sa.Column("share", sa.Float, nullable=True),
        sa.Column("points", sa.Integer, nullable=True),
        sa.Column("luck", sa.Float, nullable=True),
        sa.ForeignKeyConstraint(
            ["championship", "entrant"],
            ["championship_entrants.championship", "championship_entrants.number"],
            ondelete="CASCADE",
        ),
    )
    op.create_index("championship_entrants_by_guest", "championship_entrants", ["guest"])
    op.create_index("championship_games_by_table", "championship_games", ["table_id"])
    op.add_column("tables", sa.Column("sealed_until", sa.Float, nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("sealed_until")
    op.drop_table("championship_games")
    op.drop_table("championship_entrants")
    op.drop_table("championship_deals")
    op.drop_table("championships")
