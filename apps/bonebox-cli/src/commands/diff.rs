//! `bonebox diff`: what a change of an asset did to its boxes, for code review.

use crate::commands::table;
use asset_bake::{RequestedSettings, load_or_bake};
use baked_format::{BakedCharacter, Hitbox};
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// What to compare.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Baked before: a .bonebox file, or an asset to bake in memory
    old: PathBuf,
    /// Baked after
    new: PathBuf,
    /// Say nothing of boxes that changed by less: percent of volume, or of the box's own size for a move
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0)]
    over: f32,
}

/// What became of a box.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// Only the new bake has it.
    Added,
    /// Only the old bake has it.
    Removed,
    /// Both have it, and it is not the same.
    Changed {
        /// New volume over old; infinite where the old box was flat.
        volume_ratio: f32,
        /// Distance of the centres over the old box's half diagonal.
        moved: f32,
        /// Degrees between the two orientations, up to the box's own symmetry.
        turned: f32,
    },
}

/// A box that is not as it was.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoxChange {
    /// The joint's name, with a number from 2 up for further boxes of the same joint.
    pub(crate) name: String,
    /// What became of it.
    pub(crate) change: Change,
}

impl fmt::Display for BoxChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.change {
            Change::Added => write!(f, "added    {}", self.name),
            Change::Removed => write!(f, "removed  {}", self.name),
            Change::Changed { volume_ratio, moved, turned } => {
                write!(f, "changed  {}:", self.name)?;
                if volume_ratio.is_finite() {
                    write!(f, " volume {:+.1} %,", 100.0 * (volume_ratio - 1.0))?;
                } else {
                    write!(f, " no longer flat,")?;
                }
                write!(f, " moved by {:.1} % of its size, turned by {turned:.1} degrees", 100.0 * moved)
            }
        }
    }
}

/// Boxes added, removed, and changed by more than `over` (a share: 0.01 is one percent), in the order of their names.
///
/// Boxes are matched by the name of their joint, and those of one joint in their order.
#[must_use]
pub(crate) fn changes(old: &BakedCharacter, new: &BakedCharacter, over: f32) -> Vec<BoxChange> {
    let (old, new) = (by_name(old), by_name(new));
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    let change = |name: &&String| match (old.get(*name), new.get(*name)) {
        (None, _) => Some(Change::Added),
        (_, None) => Some(Change::Removed),
        (Some(old), Some(new)) => changed(old, new, over),
    };
    let changes = names.iter().filter_map(|name| Some(BoxChange { name: (*name).clone(), change: change(name)? }));
    changes.collect()
}

fn by_name(character: &BakedCharacter) -> BTreeMap<String, &Hitbox> {
    let mut boxes = BTreeMap::new();
    let mut previous = None;
    let mut number = 1;
    for baked in &character.boxes {
        number = if previous == Some(baked.joint) { number + 1 } else { 1 };
        previous = Some(baked.joint);
        let joint = &character.skeleton.joint(baked.joint).name;
        let name = if number == 1 { joint.clone() } else { format!("{joint} ({number})") };
        boxes.insert(name, baked);
    }
    boxes
}

fn changed(old: &Hitbox, new: &Hitbox, over: f32) -> Option<Change> {
    let volume_ratio = if old.volume() == new.volume() { 1.0 } else { new.volume() / old.volume() };
    let size = old.half_extents.length().max(f32::MIN_POSITIVE);
    let moved = old.center.distance(new.center) / size;
    let turned = turned(old, new);
    // A turn moves the corners by about its angle times the half diagonal.
    let noticed = [(volume_ratio - 1.0).abs(), moved, turned.to_radians()].iter().any(|change| *change > over);
    noticed.then_some(Change::Changed { volume_ratio, moved, turned })
}

/// Degrees by which the least turned pair of axes differ: a box looks the same with two axes exchanged or flipped.
fn turned(old: &Hitbox, new: &Hitbox) -> f32 {
    let axes = |baked: &Hitbox| {
        let m = geometry_core::portable::mat3_from_quaternion(baked.orientation);
        [m.x_axis, m.y_axis, m.z_axis]
    };
    let (old, new) = (axes(old), axes(new));
    let aligned = |axis: &glam::Vec3| new.iter().map(|other| axis.dot(*other).abs()).fold(0.0, f32::max);
    let least = old.iter().map(aligned).fold(1.0, f32::min);
    libm::acosf(least).to_degrees()
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let defaults = RequestedSettings::default();
    let (old, new) = (load_or_bake(&arguments.old, &defaults)?, load_or_bake(&arguments.new, &defaults)?);
    let mut out = std::io::stdout().lock();
    for (key, before, after) in option_changes(&old, &new) {
        writeln!(out, "option   {key}: {before} -> {after}")?;
    }
    let changes = changes(&old, &new, arguments.over / 100.0);
    for change in &changes {
        writeln!(out, "{change}")?;
    }
    writeln!(out, "{}", summary(&changes, &old, &new))?;
    Ok(if changes.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Options that differ: the key, and its value before and after.
fn option_changes<'a>(old: &'a BakedCharacter, new: &'a BakedCharacter) -> Vec<(&'a str, &'a str, &'a str)> {
    let value = |character: &'a BakedCharacter, key: &str| {
        let found = character.options.iter().find(|(known, _)| known == key);
        found.map_or("default", |(_, value)| value.as_str())
    };
    let mut keys: Vec<&str> = old.options.iter().chain(&new.options).map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    let both = keys.into_iter().map(|key| (key, value(old, key), value(new, key)));
    both.filter(|(_, before, after)| before != after).collect()
}

fn summary(changes: &[BoxChange], old: &BakedCharacter, new: &BakedCharacter) -> String {
    let count = |is: fn(&Change) -> bool| changes.iter().filter(|change| is(&change.change)).count();
    let volume = |character: &BakedCharacter| character.boxes.iter().map(|b| f64::from(b.volume())).sum::<f64>();
    format!(
        "{} added, {} removed, {} changed; {} boxes before, {} after; volume {} of before",
        count(|change| *change == Change::Added),
        count(|change| *change == Change::Removed),
        count(|change| matches!(change, Change::Changed { .. })),
        old.boxes.len(),
        new.boxes.len(),
        table::percent(volume(new) / volume(old)),
    )
}
