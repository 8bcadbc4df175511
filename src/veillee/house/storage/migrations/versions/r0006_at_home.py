"""Who has chosen their name, which tables a guest has put away, and how finished ones ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

# The names that newcomers were given: whoever still has one has chosen none.
GIVEN = ("Braise", "Chandelle", "Escarbille", "Étincelle", "Flambeau", "Lanterne", "Luciole", "Tison")


def upgrade() -> None:
    op.add_column("guests", sa.Column("chosen", sa.Boolean, nullable=False, server_default=sa.true()))
    guests = sa.table("guests", sa.column("name", sa.Text), sa.column("chosen", sa.Boolean))
    op.execute(guests.update().where(guests.c.name.in_(GIVEN)).values(chosen=False))
    op.create_table(
        "put_away",
        sa.Column("guest", sa.Text, sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    )
    op.create_table(
        "results",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("places", sa.Text, nullable=False),
        sa.Column("winners", sa.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("results")
    op.drop_table("put_away")
    with op.batch_alter_table("guests") as guests:
        guests.drop_column("chosen")
