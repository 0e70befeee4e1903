"""What the host of a running server uses: admin commands and their socket, metrics, health. Imports gateway and engine."""
