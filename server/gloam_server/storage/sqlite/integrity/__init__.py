"""Checksums of rows: computed by triggers, and checked while a server runs or without one. Imports file access and tables."""
