"""Each field of a creature is classified: by the kept value that it decides, or as one that decides none."""

from gloam_server.world.model import creature

FIELDS = set(creature.Creature.__struct_fields__)
DECIDE = {
    name
    for name in {*creature.APPEARANCE, *creature.HOSTILITY, *creature.SHEET, *creature.COMPARED_IN_PLACE}
    if "." not in name
}


def test_each_field_of_a_creature_is_in_a_group() -> None:
    assert set() == FIELDS - DECIDE - creature.FIXED - creature.DECIDES_NOTHING_KEPT, (
        "see server/docs/kept.md"
    )


def test_groups_name_fields_and_do_not_overlap() -> None:
    assert DECIDE | creature.FIXED | creature.DECIDES_NOTHING_KEPT == FIELDS
    assert not creature.FIXED & creature.DECIDES_NOTHING_KEPT
    assert not DECIDE & (creature.FIXED | creature.DECIDES_NOTHING_KEPT)
