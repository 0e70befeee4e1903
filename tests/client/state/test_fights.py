"""The player's feelings and memory of fights: U27, U39."""

from itertools import chain, pairwise

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.render.bars import bar_signs, share
from gloam_client.render.damage_summary import damage_summary, summary_words
from gloam_client.render.frame import draw, next_change_ms
from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.fights import FLASH_GAP_MS, FLASH_MS, FOES_MAX, NO_FIGHTS, Fights, note_fights
from gloam_client.state.model import Blow, Entry, Model
from gloam_client.state.options import Options
from gloam_client.update import update
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.messages.play import Update
from gloam_shared.view.view import Creature, CreatureFlag, Hunger, Log, LogLine, Stat, StatusEffect, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing

HOSTILE = CreatureFlag.HOSTILE


def fight(hp: int, rat_hp: int) -> View:
    """Return a view of a player with so much health next to a rat with so much."""
    view = level_view()
    rat = Creature(20, view.cell + 1, rat_hp, 9, 1, HOSTILE, "r", "brown", "rat", 4)
    sheet = (*view.sheet[: Stat.HP], hp, *view.sheet[Stat.HP + 1 :])
    return replace(view, creatures=(*view.creatures, rat), sheet=sheet)


def seen(model: Model, view: View, now_ms: int) -> Model:
    return update(model, heard(view=view), now_ms)[0]


def rat_cell(model: Model) -> tuple[str, bool]:
    """Return the rat's glyph on the canvas and whether it is reversed."""
    for char, style in chain.from_iterable(draw(model).cells):
        if char == "r" and style.color == "brown":
            return char, style.reverse
    raise AssertionError(picture(model))


def test_a_struck_creature_flashes_for_120_ms() -> None:
    model = seen(playing(fight(40, 9)), fight(40, 5), 1_000)
    assert rat_cell(model) == ("r", True)
    assert next_change_ms(model) == 1_000 + FLASH_MS == 1_120
    model, _ = update(model, client_events.TimerFired(), 1_120)
    assert rat_cell(model) == ("r", False)
    assert (next_change_ms(model) or 9_999) > 1_120


def test_nothing_flashes_with_reduced_motion() -> None:
    """With reduced motion the numbers change and nothing flashes: U39."""
    still = structs.replace(playing(fight(40, 9)), options=Options(motion="reduced"))
    model = seen(still, fight(34, 5), 1_000)
    assert rat_cell(model) == ("r", False)
    assert model.fights.lost_since(model.turn) == 6


def test_flashes_are_fewer_than_three_a_second() -> None:
    """However fast blows follow each other, flashes begin at most three times a second: U39."""
    fights, begun = NO_FIGHTS, []
    for at in range(40):
        now_ms = 50 * at
        fights = note_fights(fights, (fight(40, 100 - at), fight(40, 99 - at)), at, now_ms)
        begun += [now_ms] if fights.flash_ms == now_ms else []
    assert len(begun) > 1
    assert all(later - first >= FLASH_GAP_MS for first, later in pairwise(begun))


def test_health_just_lost_shows_until_next_command() -> None:
    """The bar shows what was lost since the player's last command."""
    model = seen(seen(playing(fight(40, 9)), fight(34, 9), 0), fight(30, 9), 10)
    assert model.fights.lost_since(model.turn) == 10
    assert "[#########===]" in picture(model)
    model, _ = update(model, client_events.CommandSent(Wait(), 0), 20)
    assert "[#########---]" in picture(model)


def test_another_level_is_no_blow() -> None:
    """A creature with the same number on another level has not been struck, and neither has one that healed."""
    below = replace(fight(40, 1), place=replace(level_view().place, depth=2))
    assert not note_fights(NO_FIGHTS, (fight(40, 9), below), 0, 0).struck
    assert not note_fights(NO_FIGHTS, (fight(30, 5), fight(40, 9)), 0, 0).struck


