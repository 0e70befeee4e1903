"""A world in a cluster: the journal and the lease in NATS, everything else in PostgreSQL. Imports both backends."""
