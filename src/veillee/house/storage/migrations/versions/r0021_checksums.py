"""A checksum of each answer: damage of the file that leaves a legal answer is noticed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.add_column("answers", sa.Column("checksum", sa.Integer))


def downgrade() -> None:
    with op.batch_alter_table("answers") as answers:
        answers.drop_column("checksum")
