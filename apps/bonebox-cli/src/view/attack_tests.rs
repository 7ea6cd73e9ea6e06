//! Tests of attacks on the page: edits of their windows, and the strikes of duels.

use super::studio::Studio;
use super::windows;
use page_answers::Query;
use page_answers::duel::{Fighter, opposite};
use serde_json::{Value, json};
use std::path::PathBuf;

fn assets() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets")
}

fn ask(studio: &Studio, question: &str, query: &str) -> Value {
    serde_json::from_str(&studio.answer(question, &Query::parse(query)).unwrap().unwrap()).unwrap()
}

const BITE: &str = r#"# The windows of the hound.
[tags]
jaw = "jaw"

[[characters."*".clips.bite.attacks]] # everyone bites
name = "bite"
boxes = "jaw"
active = [[0.1, 0.2], [0.45, 0.65]] # two
"#;

fn save(studio: &Studio, entry: &Value, before: &Value, after: &Value) -> Result<Value, String> {
    let change = serde_json::json!({ "id": 0, "clip": "bite", "entry": entry, "before": before, "after": after });
    let saved = windows::save(studio, &serde_json::from_value(change).unwrap());
    saved.map(|text| serde_json::from_str(&text).unwrap()).map_err(|error| format!("{error:#}"))
}

#[test]
fn dragged_windows_are_in_the_settings_and_in_the_bake() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(assets().join("hound.glb"), folder.path().join("a.glb")).unwrap();
    let settings = folder.path().join("bonebox.toml");
    std::fs::write(&settings, BITE).unwrap();
    let studio = Studio::new(&[folder.path().to_owned()], Default::default()).unwrap();
    let bite = json!({ "attack": "bite" });
    let before = ask(&studio, "bake", "id=0")["bake"]["attacks"][0]["active"].clone();
    assert_eq!(before, json!([[0.1, 0.2], [0.45, 0.65]]));
    let saved = save(&studio, &bite, &before, &json!([[0.1, 0.2], [0.5, 0.7]])).unwrap();
    assert_eq!((&saved["section"], saved["file"].as_str().unwrap().ends_with("bonebox.toml")), (&json!("*"), true));
    let text = std::fs::read_to_string(&settings).unwrap();
    assert_eq!(text, BITE.replace("[0.45, 0.65]", "[0.5, 0.7]"));
    let after = ask(&studio, "bake", "id=0")["bake"]["attacks"][0]["active"].clone();
    assert_eq!(after, json!([[0.1, 0.2], [0.5, 0.7]]));

    // What a bake would refuse is refused here, with its line, and nothing is written.
    let refusal = |before: &Value, after: Value| save(&studio, &bite, before, &after).unwrap_err();
    let outside = refusal(&after, json!([[0.1, 0.2], [0.5, 70.0]]));
    assert!(outside.contains("bonebox.toml:5:") && outside.contains("is not within the clip"), "{outside}");
    let overlapping = refusal(&after, json!([[0.1, 0.6], [0.5, 0.7]]));
    assert!(
        overlapping.contains("bonebox.toml:8:") && overlapping.contains("join windows that overlap"),
        "{overlapping}"
    );
    let stale = refusal(&before, json!([[0.1, 0.2], [0.5, 0.8]]));
    assert!(stale.contains("other windows of attack \"bite\""), "{stale}");
    let unknown = save(&studio, &json!({ "state": 0 }), &after, &after).unwrap_err();
    assert!(unknown.contains("no state 0"), "{unknown}");
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), text);
}

#[test]
fn windows_of_a_baked_file_are_not_edited() {
    let studio = Studio::new(&[assets().join("runa.bonebox")], Default::default()).unwrap();
    let windows = json!([[0.15, 0.35]]);
    let refusal = save(&studio, &json!({ "attack": "fist" }), &windows, &windows).unwrap_err();
    assert!(refusal.contains("runa is a baked file; show its asset"), "{refusal}");
}

#[test]
fn a_duel_on_the_page_has_the_strikes_of_the_command() {
    let files = ["runa.bonebox", "bruno.bonebox"].map(|name| assets().join(name));
    let studio = Studio::new(&files, Default::default()).unwrap();
    let ask = |query: &str| ask(&studio, "duel", query);
    // The studio sorts its files: Bruno is the first.
    let duel = ask("a=1&b=0&clip_a=jab&clip_b=idle&distance=0.7&fps=30");
    let fighter = |file: &PathBuf, clip, place| {
        Fighter::new(runtime::Character::load(&std::fs::read(file).unwrap()).unwrap(), Some(clip), place).unwrap()
    };
    let (a, b) = (fighter(&files[0], "jab", glam::Affine3A::IDENTITY), fighter(&files[1], "idle", opposite(0.7, 0.0)));
    let ticks = duel["ticks"].as_array().unwrap().len() as u32;
    let expected = page_answers::duel_strikes::strikes_of_duel([&a, &b], 30.0, ticks).unwrap();
    assert!(!expected.is_empty());
    let as_text = serde_json::to_string(&expected).unwrap();
    assert_eq!(duel["strikes"], serde_json::from_str::<Value>(&as_text).unwrap());
    let coarse = ask("a=1&b=0&clip_a=jab&clip_b=idle&distance=0.7&fps=1");
    assert!(coarse["strike_problem"].as_str().unwrap().contains("raise the ticks per second"), "{coarse}");
}
