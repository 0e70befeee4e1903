"""The program gloam-door."""

import sys


def main() -> None:
    """Run the command line, if what a door needs is installed."""
    try:
        from gloam_door.cli import cli  # the extra may be missing
    except ModuleNotFoundError as error:
        if error.name not in ("asyncssh", "websockets"):
            raise
        sys.exit(
            "gloam-door: a door needs more than the game; install that in a clone with: pip install '.[door]'"
        )
    cli()


if __name__ == "__main__":
    main()
