"""The options: their sections, their values, with the effect at once."""

from dataclasses import replace as changed

import pytest

from gloam_client.state.client_effects import SetOptions
from gloam_client.state.options import CHOICES, Options
from support.client.model_in_play import picture, playing, press, to_option


@pytest.mark.rule("RG.29", "F59")
def test_an_option_applies_at_once_and_stays_local() -> None:
    """An option changes at once, and only the client keeps it."""
    model, wanted = press(playing(), *to_option("keys"), "RIGHT")
    assert [SetOptions(Options(keys="wasd"))] == wanted
    assert model.options.keys == "wasd"
    assert "[wasd]" in picture(model)


def test_u57_options_fit_one_screen() -> None:
    """U57: at most 25 options, each with a label of its own, the defaults first in the file's values."""
    assert len(CHOICES) <= 25
    assert len({choice.name for choice in CHOICES}) == len(CHOICES)
    assert len({choice.words for choice in CHOICES}) == len(CHOICES)
    for choice in CHOICES:
        assert Options().value(choice) in choice.values


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("name", [choice.name for choice in CHOICES])
def test_each_option_is_in_view_when_marked(name: str, size: tuple[int, int]) -> None:
    """U57: the marked option is in view with its value at every size."""
    model = changed(press(playing(), *to_option(name))[0], size=size)
    choice = next(choice for choice in CHOICES if choice.name == name)
    rows = [row for row in picture(model).split("\n") if choice.words in row]
    assert any(f"[{model.options.value(choice)}]" in row for row in rows)


def test_each_section_has_its_heading() -> None:
    shown = picture(changed(press(playing(), "O")[0], size=(80, 40)))
    for section in {choice.section for choice in CHOICES}:
        assert section in shown
