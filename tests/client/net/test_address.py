"""What a person types as an address."""

import pytest

from gloam_client.net.address import BadPlace, Place, parse_invitation, parse_place
from gloam_shared.protocol.invite_code import Ticket


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("play.example.org", Place("play.example.org", 7373)),
        ("play.example.org:80", Place("play.example.org", 80)),
        ("127.0.0.1", Place("127.0.0.1", 7373)),
        ("[::1]:99", Place("::1", 99)),
        ("[::1]", Place("::1", 7373)),
        ("::1", Place("::1", 7373)),
    ],
)
def test_places_are_read_as_people_write_them(text: str, place: Place) -> None:
    assert place == parse_place(text)


@pytest.mark.parametrize(
    "text", ["", ":80", "host:", "host:0", "host:65536", "host:x", "[::1", "[::1]x", "a b", "h:١"]
)
def test_what_is_no_address_is_refused_in_one_sentence(text: str) -> None:
    if text == "host:":
        assert Place("host", 7373) == parse_place(text)
        return
    with pytest.raises(BadPlace) as bad:
        parse_place(text)
    assert str(bad.value).endswith(".")
    assert "\n" not in str(bad.value)


@pytest.mark.parametrize("place", [Place("h", 1), Place("::1", 7373)])
def test_a_place_that_is_shown_can_be_typed_again(place: Place) -> None:
    assert place == parse_place(str(place))


def test_an_invite_is_a_place_and_a_code() -> None:
    assert parse_invitation("play.example.org/abcdefghij234567") == (
        Place("play.example.org"),
        Ticket("abcdefghij234567"),
    )
    assert parse_invitation("[::1]:4000/abcdefghij234567.Pin_1-") == (
        Place("::1", 4000),
        Ticket("abcdefghij234567", "Pin_1-"),
    )
    assert parse_invitation("here") == (Place("here"), Ticket(""))


@pytest.mark.parametrize("text", ["here/", "here/short", "here/abcdefghij234567.", "here/ABCDEFGHIJ234567"])
def test_half_an_invite_is_none(text: str) -> None:
    with pytest.raises(BadPlace, match="invite"):
        parse_invitation(text)
