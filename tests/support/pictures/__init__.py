"""The pictures of the client in `client/docs`: the real client in a pseudo-terminal, drawn as SVG."""
