"""The backend in one SQLite file: its tables, rows, checksums, and the file itself. No other folder knows SQL."""
