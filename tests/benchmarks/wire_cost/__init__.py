"""The cost of the protocol on the wire, plain and compressed."""
