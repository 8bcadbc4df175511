"""HTTP layer: request gate, rate limits, CSRF check, guest and preferences, error pages, outbound requests."""