def test_the_last_foes_met_are_remembered() -> None:
    fights = NO_FIGHTS
    for at in range(FOES_MAX + 5):
        view = level_view()
        foe = Creature(20, view.cell + 1, 9, 9, at, HOSTILE, "f", "red", f"foe {at}", 4)
        fights = note_fights(fights, (view, replace(view, creatures=(*view.creatures, foe))), 0, 0)
    assert [foe.name for foe in fights.met] == [f"foe {at}" for at in range(5, FOES_MAX + 5)]


def test_a_new_life_begins_unhurt() -> None:
    model = seen(playing(fight(40, 9)), fight(34, 9), 0)
    heir, _ = update(model, heard(Joined("Ann", 0, 2), view=level_view()), 10)
    assert heir.fights.lost_since(heir.turn) == 0
    assert [foe.name for foe in heir.fights.met] == ["rat"]


def test_bars_show_the_ends_only_at_the_ends() -> None:
    assert [share(part, 40, 8) for part in (0, 1, 20, 39, 40)] == [0, 1, 4, 7, 8]
    assert bar_signs(0, 40, 40, 8) == "========"
    assert bar_signs(20, 40, 0, 8) == "####----"
    assert bar_signs(5, 0, 0, 4) == "----"


def test_shots_and_magic_count_as_damage() -> None:
    """The sums hold what was thrown, shot and cast, too: U27."""
    lines = (
        LogLine("throws_at", "you", "rat", 4, "dagger"),
        LogLine("spits", "kobold slinger", "you", 3),
        LogLine("shoots", "orc", "you", 5, "bow"),
        LogLine("blasted", "you", "", 6, "fireball"),
        LogLine("spits", "orc", "rat", 50),
        LogLine("blasted", "rat", "", 60, "fireball"),
    )
    view = level_view()
    end = view.log.first + len(view.log.lines)
    model, _ = update(playing(view), heard(view=replace(view, log=Log(end, lines))), 10)
    words = summary_words(damage_summary(model.messages.entries, model.fights))
    sources = "the fireball 6, the orc 5, the kobold slinger 3"
    assert words == f"Last 10 turns: 4 dealt, 14 taken ({sources})"


def test_damage_is_summed_over_ten_turns() -> None:
    """The sums leave out older turns, and name the worst foes first: U27."""
    log = [
        Entry("old", "hurt", 1, Blow("the orc", mine=False, damage=99), at=5),
        Entry("a", "fight", 12, Blow("the orc", mine=True, damage=7), at=12),
        Entry("b", "hurt", 13, Blow("the rat", mine=False, damage=2), at=13),
        Entry("c", "hurt", 14, Blow("the orc", mine=False, damage=8), at=14),
        Entry("said", "talk", 14),
        Entry("d", "hurt", 15, Blow("the orc", mine=False, damage=0), at=15),
    ]
    words = summary_words(damage_summary(log, Fights(turns=15)))
    assert words == "Last 10 turns: 7 dealt, 10 taken (the orc 8, the rat 2)"
    assert summary_words(damage_summary(log, Fights(turns=40))) == ""


def struck(view: View, *lines: LogLine, **numbers: int) -> View:
    """Return the next view after these lines, with other numbers of the sheet."""
    sheet = list(view.sheet)
    for name, number in numbers.items():
        sheet[Stat[name]] = number
    log = Log(view.log.first, (*view.log.lines, *lines))
    return replace(view, sheet=tuple(sheet), log=log)


def words_of(model: Model) -> str:
    return summary_words(damage_summary(model.messages.entries, model.fights))


BITE = LogLine("strikes", "rat", "you", 4)


def test_each_turn_of_a_plan_counts() -> None:
    """A rest of many turns is one command; the blow before it is not among its last ten turns."""
    view = fight(20, 9)
    model = playing(view)
    model = seen(model, view := struck(view, BITE, HP=16), 0)
    assert words_of(model) == "Last 10 turns: 0 dealt, 4 taken (the rat 4)"
    for turn in range(10):
        assert words_of(model)
        model = seen(model, view := struck(view, HP=17 + turn), 0)
    assert words_of(model) == ""


