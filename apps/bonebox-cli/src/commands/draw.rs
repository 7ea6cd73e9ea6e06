//! `bonebox draw`: a picture of a character with its boxes, or of a duel.

use crate::draw::camera::{Size, View};
use crate::draw::color::Rgb;
use crate::draw::stage::{self, Actor, ColorBy, Wanted};
use crate::draw::{self, PictureFormat};
use crate::duel;
use crate::settings_arguments::SettingsArguments;
use anyhow::Context as _;
use asset_bake::{Asset, CharacterFile, RequestedSettings, replace_file};
use glam::Affine3A;
use runtime::{Character, LoopMode};
use skinned_model::SkinnedModel;
use std::path::{Path, PathBuf};

/// What to draw, and how.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// An asset (.glb, .gltf, .vrm) or a .bonebox file
    a: PathBuf,
    /// Another one, facing the first as in `bonebox duel`; boxes that touch are lit
    b: Option<PathBuf>,
    /// Where to: a .png or .svg file
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// The asset that a .bonebox file was baked from, for its surface
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Clip of the first character, by name or number [default: rest pose]
    #[arg(long, visible_alias = "clip-a", value_name = "CLIP")]
    clip: Option<String>,
    /// Clip of the second
    #[arg(long, value_name = "CLIP")]
    clip_b: Option<String>,
    /// Seconds from the beginning of the clips; they repeat
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    time: f32,
    /// From the first character's origin to the second's
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    distance: f32,
    /// Degrees about +Y by which the second is turned away from facing the first
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    turn: f32,
    /// Where it is seen from
    #[arg(long, value_enum, default_value_t = View::Iso)]
    view: View,
    /// WIDTHxHEIGHT, or the longer side alone, in pixels
    #[arg(long, default_value = "960")]
    size: Size,
    /// Leave the surface out
    #[arg(long, conflicts_with = "no_boxes")]
    no_mesh: bool,
    /// Leave the boxes out
    #[arg(long)]
    no_boxes: bool,
    /// What a box's colour tells [default: joint; character where there are two]
    #[arg(long, value_enum)]
    color_by: Option<ColorBy>,
    /// Behind it all: none, or #rrggbb
    #[arg(long, default_value = "#f7f7f8", value_parser = parse_background)]
    background: Background,
    #[command(flatten)]
    settings: SettingsArguments,
}

/// A colour, or nothing.
#[derive(Clone, Copy, Debug)]
struct Background(Option<Rgb>);

fn parse_background(text: &str) -> Result<Background, String> {
    if text == "none" {
        return Ok(Background(None));
    }
    let digits =
        text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    number.map(|number| Background(Some(Rgb::hex(number)))).ok_or_else(|| "expected none or #rrggbb".into())
}

/// Draws the picture and writes it.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { out, view, size, time, .. } = arguments;
    anyhow::ensure!(time.is_finite(), "--time must be finite");
    anyhow::ensure!(
        arguments.distance.is_finite() && arguments.turn.is_finite(),
        "--distance and --turn must be finite"
    );
    let ending = out.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let format = match ending.as_str() {
        "png" => PictureFormat::Png,
        "svg" => PictureFormat::Svg,
        _ => anyhow::bail!("{}: a picture is a .png or .svg file", out.display()),
    };

    let actors = actors(arguments)?;
    let color_by = arguments.color_by.unwrap_or(if actors.len() == 1 { ColorBy::Joint } else { ColorBy::Character });
    let wanted = Wanted { surfaces: !arguments.no_mesh, boxes: !arguments.no_boxes, color_by };
    let bytes = draw::picture(&actors, wanted, *view, *size, arguments.background.0, format)?;
    Ok(replace_file(out, &bytes)?)
}

fn actors(arguments: &Arguments) -> anyhow::Result<Vec<Actor>> {
    let mut actors = vec![actor(&arguments.a, arguments.model.as_deref(), arguments.clip.as_deref(), arguments)?];
    if let Some(b) = &arguments.b {
        let model = arguments.model.as_deref().filter(|_| arguments.a == *b);
        let mut second = actor(b, model, arguments.clip_b.as_deref(), arguments)?;
        second.world_from_model = duel::opposite(arguments.distance, arguments.turn);
        actors.push(second);
    }
    Ok(actors)
}

fn actor(path: &Path, model: Option<&Path>, clip: Option<&str>, arguments: &Arguments) -> anyhow::Result<Actor> {
    let (character, model) = load(path, model, &arguments.settings.requested)?;
    let clip = clip.map(|name| duel::find_clip(&character, name)).transpose()?;
    let at = clip.map(|clip| (clip, LoopMode::Loop.clip_time(&character.clips()[clip.index()], arguments.time)));
    Ok(Actor { character, model, world_from_model: Affine3A::IDENTITY, at })
}

/// Returns a baked file, with its surface where the model is given, or an asset that is baked in memory.
fn load(
    path: &Path,
    model: Option<&Path>,
    requested: &RequestedSettings,
) -> anyhow::Result<(Character, Option<SkinnedModel>)> {
    let file = CharacterFile::open(path)?;
    let character = Character::from_baked(file.bake(requested)?);
    let surface = match (file, model) {
        (CharacterFile::Asset { model, .. }, _) => Some(*model),
        (CharacterFile::Baked(_), None) => None,
        (CharacterFile::Baked(_), Some(path)) => {
            let (model, _) = Asset::open(path)?.import().with_context(|| path.display().to_string())?;
            stage::check_same_joints(&character, &model).with_context(|| path.display().to_string())?;
            Some(model)
        }
    };
    Ok((character, surface))
}
