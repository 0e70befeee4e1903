"""Tables of a world in PostgreSQL. Imports the shared statements, and psycopg, which only a cluster's host installs."""
