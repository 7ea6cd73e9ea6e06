"""Edits of bonebox.toml."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import bonebox
from bonebox import Hitbox


def test_an_edited_hitbox_survives_the_next_bake(assets: Path, quick: bonebox.Bake) -> None:
    head = next(one for one in quick.hitboxes if one.joint == "head")
    x, y, z = head.center
    moved = Hitbox((x, y + 0.05, z), head.half_extents, head.orientation, shape=head.shape, tags=head.tags)
    text, notes = bonebox.edit_settings("# mine\npreset = 'recipe'\n", quick, {"head": [moved]})
    assert text.startswith("# mine\n") and "[characters.runa" in text and notes == []
    again = bonebox.bake(assets / "runa.glb", settings_text=text, measure="none")
    heads = [one for one in again.hitboxes if one.joint == "head"]
    assert len(heads) == 1 and heads[0].center[1] == pytest.approx(y + 0.05, abs=1e-3)
    others = [one for one in again.hitboxes if one.joint != "head"]
    assert others == [one for one in quick.hitboxes if one.joint != "head"]
    # `None` takes the edit back.
    fitted, _ = bonebox.edit_settings(text, again, {"head": None})
    reset = bonebox.bake(assets / "runa.glb", settings_text=fitted, measure="none")
    assert reset.hitboxes == quick.hitboxes
    none, _ = bonebox.edit_settings(text, quick, {"head": []})
    without = bonebox.bake(assets / "runa.glb", settings_text=none, measure="none")
    assert not [one for one in without.hitboxes if one.joint == "head"]


def test_the_edit_that_every_tool_makes(assets: Path) -> None:
    folder = assets.parent / "crates/bake-settings/tests/one-edit"
    before = (folder / "before.toml").read_text(encoding="utf-8")
    runa = bonebox.bake(assets / "runa.glb", settings_text=before, measure="none")
    head = Hitbox((0, 0.15, 0.02), (0.15, 0.12, 0.13), tags=["crown"])
    text, notes = bonebox.edit_settings(before, runa, {"head": [head]})
    assert text == (folder / "after.toml").read_text(encoding="utf-8") and notes == []


def test_a_capsule_and_a_stretched_one(quick: bonebox.Bake) -> None:
    capsule = Hitbox((0, 0, 0), (0.1, 0.2, 0.1), shape="capsule", role="strike", tags=["fist"])
    text, notes = bonebox.edit_settings("", quick, {"hand_l": [capsule]})
    assert "capsule" in text and "fist" in text and "strike" in text and not notes
    stretched = Hitbox((0, 0, 0), (0.1, 0.2, 0.3), shape="capsule")
    text, notes = bonebox.edit_settings("", quick, {"hand_l": [stretched]})
    assert "capsule" not in text and len(notes) == 1 and "stretched" in notes[0]


def test_files_of_parent_folders_are_read_too(assets: Path, tmp_path: Path, quick: bonebox.Bake) -> None:
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "heroes"
    folder.mkdir()
    above, nearest = tmp_path / "bonebox.toml", folder / "bonebox.toml"
    assert bonebox.settings_files(folder / "runa.glb") == []
    above.write_text("[joints.head]\nskip = true\n[[joints.hand_l.boxes]]\ncenter = [0, 0, 0]\nhalf_extents = [1, 1, 1]\n")
    assert bonebox.settings_files(folder / "runa.glb") == [above.resolve()]
    nearest.write_text("margin = 0.01\n")
    assert bonebox.settings_files(folder / "runa.glb") == [above.resolve(), nearest.resolve()]
    text, texts = nearest.read_text(), [above.read_text()]
    # The bake would add these hitboxes to those of the file above.
    hand = [one for one in quick.hitboxes if one.joint == "hand_l"]
    with pytest.raises(bonebox.SettingsError, match="of a bonebox.toml in a parent folder also has boxes"):
        bonebox.edit_settings(text, quick, {"hand_l": hand}, above=texts)
    # The file above would still leave the joint without hitboxes.
    with pytest.raises(bonebox.SettingsError, match="of a bonebox.toml in a parent folder has `skip = true`"):
        bonebox.edit_settings(text, quick, {"head": None}, above=texts)
    head = [one for one in quick.hitboxes if one.joint == "head"]
    edited, _ = bonebox.edit_settings(text, quick, {"head": head}, above=texts)
    assert edited.startswith(text) and "skip" in edited
    # Bytes in place of a file in the folder get the same settings.
    shutil.copy(assets / "runa.glb", folder / "runa.glb")
    above.write_text("[joints.head]\nskip = true\n")
    of_file = bonebox.bake(folder / "runa.glb", measure="none")
    of_bytes = bonebox.bake((assets / "runa.glb").read_bytes(), name="runa.glb", settings=folder, measure="none")
    assert of_bytes.to_bytes() == of_file.to_bytes() and of_file.hitboxes != quick.hitboxes
    assert not [one for one in of_bytes.hitboxes if one.joint == "head"]
    # Files above one with `root = true` do not apply.
    bonebox.edit_settings("root = true\n", quick, {"hand_l": hand}, above=texts)
    bonebox.edit_settings(text, quick, {"hand_l": hand}, above=[*texts, "root = true\n"])
    nearest.write_text("root = true\n")
    assert bonebox.settings_files(folder / "runa.glb") == [nearest.resolve()]
    above.write_text("fitt = 3\n")
    nearest.unlink()
    with pytest.raises(bonebox.SettingsError, match="fitt"):
        bonebox.settings_files(folder / "runa.glb")


def test_mistakes(quick: bonebox.Bake) -> None:
    with pytest.raises(bonebox.SettingsError, match='did you mean "head"'):
        bonebox.edit_settings("", quick, {"haed": []})
    with pytest.raises(bonebox.SettingsError) as raised:
        bonebox.edit_settings("\nfitt = 3", quick, {"head": []})
    assert raised.value.line == 2
    with pytest.raises(bonebox.SettingsError, match="rotation"):
        bonebox.edit_settings("", quick, {"head": [Hitbox((0, 0, 0), (1, 1, 1), (0, 0, 0, 0))]})
    with pytest.raises(ValueError, match='did you mean "capsule"'):
        Hitbox((0, 0, 0), (1, 1, 1), shape="capsul")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="half_extents"):
        Hitbox((0, 0, 0), (1, -1, 1))
    with pytest.raises(ValueError, match="finite"):
        Hitbox((0, float("nan"), 0), (1, 1, 1))
    with pytest.raises((TypeError, ValueError)):
        Hitbox((0, 0), (1, 1, 1))
    with pytest.raises(TypeError):
        bonebox.edit_settings("", quick, {"head": [3]})  # type: ignore[list-item]
