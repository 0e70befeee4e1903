"""Hypothesis strategies for messages, commands and views."""

import random  # noqa: TID251  # a pool of texts seeds its own
import sys
from functools import cache
from operator import attrgetter
from typing import Any, Final, TypeAlias, get_args

from hypothesis import strategies as st
from msgspec import NODEFAULT, Struct
from msgspec import inspect as schema

from gloam_shared import appearance, limits
from gloam_shared.protocol.registry import FromClient, FromServer
from gloam_shared.view import view
from gloam_shared.view.place import Place

Texts: TypeAlias = st.SearchStrategy[str]


def structs(kind: type[Struct], texts: Texts | None = None) -> st.SearchStrategy[Any]:
    """Return any value of a message's kind, from the types and bounds of its fields; its texts from `texts`."""
    info = schema.type_info(kind)
    assert isinstance(info, schema.StructType)
    return st.builds(kind, **{field.name: _field(field, texts) for field in info.fields})


def _field(field: schema.Field, texts: Texts | None) -> st.SearchStrategy[Any]:
    values = _values(field.type, texts)
    return values if field.default is NODEFAULT else st.just(field.default) | values


def _values(kind: schema.Type, texts: Texts | None) -> st.SearchStrategy[Any]:
    match kind:
        case schema.BoolType():
            return st.booleans()
        case schema.IntType(ge=ge, le=le):
            return st.integers(-(2**31) if ge is None else ge, 2**31 if le is None else le)
        case schema.StrType(max_length=most) if texts is not None:
            return texts.map(lambda text: text[:most])
        case schema.StrType(max_length=most):
            return st.text(max_size=min(most or 20, 20)) | st.just("é" * (most or 20))
        case schema.LiteralType(values=values):
            return st.sampled_from(values)
        case schema.BytesType(min_length=least, max_length=most):
            return st.binary(min_size=least or 0, max_size=20 if most is None else most)
        case schema.VarTupleType(item_type=item):
            return st.lists(_values(item, texts), max_size=4).map(tuple)
        case schema.TupleType(item_types=items):
            return st.tuples(*(_values(item, texts) for item in items))
        case schema.NoneType():
            return st.none()
        case schema.StructType(cls=cls):
            return structs(cls, texts)
        case schema.UnionType(types=types):
            return st.one_of(*(_values(one, texts) for one in types))
        case _:
            raise NotImplementedError(kind)


def from_client() -> st.SearchStrategy[FromClient]:
    """Return any message of a client."""
    return st.one_of(*(structs(kind) for kind in get_args(FromClient)))


def from_server(texts: Texts | None = None) -> st.SearchStrategy[FromServer]:
    """Return any message of the server; its texts from `texts`."""
    return st.one_of(*(structs(kind, texts) for kind in get_args(FromServer)))


_HOSTILE: Final = (
    "\x1b[2J", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x1b\\", "\x1bP+q544e\x1b\\", "\x1b_x\x1b\\", "\x1b[6n", "\x1bc", "\x9b31m",
    "\x9d0;t\x9c", "\x90q\x9c", "\x07", "\x08\x08", "\r", "\n", "\t", "\0", "\x7f", "\x0e", "\u202e", "\u2066", "\u200b", "\U000e0041",
    "\ufe0f", "\ue000", "\u0378", "e" + "\u0301" * 40, "\u6f22\u5b57", "\u2026", "\U0001f600", "\U0001f1e9\U0001f1ea", "*** Server: ",
    "{0.__class__}", "%s", "../../etc/passwd", "http://example.org/", "\u00db31m",
)  # fmt: skip


def _code_point(chance: random.Random) -> int:
    """Return any code point but the surrogates, which no text holds."""
    code = chance.randrange(sys.maxunicode + 1 - 0x800)
    return code if code < 0xD800 else code + 0x800


@cache
def _pool() -> tuple[str, ...]:
    chance = random.Random(20_261_121)

    def piece() -> str:
        return chance.choice(_HOSTILE) if chance.random() < 0.7 else chr(_code_point(chance))

    return tuple("".join(piece() for _ in range(chance.randint(0, 6))) for _ in range(500))


def hostile_texts() -> Texts:
    """Return text that a terminal would obey, that shows otherwise than it counts, or that means something elsewhere.

    It is drawn from a fixed pool: a view has hundreds of texts, and each is one draw.
    """
    return st.sampled_from(_pool())


_handles = st.integers(0, 12)  # few, so that two views share some
_numbers = st.integers(0, 2**31 - 1)
_words = st.sampled_from(["a rat", "Bert", "", "€", "the bat"])


@st.composite
def views(draw: st.DrawFn, places: st.SearchStrategy[Place] | None = None) -> view.View:
    """Return any view whose creatures and items are ordered by handle, as `View` promises."""
    partition = draw(_PLACES if places is None else places)
    terrain, sight, creatures, items = draw(_in_area(partition.width * partition.height))
    pile, inventory, spells, states, sheet, choices, party, log, skills = draw(_ELSEWHERE)
    return view.View(
        partition,
        bytes(terrain),
        bytes(sight),
        creatures,
        items,
        pile,
        inventory,
        spells,
        states,
        sheet,
        choices,
        party,
        log,
        skills=skills,
    )


@cache
def _in_area(area: int) -> st.SearchStrategy[Any]:
    """Return what depends on the number of cells. Each strategy is made once: to make it takes longer than to draw from it."""
    cells = st.integers(0, max(area - 1, 0))
    marks = st.integers(0, 127)
    creatures = st.builds(
        view.Creature, _handles, cells, _numbers, _numbers, _numbers, marks, st.just("r"), _words, _words
    )
    items = st.builds(view.Item, _handles, cells, st.integers(1, 9), st.just("!"), _words, _words)
    return st.tuples(
        _map(area, len(appearance.Terrain) - 1), _map(area, 1), _ordered(creatures, 6), _ordered(items, 6)
    )


def _map(area: int, most: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, most), min_size=area, max_size=area)


def _ordered(
    things: st.SearchStrategy[Any], most: int, name: str = "handle"
) -> st.SearchStrategy[tuple[Any, ...]]:
    key = attrgetter(name)
    return st.lists(things, max_size=most, unique_by=key).map(lambda some: tuple(sorted(some, key=key)))


def _few(things: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(things, max_size=most).map(tuple)


_small = st.integers(0, 5)
_PLACES: Final = st.builds(Place, st.integers(1, 3), st.integers(0, 12), st.integers(0, 9), _words)
_LINES: Final = st.builds(
    view.LogLine, st.sampled_from(["strikes", "kills", "new"]), _words, _words, st.integers(0, 3)
)
_CARRIED: Final = st.builds(
    view.InventoryItem, _small, st.just("!"), _words, _words, st.integers(0, 31), _small, _small, _small
)
_ELSEWHERE: Final = st.tuples(
    _few(st.builds(view.FloorItem, _handles, st.just("!"), _words, _words), 3),
    _ordered(_CARRIED, 4, "slot"),
    _few(structs(view.Spell), 2),
    _few(structs(view.StatusEffect), 2),
    st.tuples(_handles, *[_numbers] * (len(view.Stat) - 1)),
    _few(_words, 3),
    _few(st.builds(view.Friend, _words, _handles, _handles, st.integers(0, 4), _handles), 3),
    st.builds(view.Log, st.integers(0, 6), _few(_LINES, limits.LOG_LINES // 8)),
    _few(structs(view.Skill), 2),
)
"""The parts of a view that do not depend on the number of cells."""
