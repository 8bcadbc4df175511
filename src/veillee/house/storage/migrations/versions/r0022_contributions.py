"""Contributions to the shuffle: a seat's hash, its opened value, and until when a table waits for them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("tables", sa.Column("opens_until", sa.Float, nullable=True))
    op.add_column("seats", sa.Column("sealed", sa.Text, nullable=False, server_default=""))
    op.add_column("seats", sa.Column("opened", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("opened")
        seats.drop_column("sealed")
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("opens_until")
