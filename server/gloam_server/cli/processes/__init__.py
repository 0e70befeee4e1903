"""The processes of a running server, as programs: what each does from its start to its end. Imports what the command line imports."""
