"""What the protocol costs on the wire, plain and compressed."""
