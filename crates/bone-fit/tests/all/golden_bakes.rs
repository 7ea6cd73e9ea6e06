//! The bytes of many bakes: every preset with every shape and every skin, and every option. They are the same for any
//! number of threads, and they change only with [`ALGORITHM_REVISION`].
//!
//! `tests/golden/bakes.txt` has a hash for each bake. `BONEBOX_GOLDEN=write` writes the file anew, unless a bake changed
//! and the revision did not.

use baked_format::{BakedCharacter, HitboxRole, Source};
use bone_fit::{
    ALGORITHM_REVISION, BakeOption, BakeOptions, HitboxShape, JointOverride, LengthUnit, ManualBox, OptionKind,
    Overrides, bake_with,
};
use glam::{Quat, Vec3};
use rayon::prelude::*;
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One option and its value.
type Word = (&'static str, &'static str);

/// The hash of each bake by its name.
type Hashes = BTreeMap<String, String>;

/// Values for the options that are no keywords, with the options that they need to have an effect.
const NUMBERS: [&[Word]; 19] = [
    &[("group", "any"), ("min_weight", "0.3")],
    &[("tie_tolerance", "0.1")],
    &[("include", "*upper*")],
    &[("exclude", "*upper*")],
    &[("merge", "*lower*")],
    &[("preset", "cover"), ("ignore", "*upper*")],
    &[("preset", "cover"), ("parts", "humanoid")],
    &[("preset", "cover"), ("parts", "4")],
    &[("small", "merge"), ("min_size", "0.4")],
    &[("small", "skip"), ("min_vertices", "30")],
    &[("shape", "hull"), ("max_vertices", "8")],
    &[("preset", "tight"), ("budget", "3")],
    &[("preset", "tight"), ("budget", "4"), ("max_boxes", "2")],
    &[("min_thickness", "0.2")],
    &[("margin", "0.05")],
    &[("preset", "cover"), ("keep", "0.5")],
    &[("preset", "always"), ("envelope_bytes", "200")],
    &[("preset", "cover"), ("rate", "7")],
    &[("preset", "cover"), ("measure_times", "5")],
];

fn keywords(key: &str) -> Vec<&'static str> {
    match BakeOption::find(key).unwrap().kind {
        OptionKind::Keywords(words) => words.iter().map(|word| word.keyword).collect(),
        _ => panic!("{key} has no keywords"),
    }
}

/// Every preset with every shape and every skin. Boxes for any pose have no other shape.
fn presets_shapes_and_skins() -> Vec<Vec<Word>> {
    let mut all = Vec::new();
    for preset in keywords("preset") {
        for shape in keywords("shape").into_iter().filter(|&shape| preset != "always" || shape == "box") {
            let words = |skin| vec![("preset", preset), ("shape", shape), ("skin", skin)];
            all.extend(keywords("skin").into_iter().map(words));
        }
    }
    all
}

/// Every keyword of every other option, and a value of every option that has none.
fn other_options() -> Vec<Vec<Word>> {
    let mut all: Vec<Vec<Word>> = NUMBERS.iter().map(|words| words.to_vec()).collect();
    for row in BakeOption::ALL.iter().filter(|row| !["preset", "shape", "skin"].contains(&row.key)) {
        match row.kind {
            OptionKind::Keywords(words) => all.extend(words.iter().map(|word| {
                let needed = (row.key == "skin_attributes").then_some(("skin", "compact"));
                [("preset", "tight")].into_iter().chain(needed).chain([(row.key, word.keyword)]).collect()
            })),
            _ => assert!(
                NUMBERS.iter().any(|words| words.iter().any(|(key, _)| *key == row.key)),
                "add the option {} to NUMBERS, with a value that changes a bake",
                row.key
            ),
        }
    }
    all
}

