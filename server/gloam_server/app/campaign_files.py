"""Reads the files of a campaign, from the package or from a folder; `content` itself opens nothing."""

from importlib.resources import files
from pathlib import Path

from gloam_server.content.campaigns import DATA, FILES, SHIPPED
from gloam_server.content.definitions import Campaign
from gloam_server.content.loader import CampaignError, load


def read_campaign(name: str) -> Campaign:
    """Return the campaign of that name, or of that folder when the name holds a slash. Raises CampaignError."""
    if "/" in name:
        return load(_read_folder(Path(name)))
    if name not in SHIPPED:
        raise CampaignError(
            f'There is no campaign "{name}"; choose one of {", ".join(SHIPPED)}, or name a folder ("./{name}").'
        )
    folder = files("gloam_server.content") / DATA / name
    return load({file: (folder / file).read_bytes() for file in FILES})


def _read_folder(folder: Path) -> dict[str, bytes]:
    try:
        found = {path.name: path.read_bytes() for path in sorted(folder.glob("*.toml"))}
    except OSError as error:
        raise CampaignError(f"The campaign folder {folder} cannot be read: {error.strerror}.") from error
    if not found:
        raise CampaignError(f"The campaign folder {folder} holds no .toml files; name a folder that does.")
    return found
