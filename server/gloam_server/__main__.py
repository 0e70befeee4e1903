"""gloam-server: names what is missing when the server's libraries are not installed, else hands over to the app."""

import gc
import os
import sys
from importlib.util import find_spec


def main() -> None:
    """Run the command line. Further interpreters that it starts take no code from the current folder."""
    os.environ["PYTHONSAFEPATH"] = "1"
    missing = [name for name in ("tcod", "twisted") if find_spec(name) is None]
    if missing:
        print(
            f'gloam-server needs its libraries ({missing[0]} is missing); in a clone of Gloam: pip install ".[server]"',
            file=sys.stderr,
        )
        sys.exit(2)
    gc.disable()  # imported objects last; a search among them finds no garbage
    from gloam_server.cli.main import cli

    gc.enable()
    cli(auto_envvar_prefix="GLOAM", prog_name="gloam-server")


if __name__ == "__main__":
    main()