/// Tags, and a manual box beside and in place of the fitted ones.
fn overrides() -> Overrides {
    let manual = ManualBox {
        shape: HitboxShape::Capsule,
        center: Vec3::new(0.1, 0.2, 0.3),
        half_extents: Vec3::new(0.1, 0.4, 0.1),
        orientation: Quat::from_xyzw(0.6, 0.0, 0.0, 0.8),
        tags: vec!["shield".into()],
        role: HitboxRole::Hurt,
        unit: LengthUnit::Meters,
    };
    let upper = JointOverride {
        options: [("preset".into(), "cover".into())].into(),
        tags: vec!["arm".into()],
        boxes: vec![manual],
        ..JointOverride::default()
    };
    Overrides { joints: [("upper".to_owned(), upper)].into_iter().collect(), ..Overrides::default() }
}

fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name)
}

/// The hash of the file's content without the source and the revision, which are not made by the algorithms.
fn hash(character: &BakedCharacter) -> String {
    let source = Source { file: "golden.glb".into(), blake3: [0; 32], generator: String::new() };
    let character = BakedCharacter { source, algorithm_revision: 0, ..character.clone() };
    let bytes = baked_format::write(&character).unwrap();
    blake3::hash(&bytes).to_hex()[..32].to_owned()
}

fn baked(model: &SkinnedModel, words: &[Word], overrides: &Overrides) -> String {
    let options = BakeOptions::from_entries(words.iter().copied()).unwrap();
    let source = Source { file: "golden.glb".into(), blake3: [0; 32], generator: String::new() };
    // Some options leave a small model without hitboxes.
    bake_with(model, "golden", source, &options, overrides).map_or("refused".to_owned(), |bake| hash(&bake.character))
}

/// All bakes of made-up models, and some bakes of a character of ours.
fn bakes() -> Hashes {
    let model = |glb: Vec<u8>| import(&glb, &NoExternalFiles).unwrap();
    let limb = model(test_models::painted_limb().to_glb());
    let man = model(test_models::box_man().to_glb());
    let tank = model(test_models::tank().to_glb());
    let hound = std::fs::read(asset("hound.glb")).unwrap();
    // A new version of the character is a new bake.
    let hound_name = format!("hound {}", &blake3::hash(&hound).to_hex()[..8]);
    let hound = model(hound);
    let mut jobs: Vec<(&str, &SkinnedModel, Vec<Word>)> = Vec::new();
    let grid = presets_shapes_and_skins();
    for (name, model) in [("limb", &limb), ("man", &man)] {
        jobs.extend(grid.iter().cloned().chain(other_options()).map(|words| (name, model, words)));
    }
    jobs.extend(keywords("preset").into_iter().map(|preset| ("tank", &tank, vec![("preset", preset)])));
    // Fits of other shapes to the clips of a real character take many seconds.
    let is_quick = |words: &Vec<Word>| words[0].1 == "recipe" || words[1].1 == "box";
    for words in grid.into_iter().filter(is_quick) {
        let few_times = [("measure_times", "8"), ("rate", "4")];
        jobs.push((&hound_name, &hound, words.into_iter().chain(few_times).collect()));
    }
    let none = Overrides::default();
    let bake = |(name, model, words): (&str, &SkinnedModel, Vec<Word>)| {
        let told: Vec<String> = words.iter().map(|(key, value)| format!("{key}={value}")).collect();
        (format!("{name} {}", told.join(" ")), baked(model, &words, &none))
    };
    let mut hashes: Hashes = jobs.into_par_iter().map(bake).collect();
    hashes.insert("limb with overrides".into(), baked(&limb, &[("preset", "tight")], &overrides()));
    hashes
}

/// The checked-in bakes, named by the hashes of their sources and settings. A test of the program compares them with fresh
/// bakes.
fn checked_in() -> impl Iterator<Item = (String, String)> {
    ["bruno", "hound", "runa"].into_iter().map(|name| {
        let character = baked_format::read(&std::fs::read(asset(&format!("{name}.bonebox"))).unwrap()).unwrap();
        let source = u32::from_be_bytes(*character.source.blake3.first_chunk().unwrap());
        let settings =
            character.options.iter().find(|(key, _)| key == "overrides").map_or("none", |(_, hash)| &hash[..8]);
        (format!("{name}.bonebox of {source:08x} with settings {settings}"), hash(&character))
    })
}

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/bakes.txt");
const RENEW: &str = "BONEBOX_GOLDEN=write cargo test -p bonebox-bone-fit --test all golden_bakes";

