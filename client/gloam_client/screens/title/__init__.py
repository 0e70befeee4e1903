"""The title and the screens that it opens: worlds, servers, friends."""
