"""A table knows the number of its latest answer; who thinks for a bot, where a house has several processes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

COUNT = "UPDATE tables SET requests = (SELECT count(*) FROM answers WHERE answers.table_id = tables.id)"


def upgrade() -> None:
    op.add_column("tables", sa.Column("requests", sa.Integer, nullable=False, server_default="0"))
    op.execute(COUNT)
    # These are about the processes that run now: PostgreSQL need not bring them back after a crash, nor flush them.
    unlogged = ["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else []
    op.create_table(
        "processes",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        prefixes=unlogged,
    )
    op.create_table(
        "claims",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("question", sa.Integer, nullable=False),
        sa.Column("process", sa.Text, nullable=False),
        prefixes=unlogged,
    )


def downgrade() -> None:
    op.drop_table("claims")
    op.drop_table("processes")
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("requests")
