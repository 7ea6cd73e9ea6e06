//! Compares presets below the table of a bake.

use crate::commands::table::{escape, percent, share, table, trimmed};
use anyhow::Context as _;
use asset_bake::{Asset, SettingsFiles};
use baked_format::BakedCharacter;
use bone_fit::Figures;
use std::path::Path;

/// Returns a table with a row for each preset on each of these assets. If the options of a bake are not exactly those
/// of a preset, the bake has a row of its own. Volumes are relative to the preset `recipe`.
pub(crate) fn compared(settings: &SettingsFiles<'_>, bakes: &[(&Path, &BakedCharacter)]) -> anyhow::Result<String> {
    let headings = ["character", "preset", "boxes", "volume", "at rest", "moving", "own", "escape"];
    let mut compared = table(headings, 2);
    for (path, baked) in bakes {
        let about = || path.display().to_string();
        let (model, _) = Asset::open(path)?.import().with_context(about)?;
        let own = Figures::of_bake(baked);
        let presets = settings.for_asset(path)?.compare_presets(&model, &own).with_context(about)?;
        let recipe = presets.first().map_or(0.0, |recipe| recipe.figures.volume);
        let mut rows: Vec<(&str, &Figures)> = presets.iter().map(|one| (one.preset.word(), &one.figures)).collect();
        if !presets.iter().any(|one| one.is_own) {
            rows.insert(0, ("(this bake)", &own));
        }
        for (preset, figures) in rows {
            compared.add_row([
                path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                preset.to_owned(),
                figures.boxes.to_string(),
                percent(Some(figures.volume / recipe)),
                share(figures.coverage_rest),
                share(figures.coverage_clips),
                share(figures.own_coverage_clips),
                escape(figures),
            ]);
        }
    }
    Ok(trimmed(&compared))
}
