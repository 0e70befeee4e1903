"""Reads the files of a campaign, from the package or from a folder; `content` itself opens nothing."""

from importlib.resources import files
from pathlib import Path

from gloam_server.content.definitions import Campaign
from gloam_server.content.loader import CampaignError, load


def read_campaign(name: str) -> Campaign:
    """Return the campaign of that name, or of that folder when the name holds a slash. Raises CampaignError."""
    if "/" in name:
        return load(_read_folder(Path(name)))
    shipped = files("gloam_server.content") / "data"
    names = sorted(
        folder.name for folder in shipped.iterdir() if folder.is_dir() and folder.name[0] not in "_."
    )
    if name not in names:
        raise CampaignError(
            f'There is no campaign "{name}"; choose one of {", ".join(names)}, or name a folder.'
        )
    return load(
        {file.name: file.read_bytes() for file in (shipped / name).iterdir() if file.name.endswith(".toml")}
    )


def _read_folder(folder: Path) -> dict[str, bytes]:
    try:
        found = {path.name: path.read_bytes() for path in sorted(folder.glob("*.toml"))}
    except OSError as error:
        raise CampaignError(f"The campaign folder {folder} cannot be read: {error.strerror}.") from error
    if not found:
        raise CampaignError(f"The campaign folder {folder} holds no .toml files; name a folder that does.")
    return found
