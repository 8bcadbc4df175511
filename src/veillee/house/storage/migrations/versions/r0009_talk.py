"""Talk at the table: what was said, what may be said, what somebody does not want to hear, and reports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "talk",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("gesture", sa.Text, nullable=False),
        sa.Column("said", sa.Float, nullable=False),
    )
    op.create_index("talk_by_guest", "talk", ["guest"])
    op.create_table(
        "talk_rules",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("rule", sa.Text, nullable=False),
    )
    op.create_table(
        "mutes",
        sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("whom", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, primary_key=True),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("about", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="SET NULL"), nullable=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("settled", sa.Float, nullable=False),
        sa.UniqueConstraint("table_id", "number", "guest", name="reported_once"),
    )


def downgrade() -> None:
    for name in ("reports", "mutes", "talk_rules", "talk"):
        op.drop_table(name)
