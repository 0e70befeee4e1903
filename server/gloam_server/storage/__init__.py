"""Durable data: the journal, snapshots, accounts and deaths.

Only `writer` knows Twisted; only `sqlite` knows SQL.
"""
