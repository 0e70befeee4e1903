"""The entry that Alembic runs for every command: migrate the connection that `migrations.config` was given."""

from alembic import context

from gloam_server.storage.sqlite.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot alter a table; Alembic copies it instead
)
with context.begin_transaction():
    context.run_migrations()
