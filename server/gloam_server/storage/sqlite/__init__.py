"""The journal and the accounts in SQLite. Imports all other modules of storage."""
