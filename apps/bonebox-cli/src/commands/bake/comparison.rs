//! Compares presets below the table of a bake.

use crate::commands::table::{add_row, escape, fitted_poses, percent, share, table, trimmed};
use anyhow::Context as _;
use asset_bake::{Asset, BakeTarget, SettingsFiles};
use baked_format::BakedCharacter;
use bone_fit::{BakeOptions, Figures, Preset, PresetFigures};

/// Returns a table with a row for each preset on each of these assets, and a line that explains the column `between`.
///
/// - If the options of a bake are not exactly those of a preset, the bake has an additional row.
/// - For a single asset, a line says which poses its boxes are fitted to.
/// - Volumes are relative to the preset `recipe`.
pub(crate) fn compared(
    settings: &SettingsFiles<'_>,
    bakes: &[(&BakeTarget, &BakedCharacter)],
) -> anyhow::Result<String> {
    let headings =
        ["character", "preset", "boxes", "volume", "at rest", "moving", "between", "own", "escape", "escape between"];
    let mut compared = table(headings, 2);
    let (mut blends, mut advice) = (0, None);
    for (target, baked) in bakes {
        let about = || target.shown();
        let (model, _) = Asset::open(&target.path)?.import_part(target.root.as_ref()).with_context(about)?;
        let settings = settings.for_target(target)?;
        let rows = settings.compare_presets(&model, baked).with_context(about)?;
        if bakes.len() == 1 && *settings.options() == BakeOptions::default() {
            advice = better_preset(&rows, baked.humanoid.is_some());
        }
        let recipe = rows.iter().find(|row| row.preset == Some(Preset::Recipe)).map_or(0.0, |row| row.figures.volume);
        for PresetFigures { preset, figures, between } in rows {
            blends = blends.max(between.map_or(0, |between| between.poses));
            add_row(
                &mut compared,
                [
                    target.shown_file(),
                    preset.map_or("(this bake)", Preset::keyword).to_owned(),
                    figures.boxes.to_string(),
                    percent(Some(figures.volume / recipe)),
                    share(figures.coverage_rest),
                    share(figures.coverage_clips),
                    share(between.map(|between| between.surface)),
                    share(figures.own_coverage_clips),
                    escape(&figures),
                    share(between.map(|between| between.escape)),
                ],
            );
        }
    }
    let mut text = trimmed(&compared);
    if blends > 0 {
        text += &format!("\nbetween: in {blends} blends, each half of one pose and half of another pose of the clips");
    }
    if let [(_, baked)] = bakes
        && let Some(fitted) = fitted_poses(&Figures::of_bake(baked))
    {
        text += &format!("\nthis bake: {fitted}");
    }
    text.extend(advice);
    Ok(text)
}

/// A line that names the preset `cover` if it holds clearly more of the skin than the default preset.
fn better_preset(rows: &[PresetFigures], is_humanoid: bool) -> Option<String> {
    const CLEARLY: f64 = 0.02;
    let inside = |preset| {
        let row = rows.iter().find(|row| row.preset == Some(preset))?;
        row.figures.coverage_clips.or(row.figures.coverage_rest)
    };
    let (recipe, cover) = (inside(Preset::Recipe)?, inside(Preset::Cover)?);
    if cover < recipe + CLEARLY {
        return None;
    }
    let parts = if is_humanoid { ", and `--parts humanoid` gives the hitboxes that most games want" } else { "" };
    let [recipe, cover] = [recipe, cover].map(|inside| share(Some(inside)));
    Some(format!("\n`--preset cover` holds {cover} of the skin in place of {recipe}{parts}"))
}
