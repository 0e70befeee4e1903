"""The client's knowledge, as frozen values, and the part that it keeps over runs.

Imports net, terminal's canvas and the key table.
"""
