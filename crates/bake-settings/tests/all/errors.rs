//! The messages that a technical artist sees.

use bake_settings::Settings;

fn error(text: &str) -> String {
    Settings::parse(text).expect_err(text).to_string()
}

#[test]
fn mistakes_are_shown_with_line_and_cure() {
    let mistakes = [
        "preset = tight",
        "preset = \"tigth\"",
        "fit = 3",
        "marign = 0.1",
        "margin = \"0.1\"",
        "margin = 2",
        "max_boxes = \"many\"",
        "max_boxes = 1.5",
        "min_vertices = 99999999999999999999",
        "exclude = [\"*ik*\", 3]",
        "exclude = [\"*ik*,*twist*\"]",
        "limits = 3",
        "[limit]\nmost_escape = 1",
        "[limits]\nleast_surface = 0.9",
        "[limits]\nmost_escape = \"1 %\"",
        "[limits]\nleast_surface_rest = 98",
        "[tags]\n\"*hand*\" = 5",
        "[tags]\n\"*hand*\" = [\"\"]",
        "[tags]\nhead = \"head\"\n[sets]\nhurt = [\"head\", \"hed\"]",
        "[tags]\nhead = \"head\"\n[sets]\nhurt = \"head\"\npreset = \"cover\"",
        "[characters.runa]\nskip = true",
        "[characters.runa.characters.bruno]\nmargin = 0",
        "split = \"yes\"",
        "shared = \"runa\"",
        "[shared]\nname = \"fighter\"",
        "[[shared]]\ncharacters = [\"runa\"]",
        "[[shared]]\nname = \"fighter\"",
        "[[shared]]\nname = \"fighter\"\ncharacters = [\"runa\"]\nscale = \"bones\"",
        "[[shared]]\nname = \"fighter\"\ncharacters = [\"runa\"]\nfro = \"mean\"",
        "[[shared]]\nname = \"a\"\ncharacters = [\"runa\"]\n[[shared]]\nname = \"a\"\ncharacters = [\"bruno\"]",
        "ragdoll = \"yes\"",
        "[ragdoll]\nshare = 99.5",
        "[ragdoll]\nmass = 0",
        "[ragdoll]\nmas = 75",
        "[ragdoll.joints.\"*knee*\"]\ntwist = -10",
        "[ragdoll.joints.\"*knee*\"]\nswing = [10, 20, 30]",
        "[ragdoll.joints.\"*knee*\"]\nhinge = true\nswing = 20",
        "[ragdoll.joints.\"*knee*\"]\nlimit = 20",
        "humanoid = \"yes\"",
        "[humanoid]\nleftFist = \"hand_l\"",
        "[humanoid]\nleftHand = [\"hand_l\"]",
        "[parts.haed]\nshape = \"sphere\"",
        "[parts.tail]\nshape = \"sphere\"",
        "[parts]\nset = \"human\"",
        "[parts.head]\nshape = \"ball\"",
        "[parts.head]\nkeep = 0.9",
        "[parts.head]\nshap = \"sphere\"",
        "[parts.arm.left]\nshape = \"sphere\"",
        "[parts]\nhead = \"sphere\"",
        "parts = \"humanoid\"\n[parts.head]\nshape = \"sphere\"",
        "[joints.head]\nrate = 60",
        "[joints.head]\nskipp = true",
        "[joints.head]\nskip = \"yes\"",
        "[[joints.head.boxes]]\ncenter = [0, 0, 0]",
        "[[joints.head.boxes]]\ncenter = [0, 0]\nhalf_extents = [1, 1, 1]",
        "[[joints.head.boxes]]\ncenter = [0, 0, nan]\nhalf_extents = [1, 1, 1]",
        "[[joints.head.boxes]]\ncenter = [0, 0, 0]\nhalf_extents = [1, 1, -1]",
        "[[joints.head.boxes]]\ncenter = [0, 0, 0]\nhalf_extents = [1, 1, 1]\norientation = [0, 0, 0, 0]",
        "[[joints.head.boxes]]\ncenter = [0, 0, 0]\nhalf_extends = [1, 1, 1]",
        "[joints.head]\nboxes = { center = [0, 0, 0] }",
        "[[joints.head.boxes]]\nshape = \"capsul\"\ncenter = [0, 0, 0]\nhalf_extents = [1, 2, 1]",
        "[[joints.head.boxes]]\nshape = \"hull\"\ncenter = [0, 0, 0]\nhalf_extents = [1, 2, 1]",
        "[[joints.head.boxes]]\nshape = 1\ncenter = [0, 0, 0]\nhalf_extents = [1, 2, 1]",
        "[[joints.head.boxes]]\nshape = \"capsule\"\ncenter = [0, 0, 0]\nhalf_extents = [1, 0.5, 1]",
        "[[joints.head.boxes]]\nhalf_extents = [1, 2, 1]\ncenter = [0, 0, 0]\nshape = \"sphere\"",
        "[clips]\njab = 3",
        "[clips.jab]\nattack = []",
        "[clips.jab]\nattacks = { name = \"jab\" }",
        "[[clips.jab.attacks]]\nboxes = \"fist\"\nactive = [0, 1]",
        "[[clips.jab.attacks]]\nname = \"jab\"\nactive = [0, 1]",
        "[[clips.jab.attacks]]\nname = \"jab\"\nboxes = \"fist\"",
        "[[clips.jab.attacks]]\nname = \"jab\"\nboxes = \"fist\"\nactive = 0.5",
        "[[clips.jab.attacks]]\nname = \"jab\"\nboxes = \"fist\"\nactive = [0.5]",
        "[[clips.jab.attacks]]\nname = \"jab\"\nboxes = \"fist\"\nactive = [0.5, 0.25]",
        "[[clips.jab.attacks]]\nname = \"jab\"\nboxes = \"fist\"\nactive = [nan, 0.25]",
        "[[clips.jab.attacks]]\nname = \"jab\"\nboxes = \"fist\"\nactive = [[0, 0.5], [0.4, 1]]",
        "[[clips.jab.attacks]]\nname = \"jab\"\nboxes = \"fist\"\nframes = [4, 6]",
        "[[clips.jab.attacks]]\nname = \"jab\"\nboxes = \"fist\"\nframes = [4, 6]\nrate = 0",
        "[[clips.jab.attacks]]\nname = \"jab\"\nboxes = \"fist\"\nactive = [4, 6]\nrate = 60",
        "[[clips.jab.attacks]]\nname = \"jab\"\nboxes = \"fist\"\nframes = [4, 6]\nactive = [0, 1]",
        "[[clips.jab.attacks]]\nname = \"jab\"\nkind = \"grap\"",
        "[[clips.jab.attacks]]\nname = \"jab\"\nrank = -1",
        "[[clips.jab.attacks]]\nname = \"jab\"\nrehit = 0",
        "[[clips.jab.attacks]]\nname = \"jab\"\nstrength = inf",
        "[[clips.jab.attacks]]\nname = \"jab\"\ndata = \"7 damage\"",
        "[[clips.jab.attacks]]\nname = \"jab\"\ndamage = 7",
        "[clips.jab]\nattacks = [{ name = \"jab\", boxes = \"fist\", active = [0, 1] }, { name = \"jab\", boxes = \"foot\", active = [0, 1] }]",
        "[[clips.jab.states]]\nactive = [0, 1]",
        "[[clips.jab.states]]\nstate = \"armour\"",
        "[[clips.jab.states]]\nstate = \"armor\"\nactive = []",
        "[joints.head]\nmargin = 0.1\nmargin = 0.2",
        "margin = 0,013",
        "margin = 1,3 %",
        "margin = .5",
        "merge = *finger*",
        "merge = \"*finger*\", \"*toe*\"",
        "merge = *finger*, *toe*",
        "merge = \"*finger*",
        "preset = “cover”",
        "preset: \"cover\"",
        "[joints.head]\nskip = True",
        "[joints.mixamorig:Hips]\nskip = true",
        "[joints.upperarm.l]\nskip = true",
        "[limits\nmost_escape = 1",
        "[tags]\n*hand* = \"hand\"",
        "[[joints.head.boxes]]\ncenter = [0,1, 0,2, 0,3]\nhalf_extents = [1, 1, 1]",
        "[[joints.head.boxes]]\ncenter = [0, 0, 0]\nhalf_extents = [1, 1, 1]\nrotation = [0, 90, 0]\norientation = [0, 0, 0, 1]",
    ];
    insta::assert_snapshot!(mistakes.map(error).join("\n\n"));
}

#[test]
fn the_first_mistake_of_the_file_is_reported() {
    let error = error("zoo = 1\n[joints.head]\nskipp = 1\n[apes]\n");
    assert!(error.starts_with("1:1: "), "{error}");
}

#[test]
fn a_file_that_is_too_long_is_refused() {
    assert!(error(&"#".repeat(bake_settings::MOST_BYTES + 1)).contains("may have at most 1048576"));
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!("preset = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(error(&deep).contains("1:"));
    let dotted = format!("{} = 1", vec!["a"; 100_000].join("."));
    assert!(error(&dotted).contains("1:"));
}
