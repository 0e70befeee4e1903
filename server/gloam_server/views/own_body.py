"""The player's own body in a view: its level, sheet, spells, status effects and level-up choices. Pure."""

import re
from typing import Final

from msgspec import UNSET

from gloam_server.content.spells import Spell as WorldSpell
from gloam_server.rules import growth, hunger
from gloam_server.views.display_numbers import gain_in_words, in_points
from gloam_server.views.level_options import option_gain, option_words, trait_words
from gloam_server.views.magic_effects import first_effect, level_gain
from gloam_server.views.menace import damage_kind_of, prowess_of, spell_damage
from gloam_server.views.texts.power_words import power_words
from gloam_server.world.actions.casting import known_spells, spell_percent
from gloam_server.world.actions.missiles import missile_range
from gloam_server.world.combat.noise import noise_state
from gloam_server.world.growth.bents import choice_level, grows_by_bent, kit_of, options_of
from gloam_server.world.growth.experience import gain_choices
from gloam_server.world.items.equipment import total_attack, total_defense, total_sight, total_speed
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import Down
from gloam_server.world.model.item_names import item_name
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import spell_effect_of
from gloam_server.world.model.powers import powers_of
from gloam_shared.level_numbers import round_of_level
from gloam_shared.narration.rendering import capital
from gloam_shared.view.choices import Choosing, LevelGain
from gloam_shared.view.downed import turns_left_words
from gloam_shared.view.menace import DamageKind
from gloam_shared.view.place import Look, Place
from gloam_shared.view.view import Skill, Spell, StatusEffect

FADING_TURNS: Final = 5
"""A status effect with at most this many turns left is fading."""

ASLEEP: Final = "asleep"
_HEALTH: Final = re.compile(r"\d+(?= (?:damage|health)\b(?! a turn))")
"""The amounts in the description of a spell that a book changes."""
_NO_RESISTANCE: Final = (0,) * len(DamageKind)


def spell_list(level: Level, viewer: Creature) -> tuple[Spell, ...]:
    """Return the spells that the viewer knows, with mana for them or not."""
    campaign = level.campaign
    return tuple(
        Spell(
            key=spell.key,
            name=spell.name,
            cost=spell.cost,
            target=spell.target,
            range=spell.range,
            radius=spell.radius,
            words=_spell_words(spell, percent),
            harms=spell.harms,
            effect=int(first_effect(spell)),
            damage=spell_damage(spell) * percent // 100 if spell.harms else 0,
            deals=damage_kind_of(spell),
        )
        for spell in known_spells(level, viewer)
        for percent in (spell_percent(campaign, viewer, spell),)
    )


