//! What other presets would give, below the bake's table.

use crate::commands::table::{percent, table, trimmed};
use anyhow::Context as _;
use asset_bake::{Asset, SettingsFiles};
use std::path::Path;

/// The three presets on each of these assets, as a table.
pub(crate) fn compared(plans: &SettingsFiles<'_>, assets: &[&Path]) -> anyhow::Result<String> {
    let headings = ["character", "preset", "boxes", "volume", "at rest", "moving", "escape"];
    let mut compared = table(headings, 2);
    for path in assets {
        let (model, _) = Asset::open(path)?.import().with_context(|| path.display().to_string())?;
        let figures = plans.for_asset(path)?.compare_presets(&model).with_context(|| path.display().to_string())?;
        let recipe = figures.first().map_or(0.0, |figures| figures.volume);
        for one in &figures {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let share =
                |share: Option<f64>| share.map_or_else(|| "-".into(), |share| format!("{:.1} %", 100.0 * share));
            let measured = one.measured.as_ref();
            compared.add_row([
                name,
                one.preset.word().to_owned(),
                one.boxes.to_string(),
                percent(one.volume / recipe),
                share(measured.map(|measured| measured.surface_rest)),
                share(measured.map(|measured| measured.surface_clips)),
                share(measured.map(|measured| measured.max_escape)),
            ]);
        }
    }
    Ok(trimmed(&compared))
}
