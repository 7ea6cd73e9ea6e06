//! Sweeps and casts against a slow twin that tests every pair of hitboxes by itself, to the last bit and on every kernel.

use crate::shapes::shapes;
use geometry_core::{BoxedShape, Capsule, Obb, ObbMotion, Sphere};
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;
use runtime::kernels::Kernel;
use runtime::{
    BodyMotion, BoxIndex, CastHit, CastShape, Character, ClipIndex, ClipSampler, PosedCharacter, SweepBuffers,
    SweepHit, cast_shape, cast_shape_all, cast_shape_any, sweep, sweep_all, sweep_boxes,
};
use std::sync::LazyLock;
use test_models::Random;

static SHAPES: LazyLock<Character> = LazyLock::new(|| shapes("shapes"));

/// A tolerance so small that boxes with separate bounds, which sweeps skip, have a larger gap.
const TOLERANCE: f32 = 1e-6;

#[derive(Clone, Copy, Debug)]
struct Place {
    matrix: Affine3A,
    time: f32,
}

impl Place {
    fn new(at: [f32; 3], turn: f32, scale: f32, time: f32) -> Self {
        let turn = Quat::from_xyzw(0.0, turn, 0.1, 1.0).normalize();
        Self { matrix: Affine3A::from_scale_rotation_translation(Vec3::splat(scale), turn, at.into()), time }
    }

    fn posed(self, kernel: Kernel) -> PosedCharacter {
        let mut posed = PosedCharacter::with_kernel(kernel);
        let mut sampler = ClipSampler::with_kernel(kernel);
        posed.pose_from_clip(&mut sampler, &SHAPES, &self.matrix, ClipIndex(1), self.time).unwrap();
        posed
    }
}

/// A first pose, and a last one that is near it, or the same, or far away.
fn way(reach: f32) -> impl Strategy<Value = [Place; 2]> {
    let at = move || prop::array::uniform3(-reach..reach);
    let step = prop_oneof![4 => prop::array::uniform3(-0.2f32..0.2), 1 => Just([0.0; 3]), 1 => at()];
    let turn = prop_oneof![2 => -0.2f32..0.2, 1 => Just(0.0), 1 => -3f32..3.0];
    (at(), step, -1f32..1.0, turn, prop_oneof![Just(1f32), 0.3f32..3.0], 0f32..0.9, 0f32..0.1).prop_map(
        |(at, step, turn, more, scale, time, later)| {
            let last = std::array::from_fn(|c| at[c] + step[c]);
            let later = if step == [0.0; 3] { 0.0 } else { later };
            [Place::new(at, turn, scale, time), Place::new(last, turn + more, scale, time + later)]
        },
    )
}

/// Two ways, of which the second is farther from the origin; or ways in steps of 15 degrees and a quarter of a unit, also far from
/// the origin, mirrored, and scaled unevenly or to nothing.
fn ways(reaches: [f32; 2]) -> impl Strategy<Value = [[Place; 2]; 2]> {
    let unkind = (any::<u64>().no_shrink(), 0f32..0.9, 0f32..0.1).prop_map(|(seed, time, later)| {
        let matrices = Random::new(seed).unkind_matrices::<4>();
        let at = |k: usize, time| Place { matrix: matrices[k], time };
        [[at(0, time), at(1, time + later)], [at(2, time), at(3, time)]]
    });
    prop_oneof![2 => reaches.map(way), 1 => unkind]
}

struct Moving {
    motion: ObbMotion,
    shape: BoxedShape,
    joint: skeleton::JointIndex,
}

fn motion(from: &Obb, to: &Obb) -> ObbMotion {
    let half = from.half_extents().max(to.half_extents());
    ObbMotion::between(&Obb::new(from.center(), half, from.axes()), to)
}

fn motions(from: &PosedCharacter, to: &PosedCharacter) -> Vec<Moving> {
    let one = |(from, to): (runtime::PosedHitbox, runtime::PosedHitbox)| Moving {
        motion: motion(&from.obb(), &to.obb()),
        shape: from.shape.boxed(),
        joint: from.joint,
    };
    from.boxes().zip(to.boxes()).map(one).collect()
}

fn sweep_by_looking_at_all(a: &[Moving], b: &[Moving]) -> Vec<SweepHit> {
    let mut hits = Vec::new();
    for (box_a, one) in (0..).map(BoxIndex).zip(a) {
        for (box_b, other) in (0..).map(BoxIndex).zip(b) {
            let contact = one.motion.first_contact_of(one.shape, &other.motion, other.shape, TOLERANCE, 1.0);
            hits.extend(contact.map(|contact| {
                let (time, direction) = (contact.time, contact.direction);
                SweepHit { box_a, box_b, joint_a: one.joint, joint_b: other.joint, time, direction }
            }));
        }
    }
    hits
}

fn cast_by_looking_at_all<S: CastShape>(from: &S, to: &S, body: &[Moving]) -> Vec<CastHit> {
    let [first, last] = S::boxes(from, to);
    let moving = motion(&first, &last);
    let hit = |(box_index, one): (BoxIndex, &Moving)| {
        let contact = moving.first_contact_of(S::SHAPE.boxed(), &one.motion, one.shape, TOLERANCE, 1.0)?;
        Some(CastHit { box_index, joint: one.joint, time: contact.time, direction: contact.direction })
    };
    let mut hits: Vec<_> = (0..).map(BoxIndex).zip(body).filter_map(hit).collect();
    hits.sort_by_key(|hit| (hit.time.to_bits(), hit.box_index));
    hits
}

