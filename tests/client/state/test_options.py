"""The options file."""

from pathlib import Path

import pytest

from gloam_client.state.options import CHOICES, Options, load, save


def test_without_a_file_there_are_defaults(tmp_path: Path) -> None:
    assert load(tmp_path / "options.toml") == (Options(), "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.rule("F59")
def test_what_is_saved_is_loaded_again(tmp_path: Path) -> None:
    chosen = Options("ascii", "none", "wasd", theme="sepia", motion="reduced", bell_turn="on")
    save(chosen, tmp_path / "deep" / "options.toml")

    assert load(tmp_path / "deep" / "options.toml") == (chosen, "")


def test_saving_keeps_comments_and_foreign_keys(tmp_path: Path) -> None:
    path = tmp_path / "options.toml"
    path.write_text('# mine\nother = 3\nkeys = "vi"\n', encoding="utf-8")
    save(Options(keys="wasd"), path)

    text = path.read_text(encoding="utf-8")
    assert "# mine" in text
    assert "other = 3" in text
    assert load(path)[0].keys == "wasd"


def test_a_file_edited_on_windows_is_read_and_saved(tmp_path: Path) -> None:
    path = tmp_path / "options.toml"
    path.write_bytes(b'\xef\xbb\xbf# mine\r\nkeys = "wasd"\r\n')

    assert load(path) == (Options(keys="wasd"), "")
    save(Options(keys="vi"), path)
    assert load(path) == (Options(keys="vi"), "")
    assert "# mine" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ['keys = "dvorak"', "keys = 3", "keys = [1]"])
def test_a_wrong_value_is_named_and_kept_aside(tmp_path: Path, text: str) -> None:
    """A wrong value is named and the file kept aside; the other values stay, and the next start is quiet."""
    path = tmp_path / "options.toml"
    path.write_text(f'theme = "day"\n{text}\n', encoding="utf-8")

    options, said = load(path)
    assert options == Options(theme="day")
    assert f"{path} is broken" in said
    assert '"keys"' in said
    assert "vi, wasd" in said
    assert "kept as options.toml.broken" in said
    assert text in path.with_name("options.toml.broken").read_text(encoding="utf-8")
    assert load(path) == (options, "")


@pytest.mark.parametrize(
    "data", [b"not toml at all", b"\xff\xfe", b"keys = ", b"a = " + b"[" * 5_000, b"#" * 100_000]
)
def test_an_unreadable_file_gives_defaults(tmp_path: Path, data: bytes) -> None:
    """A file that cannot be read is kept as it is under another name, each time under a new one."""
    path = tmp_path / "options.toml"
    for kept in ("options.toml.broken", "options.toml.broken-2"):
        path.write_bytes(data)
        options, said = load(path)
        assert options == Options()
        assert f"kept as {kept}." in said
        assert path.with_name(kept).read_bytes() == data
        assert not path.exists()


def test_a_folder_in_its_place_is_kept_aside(tmp_path: Path) -> None:
    path = tmp_path / "options.toml"
    path.mkdir()
    assert load(path)[0] == Options()
    assert (tmp_path / "options.toml.broken").is_dir()


def test_turning_option_goes_values() -> None:
    """Turning an option goes through all values and returns to the first."""
    for choice_ in CHOICES:
        options = Options()
        seen = []
        for _ in choice_.values:
            seen.append(options.value(choice_))
            options = options.turned(choice_, 1)
        assert sorted(seen) == sorted(choice_.values)
        assert Options() == options
