//! Every kernel that the processor has: box tests against `geometry_core::Obb::overlaps`, and bounds and posed boxes
//! against plain forms.

use super::posing::place_box;
use super::*;
use geometry_core::Obb;
use glam::{Mat3, Quat, Vec3};
use proptest::prelude::*;

fn unit(q: [f32; 4]) -> Quat {
    let q = Quat::from_array(q);
    if q.length_squared() > 1e-3 { q.normalize() } else { Quat::IDENTITY }
}

/// Some boxes: of [`any_box`], or boxes that share axes, faces, edges and corners.
fn any_boxes(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Obb>> {
    let unkind = (any::<u64>().no_shrink(), count.clone()).prop_map(|(seed, count)| {
        let parts = test_models::Random::new(seed).unkind_boxes(count);
        parts.into_iter().map(|one| Obb::from_orientation(one.center, one.half_extents, one.orientation)).collect()
    });
    prop_oneof![2 => prop::collection::vec(any_box(), count), 1 => unkind]
}

/// Ordinary, flat, line and point boxes; axes at random, along the world's, or nearly.
fn any_box() -> impl Strategy<Value = Obb> {
    // The range does not begin at 0.05: if the lower end of a range is not a multiple of the unit in the last place of
    // its upper end, proptest 1.12 panics in about one of 2^24 draws, and one run of this test draws about 100,000 numbers.
    let half = prop::array::uniform3(prop_oneof![4 => 0.0625f32..1.0, 1 => Just(0.0), 1 => Just(1.0)]);
    let turn = prop_oneof![
        3 => prop::array::uniform4(-1.0f32..1.0).prop_map(unit),
        1 => Just(Quat::IDENTITY),
        1 => (-1e-4f32..1e-4).prop_map(|angle| unit([angle, 0.0, 0.0, 1.0])),
        1 => Just(unit([0.0, 0.0, 1.0, 1.0])),
    ];
    let center = prop_oneof![
        3 => prop::array::uniform3(-1.5f32..1.5),
        1 => prop::array::uniform3(-2i8..3).prop_map(|at| at.map(f32::from)),
    ];
    (center, half, turn).prop_map(|(center, half, turn)| Obb::from_orientation(center.into(), half.into(), turn))
}

fn scaled(one: &Obb, scale: f32, offset: Vec3) -> Obb {
    Obb::new(one.center() * scale + offset, one.half_extents() * scale, one.axes())
}

/// Boxes as a character holds them.
struct Boxes {
    records: Vec<Record>,
    blocks: Vec<BoundsBlock>,
    near: Vec<u16>,
}

impl Boxes {
    fn new(boxes: &[Obb]) -> Self {
        let records: Vec<_> = boxes.iter().map(Record::of_box).collect();
        let mut blocks = vec![BoundsBlock::EMPTY; records.len().div_ceil(LANES)];
        records.iter().enumerate().for_each(|(i, one)| blocks[i / LANES].set(i % LANES, &one.bounds()));
        Self { near: vec![u16::MAX; blocks.len()], records, blocks }
    }

    fn side(&self) -> Side<'_, '_> {
        Side { blocks: &self.blocks, records: &self.records, near: &self.near, start: 0 }
    }
}

fn assert_all_kernels_agree(query: &Obb, boxes: &[Obb]) {
    for kernel in Kernel::available() {
        // `add_candidates` collects the candidates, and `flush` tests them. A record stores no axis z, so the expected answers
        // are computed from the records.
        let (one, many) = (Boxes::new(std::slice::from_ref(query)), Boxes::new(boxes));
        let query = one.records[0].posed_obb();
        let expected: Vec<usize> =
            (0..boxes.len()).filter(|&index| query.overlaps(&many.records[index].posed_obb())).collect();
        let mut batch = Batch::new();
        let mut by_pairs = Vec::new();
        let mut touch = |tag: u32, found: &[u32]| {
            let found = found.iter().map(|&key| boxes_of(key));
            assert!(tag == 9 && found.clone().all(|[first, _]| first == 0));
            by_pairs.extend(found.map(|[_, second]| usize::from(second)));
            true
        };
        assert!(add_candidates(kernel, &one.side(), &many.side(), 9, &mut batch, &mut touch));
        assert!(flush(kernel, &mut batch, &mut touch));
        assert_eq!(by_pairs, expected, "{kernel:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn kernels_give_the_answer_of_single_pairs(
        boxes in any_boxes(2..41),
        exponent in -4i32..5,
        offset in prop_oneof![Just(0.0f32), Just(1e3), Just(1e6)],
    ) {
        let place = |one: &Obb| scaled(one, 10f32.powi(exponent), Vec3::splat(offset));
        let boxes: Vec<_> = boxes.iter().map(place).collect();
        assert_all_kernels_agree(&boxes[0], &boxes[1..]);
    }

    #[test]
    fn kernels_agree_near_contact(boxes in any_boxes(2..21), steps in -4i32..5) {
        let query = boxes[0];
        // Each box is moved along the direction of least penetration until it touches, and then by a few roundings more.
        let touching = |one: &Obb| {
            let separation = query.separation(one);
            let way = separation.direction * -separation.gap;
            let mut center = one.center() + way;
            for _ in 0..steps.abs() {
                center = center.map(|c| if steps > 0 { c.next_up() } else { c.next_down() });
            }
            Obb::new(center, one.half_extents(), one.axes())
        };
        assert_all_kernels_agree(&query, &boxes[1..].iter().map(touching).collect::<Vec<_>>());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Some of the boxes of two characters, of up to five blocks: those of the second one are packed if they are few.
    #[test]
    fn kernels_find_the_pairs_of_chosen_boxes(
        boxes in any_boxes(2..119),
        first in 1usize..40,
        chosen in prop::collection::vec(any::<(u16, u16)>(), 5),
        start in prop_oneof![Just(0usize), Just(1024)],
    ) {
        let (a, b) = boxes.split_at(first.min(boxes.len() - 1));
        let (mut a, mut b) = (Boxes::new(a), Boxes::new(b));
        // The records before a side's first block are never read.
        b.records.splice(0..0, vec![Record::NONE; start]);
        let choose = |side: &mut Boxes, start: usize, masks: &mut dyn Iterator<Item = u16>| {
            let count = side.records.len() - start;
            for (block, near) in side.near.iter_mut().enumerate() {
                let there = u16::MAX >> LANES.saturating_sub(count - block * LANES);
                *near = masks.next().unwrap_or(0) & there;
            }
        };
        choose(&mut a, 0, &mut chosen.iter().map(|(of_a, _)| *of_a));
        choose(&mut b, start, &mut chosen.iter().map(|(_, of_b)| *of_b));
        let mut expected = Vec::new();
        for first in a.side().near_boxes() {
            for second in b.side().near_boxes() {
                let [one, other] = [a.records[first], b.records[start + second]].map(|record| record.posed_obb());
                if one.overlaps(&other) {
                    expected.push([first as u16, (start + second) as u16]);
                }
            }
        }
        for kernel in Kernel::available() {
            let (mut batch, mut found) = (Batch::new(), Vec::new());
            let mut sink = |_: u32, some: &[u32]| {
                found.extend(some.iter().map(|&key| boxes_of(key)));
                true
            };
            let b = Side { start, ..b.side() };
            prop_assert!(add_candidates(kernel, &a.side(), &b, 0, &mut batch, &mut sink));
            prop_assert!(flush(kernel, &mut batch, &mut sink));
            prop_assert_eq!(&found, &expected, "{:?}", kernel);
        }
    }
}

#[test]
fn boxes_of_no_size_meet_where_they_are() {
    let point = |x: f32| Obb::new(Vec3::new(x, 0.0, 0.0), Vec3::ZERO, Mat3::IDENTITY);
    let boxes = [0.0, 1e-38, 1e-30, 1e-20, 1.0].map(point);
    assert_all_kernels_agree(&point(0.0), &boxes);
    let tiny = |x: f32, half: f32| Obb::new(Vec3::new(x, x, 0.0), Vec3::splat(half), Mat3::IDENTITY);
    for size in [1e-44, 1e-38, 1e-23, 1e-19, 1e-10, 1e10] {
        let boxes = [0.0, 0.5, 1.0, 1.999_999, 2.0, 2.000_001, 3.0].map(|x| tiny(x * size, size));
        assert_all_kernels_agree(&tiny(0.0, size), &boxes);
    }
}

#[test]
fn plates_a_hair_apart_are_told_apart_alike() {
    let plate = |z: f32| Obb::new(Vec3::new(0.0, 0.0, z), Vec3::new(1.0, 1.0, 0.0), Mat3::IDENTITY);
    assert_all_kernels_agree(&plate(0.0), &[0.0, 1e-30, 1e-16, 1e-15, 4e-15, 1e-14, 1e-10, 1e-6].map(plate));
}

#[test]
fn every_kernel_finds_the_bounds_within_a_distance() {
    let boxes: Vec<Obb> = (0..40)
        .map(|i| Obb::new(Vec3::new(i as f32 * 0.25, 0.1 * i as f32, 0.0), Vec3::splat(0.125), Mat3::IDENTITY))
        .collect();
    let boxes_in_lanes = Boxes::new(&boxes);
    let region = Bounds { min: Vec3::new(4.0, 0.5, -2.0), max: Vec3::new(5.0, 1.0, -1.0) };
    for limit in [0.0, 1.0, 1.5, 30.0, f32::INFINITY] {
        let mut expected = vec![0; boxes_in_lanes.blocks.len()];
        lanes_within(Kernel::Scalar, &region, &boxes_in_lanes.blocks, limit, &mut expected);
        let count: u32 = expected.iter().map(|mask| mask.count_ones()).sum();
        let is_near = |lane: &usize| {
            let bounds = boxes_in_lanes.blocks[lane / LANES].get(lane % LANES);
            (region.min - bounds.max).max(bounds.min - region.max).max(Vec3::ZERO).length_squared() <= limit
        };
        assert_eq!(count as usize, (0..LANES * expected.len()).filter(is_near).count(), "{limit}");
        for kernel in Kernel::available() {
            let mut masks = vec![u16::MAX; expected.len()];
            lanes_within(kernel, &region, &boxes_in_lanes.blocks, limit, &mut masks);
            assert_eq!(masks, expected, "{kernel:?} {limit}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The bounds are apart along any axis, touch, or overlap.
    #[test]
    fn every_kernel_finds_the_bounds_that_share_a_point(
        places in prop::collection::vec((prop::array::uniform3(-6i8..7), prop::array::uniform3(0u8..4)), 1..60),
        center in prop::array::uniform3(-4i8..5),
        size in prop::array::uniform3(0u8..6),
        limit in 0u8..20,
    ) {
        // Halves are exact in `f32`, so bounds often touch.
        let bounds = |center: [i8; 3], size: [u8; 3]| {
            let (center, half) = (Vec3::from(center.map(f32::from)), 0.5 * Vec3::from(size.map(f32::from)));
            Bounds { min: center - half, max: center + half }
        };
        let region = bounds(center, size);
        let mut blocks = vec![BoundsBlock::EMPTY; places.len().div_ceil(LANES)];
        for (lane, &(center, size)) in places.iter().enumerate() {
            blocks[lane / LANES].set(lane % LANES, &bounds(center, size));
        }
        let expected = |is_found: &dyn Fn(&Bounds) -> bool| {
            let mut masks = vec![0u16; blocks.len()];
            for (lane, &(center, size)) in places.iter().enumerate() {
                masks[lane / LANES] |= u16::from(is_found(&bounds(center, size))) << (lane % LANES);
            }
            masks
        };
        let gap = |one: &Bounds| (region.min - one.max).max(one.min - region.max).max(Vec3::ZERO);
        let near = expected(&|one| gap(one) == Vec3::ZERO);
        let within = expected(&|one| gap(one).length_squared() <= f32::from(limit));
        for kernel in Kernel::available() {
            let mut masks = vec![u16::MAX; blocks.len()];
            bounds_masks(kernel, &region, &blocks, &mut masks);
            prop_assert_eq!(&masks, &near, "{:?}", kernel);
            masks.fill(u16::MAX);
            lanes_within(kernel, &region, &blocks, f32::from(limit), &mut masks);
            prop_assert_eq!(&masks, &within, "{:?}", kernel);
        }
    }
}

#[test]
fn near_bounds_never_lose_a_box_that_reaches_in() {
    let boxes: Vec<Obb> =
        (0..40).map(|i| Obb::new(Vec3::X * (i as f32 * 0.25), Vec3::splat(0.125), Mat3::IDENTITY)).collect();
    let boxes_in_lanes = Boxes::new(&boxes);
    let region = Bounds { min: Vec3::new(1.0, -1.0, -1.0), max: Vec3::new(2.0, 1.0, 1.0) };
    for kernel in Kernel::available() {
        let mut masks = vec![0; boxes_in_lanes.blocks.len()];
        bounds_masks(kernel, &region, &boxes_in_lanes.blocks, &mut masks);
        for (index, one) in boxes.iter().enumerate() {
            let x = one.center().x;
            assert_eq!(
                masks[index / LANES] >> (index % LANES) & 1 == 1,
                (0.875..=2.125).contains(&x),
                "{kernel:?} {x}"
            );
        }
        assert_eq!(masks[2] >> 8, 0, "{kernel:?}: lanes without a box");
    }
}

#[test]
fn full_batches_keep_the_order_and_stop_when_told() {
    // Under Miri, which checks the unchecked reads of `batch.rs` here, 100 boxes would take minutes.
    let count = if cfg!(miri) { 16 } else { 100 };
    let boxes: Vec<Obb> = (0..count).map(|_| Obb::new(Vec3::ZERO, Vec3::ONE, Mat3::IDENTITY)).collect();
    let boxes = Boxes::new(&boxes);
    for kernel in Kernel::available() {
        for stop in [usize::MAX, 1, 130, 5000] {
            let mut found = Vec::new();
            let mut touch = |_: u32, some: &[u32]| {
                found.extend(some.iter().map(|&key| boxes_of(key)));
                found.len() < stop
            };
            let mut batch = Batch::for_first();
            if add_candidates(kernel, &boxes.side(), &boxes.side(), 0, &mut batch, &mut touch) {
                flush(kernel, &mut batch, &mut touch);
            }
            assert!(found.is_sorted());
            // Pairs that were tested together with the last pair are reported too.
            let most = stop.saturating_add(LANES - 1).min(count * count);
            assert!((stop.min(count * count)..=most).contains(&found.len()), "{kernel:?}: {}", found.len());
        }
    }
}

#[test]
fn the_best_kernel_is_the_last_that_is_there() {
    assert_eq!(Some(Kernel::best()), Kernel::available().last());
    println!("kernels here: {:?}", Kernel::available().collect::<Vec<_>>());
}

/// Ordinary joints; and mirrored, stretched, sheared, collapsed, tiny and huge ones.
fn any_matrix() -> impl Strategy<Value = Affine3A> {
    let turn = prop::array::uniform4(-1.0f32..1.0).prop_map(unit);
    let scale = prop_oneof![
        6 => Just([1.0f32; 3]),
        3 => prop::array::uniform3(0.5f32..2.0),
        1 => prop::array::uniform3(0.01f32..10.0),
        1 => (-2f32..2.0).prop_map(|s| [s; 3]),
        1 => Just([0.0; 3]),
        1 => Just([1.0, 0.0, 1.0]),
        1 => Just([1e-9; 3]),
        1 => Just([1e9; 3]),
    ];
    let shear = prop_oneof![6 => Just(0.0f32), 1 => -1.0f32..1.0, 1 => -1e-4f32..1e-4];
    (turn, scale, shear, prop::array::uniform3(-100f32..100.0)).prop_map(|(turn, scale, shear, at)| {
        let shear = Mat3::from_cols(Vec3::X, Vec3::new(shear, 1.0, 0.0), Vec3::Z);
        let linear = Mat3::from_quat(turn) * Mat3::from_diagonal(scale.into()) * shear;
        Affine3A::from_mat3_translation(linear, at.into())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_kernel_poses_the_same_bits(
        world in any_matrix(),
        matrices in prop::collection::vec(any_matrix(), 24),
        bad in prop_oneof![4 => Just(None), 1 => (0usize..24).prop_map(Some)],
        boxes in 1usize..24,
        of_each in 1usize..4,
    ) {
        let mut baked = baked_characters::baked_figure("figure");
        baked.boxes.truncate(boxes);
        // Up to 69 boxes: several whole blocks, and a rest.
        baked.boxes = baked.boxes.iter().flat_map(|one| vec![one.clone(); of_each]).collect();
        let figure = crate::Character::from_baked(baked);
        let mut matrices = matrices;
        if let Some(joint) = bad {
            matrices[joint] = Affine3A::NAN;
        }
        let mut expected = crate::PosedCharacter::with_kernel(Kernel::Scalar);
        let result = expected.pose_from_model(&figure, &world, &matrices);
        prop_assert!(result.is_err() || bad.is_none_or(|joint| joint >= boxes));
        let in_model = JointMatrices { world_from_model: Some(&world), joints: &matrices };
        let placed: Option<Vec<Record>> =
            figure.hitboxes.shapes.iter().map(|shape| place_box(shape, &in_model)).collect();
        prop_assert_eq!(result.is_ok(), placed.is_some());
        if let Some(placed) = placed {
            prop_assert_eq!(format!("{:?}", expected.records), format!("{placed:?}"));
            for (index, one) in placed.iter().enumerate() {
                prop_assert_eq!(expected.blocks[index / LANES].get(index % LANES), one.bounds());
            }
            prop_assert_eq!(expected.bounds, Bounds::around(&expected.blocks));
        }
        for kernel in Kernel::available() {
            let mut posed = crate::PosedCharacter::with_kernel(kernel);
            posed.pose_from_model(&figure, &Affine3A::IDENTITY, &vec![Affine3A::IDENTITY; 24]).unwrap();
            prop_assert_eq!(&posed.pose_from_model(&figure, &world, &matrices), &result, "{:?}", kernel);
            // The text of a number shows the sign of a zero, which `==` ignores.
            let text = |posed: &crate::PosedCharacter| format!("{:?} {:?} {:?}", posed.records, posed.blocks, posed.bounds);
            prop_assert_eq!(text(&posed), text(&expected), "{:?}", kernel);
            prop_assert!(posed.boxes().all(|one| one.obb().axes() == one.axes), "geometry-core keeps the axes");
            let mut in_world = crate::PosedCharacter::with_kernel(Kernel::Scalar);
            let result = in_world.pose_from_world(&figure, &matrices);
            prop_assert_eq!(&posed.pose_from_world(&figure, &matrices), &result, "{:?}", kernel);
            prop_assert_eq!(text(&posed), text(&in_world), "{:?}, from world", kernel);
        }
    }

    #[test]
    fn every_kernel_finds_the_boxes_of_envelopes_one_after_the_other(
        world in prop_oneof![Just(None), any_matrix().prop_map(Some)],
        turns in prop::collection::vec((prop::array::uniform4(-1f32..1.0).prop_map(unit), -0.1f32..0.1), 24),
        bad in prop_oneof![4 => Just(None), 1 => (0usize..24, any_matrix()).prop_map(Some)],
    ) {
        let figure = crate::Character::from_baked(baked_characters::baked_figure_for_any_pose("figure"));
        let turned = |&(turn, way): &(Quat, f32)| Affine3A::from_rotation_translation(turn, Vec3::new(way, 1.0 + way, 0.0));
        let mut matrices: Vec<Affine3A> = turns.iter().map(turned).collect();
        if let Some((joint, matrix)) = bad {
            matrices[joint] = matrix;
        }
        let matrices = JointMatrices { world_from_model: world.as_ref(), joints: &matrices };
        let placed: Option<Vec<Record>> =
            figure.hitboxes.shapes.iter().map(|shape| place_box(shape, &matrices)).collect();
        prop_assume!(placed.is_some());
        let (placed, table) = (placed.unwrap(), figure.hitboxes.envelopes.as_ref().unwrap());
        let boxes = |kernel: Option<Kernel>| {
            let (mut records, mut bounds) = (placed.clone(), vec![BoundsBlock::EMPTY; placed.len().div_ceil(LANES)]);
            let refused = match kernel {
                Some(kernel) => envelopes(kernel, table, &matrices, &mut records, &mut bounds),
                None => envelope_boxes(table, &matrices, &mut records, &mut bounds),
            };
            // What a refused pose leaves behind has no meaning.
            (refused, refused.is_none().then(|| format!("{records:?} {bounds:?}")))
        };
        let expected = boxes(None);
        for kernel in Kernel::available() {
            prop_assert_eq!(&boxes(Some(kernel)), &expected, "{:?}", kernel);
        }
    }
}
