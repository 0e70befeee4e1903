"""A campaign's texts can be shown as they are written, or the campaign is not loaded."""

import pytest

from gloam_server.content.checks.text_checks import check_texts, is_showable
from gloam_server.content.content_errors import CampaignError
from gloam_server.content.loader import load
from gloam_server.content.shipped import SHIPPED
from support.content.shipped_files import campaign, changed


@pytest.mark.parametrize("key", SHIPPED)
def test_every_text_of_a_shipped_campaign_can_be_shown(key: str) -> None:
    check_texts(campaign(key))


@pytest.mark.parametrize(
    "hostile", ["\\u001b[2J", "\\u202e", "\\u2630", "\\u200b", "\\ue000", "x" + "\\u0301" * 4]
)
def test_text_terminal_obey(hostile: str) -> None:
    """A text that a terminal would obey or show otherwise is named with file and key."""
    with pytest.raises(CampaignError) as refused:
        load(changed("creatures.toml", 'name = "kobold"', f'name = "ko{hostile}bold"'))
    text = str(refused.value)
    assert text.startswith("In creatures.toml, kobold.name is ")
    assert "one or two cells on which all terminals agree" in text
    assert text.isprintable()


@pytest.mark.parametrize(
    ("text", "fits"),
    [("A story.\nIt goes on.\t", True), ("é", True), ("漢字 😀", True), ("", True), ("a\x00", False)],
)
def test_line_ends_are_no_fault(text: str, *, fits: bool) -> None:
    assert is_showable(text) is fits
