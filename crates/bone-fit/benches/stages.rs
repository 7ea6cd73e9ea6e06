//! What a bake costs: planning the cuts, and the whole way by each preset.
//!
//! `cargo bench -p bone-fit`; the Knight is measured where the corpus of real characters is beside the workspace.

use baked_format::Source;
use bone_fit::{Bake, BakeOptions, bake};
use criterion::{Criterion, criterion_group, criterion_main};
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

fn load(path: &str) -> Option<SkinnedModel> {
    let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).ok()?;
    Some(import(&bytes, &NoExternalFiles).expect("a sound model"))
}

fn baked(model: &SkinnedModel, words: &[(&str, &str)]) -> Bake {
    let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
    let options = BakeOptions::from_entries(words.iter().copied()).expect("right words");
    bake(model, "bench", source, &options).expect("a bake")
}

fn stages(criterion: &mut Criterion) {
    let model = load("assets/runa.glb").expect("the asset");
    let plan = [("preset", "tight"), ("poses", "bind"), ("measure", "none")];
    let whole = baked(&model, &[("preset", "tight"), ("poses", "bind"), ("measure", "none"), ("budget", "1")]).report;
    criterion.bench_function("two boxes a joint for runa, as bound", |bencher| {
        bencher.iter(|| {
            let report = baked(black_box(&model), &plan).report;
            assert_eq!(report.boxes.len(), 2 * whole.boxes.len());
            assert!(report.total.volume < 0.9 * whole.total.volume, "{:?}", report.total);
        });
    });
}

fn bakes(criterion: &mut Criterion) {
    for (name, path) in [("runa", "assets/runa.glb"), ("Knight", "../shared/corpus/kaykit/Knight.glb")] {
        let Some(model) = load(path) else {
            println!("skipped: no {path}");
            continue;
        };
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10).measurement_time(Duration::from_secs(10));
        for preset in ["recipe", "tight", "cover"] {
            group.bench_function(preset, |bencher| {
                bencher.iter(|| {
                    let measured = baked(black_box(&model), &[("preset", preset)]).report.measured.expect("measured");
                    let least = if preset == "cover" { 1.0 } else { 0.98 };
                    assert!(measured.surface_clips >= least, "{measured:?}");
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, stages, bakes);
criterion_main!(benches);
