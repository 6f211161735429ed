"""Work that takes a while: operations, the loops that run them, and the durable queue."""
