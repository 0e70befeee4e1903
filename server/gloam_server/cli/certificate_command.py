"""`gloam-server certificate`: the pin by which clients recognize a server."""

import time
from pathlib import Path

import click

from gloam_server.app.certificates import certificate_files, describe
from gloam_server.app.config import ConfigError, read_realm_file
from gloam_server.cli.options import DATA
from gloam_server.cli.output import exit_with_error, print_line
from gloam_server.net.certificate import BadCertificate, ensure, own_files, read, renew


@click.command("certificate", epilog="Example: gloam-server certificate --data ./dungeon")
@DATA
@click.option(
    "--renew",
    "renewing",
    is_flag=True,
    help="Make a new key, and with it a new pin: every player's client will show a warning.",
)
def certificate(data: Path, *, renewing: bool) -> None:
    """Print the pin by which clients recognize this server; write a certificate if there is none."""
    try:
        files = certificate_files(data, read_realm_file(data))
        if files is None:
            files = own_files(data)
            data.mkdir(parents=True, exist_ok=True)
            (renew if renewing else ensure)(files, int(time.time()))
        elif renewing:
            exit_with_error(
                f"The certificate {files.certificate} is not Gloam's own; renew it with the authority that issued it."
            )
        print_line(f"{describe(read(files))}: {files.certificate}")
    except OSError as error:
        exit_with_error(f"The data folder {data} cannot be made: {error.strerror}; name another with --data.")
    except (ConfigError, BadCertificate) as error:
        exit_with_error(str(error))
