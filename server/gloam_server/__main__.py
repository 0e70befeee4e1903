"""gloam-server: names what is missing when the server's libraries are not installed, else hands over to the app."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        import sqlalchemy  # noqa: F401
        import tcod  # noqa: F401
        import twisted  # noqa: F401
    except ImportError as error:
        print(
            f'gloam-server needs its libraries ({error.name} is missing); install them with: pip install "gloam[server]"',
            file=sys.stderr,
        )
        sys.exit(2)
    from gloam_server.app.main import cli

    cli(auto_envvar_prefix="GLOAM", prog_name="gloam-server")


if __name__ == "__main__":
    main()
