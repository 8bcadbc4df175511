"""Pages of the site: route handlers, one module per page."""
