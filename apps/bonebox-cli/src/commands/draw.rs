//! `bonebox draw`: draws a picture of a character with its hitboxes, or of a duel.

use crate::character_arguments::opposite_by_arguments;
use crate::draw::camera::{Size, View};
use crate::draw::stage::{self, Actor, ColorBy, Wanted};
use crate::draw::{self, PictureFormat};
use crate::settings_arguments::SettingsArguments;
use crate::wrong_argument::ensure_argument;
use anyhow::Context as _;
use asset_bake::{Asset, CharacterFile, RequestedSettings, printable_path, replace_file};
use glam::Affine3A;
use page_answers::color::Rgb;
use page_answers::duel;
use runtime::{Character, LoopMode};
use skinned_model::SkinnedModel;
use std::path::{Path, PathBuf};

/// Arguments of `bonebox draw`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The character: an asset (.glb, .gltf, .vrm, .fbx) or a .bonebox file
    a: PathBuf,
    /// A second character that faces the first, as in `bonebox duel`; overlapping hitboxes are red (see also `--exact`)
    b: Option<PathBuf>,
    /// Picture to write: a .png or .svg file
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Asset that the .bonebox file was baked from, to draw its surface too
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Clip of the first character, by name or index [default: rest pose]
    #[arg(long, visible_alias = "clip-a", value_name = "CLIP")]
    clip: Option<String>,
    /// Clip of the second character, by name or index [default: rest pose]
    #[arg(long, value_name = "CLIP")]
    clip_b: Option<String>,
    /// Time since the start of the clips, in seconds; clips play in a loop
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    time: f32,
    /// Distance from the first character's origin to the second's, in meters
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    distance: f32,
    /// Angle about +Y by which the second character turns away from the first, in degrees
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    turn: f32,
    /// Direction that the camera looks from
    #[arg(long, value_enum, default_value_t = View::Iso)]
    view: View,
    /// Size of the picture in pixels: WIDTHxHEIGHT, or the length of the longer side
    #[arg(long, default_value = "960")]
    size: Size,
    /// Do not draw the surface
    #[arg(long, conflicts_with = "no_boxes")]
    no_mesh: bool,
    /// Do not draw the hitboxes
    #[arg(long)]
    no_boxes: bool,
    /// Test the skin of two characters: overlapping hitboxes are red with a mark if their skin touches, else yellow
    #[arg(long)]
    exact: bool,
    /// Meaning of a hitbox's color [default: joint; with two characters: character]
    #[arg(long, value_enum)]
    color_by: Option<ColorBy>,
    /// Background color: #rrggbb, or `none` for a transparent picture
    #[arg(long, default_value = "#f7f7f8", value_parser = parse_background)]
    background: Background,
    #[command(flatten)]
    settings: SettingsArguments,
}

/// A background color, or `None` for a transparent background.
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
    ensure_argument(time.is_finite(), || format!("--time is {time}, but must be a finite number of seconds"))?;
    let place_of_b = opposite_by_arguments(arguments.distance, arguments.turn)?;
    let ending = out.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    ensure_argument(matches!(ending.as_str(), "png" | "svg"), || {
        let out = printable_path(out);
        format!("cannot write a picture to {out}; use a file name that ends with .png or .svg")
    })?;
    let format = if ending == "png" { PictureFormat::Png } else { PictureFormat::Svg };

    let actors = actors(arguments, place_of_b)?;
    let color_by = arguments.color_by.unwrap_or(if actors.len() == 1 { ColorBy::Joint } else { ColorBy::Character });
    let wanted = Wanted { surfaces: !arguments.no_mesh, boxes: !arguments.no_boxes, color_by, exact: arguments.exact };
    let bytes = draw::picture(&actors, wanted, *view, *size, arguments.background.0, format)?;
    Ok(replace_file(out, &bytes)?)
}

fn actors(arguments: &Arguments, place_of_b: Affine3A) -> anyhow::Result<Vec<Actor>> {
    let mut actors = vec![actor(&arguments.a, arguments.model.as_deref(), arguments.clip.as_deref(), arguments)?];
    if let Some(b) = &arguments.b {
        let model = arguments.model.as_deref().filter(|_| arguments.a == *b);
        let mut second = actor(b, model, arguments.clip_b.as_deref(), arguments)?;
        second.world_from_model = place_of_b;
        actors.push(second);
    }
    Ok(actors)
}

fn actor(path: &Path, model: Option<&Path>, clip: Option<&str>, arguments: &Arguments) -> anyhow::Result<Actor> {
    let requested = arguments.settings.requested_with_skin(arguments.exact)?;
    let (character, model) = load(path, model, &requested)?;
    let clip = clip.map(|name| duel::find_clip(&character, name)).transpose()?;
    let at = clip.map(|clip| (clip, LoopMode::Loop.clip_time(&character.clips()[clip.index()], arguments.time.into())));
    Ok(Actor { character, model, world_from_model: Affine3A::IDENTITY, at })
}

/// Loads a baked file, with its surface if the model is given, or bakes an asset in memory.
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
            let (model, _) = Asset::open(path)?.import().with_context(|| printable_path(path))?;
            stage::check_same_joints(&character, &model).with_context(|| printable_path(path))?;
            Some(model)
        }
    };
    Ok((character, surface))
}
