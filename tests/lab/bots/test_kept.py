"""Values kept for one object: an equal one, or one that takes its place in memory, gets its own."""

from gloam_lab.bots.kept import Kept


def test_each_object_is_derived_from_once() -> None:
    derived: list[tuple[int, ...]] = []

    def derive(part: tuple[int, ...]) -> int:
        derived.append(part)
        return sum(part)

    total_of = Kept(derive, 10)
    part = (1, 2, 3)
    assert [total_of(part), total_of(part)] == [6, 6]
    assert len(derived) == 1


def test_what_is_derived_is_never_anothers() -> None:
    bytes_of: Kept[list[int], bytes] = Kept(bytes, 8)
    for count in range(1_000):  # each list is gone when the next one is made, and may lie where it lay
        assert bytes_of(list(range(count % 20))) == bytes(range(count % 20))
