//! Measures the time of exact answers on real characters, and of the same answers by parry. Prints the tables of
//! `docs/benchmarks/exact.md`.
//!
//! `cargo bench -p corpus-agreement --bench exact [-- NAME… --kernel=Avx2]`. Two copies of a character meet in 144 ways; a time is
//! the least of many repetitions of one meeting, and a table shows the median over the meetings of a kind. The kernel is the
//! best of the processor unless `--kernel` names another.

use asset_bake::Asset;
use baked_format::{SkinBinding, SkinPiece};
use corpus_agreement::oracle;
use corpus_agreement::skins::{place, with_skin};
use corpus_agreement::truth::{Meeting, meetings};
use geometry_core::Ray;
use glam::{DAffine3, Mat3A, Vec3, Vec3A};
use parry3d::math::Pose;
use parry3d::query::{RayCast, intersection_test};
use parry3d::shape::TriMesh;
use runtime::kernels::Kernel;
use runtime::{
    Character, PosedCharacter, SkinCandidates, SkinTriangle, exact_distance, exact_overlap, exact_overlap_all,
    overlapping_joints,
};
use skeleton::JointIndex;
use skinned_model::SkinnedModel;
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use test_models::Random;

/// The number of meetings of one kind that are timed, chosen evenly.
const MEETINGS: usize = 12;

