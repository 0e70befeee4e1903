"""The link between a turn process and its view processes: messages, both ends, the replica. Imports the gateway and what is below it."""
