"""Servers of a cluster on this machine: NATS, PostgreSQL, and certificates for them."""
