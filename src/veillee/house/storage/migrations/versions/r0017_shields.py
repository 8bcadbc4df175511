"""A shield of one's own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    for name in ("guests", "seats"):
        op.add_column(name, sa.Column("shield", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    for name in ("seats", "guests"):
        with op.batch_alter_table(name) as table:
            table.drop_column("shield")
