//! Tests of explained shots on the page.

use super::shots::Shots;
use super::studio::Studio;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use geometry_core::Ray;
use glam::{Affine3A, Vec3};
use page_answers::Query;
use rewind::{Explanation, History, Moment, PastShot, Rules};
use runtime::{Animation, BodyId, BodySettings, Character, ClipIndex, HitboxWorld, QueryFilter};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

fn assets() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets")
}

/// A server's shots at a body that walks, and then blends into another clip.
fn explained_shots() -> (Vec<Explanation>, Vec<[[f32; 3]; 8]>) {
    let runa = Arc::new(Character::load(&std::fs::read(assets().join("runa.bonebox")).unwrap()).unwrap());
    let (walk, jab) = (runa.find_clip("walk").unwrap(), runa.find_clip("jab").unwrap());
    let (mut world, mut history) = (HitboxWorld::new(), History::default());
    let target = BodyId(7);
    world.insert(target, runa, BodySettings::default()).unwrap();
    for tick in 0..20_u64 {
        let place = Affine3A::from_rotation_y(0.3) * Affine3A::from_translation(Vec3::X * tick as f32 * 0.08);
        let (clip, seconds) = if tick < 10 { (walk, tick as f32 / 60.0) } else { (jab, tick as f32 / 60.0) };
        world.pose_from_clip(target, &place, clip, seconds).unwrap();
        history.record(tick, &world).unwrap();
    }
    let rules = Rules { max_back: 10.0, ..Rules::default() };
    let explain = |tick, fraction, x| {
        let ray = Ray::try_new(Vec3::new(x, 1.3, -6.0), Vec3::Z).unwrap();
        let shot = PastShot { moment: Moment { tick, fraction }, ray, max_time: None, filter: QueryFilter::default() };
        history.explain(&shot, target, &rules).unwrap()
    };
    let corners = |tick, fraction| -> Vec<[[f32; 3]; 8]> {
        let view = history.at_with(Moment { tick, fraction }, &rules).unwrap();
        view.body(target)
            .unwrap()
            .posed()
            .boxes()
            .map(|one| one.obb().corners().map(|corner| corner.to_array()))
            .collect()
    };
    let shots = vec![explain(4, 0.5, 0.35), explain(4, 0.5, 1.4), explain(9, 0.5, 0.7)];
    (shots, corners(9, 0.5))
}

#[test]
fn shots_are_listed_and_drawn_as_the_server_explained_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shots.jsonl");
    let (explained, corners) = explained_shots();
    let old = r#"{"target":7,"asked":{"tick":5,"fraction":0.5},"shown":{"tick":5,"fraction":0.5},"kind":"Interpolated","verdict":"Missed","nearest":null,"hits_at":[4]}"#;
    let mut stranger = explained[1].clone();
    stranger.character = Some("stranger".into());
    let mut other = explained[1].clone();
    other.then.as_mut().unwrap().animation = Animation::Clip { clip: ClipIndex(99), seconds: 0.0 };
    let lines: Vec<String> =
        explained.iter().chain([&stranger, &other]).map(|shot| serde_json::to_string(shot).unwrap()).collect();
    std::fs::write(&file, format!("{}\n\n{old}\n", lines.join("\n"))).unwrap();
    let files = ["bruno.bonebox", "runa.bonebox"].map(|name| assets().join(name));
    let studio = Studio::new(&files, Default::default()).unwrap().with_shots(Shots::open(file.clone()).unwrap());
    let ask = |question: &str, query: &str| -> Value {
        serde_json::from_str(&studio.answer(question, &Query::parse(query)).unwrap().unwrap()).unwrap()
    };
    assert_eq!(ask("listing", "")["has_shots"], true);
    let list = ask("shots", "");
    let of =
        |key: &str| -> Vec<Value> { list["shots"].as_array().unwrap().iter().map(|shot| shot[key].clone()).collect() };
    assert_eq!(of("line"), [1, 2, 3, 4, 5, 7].map(Value::from));
    assert_eq!(of("id"), [1.into(), 1.into(), 1.into(), Value::Null, 1.into(), Value::Null]);
    assert_eq!(of("answer")[0], "hit");
    assert_eq!(of("answer")[1], "missed");
    assert_eq!(of("sentence")[1], explained[1].to_string());

    // The joints on the page pose the hitboxes that the server asked.
    let shown = ask("shot", "line=3");
    assert!(matches!(explained[2].then.as_ref().unwrap().animation, Animation::Joints(_)), "between two clips");
    assert!(shown["problem"].is_null(), "{shown}");
    let bytes = BASE64_STANDARD.decode(shown["then"]["joints"].as_str().unwrap()).unwrap();
    let numbers: Vec<f32> = bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect();
    let place: [f32; 12] = serde_json::from_value(shown["then"]["place"].clone()).unwrap();
    let baked = baked_format::read(&std::fs::read(&files[1]).unwrap()).unwrap();
    let mut world_from_joint: Vec<Affine3A> = Vec::new();
    for (joint, numbers) in baked.skeleton.joints().iter().zip(numbers.chunks_exact(12)) {
        let place = Affine3A::from_cols_array(&place);
        let parent = joint.parent.map_or(place, |parent| world_from_joint[parent.index()]);
        world_from_joint.push(parent * Affine3A::from_cols_slice(numbers));
    }
    for (hitbox, corners) in baked.boxes.iter().zip(corners) {
        let center = world_from_joint[hitbox.joint.index()].transform_point3(hitbox.center);
        let expected = corners.iter().map(|&corner| Vec3::from(corner)).sum::<Vec3>() / 8.0;
        assert!((center - expected).length() < 1e-4, "{center} {expected}");
    }
    assert_eq!(shown["nearest"]["distance"], explained[2].nearest.as_ref().unwrap().distance);

    assert!(ask("shot", "line=4")["problem"].as_str().unwrap().contains("add this character"));
    let other = ask("shot", "line=5");
    assert!(other["problem"].as_str().unwrap().contains("does not fit runa") && !other["now"].is_null(), "{other}");
    assert!(ask("shot", "line=7")["problem"].as_str().unwrap().contains("an earlier version"));
    let refusal = |query: &str| format!("{:#}", studio.answer("shot", &Query::parse(query)).unwrap().unwrap_err());
    assert!(refusal("line=6").contains("no shot in line 6"));
    assert!(refusal("line=x").contains("must be a number"));
    // A server that goes on to write is read on.
    std::fs::write(&file, format!("{old}\n{old}\n")).unwrap();
    assert_eq!(ask("shots", "")["shots"].as_array().unwrap().len(), 2);
    std::fs::write(&file, "{}\n").unwrap();
    assert!(
        format!("{:#}", studio.answer("shots", &Query::default()).unwrap().unwrap_err())
            .contains("line 1 is no explanation")
    );
    assert!(Shots::open(file).is_err());
    assert!(Studio::new(&files, Default::default()).unwrap().answer("shots", &Query::default()).is_none());
}
