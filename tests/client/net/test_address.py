"""The input that a person types as an address."""

import pytest

from gloam_client.user_files.address import Address, BadAddress, parse_address, parse_invitation
from gloam_shared.protocol.invite_code import Ticket


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("play.example.org", Address("play.example.org", 7373)),
        ("play.example.org:80", Address("play.example.org", 80)),
        ("127.0.0.1", Address("127.0.0.1", 7373)),
        ("[::1]:99", Address("::1", 99)),
        ("[::1]", Address("::1", 7373)),
        ("::1", Address("::1", 7373)),
    ],
)
def test_places_are_read_as_people_write_them(text: str, place: Address) -> None:
    assert place == parse_address(text)


@pytest.mark.parametrize(
    "text", ["", ":80", "host:", "host:0", "host:65536", "host:x", "[::1", "[::1]x", "a b", "h:١"]
)
def test_what_is_no_address_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BadAddress) as bad:
        parse_address(text)
    assert str(bad.value).endswith(".")
    assert "\n" not in str(bad.value)


@pytest.mark.parametrize("place", [Address("h", 1), Address("::1", 7373)])
def test_a_place_that_is_shown_can_be_typed_again(place: Address) -> None:
    assert place == parse_address(str(place))


def test_an_invite_is_a_place_and_a_code() -> None:
    assert parse_invitation("play.example.org/abcdefghij234567") == (
        Address("play.example.org"),
        Ticket("abcdefghij234567"),
    )
    assert parse_invitation("[::1]:4000/abcdefghij234567.Pin_1-") == (
        Address("::1", 4000),
        Ticket("abcdefghij234567", "Pin_1-"),
    )
    assert parse_invitation("here") == (Address("here"), Ticket(""))


@pytest.mark.parametrize("text", ["here/", "here/short", "here/abcdefghij234567.", "here/ABCDEFGHIJ234567"])
def test_half_an_invite_is_none(text: str) -> None:
    with pytest.raises(BadAddress, match="invite"):
        parse_invitation(text)


@pytest.mark.parametrize("text", ["play.example.org:", "127.0.0.1:", "[::1]:", " host: "])
def test_a_colon_without_a_port_is_refused(text: str) -> None:
    """Half of an address does not silently stand for the usual port."""
    with pytest.raises(BadAddress, match=r"7373"):
        parse_address(text)
