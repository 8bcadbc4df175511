"""Guided first games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("tables", sa.Column("guide", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("tables") as table:
        table.drop_column("guide")
