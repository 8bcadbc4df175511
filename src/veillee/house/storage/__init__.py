"""The database: schema and migrations, transactions, batched writes, WAL checkpoints, locks and leases."""
