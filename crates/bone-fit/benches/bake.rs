//! The time of whole bakes with one thread and with two threads, in turns. Every bake is the same.

use baked_format::Source;
use bone_fit::{BakeOptions, bake};
use paired_timing::Turns;
use skinned_model::{NoExternalFiles, import};
use std::hint::black_box;
use std::path::Path;

fn main() {
    let runa = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/runa.glb");
    for (name, path) in [("runa", runa), ("Knight", corpus::character("Knight.glb"))] {
        bakes(name, &std::fs::read(path).expect("a readable character"));
    }
}

fn bakes(name: &str, bytes: &[u8]) {
    let model = import(bytes, &NoExternalFiles).expect("a right character");
    for preset in ["recipe", "cover", "tight"] {
        let mut options = BakeOptions::default();
        options.set("preset", preset).expect("a preset");
        let run = || {
            let source = Source { file: format!("{name}.glb"), blake3: [0; 32], generator: "bench".into() };
            bake(black_box(&model), name, source, &options).expect("a bake").character
        };
        let expected = run();
        let pools = [1, 2].map(|count| rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("threads"));
        let mut turns = Turns::new("bake", format!("{name}, {preset}"));
        turns.peer("one thread", || assert!(pools[0].install(run) == expected));
        turns.ours("two threads", || assert!(pools[1].install(run) == expected));
        turns.run();
    }
}