/// Casts the shape at the body as it moves, and as it stands still in its first pose.
fn assert_casts_agree<S: CastShape>(from: &S, to: &S, body: [Place; 2]) {
    for kernel in Kernel::available() {
        let [first, last] = body.map(|place| place.posed(kernel));
        for (last, body) in [(&last, BodyMotion::new(&first, &last).unwrap()), (&first, BodyMotion::still(&first))] {
            let mut hits = Vec::new();
            cast_shape_all(from, to, &body, TOLERANCE, &mut hits);
            let expected = cast_by_looking_at_all(from, to, &motions(&first, last));
            assert_eq!(hits, expected, "{kernel:?}");
            assert_eq!(cast_shape(from, to, &body, TOLERANCE), expected.first().copied(), "{kernel:?}");
            assert_eq!(cast_shape_any(from, to, &body, TOLERANCE), !expected.is_empty(), "{kernel:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn all_kernels_hit_what_looking_at_all_pairs_hits([a, b] in ways([0.3, 0.8])) {
        for kernel in Kernel::available() {
            let ([a_from, a_to], [b_from, b_to]) = (a.map(|place| place.posed(kernel)), b.map(|place| place.posed(kernel)));
            let expected = sweep_by_looking_at_all(&motions(&a_from, &a_to), &motions(&b_from, &b_to));
            let (a, b) = (BodyMotion::new(&a_from, &a_to).unwrap(), BodyMotion::new(&b_from, &b_to).unwrap());
            let mut hits = Vec::new();
            sweep_all(&a, &b, TOLERANCE, &mut hits);
            prop_assert_eq!(&hits, &expected, "{:?}", kernel);
            let first = expected.iter().min_by_key(|hit| (hit.time.to_bits(), hit.box_a, hit.box_b)).copied();
            prop_assert_eq!(sweep(&a, &b, TOLERANCE), first, "{:?}", kernel);
        }
    }

    /// Some boxes, in any order, twice, or with indices that do not exist; and some pairs that are not wanted.
    #[test]
    fn all_kernels_hit_with_some_boxes_what_looking_at_all_pairs_hits(
        [a, b] in ways([0.3, 0.8]),
        boxes in prop::collection::vec(0u16..70, 0..8),
        mask in any::<u16>(),
    ) {
        let boxes: Vec<_> = boxes.into_iter().map(BoxIndex).collect();
        let wanted = |a: BoxIndex, b: BoxIndex| mask >> ((a.index() + 3 * b.index()) % 16) & 1 == 1;
        let mut buffers = SweepBuffers::default();
        for kernel in Kernel::available() {
            let [[a0, a1], [b0, b1]] = [a, b].map(|way| way.map(|place| place.posed(kernel)));
            let (one, other) = (BodyMotion::new(&a0, &a1).unwrap(), BodyMotion::new(&b0, &b1).unwrap());
            let mut expected = sweep_by_looking_at_all(&motions(&a0, &a1), &motions(&b0, &b1));
            expected.retain(|hit| boxes.contains(&hit.box_a) && wanted(hit.box_a, hit.box_b));
            let mut hits = Vec::new();
            sweep_boxes(&one, &other, &boxes, wanted, TOLERANCE, &mut buffers, &mut hits);
            prop_assert_eq!(&hits, &expected, "{:?}", kernel);
        }
    }

    #[test]
    fn all_kernels_cast_boxes_as_looking_at_all_hitboxes_does(
        [body, _] in ways([0.3, 0.3]),
        at in prop::array::uniform3(-0.5f32..0.5),
        step in prop::array::uniform3(-1f32..1.0),
        turn in prop_oneof![Just(0.0), -0.3f32..0.3, -3f32..3.0],
    ) {
        let blade = |at: Vec3, turn: f32| {
            Obb::from_orientation(at + Vec3::Y, Vec3::new(0.02, 0.45, 0.03), Quat::from_xyzw(turn, 0.3, 0.2, 1.0).normalize())
        };
        assert_casts_agree(&blade(at.into(), 0.0), &blade(Vec3::from(at) + Vec3::from(step), turn), body);
    }

    #[test]
    fn all_kernels_cast_spheres_and_capsules_as_looking_at_all_hitboxes_does(
        [body, _] in ways([0.3, 0.3]),
        at in prop::array::uniform3(-0.5f32..0.5),
        step in prop::array::uniform3(-1f32..1.0),
        [along, more] in prop::array::uniform2(prop::array::uniform3(-0.5f32..0.5)),
        turns in any::<bool>(),
        radius in prop_oneof![4 => 0.01f32..0.3, 1 => Just(0.0)],
    ) {
        let (from, to) = (Vec3::from(at) + Vec3::Y, Vec3::from(at) + Vec3::from(step) + Vec3::Y);
        let ball = |center| Sphere::try_new(center, radius).unwrap();
        assert_casts_agree(&ball(from), &ball(to), body);
        let (along, more) = (Vec3::from(along), if turns { Vec3::from(more) } else { Vec3::ZERO });
        let staff = |center: Vec3, along| Capsule::try_new(center - along, center + along, radius).unwrap();
        assert_casts_agree(&staff(from, along), &staff(to, along + more), body);
    }
}
