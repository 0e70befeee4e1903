"""Durable data: the journal, snapshots, accounts and deaths.

Only `writer` imports Twisted. SQL stands in `sqlite` and `migrations`, and where a file is examined before it is opened: `tables`,
`checksums`, `checksum_triggers`, `file_access` and `world_file`.
"""
