"""From an address to a trusted connection, and the client's side of the protocol. Knows no model and no screen."""
