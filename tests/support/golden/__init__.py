"""Makers of golden data: a recorded journal, and the world of a version."""
