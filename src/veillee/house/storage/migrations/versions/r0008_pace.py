"""The pace of a table, what the house writes into its chronicle, and when the house was closed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("tables", sa.Column("pace", sa.Text, nullable=False, server_default=""))
    op.add_column("tables", sa.Column("begun", sa.Float, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("due", sa.Float, nullable=True))
    op.create_index("tables_by_due", "tables", ["due"])
    op.create_table(
        "house_lines",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("after", sa.Integer, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "agreements",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("turn", sa.Integer, primary_key=True),
        sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    )
    op.create_table(
        "nights",
        sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("begin", sa.Integer, nullable=False),
        sa.Column("end", sa.Integer, nullable=False),
        sa.Column("leave", sa.Text, nullable=False, server_default=""),
        sa.Column("back", sa.Text, nullable=False, server_default=""),
    )
    op.create_table(
        "awake",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("seen", sa.Float, nullable=False),
    )
    op.create_table(
        "closings",
        sa.Column("since", sa.Float, primary_key=True),
        sa.Column("until", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for name in ("closings", "awake", "nights", "agreements", "house_lines"):
        op.drop_table(name)
    op.drop_index("tables_by_due", "tables")
    with op.batch_alter_table("tables") as table:
        for name in ("due", "begun", "pace"):
            table.drop_column(name)
