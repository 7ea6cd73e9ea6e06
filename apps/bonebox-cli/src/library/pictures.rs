//! Pictures of characters now and at a base.

use crate::draw::camera::{Size, View};
use crate::draw::stage::{Actor, ColorBy, Wanted, check_same_joints};
use crate::draw::{self, PictureFormat};
use crate::library::survey::Entry;
use asset_bake::{Asset, AssetSettings, BakeTarget};
use baked_format::BakedCharacter;
use glam::Affine3A;
use page_answers::color::Rgb;
use runtime::Character;
use skinned_model::SkinnedModel;

/// The model of a character, with the clips that its bake has.
pub(super) fn model(target: &BakeTarget, settings: &AssetSettings) -> anyhow::Result<SkinnedModel> {
    let (model, _) = Asset::open(&target.path)?.import_part(target.root.as_ref())?;
    Ok(settings.model_to_bake(&model)?.into_owned())
}

/// A PNG file of a character at rest with its hitboxes. The surface is drawn if the model has the joints of the character.
pub(super) fn picture(
    character: &BakedCharacter,
    model: Option<SkinnedModel>,
    size: Size,
    background: Option<Rgb>,
) -> anyhow::Result<Vec<u8>> {
    let character = Character::from_baked(character.clone());
    let model = model.filter(|model| check_same_joints(&character, model).is_ok());
    let actor = Actor { character, model, world_from_model: Affine3A::IDENTITY, at: None };
    let wanted = Wanted { surfaces: true, boxes: true, color_by: ColorBy::Joint, exact: false };
    draw::picture(&[actor], wanted, View::Iso, size, background, PictureFormat::Png)
}

/// Pictures of a character at the base and now, as PNG files; `None` for a side that does not exist.
pub(super) fn before_and_after(
    entry: &Entry,
    settings: Option<&AssetSettings>,
    size: Size,
    background: Rgb,
) -> anyhow::Result<[Option<Vec<u8>>; 2]> {
    let sides = [entry.old().map(|old| &old.character), entry.now().map(|now| &now.character)];
    if sides.iter().all(Option::is_none) {
        return Ok([None, None]);
    }
    let model = entry.target.as_ref().zip(settings).map(|(target, settings)| model(target, settings)).transpose()?;
    let drawn = |character| picture(character, model.clone(), size, Some(background));
    let [before, after] = sides.map(|character| character.map(drawn).transpose());
    Ok([before?, after?])
}