def _spell_words(spell: WorldSpell, percent: int) -> str:
    """Return the description of a spell with the amounts of health that the viewer's book gives it (rule F112)."""
    return _HEALTH.sub(lambda amount: str(int(amount[0]) * percent // 100), spell.words)


def status_list(level: Level, viewer: Creature) -> tuple[StatusEffect, ...]:
    """Return the status effects of the viewer's body, each word once, with the turns of the longest."""
    left: dict[str, int] = {ASLEEP: viewer.asleep} if viewer.asleep else {}
    if isinstance(viewer.down, Down):
        left[f"down: {turns_left_words(viewer.down.turns)}"] = 0
    for state in viewer.lasting:
        word = spell_effect_of(level.campaign, state).word
        if word:
            left[word] = max(left.get(word, 0), state.turns)
    return tuple(StatusEffect(word, turns <= FADING_TURNS) for word, turns in left.items())


def skill_list(level: Level, viewer: Creature) -> tuple[Skill, ...]:
    """Return the viewer's kit and bent, the traits of the kit and of cards, the trophies carried, and the newest of the line."""
    campaign, found = level.campaign, []
    kit = kit_of(campaign, viewer)
    if kit is not None:
        found.append(Skill("kit", kit.name, kit.words))
    bent = campaign.bents.get("" if viewer.bent is UNSET else viewer.bent)
    if bent is not None:
        found.append(Skill("bent", bent.name, f"{capital(bent.words)}."))
    traits = [campaign.traits[key] for key in viewer.learned if key in campaign.traits]
    found += [Skill("trait", trait.name, trait_words(trait)) for trait in traits]
    for item in viewer.carried if campaign.trophies else ():
        kind = campaign.items.get(item.kind)
        if kind is not None and kind.trophy:
            words = " ".join([power_words(power, "you") for power in kind.powers])
            found.append(Skill("trophy", item_name(level, item, viewer), words))
    found += [Skill("line", name) for name in viewer.statistics.trophies]
    return tuple(found)


def place_of(level: Level) -> Place:
    """Return the level as its viewers know it."""
    campaign, round_ = level.campaign, round_of_level(level.partition)
    look = campaign.look_of(level.state.kind)
    name = f"{campaign.title}, level {level.depth}"
    if look is not None:
        name = f"{capital(level.level_kind.name)}, depth {level.depth}"
    name = f"{name} of round {round_}" if round_ > 1 else name
    if lit := level.state.beacons:
        name = f"{name}, beacons {lit}/{len(campaign.beacons.places)}"
    return Place(
        level.partition,
        level.grid.width,
        level.grid.height,
        name,
        campaign.movement == "four",
        None if look is None else Look(look.wall, look.floor, look.walls, look.floors, look.tint),
    )


def sheet(level: Level, viewer: Creature) -> tuple[int, ...]:
    """Return the numbers of the viewer's own sheet, in the order of `Stat`."""
    state, food_turns = hunger_numbers(level, viewer)
    own = prowess_of(powers_of(level.campaign, viewer))
    return (  # a dictionary by fact costs ten times as much
        level.handles[viewer.number],
        viewer.hp,
        viewer.hp_max,
        in_points(level.campaign, total_attack(level, viewer)),
        in_points(level.campaign, total_defense(level, viewer)),
        total_sight(level, viewer),
        total_speed(level, viewer),
        viewer.level,
        viewer.experience,
        growth.least_experience_beyond(level.campaign.experience, viewer.level),
        viewer.points,
        viewer.kills,
        state,
        viewer.mana,
        viewer.mana_max,
        missile_range(level, viewer),
        food_turns,
        noise_state(level, viewer),
        own.deals,
        *(own.resists or _NO_RESISTANCE),
        own.might,
        own.pace,
        own.length,
        own.stuns,
        own.sweeps,
        own.parries,
    )


def hunger_numbers(level: Level, viewer: Creature) -> tuple[int, int]:
    """Return the state of the viewer's hunger, and the steps that it leaves; 0 while there is food for longer.

    The view has no exact number before the warning: the stomach changes with every action, and would add bytes to each step.
    """
    rules = level.campaign.hunger
    state = hunger.hunger_state(rules, viewer.food, viewer.food_max)
    return int(state), _food_turns(level, viewer) if hunger.needs_warning(rules, viewer.food) else 0


def _food_turns(level: Level, viewer: Creature) -> int:
    rules, regeneration = level.campaign.hunger, level.campaign.regeneration
    body = {"hp": viewer.hp, "hp_max": viewer.hp_max, "part": viewer.hp_part}
    return hunger.turns_left(rules, regeneration, viewer.food, **body)


def choices(level: Level, viewer: Creature) -> tuple[str, ...]:
    """Return the level-up options on offer, in words."""
    campaign = level.campaign
    if grows_by_bent(level, viewer):
        return tuple(option_words(campaign, viewer, key) for key in options_of(level, viewer))
    rules = campaign.experience
    return tuple(
        f"{getattr(rules.words, gain)} (+{gain_in_words(campaign, gain, getattr(rules.gains, gain))})"
        for gain in (gain_choices(level, viewer) if viewer.points else ())
    )


def gains(level: Level, viewer: Creature) -> tuple[LevelGain, ...]:
    """Return what the level-up options bring, in the same order."""
    campaign = level.campaign
    if grows_by_bent(level, viewer):
        return tuple(option_gain(campaign, viewer, key) for key in options_of(level, viewer))
    rules = campaign.experience.gains
    return tuple(
        level_gain(campaign, gain, getattr(rules, gain))
        for gain in (gain_choices(level, viewer) if viewer.points else ())
    )


def choosing(level: Level, viewer: Creature) -> Choosing:
    """Return which level-up choice is made next, as its title and the level that it is for."""
    number = choice_level(level, viewer)
    if not number:
        return Choosing()
    rules = level.campaign.cards
    return (
        Choosing(rules.bent_title, 1) if number == 1 else Choosing(f"{rules.title} (level {number})", number)
    )
