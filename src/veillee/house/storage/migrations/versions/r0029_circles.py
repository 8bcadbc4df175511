"""Circles: their members, tables and championships."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.create_table(
        "circles",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("skeleton", sa.Text, nullable=False, unique=True),
        sa.Column("shield", sa.Text, nullable=False),
        sa.Column("invitation", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("evening", sa.Float, nullable=True),
        sa.Column("evening_note", sa.Text, nullable=False, server_default=""),
        sa.Column("evening_set", sa.Float, nullable=False, server_default="0"),
    )
    op.create_table(
        "circle_members",
        sa.Column("circle", sa.Text, sa.ForeignKey("circles.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("joined", sa.Float, nullable=False),
        sa.Column("muted", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "circle_tables",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("circle", sa.Text, sa.ForeignKey("circles.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_table(
        "circle_championships",
        sa.Column("championship", sa.Text, sa.ForeignKey("championships.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("circle", sa.Text, sa.ForeignKey("circles.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_index("circle_members_by_guest", "circle_members", ["guest"])
    op.create_index("circle_tables_by_circle", "circle_tables", ["circle"])
    op.create_index("circle_championships_by_circle", "circle_championships", ["circle"])


def downgrade() -> None:
    op.drop_table("circle_championships")
    op.drop_table("circle_tables")
    op.drop_table("circle_members")
    op.drop_table("circles")
