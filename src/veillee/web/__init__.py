"""The web server: HTTP layer, pages, JSON API, live streams, notifications and the server process."""
