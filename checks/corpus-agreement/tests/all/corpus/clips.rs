//! Clips as files hold them against glTF's own curves: how far poses differ at any time, and how many bytes are saved.

use asset_bake::Asset;
use baked_format::{BakedCharacter, Source, compact_clip, read, write};
use glam::{Affine3A, Vec3A};
use runtime::{Character, ClipIndex, ClipSampler, SampleJoints};
use skeleton::{Clip, Skeleton};

/// What a reader may rely on, of the runtime's poses and of the file's clips: degrees, and shares of the height.
const MOST_DEGREES: f64 = 0.02;
const MOST_SHARE: f64 = 0.0001;

fn character(skeleton: &Skeleton, clips: Vec<Clip>) -> BakedCharacter {
    let source = Source { file: "corpus".into(), blake3: [0; 32], generator: String::new() };
    let (name, skeleton) = ("corpus".into(), skeleton.clone());
    BakedCharacter {
        name,
        source,
        algorithm_revision: 0,
        options: vec![],
        skeleton,
        boxes: vec![],
        clips,
        coverage: None,
        warnings: vec![],
        humanoid: None,
        skin: None,
        envelopes: vec![],
        attacks: vec![],
        states: vec![],
        ragdoll: None,
    }
}

/// The longest side of the box around all joints.
fn height(poses: &[Affine3A]) -> f64 {
    let points = || poses.iter().map(|pose| pose.translation);
    let high = points().fold(Vec3A::NEG_INFINITY, Vec3A::max);
    f64::from((high - points().fold(Vec3A::INFINITY, Vec3A::min)).max_element())
}

fn degrees_between(a: &Affine3A, b: &Affine3A) -> f64 {
    // The chord between the ends of each axis, on a circle of radius 1.
    let chord = |column: usize| {
        let [a, b] = [a, b].map(|pose| pose.matrix3.col(column).as_dvec3().normalize());
        2.0 * (0.5 * (a - b).length()).asin()
    };
    (0..3).map(chord).fold(0.0, f64::max).to_degrees()
}

/// Half of each segment between keys, thirds of it, and times at 97 a second.
fn times(clip: &Clip) -> Vec<f32> {
    let between = |pair: &[f32]| [0.0, 0.3, 0.5].map(|share| pair[0] + share * (pair[1] - pair[0]));
    let timeline = clip.timelines.iter().max_by_key(|times| times.len());
    let mut times: Vec<f32> = timeline.into_iter().flat_map(|times| times.windows(2).flat_map(between)).collect();
    times.extend((0..(97.0 * clip.seconds()) as u32).map(|step| clip.start() + step as f32 / 97.0));
    let step = times.len().div_ceil(200).max(1);
    times.into_iter().step_by(step).collect()
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn clips_are_small_and_pose_as_the_source_does() {
    let (mut exact_bytes, mut compact_bytes, mut file_bytes) = (0, 0, 0);
    let (mut farthest, mut widest) = (0.0f64, 0.0f64);
    for path in corpus::characters() {
        let (model, _) =
            Asset::open(&path).unwrap().import().unwrap_or_else(|error| panic!("{}: {error:#}", path.display()));
        if model.clips.is_empty() {
            continue;
        }
        let clips = model.clips.iter().map(compact_clip).collect();
        let without = write(&character(&model.skeleton, vec![])).unwrap().len();
        let exact = write(&character(&model.skeleton, model.clips.clone())).unwrap();
        let compact = write(&character(&model.skeleton, clips)).unwrap();
        // What the same curves take as lists of `f32`, without tables or offsets.
        let numbers = |clip: &Clip| -> usize {
            let values: usize = clip.channels.iter().map(|channel| channel.values.len()).sum();
            values + clip.timelines.iter().map(Vec::len).sum::<usize>()
        };
        exact_bytes += 4 * model.clips.iter().map(numbers).sum::<usize>();
        file_bytes += exact.len() - without;
        compact_bytes += compact.len() - without;

        let character = Character::from_baked(read(&compact).unwrap());
        let mut sampler = ClipSampler::new();
        sampler.set_joints(SampleJoints::All);
        let mut expected = model.skeleton.rest_matrices();
        let height = height(&expected);
        for (index, clip) in (0..).map(ClipIndex).zip(&model.clips) {
            for time in times(clip) {
                let mut local = model.skeleton.rest_pose();
                clip.sample(time, &mut local);
                model.skeleton.model_from_joints(&local, &mut expected);
                let found = sampler.sample(&character, index, time).unwrap();
                for (joint, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    // A single joint has no height.
                    let moved = f64::from((found.translation - expected.translation).length());
                    let moved = if height > 0.0 { moved / height } else { 0.0 };
                    let name = || format!("{}, {}, joint {joint} at {time}", path.display(), clip.name);
                    assert!(moved <= MOST_SHARE, "{}: {moved} of the height", name());
                    let turned = degrees_between(found, expected);
                    // Joints that collapse have no direction.
                    if turned.is_finite() {
                        assert!(turned < MOST_DEGREES, "{}: {turned} degrees", name());
                        widest = widest.max(turned);
                    }
                    farthest = farthest.max(moved);
                }
            }
        }
    }
    let share = compact_bytes as f64 / exact_bytes as f64;
    println!("{compact_bytes} bytes of {exact_bytes}, {share:.3}; {file_bytes} where nothing is rounded");
    println!("at most {farthest:e} of the height and {widest:e} degrees away");
    assert!(share <= 0.6, "{share}");
}
