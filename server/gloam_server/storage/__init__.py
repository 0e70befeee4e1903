"""Durable data: the journal, snapshots, accounts and deaths.

Only `writer` and `file_thread` import Twisted. SQL, the world's file and all else of SQLite stands in `sqlite`.
"""
