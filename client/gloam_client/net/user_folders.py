"""The folders of one user's worlds, device token and options."""

import os
import re
from hashlib import sha256
from pathlib import Path
from typing import Final

import platformdirs

_DEFAULT_CAMPAIGN: Final = "gloam"
_WORLDS: Final = "campaigns"
_LABEL_MAX: Final = 24


def data_folder(given: Path | None) -> Path:
    """Return the folder of worlds and device token: as given, else GLOAM_HOME, else the user's own."""
    return given or _home() or platformdirs.user_data_path("gloam", appauthor=False)


def world_folder(data: Path, campaign: str) -> Path:
    """Return the folder of a campaign's private world: the data folder for the default, else one below it.

    A campaign is named as for the server: by its key, or by its folder if the name has a slash. Folders of the same
    name have separate worlds.
    """
    if campaign in ("", _DEFAULT_CAMPAIGN):
        return data
    named = str(Path(campaign).resolve()) if "/" in campaign else campaign
    label = re.sub(r"[^A-Za-z0-9_-]", "-", Path(named).name)[:_LABEL_MAX]
    return (
        data
        / _WORLDS
        / (label if label == named else f"{label}-{sha256(os.fsencode(named)).hexdigest()[:8]}")
    )


def options_file() -> Path:
    """Return the path of the options: in GLOAM_HOME, else in the user's folder for settings."""
    return (_home() or platformdirs.user_config_path("gloam", appauthor=False)) / "options.toml"


def _home() -> Path | None:
    home = os.environ.get("GLOAM_HOME")
    return Path(home) if home else None