fn golden(text: &str) -> (u32, Hashes) {
    let mut lines = text.lines();
    let revision = lines.next().and_then(|line| line.strip_prefix("revision ")).map_or(0, |text| text.parse().unwrap());
    let hashes =
        lines.map(|line| line.split_once("  ").map(|(hash, name)| (name.to_owned(), hash.to_owned())).unwrap());
    (revision, hashes.collect())
}

/// Returns what is wrong with the golden file, and what to do.
fn problem((revision, golden): &(u32, Hashes), found: &Hashes, present: u32) -> Option<String> {
    let differs = |(name, hash): &(&String, &String)| found.get(*name).is_some_and(|found| found != *hash);
    let changed: Vec<&str> = golden.iter().filter(differs).map(|(name, _)| name.as_str()).collect();
    if !changed.is_empty() && *revision >= present {
        return Some(format!(
            "the bytes of {} of {} bakes changed, but not the revision of the algorithms. If the change is meant, raise \
             ALGORITHM_REVISION in crates/bone-fit/src/revision.rs to {}, run `{RENEW}` and `cargo xtask bake assets`, and \
             say in the commit why the bakes changed. These bakes changed:\n{}",
            changed.len(),
            golden.len(),
            revision + 1,
            changed.join("\n")
        ));
    }
    let is_renewed = *revision == present && golden.keys().eq(found.keys());
    (!is_renewed).then(|| {
        format!("{GOLDEN} is of another revision of the algorithms, or does not list the same bakes; run `{RENEW}`")
    })
}

#[test]
fn bakes_change_only_with_the_revision_and_not_with_the_number_of_threads() {
    let [mut one, two, eight] =
        [1, 2, 8].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(bakes));
    for (threads, found) in [(2, &two), (8, &eight)] {
        let differing: Vec<_> = one.iter().filter(|&(name, hash)| found[name] != *hash).map(|(name, _)| name).collect();
        assert!(differing.is_empty(), "{threads} threads and one thread give other bytes: {differing:#?}");
    }
    one.extend(checked_in());
    let golden = golden(&std::fs::read_to_string(GOLDEN).unwrap_or_default());
    let problem = problem(&golden, &one, ALGORITHM_REVISION);
    let may_write = problem.as_ref().is_some_and(|problem| problem.ends_with(&format!("run `{RENEW}`")));
    if may_write && std::env::var("BONEBOX_GOLDEN").is_ok_and(|mode| mode == "write") {
        let lines: String = one.iter().map(|(name, hash)| format!("{hash}  {name}\n")).collect();
        std::fs::write(GOLDEN, format!("revision {ALGORITHM_REVISION}\n{lines}")).unwrap();
        return;
    }
    assert!(problem.is_none(), "{}", problem.unwrap_or_default());
}

#[test]
fn a_change_without_a_revision_is_a_problem() {
    let hashes = |list: &[Word]| -> Hashes { list.iter().map(|&(name, hash)| (name.into(), hash.into())).collect() };
    let (old, changed) = (hashes(&[("a", "1"), ("b", "2")]), hashes(&[("a", "1"), ("b", "3")]));
    let told = |golden: &Hashes, found: &Hashes, present| problem(&(4, golden.clone()), found, present);
    assert_eq!(told(&old, &old, 4), None);
    let unrevised = told(&old, &changed, 4).unwrap();
    assert!(
        unrevised.contains("1 of 2 bakes") && unrevised.contains("to 5,") && unrevised.ends_with(":\nb"),
        "{unrevised}"
    );
    // With the revision, with a new bake, or without a bake, the file can be written.
    for (found, present) in [(&changed, 5), (&old, 5), (&hashes(&[("a", "1"), ("c", "3")]), 4)] {
        let renewed = told(&old, found, present).unwrap();
        assert!(renewed.ends_with(&format!("run `{RENEW}`")), "{renewed}");
    }
}
