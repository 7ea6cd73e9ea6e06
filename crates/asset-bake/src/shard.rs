//! Splits the characters of a run among machines.

use crate::asset_settings::AssetSettings;
use crate::settings_files::SettingsFiles;
use crate::target::BakeTarget;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The cost of an asset beside its bytes, in bytes: opening it, and writing the outputs.
const COST_OF_ASSET: u64 = 1 << 16;

/// One of several shares of the work. Each machine bakes one share, and all machines agree about the shares if they see the
/// same files with the same sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// The share `index` of `count`; the first is 0. `None` unless `index < count`.
    #[must_use]
    pub fn new(index: usize, count: usize) -> Option<Self> {
        (index < count).then_some(Self { index, count })
    }

    /// Keeps the characters of this share, and returns the number of the others.
    ///
    /// Characters that share their hitboxes, and those of one file, are in one share. Each of these groups goes to the share with
    /// the least work so far, the most costly group first. The cost is the number of bytes to read.
    pub(crate) fn keep(
        self,
        targets: &mut Vec<BakeTarget>,
        settings: &SettingsFiles<'_>,
        in_tree: impl Fn(&Path) -> PathBuf,
    ) -> usize {
        // Machines may have the assets at other places, so paths count from the folders of the request.
        let mut groups: BTreeMap<PathBuf, Group> = BTreeMap::new();
        for target in targets.iter() {
            let set = settings.for_target(target).ok();
            let members = set.as_ref().map(AssetSettings::shared_members).unwrap_or_default();
            let first = members.iter().map(|member| member.path.as_path()).chain([target.path.as_path()]).min();
            let group = groups.entry(in_tree(first.unwrap_or(&target.path))).or_default();
            if !group.paths.contains(&target.path) {
                group.cost += cost_of(&target.path);
                group.paths.push(target.path.clone());
            }
        }
        let mut by_cost: Vec<(PathBuf, Group)> = groups.into_iter().collect();
        by_cost.sort_by(|(a, one), (b, other)| other.cost.cmp(&one.cost).then_with(|| a.cmp(b)));
        let mut work = vec![0_u64; self.count];
        let mut own = BTreeSet::new();
        for (_, group) in by_cost {
            let least = (0..work.len()).min_by_key(|&share| work[share]).unwrap_or(0);
            work[least] = work[least].saturating_add(group.cost);
            if least == self.index {
                own.extend(group.paths);
            }
        }
        let all = targets.len();
        targets.retain(|target| own.contains(&target.path));
        all - targets.len()
    }
}

impl fmt::Display for Shard {
    /// `I/N`, as the shard is read.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        let shard = numbers.and_then(|(index, count)| Self::new(index, count));
        shard.ok_or_else(|| {
            format!("{text:?} is no share; write I/N with the number N of shares and I from 0 to N - 1, such as 0/4")
        })
    }
}

/// Characters that must be baked by one machine.
#[derive(Default)]
struct Group {
    paths: Vec<PathBuf>,
    cost: u64,
}

/// The bytes of the asset and of the buffers that it names. A file that cannot be read costs little, because its bake fails.
fn cost_of(asset: &Path) -> u64 {
    let own = fs::metadata(asset).map_or(0, |metadata| metadata.len());
    let is_gltf = asset.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gltf"));
    let json = is_gltf.then(|| File::open(asset).and_then(gltf_container::read_json).ok()).flatten();
    let document: Value = json.and_then(|json| serde_json::from_slice(&json).ok()).unwrap_or_default();
    let buffers = document["buffers"].as_array().map(Vec::as_slice).unwrap_or_default();
    let named = buffers.iter().filter_map(|buffer| buffer["byteLength"].as_u64());
    named.fold(own.saturating_add(COST_OF_ASSET), u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BakeOutcome, BakeRequest, bake_assets};

    #[test]
    fn a_share_is_two_numbers() {
        assert_eq!("0/1".parse(), Ok(Shard { index: 0, count: 1 }));
        assert_eq!("19/20".parse(), Ok(Shard { index: 19, count: 20 }));
        assert_eq!("19/20".parse::<Shard>().unwrap().to_string(), "19/20");
        for wrong in ["", "1", "1/", "/1", "1/1", "2/1", "0/0", "-1/2", "a/b", "1/2/3"] {
            let told = wrong.parse::<Shard>().unwrap_err();
            assert!(told.contains("such as 0/4"), "{told}");
        }
    }

    /// All shares together are all characters, none is in two, sets stay together, and no share has much more than its part.
    #[test]
    fn shares_are_fair_and_leave_nothing_out() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let man = test_models::box_man().to_glb();
        for name in 0..12 {
            fs::create_dir_all(at(&format!("tree/{}", name % 3))).unwrap();
            fs::write(at(&format!("tree/{}/c{name}.glb", name % 3)), &man).unwrap();
        }
        fs::write(at("tree/bonebox.toml"), "[[shared]]\nname = \"men\"\ncharacters = [\"c1\", \"c2\", \"c6\"]\n")
            .unwrap();
        for count in [1, 2, 5, 20] {
            let mut seen = BTreeSet::new();
            for index in 0..count {
                let shard = Shard::new(index, count);
                let request = BakeRequest {
                    paths: vec![at("tree")],
                    out_dir: Some(at(&format!("out{count}"))),
                    shard,
                    ..BakeRequest::default()
                };
                let run = bake_assets(&request, &()).unwrap();
                assert_eq!(run.results.len() + run.other_shards, 12);
                let names: Vec<String> = run.results.iter().map(|row| row.target.name.clone()).collect();
                let of_set = ["c1", "c2", "c6"].iter().filter(|one| names.iter().any(|name| name == *one)).count();
                assert!(of_set == 0 || of_set == 3, "{names:?}");
                assert!(names.len() <= 12 / count + 3, "{names:?}");
                for row in run.results {
                    assert!(matches!(row.outcome, BakeOutcome::Baked(_)), "{:?}", row.outcome);
                    assert!(seen.insert(row.target.name));
                }
            }
            assert_eq!(seen.len(), 12);
        }
    }

    #[test]
    fn the_buffers_of_an_asset_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gltf");
        fs::write(&path, br#"{"buffers": [{"byteLength": 1000000}, {"byteLength": -1}, {}]}"#).unwrap();
        assert_eq!(cost_of(&path), COST_OF_ASSET + fs::metadata(&path).unwrap().len() + 1_000_000);
        fs::write(&path, b"{").unwrap();
        assert_eq!(cost_of(&path), COST_OF_ASSET + 1);
    }
}
