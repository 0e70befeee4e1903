"""Hypothesis strategies for messages, commands and views."""

import random  # noqa: TID251  # a pool of texts seeds its own
import sys
from functools import cache
from typing import Any, Final, TypeAlias, get_args

from hypothesis import strategies as st
from msgspec import NODEFAULT, Struct
from msgspec import inspect as schema

from gloam_shared import appearance, limits
from gloam_shared.protocol.registry import FromClient, FromServer
from gloam_shared.view import view

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
def views(draw: st.DrawFn, places: st.SearchStrategy[view.Place] | None = None) -> view.View:
    """Return any view whose creatures and items are ordered by handle, as `View` promises."""
    place = draw(_places() if places is None else places)
    area = place.width * place.height
    cells = st.integers(0, max(area - 1, 0))
    creatures = st.builds(
        view.Creature,
        _handles,
        cells,
        _numbers,
        _numbers,
        _numbers,
        st.integers(0, 127),
        st.just("r"),
        _words,
        _words,
    )
    items = st.builds(view.Item, _handles, cells, st.integers(1, 9), st.just("!"), _words, _words)
    return view.View(
        place=place,
        terrain=bytes(draw(_map(area, len(appearance.Terrain) - 1))),
        sight=bytes(draw(_map(area, 1))),
        creatures=draw(_ordered(creatures)),
        items=draw(_ordered(items)),
        pile=draw(
            st.lists(st.builds(view.FloorItem, _handles, st.just("!"), _words, _words), max_size=3).map(tuple)
        ),
        inventory=draw(_by_slot()),
        spells=draw(st.lists(structs(view.Spell), max_size=2).map(tuple)),
        states=draw(st.lists(structs(view.StatusEffect), max_size=2).map(tuple)),
        sheet=(
            draw(_handles),
            *draw(st.lists(_numbers, min_size=len(view.Stat) - 1, max_size=len(view.Stat) - 1)),
        ),
        choices=draw(st.lists(_words, max_size=3).map(tuple)),
        party=draw(
            st.lists(
                st.builds(view.Friend, _words, _handles, _handles, st.integers(0, 4), _handles), max_size=3
            ).map(tuple)
        ),
        log=draw(
            st.builds(
                view.Log, st.integers(0, 6), st.lists(_lines(), max_size=limits.LOG_LINES // 8).map(tuple)
            )
        ),
    )


def _places() -> st.SearchStrategy[view.Place]:
    return st.builds(view.Place, st.integers(1, 3), st.integers(0, 12), st.integers(0, 9), _words)


def _map(area: int, most: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, most), min_size=area, max_size=area)


def _ordered(things: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(things, max_size=6, unique_by=lambda thing: thing.handle).map(
        lambda some: tuple(sorted(some, key=lambda thing: thing.handle))
    )


def _by_slot() -> st.SearchStrategy[tuple[view.InventoryItem, ...]]:
    few = st.integers(0, 5)
    things = st.builds(
        view.InventoryItem, few, st.just("!"), _words, _words, st.integers(0, 31), few, few, few
    )
    return st.lists(things, max_size=4, unique_by=lambda thing: thing.slot).map(
        lambda some: tuple(sorted(some, key=lambda thing: thing.slot))
    )


def _lines() -> st.SearchStrategy[view.LogLine]:
    return st.builds(
        view.LogLine, st.sampled_from(["strikes", "kills", "new"]), _words, _words, st.integers(0, 3)
    )
