"""Models at the table: programs of a line protocol and chat APIs as players of the arena (docs/models.md, ADR 41)."""
