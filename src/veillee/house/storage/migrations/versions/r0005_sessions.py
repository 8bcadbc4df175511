"""Of each device: what it is, and when it was last here. For the tables that are there: since they were made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("tokens", sa.Column("device", sa.Text, nullable=False, server_default=""))
    op.add_column("tokens", sa.Column("used", sa.Float, nullable=False, server_default="0"))
    op.execute("UPDATE tokens SET used = created")
    op.create_index("tokens_by_guest", "tokens", ["guest"])


def downgrade() -> None:
    op.drop_index("tokens_by_guest", "tokens")
    with op.batch_alter_table("tokens") as tokens:
        tokens.drop_column("used")
        tokens.drop_column("device")