fn main() {
    // `cargo test --benches` starts it without `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let names: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let kernel = arguments.iter().find_map(|argument| argument.strip_prefix("--kernel="));
    let kernel = kernel.map_or(Kernel::best(), |name| {
        Kernel::available().find(|kernel| format!("{kernel:?}") == name).expect("a kernel of this processor")
    });
    println!("Kernel: {kernel:?}");
    let wanted = |name: &str| names.is_empty() || names.iter().any(|one| *one == name);
    println!(
        "| character, kind of meeting | meetings | pairs: candidates / true | pose, boxes / and skin | all pairs | by hitboxes | first | distance | parry, all pairs / their skinning | parry, first / its skinning |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let golden = if corpus::find().is_some() { oracle::golden() } else { Vec::new() };
    if golden.is_empty() {
        eprintln!("exact: without the corpus, only the project's own characters are measured");
    }
    let is_measured = |name: &str| oracle::MEASURED.contains(&name) && wanted(name);
    for golden in golden.iter().filter(|golden| is_measured(&golden.name)) {
        let model = Asset::open(&golden.path).expect("an asset").import().expect("a model").0;
        table(kernel, &golden.name, [&model, &model], &meetings(&model, &golden.oracle));
    }
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let [runa, bruno] = ["runa", "bruno"].map(|name| {
        Asset::open(&assets.join(name).with_extension("glb")).expect("an asset").import().expect("a model").0
    });
    for (name, models) in [("runa", [&runa; 2]), ("bruno", [&bruno; 2]), ("runa-bruno", [&runa, &bruno])] {
        if wanted(name) {
            table(kernel, name, models, &own_meetings(models));
        }
    }
}

/// Two characters at six distances, in poses of their first clips, facing each other.
fn own_meetings([first, second]: [&SkinnedModel; 2]) -> Vec<Meeting> {
    let posed = |model: &SkinnedModel, clip: usize, time: f32| {
        let mut local = model.skeleton.rest_pose();
        model.clips[clip % model.clips.len()].sample(time, &mut local);
        let mut matrices = vec![glam::Affine3A::IDENTITY; model.skeleton.len()];
        model.skeleton.model_from_joints(&local, &mut matrices);
        matrices
    };
    let mut all = Vec::new();
    for clip in 0..6 {
        for step in 1..=6u8 {
            let shift = glam::DVec3::new(0.05, 0.0, 0.17 * f64::from(step));
            let turn = glam::DMat3::from_rotation_y(std::f64::consts::PI);
            let place = DAffine3::from_mat3_translation(turn, shift);
            all.push(Meeting { poses: [posed(first, clip, 0.3), posed(second, clip + 1, 0.5)], place });
        }
    }
    all
}

#[derive(Default)]
struct Times([Vec<Duration>; 10]);

/// A character without a pose that tracks its skin.
fn tracking(kernel: Kernel) -> PosedCharacter {
    let mut posed = PosedCharacter::with_kernel(kernel);
    posed.track_skin(true);
    posed
}

fn pose(characters: &[Character; 2], meeting: &Meeting, a: &mut PosedCharacter, b: &mut PosedCharacter) {
    a.pose_from_model(&characters[0], &glam::Affine3A::IDENTITY, &meeting.poses[0]).expect("a pose");
    b.pose_from_model(&characters[1], &place(meeting), &meeting.poses[1]).expect("a pose");
}

fn table(kernel: Kernel, name: &str, models: [&SkinnedModel; 2], meetings: &[Meeting]) {
    let characters = models.map(|model| with_skin(model, name, &[("preset", "cover")]));
    let (mut a, mut b) = (tracking(kernel), tracking(kernel));
    let mut found = Vec::new();
    let mut kinds: BTreeMap<&str, Vec<(&Meeting, usize, usize)>> = BTreeMap::new();
    for meeting in meetings {
        pose(&characters, meeting, &mut a, &mut b);
        exact_overlap_all(&mut a, &mut b, SkinCandidates::Bounds, &mut found).expect("a skin");
        let mut pairs = Vec::new();
        overlapping_joints(&a, &b, &mut pairs);
        let kind = match (found.len(), pairs.len()) {
            (0, 0) => continue,
            (0, _) => "false alarm",
            (1..=6, _) => "1 to 6 pairs",
            _ => "close contact",
        };
        kinds.entry(kind).or_default().push((meeting, pairs.len(), found.len()));
    }
    let mut parry = Parry::new([&mut a, &mut b]);
    for (kind, meetings) in kinds {
        let step = meetings.len().div_ceil(MEETINGS).max(1);
        let chosen: Vec<_> = meetings.iter().step_by(step).collect();
        let mut times = Times::default();
        for (meeting, ..) in &chosen {
            measure(kernel, &characters, meeting, &mut parry, &mut times);
        }
        let median = |times: &mut Vec<Duration>| {
            times.sort_unstable();
            times[times.len() / 2].as_secs_f64() * 1e6
        };
        let mean = |count: fn(&(&Meeting, usize, usize)) -> usize| {
            chosen.iter().map(|one| count(one)).sum::<usize>() as f64 / chosen.len() as f64
        };
        let [boxes, skin, all, by_boxes, first, distance, pieces, of_pieces, one, of_one] =
            times.0.each_mut().map(|times| if times.is_empty() { f64::NAN } else { median(times) });
        println!(
            "| {name}, {kind} | {} | {:.1} / {:.1} | {boxes:.1} / {skin:.1} | {all:.1} | {by_boxes:.1} | {first:.1} | {distance:.1} | {pieces:.0} / {of_pieces:.0} | {one:.0} / {of_one:.0} |",
            meetings.len(),
            mean(|one| one.1),
            mean(|one| one.2),
        );
    }
    println!(
        "| {name}, pairs of joints by which parry's answers and ours differ in number, all timed meetings | {} |",
        parry.differences
    );
    rays(kernel, name, &characters[0], meetings);
    rays_beside_parry(kernel, name, &characters[0], meetings);
}

/// Runs `prepare` and `work` repeatedly, and adds the least time of `work` to `prepared`.
fn least(repetitions: usize, mut prepare: impl FnMut(), mut work: impl FnMut(), prepared: &mut Vec<Duration>) {
    let mut least = Duration::MAX;
    for _ in 0..repetitions {
        prepare();
        let start = Instant::now();
        work();
        least = least.min(start.elapsed());
    }
    prepared.push(least);
}

fn measure(kernel: Kernel, characters: &[Character; 2], meeting: &Meeting, parry: &mut Parry, times: &mut Times) {
    use std::cell::RefCell;
    const REPETITIONS: usize = 60;
    let (a, b) = (RefCell::new(tracking(kernel)), RefCell::new(tracking(kernel)));
    let plain = RefCell::new(PosedCharacter::with_kernel(kernel));
    let character = &characters[0];
    let found = RefCell::new(Vec::new());
    let pose = || pose(characters, meeting, &mut a.borrow_mut(), &mut b.borrow_mut());
    let [boxes, skin, all, by_boxes, first, distance, pieces, of_pieces, one, of_one] = &mut times.0;
    let nothing = || {};
    least(
        REPETITIONS,
        nothing,
        || plain.borrow_mut().pose_from_model(character, &glam::Affine3A::IDENTITY, &meeting.poses[0]).expect("a pose"),
        boxes,
    );
    least(
        REPETITIONS,
        nothing,
        || a.borrow_mut().pose_from_model(character, &glam::Affine3A::IDENTITY, &meeting.poses[0]).expect("a pose"),
        skin,
    );
    let overlaps = |candidates| {
        exact_overlap_all(&mut a.borrow_mut(), &mut b.borrow_mut(), candidates, &mut found.borrow_mut())
            .expect("a skin")
    };
    least(REPETITIONS, pose, || overlaps(SkinCandidates::Bounds), all);
    least(REPETITIONS, pose, || overlaps(SkinCandidates::Hitboxes), by_boxes);
    let expected = found.borrow().len();
    least(
        REPETITIONS,
        pose,
        || {
            black_box(exact_overlap(&mut a.borrow_mut(), &mut b.borrow_mut(), SkinCandidates::Bounds).expect("a skin"));
        },
        first,
    );
    least(
        REPETITIONS,
        pose,
        || {
            black_box(exact_distance(&mut a.borrow_mut(), &mut b.borrow_mut(), None).expect("a skin"));
        },
        distance,
    );
    pose();
    let mut pairs = Vec::new();
    overlapping_joints(&a.borrow(), &b.borrow(), &mut pairs);
    let candidates: Vec<_> = pairs.iter().map(|pair| (pair.joint_a, pair.joint_b)).collect();
    let sides = [parry.side(0, &mut a.borrow_mut()), parry.side(1, &mut b.borrow_mut())];
    let count = RefCell::new(0);
    let places = [glam::Affine3A::IDENTITY, place(meeting)];
    let matrices = [0, 1].map(|side| binding_matrices(&characters[side], &places[side], &meeting.poses[side]));
    let parry = RefCell::new(parry);
    least(5, nothing, || *count.borrow_mut() = parry.borrow_mut().pieces(&candidates, &sides), pieces);
    let mut used = [Vec::new(), Vec::new()];
    let touches = parry.borrow_mut().first(&candidates, &sides, &mut used);
    // parry finds small triangles that are apart, so it may find a touch where there is none.
    assert!(touches || expected == 0);
    let mut ignored = [Vec::new(), Vec::new()];
    least(5, nothing, || _ = black_box(parry.borrow_mut().first(&candidates, &sides, &mut ignored)), one);
    let mut points = Vec::new();
    for (joints, times) in [(joints_of(&candidates), of_pieces), (used, of_one)] {
        let skin_all = || {
            for side in 0..2 {
                let skin = characters[side].baked().skin.as_ref().expect("a skin");
                for piece in skin.pieces.iter().filter(|piece| joints[side].contains(&piece.joint)) {
                    skin_vertices(piece, &matrices[side], &mut points);
                    black_box(&points);
                }
            }
        };
        least(REPETITIONS, nothing, skin_all, times);
    }
    parry.borrow_mut().differences += count.borrow().abs_diff(expected);
}

/// `world_from_mesh` of each binding of the skin.
fn binding_matrices(
    character: &Character,
    place: &glam::Affine3A,
    model_from_joint: &[glam::Affine3A],
) -> Vec<glam::Affine3A> {
    let skin = character.baked().skin.as_ref().expect("a skin");
    let matrix = |binding: &SkinBinding| *place * model_from_joint[binding.joint.index()] * binding.joint_from_mesh;
    skin.bindings.iter().map(matrix).collect()
}

/// Poses the vertices and cuts of a piece one after the other, as a program that uses parry has to.
fn skin_vertices(piece: &SkinPiece, matrices: &[glam::Affine3A], points: &mut Vec<Vec3>) {
    points.clear();
    let mut start = 0;
    for (position, count) in piece.positions.iter().zip(piece.influences_per_vertex()) {
        let influences = piece.influences[start..start + count].iter().zip(&piece.weights[start..start + count]);
        start += count;
        let (mut linear, mut translation) = (Mat3A::ZERO, Vec3A::ZERO);
        for (&binding, &weight) in influences {
            let matrix = &matrices[usize::from(binding)];
            linear += matrix.matrix3 * weight;
            translation += matrix.translation * weight;
        }
        points.push((linear * Vec3A::from(*position) + translation).into());
    }
    for cut in &piece.cuts {
        let [a, b, c] = cut.corners.map(|corner| points[corner as usize]);
        points.push(a * cut.weights[0] + b * cut.weights[1] + c * cut.weights[2]);
    }
}

/// The joints of each side, sorted, each once.
fn joints_of(candidates: &[(JointIndex, JointIndex)]) -> [Vec<JointIndex>; 2] {
    let mut joints: [Vec<_>; 2] =
        [candidates.iter().map(|pair| pair.0).collect(), candidates.iter().map(|pair| pair.1).collect()];
    for joints in &mut joints {
        joints.sort_unstable();
        joints.dedup();
    }
    joints
}

/// Meshes of parry with the vertices of the skin: for each side, one mesh for each joint.
struct Parry {
    joints: [BTreeMap<JointIndex, Mesh>; 2],
    differences: usize,
}

struct Mesh {
    mesh: TriMesh,
    /// For each vertex, a triangle and a corner of that triangle at the vertex.
    from: Vec<(usize, usize)>,
}

/// The posed vertices of each joint.
type Side = BTreeMap<JointIndex, Vec<Vec3>>;

impl Mesh {
    fn new(triangles: &[SkinTriangle]) -> Self {
        let mut known: HashMap<[u32; 3], u32> = HashMap::new();
        let (mut vertices, mut from, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        for (triangle, one) in triangles.iter().enumerate() {
            let mut corner = 0;
            indices.push(one.corners.map(|at| {
                let vertex = *known.entry(at.to_array().map(f32::to_bits)).or_insert_with(|| {
                    vertices.push(at);
                    from.push((triangle, corner));
                    vertices.len() as u32 - 1
                });
                corner += 1;
                vertex
            }));
        }
        Self { mesh: TriMesh::new(vertices, indices).expect("a mesh"), from }
    }

    fn vertices(&self, triangles: &[SkinTriangle]) -> Vec<Vec3> {
        self.from.iter().map(|&(triangle, corner)| triangles[triangle].corners[corner]).collect()
    }
}

fn by_joint(posed: &mut PosedCharacter) -> BTreeMap<JointIndex, Vec<SkinTriangle>> {
    let mut all = Vec::new();
    posed.skin_triangles(&mut all).expect("a skin");
    let mut joints: BTreeMap<JointIndex, Vec<SkinTriangle>> = BTreeMap::new();
    all.iter().for_each(|triangle| joints.entry(triangle.joint).or_default().push(*triangle));
    joints
}

impl Parry {
    fn new(both: [&mut PosedCharacter; 2]) -> Self {
        let meshes = |posed: &mut PosedCharacter| {
            by_joint(posed).into_iter().map(|(joint, triangles)| (joint, Mesh::new(&triangles))).collect()
        };
        Self { joints: both.map(meshes), differences: 0 }
    }

    fn side(&self, which: usize, posed: &mut PosedCharacter) -> Side {
        let of_joint = |(joint, triangles): (JointIndex, Vec<SkinTriangle>)| {
            (joint, self.joints[which][&joint].vertices(&triangles))
        };
        by_joint(posed).into_iter().map(of_joint).collect()
    }

    /// Refits the meshes of the joints in the candidates, then counts the candidates that touch. The time of skinning
    /// is not part of parry's time.
    fn pieces(&mut self, candidates: &[(JointIndex, JointIndex)], sides: &[Side; 2]) -> usize {
        for (which, joints) in joints_of(candidates).iter().enumerate() {
            joints.iter().for_each(|&joint| self.refit(which, joint, sides));
        }
        candidates.iter().filter(|pair| self.touch(pair)).count()
    }

    /// Looks for any candidate that touches. Refits the mesh of a joint when a candidate first needs it; writes these
    /// joints of each side to `used`.
    fn first(
        &mut self,
        candidates: &[(JointIndex, JointIndex)],
        sides: &[Side; 2],
        used: &mut [Vec<JointIndex>; 2],
    ) -> bool {
        used.iter_mut().for_each(Vec::clear);
        candidates.iter().any(|pair| {
            for (which, joint) in [pair.0, pair.1].into_iter().enumerate() {
                if !used[which].contains(&joint) {
                    used[which].push(joint);
                    self.refit(which, joint, sides);
                }
            }
            self.touch(pair)
        })
    }

    fn refit(&mut self, which: usize, joint: JointIndex, sides: &[Side; 2]) {
        let mesh = self.joints[which].get_mut(&joint).expect("a piece");
        mesh.mesh.set_vertices(&sides[which][&joint]);
    }

    fn touch(&self, &(a, b): &(JointIndex, JointIndex)) -> bool {
        let [a, b] = [&self.joints[0][&a].mesh, &self.joints[1][&b].mesh];
        intersection_test(&Pose::IDENTITY, a, &Pose::IDENTITY, b).expect("supported").intersecting
    }
}

/// Casts rays from all around at the center of the character.
fn rays(kernel: Kernel, name: &str, character: &Character, meetings: &[Meeting]) {
    let mut posed = tracking(kernel);
    let place = glam::Affine3A::IDENTITY;
    let matrices = &meetings[0].poses[0];
    posed.pose_from_model(character, &place, matrices).expect("a pose");
    let bounds = posed.bounds();
    let (middle, size) = ((bounds.min + bounds.max) * 0.5, bounds.max - bounds.min);
    let rays: Vec<Ray> = (0..64u16)
        .map(|index| {
            let share = |k: u16| f32::from((index * k) % 64) / 64.0 - 0.5;
            let target = middle + size * Vec3::new(share(7), share(11), share(13)) * 0.6;
            let origin = middle + size.max_element() * 3.0 * Vec3::new(share(5) + 0.01, share(3) * 0.2, share(9));
            Ray::try_new(origin, target - origin).expect("a direction")
        })
        .collect();
    let (mut boxes, mut warm, mut cold) = (Duration::MAX, Duration::MAX, Duration::MAX);
    let mut hits = 0;
    for _ in 0..40 {
        let start = Instant::now();
        rays.iter().for_each(|ray| {
            black_box(posed.cast_ray(ray, None));
        });
        boxes = boxes.min(start.elapsed());
        // The rays of the loop below left most of the skin without a pose.
        rays.iter().for_each(|ray| {
            black_box(posed.exact_ray(ray, None).expect("a skin"));
        });
        let start = Instant::now();
        hits = rays.iter().filter(|ray| posed.exact_ray(ray, None).expect("a skin").is_some()).count();
        warm = warm.min(start.elapsed());
        let mut sum = Duration::ZERO;
        for ray in &rays {
            posed.pose_from_model(character, &place, matrices).expect("a pose");
            let start = Instant::now();
            black_box(posed.exact_ray(ray, None).expect("a skin"));
            sum += start.elapsed();
        }
        cold = cold.min(sum);
    }
    let each = |time: Duration| time.as_secs_f64() * 1e9 / rays.len() as f64;
    println!(
        "| {name}, ray, ns | {hits} of {} hit | boxes {:.0} | skin posed already {:.0} | cold {:.0} |",
        rays.len(),
        each(boxes),
        each(warm),
        each(cold)
    );
}

/// Casts rays at the posed skin, in turns with parry's mesh of the same triangles: rays that hit, and rays that pass through the
/// bounds and miss. They are so many that the processor cannot learn their branches.
fn rays_beside_parry(kernel: Kernel, name: &str, character: &Character, meetings: &[Meeting]) {
    const RAYS: usize = 4096;
    let (mut posed, mut triangles, mut random) = (tracking(kernel), Vec::new(), Random::new(6));
    posed.pose_from_model(character, &glam::Affine3A::IDENTITY, &meetings[0].poses[0]).expect("a pose");
    posed.skin_triangles(&mut triangles).expect("a skin");
    let mesh = Mesh::new(&triangles).mesh;
    let (bounds, mut cases) = (posed.bounds(), [Vec::new(), Vec::new()]);
    let size = bounds.max - bounds.min;
    while cases.iter().any(|rays| rays.len() < RAYS) {
        let mut within = || bounds.min + size * Vec3::from_array(std::array::from_fn(|_| random.between(0.0, 1.0)));
        let (through, to) = (within(), within());
        let direction = (to - through).normalize();
        let ray = Ray::try_new(through - direction * 3.0 * size.max_element(), direction).expect("a direction");
        let is_hit = posed.exact_ray(&ray, None).expect("a skin").is_some();
        let rays = &mut cases[usize::from(!is_hit)];
        if rays.len() < RAYS {
            rays.push((ray, parry3d::query::Ray::new(ray.origin(), ray.direction())));
        }
    }
    for (rays, what) in cases.iter().zip(["hit", "missed inside the bounds"]) {
        let (mut ours, mut parrys) = (Duration::MAX, Duration::MAX);
        let (mut hits, mut hits_of_parry) = (0, 0);
        for _ in 0..40 {
            let start = Instant::now();
            hits = rays.iter().filter(|(ray, _)| posed.exact_ray(ray, None).expect("a skin").is_some()).count();
            ours = ours.min(start.elapsed());
            let start = Instant::now();
            let is_hit = |ray| mesh.cast_local_ray_and_get_normal(ray, f32::MAX, false).is_some();
            hits_of_parry = rays.iter().filter(|(_, ray)| is_hit(ray)).count();
            parrys = parrys.min(start.elapsed());
        }
        assert!(hits.abs_diff(hits_of_parry) <= RAYS / 1000, "{hits} and {hits_of_parry} of {RAYS} hit");
        let [ours, parrys] = [ours, parrys].map(|time| time.as_secs_f64() * 1e9 / RAYS as f64);
        println!("| {name}, {RAYS} rays, {what}, ns | {ours:.0} | parry {parrys:.0} | {:.2} x |", parrys / ours);
    }
}
