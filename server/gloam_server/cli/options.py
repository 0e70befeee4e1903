"""The options that several commands share."""

from pathlib import Path
from typing import Final

import click

DATA: Final = click.option("--data", type=click.Path(path_type=Path), default=Path("gloam-data"), envvar="GLOAM_DATA",
                           show_envvar=True, show_default=True, help="The folder that holds the world.")  # fmt: skip
STORE: Final = click.option("--store", envvar="GLOAM_STORE", show_envvar=True,
                            help="The world in a cluster, instead of in the folder: "
                            "nats://HOST:4222/REALM?sync=always,postgresql://USER@HOST/DATABASE")  # fmt: skip


def _split_networks(_: click.Context, __: click.Parameter, said: str | None) -> tuple[str, ...] | None:
    """Return the networks of an option, separated by commas or spaces; None without any."""
    return tuple((said or "").replace(",", " ").split()) or None


OPEN: Final = click.option("--open", is_flag=True, default=None, envvar="GLOAM_OPEN", show_envvar=True,
                           help="Let new players join without an invite.")  # fmt: skip
TRUSTED_NETWORKS: Final = click.option("--trusted-networks", callback=_split_networks, envvar="GLOAM_TRUSTED_NETWORKS",
                                       show_envvar=True, help="Networks without limits for addresses, such as "
                                       "10.0.0.0/8,fd00::/8.")  # fmt: skip
PROXY_NETWORKS: Final = click.option("--proxy-networks", callback=_split_networks, envvar="GLOAM_PROXY_NETWORKS",
                                     show_envvar=True, help="Networks of proxies: their connections begin with a "
                                     "PROXY header, version 2.")  # fmt: skip
