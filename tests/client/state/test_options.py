"""The options file."""

from pathlib import Path

import pytest

from gloam_client.state.options import CHOICES, BadOptions, Options, load, save


def test_without_a_file_there_are_defaults(tmp_path: Path) -> None:
    assert Options() == load(tmp_path / "options.toml")


@pytest.mark.rule("F59")
def test_what_is_saved_is_loaded_again(tmp_path: Path) -> None:
    chosen = Options("ascii", "none", "wasd")
    save(chosen, tmp_path / "deep" / "options.toml")

    assert chosen == load(tmp_path / "deep" / "options.toml")


def test_saving_keeps_comments_and_foreign_keys(tmp_path: Path) -> None:
    path = tmp_path / "options.toml"
    path.write_text('# mine\nother = 3\nkeys = "vi"\n', encoding="utf-8")
    save(Options(keys="wasd"), path)

    text = path.read_text(encoding="utf-8")
    assert "# mine" in text
    assert "other = 3" in text
    assert load(path).keys == "wasd"


@pytest.mark.parametrize("text", ['keys = "dvorak"', "keys = 3", "keys = [1]", "not toml at all"])
def test_a_wrong_value_is_refused_with_file_and_mend(tmp_path: Path, text: str) -> None:
    path = tmp_path / "options.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(BadOptions, match=r"options\.toml"):
        load(path)


def test_turning_option_goes_values() -> None:
    """Turning an option goes through all values and comes back."""
    for choice_ in CHOICES:
        options = Options()
        seen = []
        for _ in choice_.values:
            seen.append(getattr(options, choice_.name))
            options = options.turned(choice_, 1)
        assert sorted(seen) == sorted(choice_.values)
        assert Options() == options
