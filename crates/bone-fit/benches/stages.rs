//! The time to plan the cuts of several boxes for one joint. The bench `bake` has whole bakes.

use baked_format::{BakedCharacter, Source};
use bone_fit::{Bake, BakeOptions, Figures, bake};
use criterion::{Criterion, criterion_group, criterion_main};
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use std::hint::black_box;
use std::path::Path;

fn runa() -> SkinnedModel {
    let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/runa.glb")).expect("the asset");
    import(&bytes, &NoExternalFiles).expect("a sound model")
}

fn baked(model: &SkinnedModel, words: &[(&str, &str)]) -> Bake {
    let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
    let options = BakeOptions::from_entries(words.iter().copied()).expect("right words");
    bake(model, "bench", source, &options).expect("a bake")
}

fn stages(criterion: &mut Criterion) {
    let model = runa();
    let plan = [("preset", "tight"), ("poses", "bind"), ("measure", "none")];
    let whole =
        baked(&model, &[("preset", "tight"), ("poses", "bind"), ("measure", "none"), ("budget", "1")]).character;
    let volume = |character: &BakedCharacter| Figures::of_bake(character).volume;
    // One run takes seconds, so criterion's hundred samples would take minutes and show no more.
    let mut group = criterion.benchmark_group("cuts");
    group.sample_size(10);
    group.bench_function("two boxes a joint for runa, as bound", |bencher| {
        bencher.iter(|| {
            let halved = baked(black_box(&model), &plan).character;
            assert_eq!(halved.boxes.len(), 2 * whole.boxes.len());
            assert!(volume(&halved) < 0.9 * volume(&whole), "{}", volume(&halved));
        });
    });
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
