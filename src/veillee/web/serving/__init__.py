"""Running the server: listening socket, connection limits, processes, health checks, garbage collection, live
reload."""
