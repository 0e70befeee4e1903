"""View processes: how a server starts and watches them, and the process itself. `app.entrance` and the command line use it."""
