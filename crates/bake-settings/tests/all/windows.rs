//! Tests of edits of the windows of attacks and states.

use bake_settings::{ClipEntry, EditError, Settings, with_windows};
use baked_format::Window;
use proptest::prelude::*;

const FILE: &str = r#"# The first comment.
[[clips.jab.attacks]]
name = "fist" # everyone's
boxes = "hand"
active = [0.1, 0.2]

[[characters."*run*".clips.jab.attacks]] # Runa and Bruno
boxes = "hand"
# from, then to
active = [ 0.15, 0.35 ]   # measured in the video
name = "fist"

[[characters."*run*".clips.jab.attacks]]
name = "combo"
boxes = "foot"
frames = [
    [2, 4], # one
    [ 9, 12 ], # two
]
rate = 60

[characters.runa.clips]
jab = { states = [{ state = "guard", active = [[0, 0.1], [0.3, 0.4]] }] }

[[characters."*una".clips.jab.states]]
state = "armor"
active = [0.5, 0.6]
"#;

fn windows(pairs: &[[f32; 2]]) -> Vec<Window> {
    pairs.iter().map(|&[from, to]| Window { from, to }).collect()
}

fn edited(
    text: &str,
    entry: ClipEntry<'_>,
    before: &[[f32; 2]],
    after: &[[f32; 2]],
) -> Result<(String, Option<String>), EditError> {
    with_windows(text, "runa", "jab", entry, [&windows(before), &windows(after)])
}

#[test]
fn only_the_numbers_change() {
    let (text, section) = edited(FILE, ClipEntry::Attack("fist"), &[[0.15, 0.35]], &[[0.15, 0.3333]]).unwrap();
    assert_eq!(text, FILE.replace("[ 0.15, 0.35 ]", "[ 0.15, 0.3333 ]"));
    assert_eq!(section.as_deref(), Some("*run*"), "the last section with the attack counts");

    let before = [[2.0 / 60.0, 4.0 / 60.0], [9.0 / 60.0, 12.0 / 60.0]];
    let after = [before[0], [8.0 / 60.0, 12.5 / 60.0]];
    let (text, _) = edited(FILE, ClipEntry::Attack("combo"), &before, &after).unwrap();
    assert_eq!(text, FILE.replace("[ 9, 12 ], # two", "[ 8, 12.5 ], # two"), "frames stay frames");

    let (text, section) =
        edited(FILE, ClipEntry::State(0), &[[0.0, 0.1], [0.3, 0.4]], &[[0.0, 0.2], [0.3, 0.45]]).unwrap();
    assert_eq!(text, FILE.replace("[[0, 0.1], [0.3, 0.4]]", "[[0, 0.2], [0.3, 0.45]]"), "inline tables too");
    assert_eq!(section.as_deref(), Some("runa"));
    let (text, section) = edited(FILE, ClipEntry::State(1), &[[0.5, 0.6]], &[[0.55, 0.6]]).unwrap();
    assert_eq!((text, section.as_deref()), (FILE.replace("[0.5, 0.6]", "[0.55, 0.6]"), Some("*una")));

    let of_windows = FILE.replace('\n', "\r\n");
    let (text, _) = edited(&of_windows, ClipEntry::State(1), &[[0.5, 0.6]], &[[0.55, 0.6]]).unwrap();
    assert_eq!(text, of_windows.replace("[0.5, 0.6]", "[0.55, 0.6]"));
    // A character without a section of its own has everyone's attack.
    let (before, after) = (windows(&[[0.1, 0.2]]), windows(&[[0.1, 0.25]]));
    let (text, section) = with_windows(FILE, "hound", "jab", ClipEntry::Attack("fist"), [&before, &after]).unwrap();
    assert_eq!((text, section), (FILE.replace("[0.1, 0.2]", "[0.1, 0.25]"), None));
}

#[test]
fn what_cannot_be_edited_is_refused() {
    let refusal =
        |entry, before: &[[f32; 2]], after: &[[f32; 2]]| edited(FILE, entry, before, after).unwrap_err().to_string();
    let fist = ClipEntry::Attack("fist");
    assert!(
        refusal(ClipEntry::Attack("foot"), &[[0.1, 0.2]], &[[0.1, 0.3]])
            .contains("no attack \"foot\" of the clip \"jab\"")
    );
    assert!(refusal(ClipEntry::State(2), &[[0.1, 0.2]], &[[0.1, 0.3]]).contains("no state 2"));
    assert!(
        refusal(fist, &[[0.1, 0.2]], &[[0.1, 0.3]]).contains("other windows of attack \"fist\""),
        "someone saved it"
    );
    assert!(refusal(fist, &[[0.15, 0.35]], &[]).contains("other windows"));
    assert!(refusal(fist, &[[0.15, 0.35]], &[[0.4, 0.35]]).starts_with("10:"), "with its line");
    assert!(refusal(fist, &[[0.15, 0.35]], &[[-0.1, 0.35]]).contains("must begin at 0"));
    assert!(refusal(fist, &[[0.15, 0.35]], &[[f32::NAN, f32::INFINITY]]).starts_with("10:"));
    let (before, after) = ([[0.0, 0.1], [0.3, 0.4]], [[0.0, 0.3], [0.3, 0.4]]);
    assert!(refusal(ClipEntry::State(0), &before, &after).contains("join windows that overlap"));
    assert!(edited("[broken", fist, &[[0.1, 0.2]], &[[0.1, 0.3]]).is_err());
}

proptest! {
    /// What is read again is what was written, and everything but numbers stays.
    #[test]
    fn a_reader_finds_the_new_windows(times in prop::array::uniform4(0u16..2000), in_frames: bool, from_end: bool) {
        let mut times = times;
        times.sort_unstable();
        prop_assume!(times[1] < times[2]);
        let text = match in_frames {
            true => FILE.to_owned(),
            false => FILE.replace("frames = [", "active = [").replace("rate = 60\n", ""),
        };
        let per_second = if in_frames { 60.0 } else { 1.0 };
        let before = [[2.0, 4.0], [9.0, 12.0]].map(|pair| pair.map(|time: f32| time / per_second));
        let seconds = times.map(|time| if from_end { f32::from(time) / 60.0 } else { f32::from(time) / 1000.0 });
        let after = [[seconds[0], seconds[1]], [seconds[2], seconds[3]]];
        let (edited, _) = edited(&text, ClipEntry::Attack("combo"), &before, &after).unwrap();
        let settings = Settings::parse(&edited).unwrap().for_character("runa", &[]).unwrap();
        let combo = settings.overrides.attacks.iter().find(|attack| attack.name == "combo").unwrap();
        let most = if in_frames { 0.0006 / 60.0 } else { 0.0 };
        for (found, wanted) in combo.active.iter().zip(after) {
            prop_assert!((found.from - wanted[0]).abs() <= most && (found.to - wanted[1]).abs() <= most, "{found:?} {wanted:?}");
        }
        let without_numbers = |text: &str| text.replace(|letter: char| letter.is_ascii_digit() || letter == '.', "");
        prop_assert_eq!(without_numbers(&edited), without_numbers(&text));
    }
}
