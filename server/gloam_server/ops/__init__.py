"""The host's tools for a running server: admin commands and their socket, metrics, health.

Imports gateway and engine.
"""
