//! Tests the key `motions`: what a file may say, and how an entry is added.

use bake_settings::{MotionMatch, MotionSettings, Settings, with_motion};
use skeleton::NamePattern;

fn motions(text: &str, character: &str) -> Vec<MotionSettings> {
    Settings::parse(text).unwrap().for_character(character, &[]).unwrap().motions
}

fn full() -> MotionSettings {
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    MotionSettings {
        files: vec!["a/*.glb".into(), "b.bvh".into()],
        clips: vec![NamePattern::new("walk*"), NamePattern::new("run")],
        prefix: "m_".into(),
        rename: vec![pair("run", "sprint"), pair("a \"b\"", "c")],
        from: Some(0.1),
        to: Some(2.5),
        by: Some(MotionMatch::Humanoid),
        bones: vec![pair("leftHand", "LWrist")],
        replace: true,
    }
}

#[test]
fn the_list_of_a_character_replaces_the_list_for_all() {
    let text = "motions = ['a.glb', { files = 'b.glb' }]\n[characters.runa]\nmotions = []\n\
                [characters.'b*']\n[[characters.'b*'.motions]]\nfiles = ['c.glb', 'd.bvh']";
    let files = |name| motions(text, name).into_iter().flat_map(|motion| motion.files).collect::<Vec<_>>();
    assert_eq!(files("hound"), ["a.glb", "b.glb"]);
    assert_eq!(files("runa"), [""; 0]);
    assert_eq!(files("bruno"), ["c.glb", "d.bvh"]);
}

/// Attacks of clips and motions do not get in each other's way.
#[test]
fn clips_stays_a_section() {
    Settings::parse("motions = ['a.glb']\n[[clips.jab.states]]\nstate = 'guard'\nactive = [0, 1]").unwrap();
    assert!(Settings::parse("clips = ['a.glb']").unwrap_err().to_string().contains("clips is a list"));
}

#[test]
fn an_added_entry_is_read_back_and_nothing_else_changes() {
    for text in [
        "",
        "# all\nmotions = ['a.glb']\n",
        "[characters.runa] # own\nmargin = 0.1\nmotions = ['a.glb'] # one\n[limits]\nmost_escape = 0.1\n",
        "[characters.runa]\n[[characters.runa.motions]]\nfiles = 'a.glb'\nto = 2\n",
        "[characters.'*']\nmotions = ['a.glb']\n",
        "[characters.runa]\nmargin = 0.1\n[characters.'r*']\nmotions = ['a.glb']\n",
    ] {
        let before = Settings::parse(text).unwrap();
        let edited = with_motion(text, "runa", &full()).unwrap();
        let mut expected = before.for_character("runa", &[]).unwrap();
        expected.motions.push(full());
        assert_eq!(Settings::parse(&edited).unwrap().for_character("runa", &[]).unwrap(), expected, "{edited}");
        let other = |settings: &Settings| settings.for_character("bruno", &[]).unwrap();
        assert_eq!(other(&Settings::parse(&edited).unwrap()), other(&before), "{edited}");
        assert_eq!(with_motion(&edited, "runa", &full()).unwrap(), edited, "the same entry again");
    }
    let plain = MotionSettings { files: vec!["walk.bvh".into()], ..MotionSettings::default() };
    assert_eq!(with_motion("", "runa", &plain).unwrap(), "[characters.runa]\nmotions = [\n    \"walk.bvh\",\n]\n");
    assert!(with_motion("motions = 3", "runa", &plain).is_err());
}
