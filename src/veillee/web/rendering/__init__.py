"""Rendering: templates, the parts of a table's page and their caches, rulebooks, images, names and texts."""
