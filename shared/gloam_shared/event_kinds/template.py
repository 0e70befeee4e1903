"""The type of a template: the English sentences for one kind of log line. Data only."""

from typing import NamedTuple


class MessageTemplate(NamedTuple):
    """The sentences of one kind of line; `{s}` the subject, `{o}` the object, `{n}` the amount, `{w}` the source.

    `{a}` is the object with "a" or "an", `{b}` the source; `{d}` is the source with "the". A capital letter begins with
    one.
    """

    by_you: str
    to_you: str
    seen: str
    tone: str = "plain"