def test_what_others_do_is_no_turn_of_the_player() -> None:
    view = struck(fight(20, 9), BITE, HP=16)
    model = seen(playing(fight(20, 9)), view, 0)
    for at in range(30):
        rat = replace(view.creatures[-1], cell=view.cell + 2 + at % 2)
        view = struck(
            replace(view, creatures=(*view.creatures[:-1], rat)), LogLine("strikes", "rat", "orc", 2)
        )
        model = seen(model, view, 0)
    assert words_of(model) == "Last 10 turns: 0 dealt, 4 taken (the rat 4)"


def test_the_sums_do_not_survive_a_death() -> None:
    model = seen(playing(fight(20, 9)), struck(fight(20, 9), BITE, HP=16), 0)
    heir, _ = update(model, heard(Joined("Ann", 0, 2), view=level_view()), 10)
    assert words_of(heir) == ""
    view = struck(level_view(), LogLine("strikes", "orc", "you", 3), HP=37)
    assert words_of(seen(heir, view, 20)) == "Last 10 turns: 0 dealt, 3 taken (the orc 3)"


def test_the_players_own_magic_is_dealt() -> None:
    """A blast belongs to the player who cast, zapped or read before it, and to the weapon that caused it."""
    lines = (
        LogLine("casts", "you", source="fireball"),
        LogLine("blasted", "rat", "", 5, "fireball"),
        LogLine("kills", "you", "rat"),
        LogLine("blasted", "orc", "", 6, "fireball"),
        LogLine("casts", "orc", source="dart"),
        LogLine("blasted", "imp", "", 90, "dart"),
        LogLine("strikes", "you", "imp", 7),
        LogLine("blasted", "imp", "", 2, "flames"),
        LogLine("blasted", "orc", "", 80, "flames"),
        LogLine("zaps", "you", "wand of fire"),
        LogLine("springs", "orc", source="a jet of fire"),
        LogLine("blasted", "orc", "", 70, "a jet of fire"),
    )
    model = seen(playing(fight(20, 9)), struck(fight(20, 9), *lines), 0)
    assert words_of(model) == "Last 10 turns: 20 dealt, 0 taken"


@pytest.mark.parametrize(
    ("states", "hunger", "cause"),
    [
        ((StatusEffect("poisoned"),), Hunger.NOT_HUNGRY, "poison"),
        ((StatusEffect("bound"),), Hunger.STARVING, "hunger"),
        ((StatusEffect("bleeding"),), Hunger.NOT_HUNGRY, "other causes"),
    ],
)
def test_poison_and_hunger_are_taken(states: tuple[StatusEffect, ...], hunger: Hunger, cause: str) -> None:
    """Health that is lost without a line counts, too, beside the blows of the same turn; what a blow took counts once."""
    before = struck(replace(fight(20, 9), states=states), HUNGER=hunger)
    model = seen(playing(before), struck(before, BITE, HP=13), 0)
    assert words_of(model) == f"Last 10 turns: 0 dealt, 7 taken (the rat 4, {cause} 3)"
    view = model.view
    for turn in range(10):
        model = seen(model, view := struck(view, HP=14 + turn), 0)
    assert words_of(model) == ""


def test_arriving_is_no_loss() -> None:
    """Another level, another life and a first view show other health, but nothing that was taken."""
    assert words_of(playing(fight(40, 9))) == ""
    first, _ = update(Model(screens=(Play(),), name="Ann"), client_events.JoinStarted("Ann", "here"), 0)
    assert words_of(seen(first, fight(3, 9), 0)) == ""


def test_what_grows_back_is_no_loss() -> None:
    """Of the health since the last command only what is missing is shown as lost."""
    model = seen(seen(playing(fight(40, 9)), fight(34, 9), 0), fight(39, 9), 10)
    assert model.fights.lost_since(model.turn) == 1
    assert seen(model, fight(40, 9), 20).fights.lost_since(model.turn) == 0


def test_a_replay_counts_the_recorded_commands() -> None:
    """No key sends a command there; a wound is shown until the next one is carried out."""
    model, hp = playing(fight(40, 9)), 40
    for number in range(2, 12):
        hp -= 3
        model, _ = update(model, heard(Update((), done=number), view=fight(hp, 9)), number)
        assert model.fights.lost_since(model.turn) == 3
