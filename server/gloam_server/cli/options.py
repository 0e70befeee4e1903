"""The options that several commands share."""

from pathlib import Path
from typing import Final

import click

DATA: Final = click.option("--data", type=click.Path(path_type=Path), default=Path("gloam-data"), envvar="GLOAM_DATA",
                           show_envvar=True, show_default=True, help="The folder that holds the world.")  # fmt: skip
STORE: Final = click.option("--store", envvar="GLOAM_STORE", show_envvar=True,
                            help="The world in a cluster, instead of in the folder: "
                            "nats://HOST:4222/REALM?sync=always,postgresql://USER@HOST/DATABASE")  # fmt: skip
