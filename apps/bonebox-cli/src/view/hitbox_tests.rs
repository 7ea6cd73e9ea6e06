//! Tests of edited hitboxes: their figures, the settings that have them, and the way back.

use super::hitboxes;
use super::studio::Studio;
use page_answers::Query;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A studio with Runa in a folder of her own.
fn runa() -> (tempfile::TempDir, Studio) {
    let folder = tempfile::tempdir().unwrap();
    let assets = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    std::fs::copy(assets.join("runa.glb"), folder.path().join("runa.glb")).unwrap();
    let studio = Studio::new(&[folder.path().to_owned()], Default::default()).unwrap();
    (folder, studio)
}

fn ask(studio: &Studio, question: &str) -> Value {
    serde_json::from_str(&studio.answer(question, &Query::parse("id=0")).unwrap().unwrap()).unwrap()
}

fn boxes_of(studio: &Studio, joint: &str) -> Vec<Value> {
    let all = ask(studio, "bake")["bake"]["boxes"].as_array().unwrap().clone();
    all.into_iter().filter(|one| one["joint"] == joint).collect()
}

fn measure(studio: &Studio, edits: &Value, joints: &Value) -> Result<Value, String> {
    let query = serde_json::from_value(json!({ "id": 0, "edits": edits, "joints": joints })).unwrap();
    studio.measure(&query).map(|text| serde_json::from_str(&text).unwrap()).map_err(|error| format!("{error:#}"))
}

fn save(studio: &Studio, edits: &Value) -> Result<Value, String> {
    let change = serde_json::from_value(json!({ "id": 0, "edits": edits })).unwrap();
    let saved = hitboxes::save(studio, &change);
    saved.map(|text| serde_json::from_str(&text).unwrap()).map_err(|error| format!("{error:#}"))
}

/// The hitbox of a joint in the form of an edit, with other half extents.
fn edited(studio: &Studio, joint: &str, scale: f64) -> Value {
    let one = boxes_of(studio, joint).remove(0);
    let half: Vec<f64> =
        one["half_extents"].as_array().unwrap().iter().map(|half| scale * half.as_f64().unwrap()).collect();
    json!({
        "shape": "box", "role": "hurt", "tags": one["tags"], "center": one["center"], "half_extents": half,
        "orientation": one["orientation"],
    })
}

#[test]
fn a_smaller_head_holds_less_skin_of_the_head() {
    let (_folder, studio) = runa();
    let all = measure(&studio, &json!({}), &Value::Null).unwrap();
    let coverage = &ask(&studio, "bake")["bake"]["coverage"];
    for key in ["surface_rest", "surface_clips", "own_rest", "own_clips", "max_escape"] {
        let [measured, baked] = [&all["coverage"][key], &coverage[key]].map(|figure| figure.as_f64().unwrap());
        // The joint that took a group holds its skin in a bake.
        assert!(
            (measured - baked).abs() < if key.starts_with("own") { 0.05 } else { 1e-5 },
            "{key}: {measured}, {baked}"
        );
    }
    let head = |figures: &Value| {
        figures["joints"].as_array().unwrap().iter().find(|one| one["joint"] == "head").unwrap().clone()
    };
    let edits = json!({ "head": [edited(&studio, "head", 0.6)] });
    let smaller = measure(&studio, &edits, &json!(["head"])).unwrap();
    assert_eq!(smaller["coverage"], Value::Null);
    assert_eq!(smaller["joints"].as_array().unwrap().len(), 1);
    assert!(head(&smaller)["inside"].as_f64() < head(&all)["inside"].as_f64());
    assert!(head(&smaller)["escape"]["distance"].as_f64().unwrap() > 0.01);
    assert_eq!(head(&measure(&studio, &edits, &Value::Null).unwrap())["escape"], head(&smaller)["escape"]);
    // A page without a server asks without a body.
    let body = json!({ "id": 0, "edits": edits, "joints": ["head"] });
    let asked = studio.answer("measure", &Query::parse(&format!("body={body}"))).unwrap().unwrap();
    assert_eq!(serde_json::from_str::<Value>(&asked).unwrap(), smaller);
    assert!(studio.answer("measure", &Query::default()).is_none());
    let refusal = measure(&studio, &json!({ "headd": [] }), &Value::Null).unwrap_err();
    assert!(refusal.contains("no joint \"headd\""), "{refusal}");
}

#[test]
fn edited_hitboxes_are_in_the_settings_and_in_the_bake_and_the_way_back_is_open() {
    let (folder, studio) = runa();
    let file = folder.path().join("bonebox.toml");
    let fitted = boxes_of(&studio, "head");
    let saved =
        save(&studio, &json!({ "head": [edited(&studio, "head", 0.5), edited(&studio, "head", 1.5)], "neck_01": [] }))
            .unwrap();
    assert_eq!((&saved["before"], saved["notes"].as_array().unwrap().len()), (&Value::Null, 0));
    assert_eq!(saved["after"].as_str().unwrap(), std::fs::read_to_string(&file).unwrap());
    assert_eq!((boxes_of(&studio, "head").len(), boxes_of(&studio, "neck_01").len()), (2, 0));
    save(&studio, &json!({ "head": "fitted" })).unwrap();
    assert_eq!(boxes_of(&studio, "head"), fitted);
    let refusal = save(&studio, &json!({ "haed": [] })).unwrap_err();
    assert!(refusal.contains("haed") && refusal.contains("head"), "{refusal}");
    let refusal = save(
        &studio,
        &json!({ "head": [{
        "shape": "cone", "role": "hurt", "tags": [], "center": [0, 0, 0], "half_extents": [1, 1, 1], "orientation": [0, 0, 0, 1],
    }] }),
    );
    assert!(refusal.unwrap_err().contains("no shape \"cone\""));
    let restore = |expected: &Value, text: &Value| {
        let change = serde_json::from_value(json!({ "id": 0, "expected": expected, "text": text })).unwrap();
        hitboxes::restore(&studio, &change).map_err(|error| format!("{error:#}"))
    };
    assert!(restore(&saved["after"], &Value::Null).unwrap_err().contains("has been changed since"));
    let now = json!(std::fs::read_to_string(&file).unwrap());
    restore(&now, &saved["after"]).unwrap();
    assert_eq!(boxes_of(&studio, "head").len(), 2);
    restore(&saved["after"], &Value::Null).unwrap();
    assert!(!file.exists());
}
