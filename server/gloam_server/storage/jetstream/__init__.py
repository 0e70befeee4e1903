"""The log of a world in NATS JetStream, and its lease. Imports nats-py, which only a cluster's host installs."""
