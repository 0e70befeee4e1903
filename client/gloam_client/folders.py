"""Where things of one user are kept: worlds and the device token, and the options."""

import os
from pathlib import Path

import platformdirs


def data_folder(given: Path | None) -> Path:
    """Return where worlds and the device token are kept: as given, else GLOAM_HOME, else the user's own folder."""
    return given or _home() or platformdirs.user_data_path("gloam", appauthor=False)


def options_file() -> Path:
    """Return where the options are kept: in GLOAM_HOME, else in the user's folder for settings."""
    return (_home() or platformdirs.user_config_path("gloam", appauthor=False)) / "options.toml"


def _home() -> Path | None:
    home = os.environ.get("GLOAM_HOME")
    return Path(home) if home else None
