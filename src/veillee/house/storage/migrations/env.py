"""How Alembic runs here: on the connection that the store hands it, inside the store's transaction."""

from __future__ import annotations

from alembic import context

from veillee.house.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
