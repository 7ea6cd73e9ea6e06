//! Tests the key `shared`: characters that get the same hitboxes.

use bake_settings::{Settings, SharedFrom, SharedScale};

const NAMES: [&str; 4] = ["bruno", "hound", "runa", "runa_winter"];

fn problem(text: &str) -> String {
    let settings = Settings::parse(text).unwrap();
    settings.check_shared(&NAMES).expect_err(text).to_string()
}

#[test]
fn a_set_has_characters_and_says_how_its_hitboxes_are_made() {
    let text = "[[shared]]\nname = 'fighter'\ncharacters = ['runa*', 'bruno']\n\
                [[shared]]\nname = 'dog'\ncharacters = 'hound'\nfrom = 'hound'\nscale = 'bone'";
    let settings = Settings::parse(text).unwrap();
    settings.check_shared(&NAMES).unwrap();
    let sets: Vec<_> = settings.shared().collect();
    assert_eq!(NAMES.map(|name| sets[0].has(name)), [true, false, true, true]);
    assert_eq!((&sets[0].from, sets[0].scale), (&SharedFrom::Union, SharedScale::None));
    assert_eq!((&sets[1].from, sets[1].scale), (&SharedFrom::Character("hound".into()), SharedScale::Bone));
    let mean = Settings::parse("[[shared]]\nname = 'a'\ncharacters = ['runa']\nfrom = 'mean'").unwrap();
    assert_eq!(mean.shared().next().unwrap().from, SharedFrom::Mean);
    let place = settings.shared_mistake("dog", "it barks").to_string();
    assert!(place.starts_with("4:") && place.contains("the shared set \"dog\": it barks"), "{place}");
}

#[test]
fn mistakes_about_characters_name_the_line_and_the_cure() {
    let set = |rest: &str| format!("[[shared]]\nname = 'fighter'\ncharacters = ['runa', 'bruno']\n{rest}");
    let missing = problem("[[shared]]\nname = 'fighter'\ncharacters = ['runa*',\n 'brunno']");
    assert!(
        missing.starts_with("4:2: there is no character \"brunno\"") && missing.contains("did you mean"),
        "{missing}"
    );
    let twice = problem(&set("[[shared]]\nname = 'winter'\ncharacters = ['runa*']"));
    let expected = "4:1: the character \"runa\" is in two shared sets, \"fighter\" and \"winter\"; remove it from one";
    assert!(twice.starts_with(expected), "{twice}");
    for (from, hint) in [("unoin", "did you mean \"union\""), ("brno", "did you mean \"bruno\""), ("hound", "")] {
        let unknown = problem(&set(&format!("from = '{from}'")));
        let expected =
            format!("4:8: from is \"{from}\", but must be union, mean, or the name of one character of the set");
        assert!(unknown.starts_with(&expected) && unknown.contains(hint), "{unknown}");
    }
    let settings = Settings::parse(&set("from = 'runa'")).unwrap();
    let ambiguous = settings.check_shared(&["bruno", "runa", "runa"]).unwrap_err().to_string();
    assert!(ambiguous.starts_with("4:8: from is \"runa\", but 2 files have this name"), "{ambiguous}");
}
