//! The box test over vectors, once for all instruction sets.
//!
//! Each instruction set is a module with a vector type `V` of `WIDTH` lanes, a comparison's result `M`, and the
//! operations `splat load add sub mul div sqrt abs max all le bits load_quarters transpose4`; `kernel!` adds the test,
//! inlined into functions that carry the same `#[target_feature]`.
//!
//! Sums stand in the order of `geometry_core::first_stage`, whose tolerance is only relative to sizes: the
//! widest gap of all axes says as much as each of them, and a maximum is cheaper than fifteen comparisons. Leaving
//! early after some of the axes was tried and gains nothing on eight boxes at once, as one of them always stays.

macro_rules! kernel {
    ($feature:literal) => {
        use super::{Batch, OverlapSink, Side, settle};
        use crate::box_lanes::{Block, Bounds, BoundsBlock, LANES, Record, Row, ShapeBlock};
        use crate::enclosing_box::{ORDINARY, SKEW_SQUARED};
        use crate::joint_matrices::JointMatrices;
        use crate::kernels::NEAR_TOLERANCE;
        use crate::query::ray::Slabs;
        use geometry_core::MAX_COORDINATE;
        use geometry_core::tolerances::SEPARATION_TOLERANCE;
        use glam::{Affine3A, Vec3};
        use skeleton::JointIndex;

        /// A box in each lane: the numbers of [`Record`].
        type Boxes = [V; 16];

        #[target_feature(enable = $feature)]
        pub(super) fn masks(query: &Record, bounds: &Bounds, blocks: &[Block], masks: &mut [u16]) {
            for (block, mask) in blocks.iter().zip(masks) {
                *mask = 0;
                for at in (0..LANES).step_by(WIDTH) {
                    let near = bits(near(bounds, &block.bounds, at));
                    if near != 0 {
                        let (mut a, mut b) = ([splat(0.0); 16], [splat(0.0); 16]);
                        for i in 0..16 {
                            a[i] = splat(query.0[i]);
                            b[i] = load(&block.rows[i], at);
                        }
                        let (touching, unsure) = overlap(&a, &b);
                        let lane = |k: usize| Record(block.rows.map(|row| row[at + k]));
                        let unsure = unsure & near;
                        let touching = settle(touching & near, unsure, |k| (*query, lane(k)));
                        *mask |= touching << at;
                    }
                }
            }
        }

        #[target_feature(enable = $feature)]
        pub(super) fn bounds_masks(bounds: &Bounds, blocks: &[BoundsBlock], masks: &mut [u16]) {
            for (block, mask) in blocks.iter().zip(masks) {
                *mask = block_near(bounds, block);
            }
        }

        #[target_feature(enable = $feature)]
        pub(super) fn squared_gaps(bounds: &Bounds, block: &BoundsBlock, squares: &mut Row) {
            block.squared_gaps(bounds, squares);
        }

        #[target_feature(enable = $feature)]
        pub(super) fn ray_mask(slabs: &Slabs, block: &BoundsBlock, entries: &mut Row) -> u16 {
            slabs.mask(block, entries)
        }

        #[target_feature(enable = $feature)]
        pub(super) fn around(blocks: &[BoundsBlock]) -> Bounds {
            let (mut least, mut most) = ([splat(f32::INFINITY); 3], [splat(f32::NEG_INFINITY); 3]);
            for block in blocks {
                for at in (0..LANES).step_by(WIDTH) {
                    for c in 0..3 {
                        least[c] = min(least[c], load(&block.min[c], at));
                        most[c] = max(most[c], load(&block.max[c], at));
                    }
                }
            }
            // Columns to rows, so that all three components go at once.
            let [a, b, c, d] = transpose4([least[0], least[1], least[2], least[2]]);
            let (mut low, mut high) = ([0.0; LANES], [0.0; LANES]);
            store(min(min(a, b), min(c, d)), &mut low, 0);
            let [a, b, c, d] = transpose4([most[0], most[1], most[2], most[2]]);
            store(max(max(a, b), max(c, d)), &mut high, 0);
            let mut bounds = Bounds::EMPTY;
            for (low, high) in low[..WIDTH].chunks_exact(4).zip(high.chunks_exact(4)) {
                let corner = |of: &[f32]| Vec3::new(of[0], of[1], of[2]);
                bounds = bounds.union(&Bounds { min: corner(low), max: corner(high) });
            }
            bounds
        }

        #[target_feature(enable = $feature)]
        pub(super) fn near_pairs<'r>(
            a: &Side<'r, '_>,
            b: &Side<'r, '_>,
            tag: u32,
            batch: &mut Batch<'r>,
            touch: &mut OverlapSink<'_>,
        ) -> bool {
            if batch.has_no_source_left() && !flush(batch, touch) {
                return false;
            }
            batch.open(a, b, tag);
            let mut len = batch.len();
            for (i, (block, &near)) in a.blocks.iter().zip(a.near).enumerate() {
                let mut near = near;
                while near != 0 {
                    let lane = near.trailing_zeros() as usize;
                    near &= near - 1;
                    let bounds = block.get(lane);
                    let first = a.start + i * LANES + lane;
                    for (j, (block, &near)) in b.blocks.iter().zip(b.near).enumerate() {
                        if near == 0 {
                            continue;
                        }
                        if Batch::is_nearly_full(len) {
                            batch.set_len(len);
                            batch.close();
                            if !flush(batch, touch) {
                                return false;
                            }
                            batch.open(a, b, tag);
                            len = batch.len();
                        }
                        // Eight at a time, of which there may be none: few characters fill their last block.
                        const EIGHT: usize = 8;
                        for at in (0..LANES).step_by(if WIDTH > EIGHT { WIDTH } else { EIGHT }) {
                            let near = near >> at;
                            if WIDTH > EIGHT || near & 0xFF != 0 {
                                let mut mask = 0;
                                for part in (0..EIGHT).step_by(WIDTH) {
                                    mask |= bits(self::near(&bounds, block, at + part)) << part;
                                }
                                let second = b.start + j * LANES + at;
                                let [low, high] = (near & mask).to_le_bytes();
                                len = batch.put(len, first, second, low);
                                if WIDTH > EIGHT {
                                    len = batch.put(len, first, second + EIGHT, high);
                                }
                            }
                        }
                    }
                }
            }
            batch.set_len(len);
            batch.close();
            true
        }

        #[target_feature(enable = $feature)]
        pub(super) fn flush(batch: &mut Batch<'_>, touch: &mut OverlapSink<'_>) -> bool {
            let test = |a: [&Record; WIDTH], b: [&Record; WIDTH], count| {
                let (touching, unsure) = overlap(&gather(a), &gather(b));
                let there = u16::MAX >> (LANES - count);
                settle(touching & there, unsure & there, |k| (*a[k], *b[k]))
            };
            batch.take::<WIDTH>(FEW, test, touch) && (batch.is_empty() || flush_few(batch, touch))
        }

        #[target_feature(enable = $feature)]
        pub(super) fn pose(
            shapes: &[ShapeBlock],
            joints: &[JointIndex],
            matrices: &JointMatrices<'_>,
            records: &mut [Record],
            blocks: &mut [BoundsBlock],
            mut done: impl FnMut(usize, u16),
        ) {
            for (index, (shapes, block)) in shapes.iter().zip(blocks).enumerate() {
                let start = index * LANES;
                let mut left = 0;
                for at in (0..LANES).step_by(WIDTH) {
                    let Some(last) = joints.len().checked_sub(start + at + 1) else { break };
                    let joint = |k: usize| joints[start + at + k.min(last)].index();
                    let placed = world_from_joints(matrices, std::array::from_fn(|k| &matrices.joints[joint(k)]));
                    let (boxes, ok) = pose_boxes(&shapes.0, at, &placed);
                    store_bounds(&boxes, load(&shapes.0[15], at), block, at);
                    scatter(&boxes, &mut records[start + at..]);
                    left |= (bits(ok) ^ (u16::MAX >> (LANES - WIDTH))) << at;
                }
                done(index, !left);
            }
        }

        /// Columns x, y, z and translation.
        #[inline]
        #[target_feature(enable = $feature)]
        fn world_from_joints(matrices: &JointMatrices<'_>, of_joints: [&Affine3A; WIDTH]) -> [[V; 3]; 4] {
            let mut columns = [[splat(0.0); 3]; 4];
            for (index, column) in columns.iter_mut().enumerate() {
                let rows = transpose4([
                    load_columns(&of_joints, 0, index),
                    load_columns(&of_joints, 1, index),
                    load_columns(&of_joints, 2, index),
                    load_columns(&of_joints, 3, index),
                ]);
                *column = [rows[0], rows[1], rows[2]];
            }
            let Some(world_from_model) = matrices.world_from_model else { return columns };
            let world: [[V; 3]; 4] =
                std::array::from_fn(|c| super::column(world_from_model, c).to_array().map(|x| splat(x)));
            let turned = columns.map(|column| transform(&world, &column));
            [turned[0], turned[1], turned[2], add3(&turned[3], &world[3])]
        }

        /// The boxes of `posed_character::pose_box`, and whether they are right: `enclosing_box::enclosing_box` has the reasons.
        #[inline]
        #[target_feature(enable = $feature)]
        fn pose_boxes(shapes: &[Row; 16], at: usize, placed: &[[V; 3]; 4]) -> (Boxes, M) {
            let three = |row: usize| [load(&shapes[row], at), load(&shapes[row + 1], at), load(&shapes[row + 2], at)];
            let center = add3(&transform(placed, &three(0)), &placed[3]);
            let half = three(3);
            let edges = [transform(placed, &three(6)), transform(placed, &three(9)), transform(placed, &three(12))];
            let [x, y, z] = &edges;

            let squares = [dot(x, x), dot(y, y), dot(z, z)];
            let mut ok = all();
            for square in squares {
                ok = le(ok, splat(*ORDINARY.start()), square);
                ok = le(ok, square, splat(*ORDINARY.end()));
            }
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                let cosine = dot(&edges[a], &edges[b]);
                ok = le(ok, mul(cosine, cosine), mul(splat(SKEW_SQUARED), mul(squares[a], squares[b])));
            }

            let first = scale(x, div(splat(1.0), sqrt(squares[0])));
            let along_y = scale(y, div(splat(1.0), sqrt(squares[1])));
            let along = scale(&first, dot(&first, &along_y));
            let second = [sub(along_y[0], along[0]), sub(along_y[1], along[1]), sub(along_y[2], along[2])];
            let axes = [first, second, cross(&first, &second)];
            let mut reach = half;
            for (reach, axis) in reach.iter_mut().zip(&axes) {
                *reach = sum3(
                    mul(abs(dot(axis, x)), half[0]),
                    mul(abs(dot(axis, y)), half[1]),
                    mul(abs(dot(axis, z)), half[2]),
                );
            }
            let mut boxes = [splat(0.0); 16];
            for c in 0..3 {
                ok = le(ok, abs(center[c]), splat(MAX_COORDINATE));
                ok = le(ok, reach[c], splat(MAX_COORDINATE));
                (boxes[c], boxes[3 + c]) = (center[c], reach[c]);
                (boxes[6 + c], boxes[9 + c], boxes[12 + c]) = (axes[0][c], axes[1][c], axes[2][c]);
            }
            boxes[15] = sum3(reach[0], reach[1], reach[2]);
            (boxes, ok)
        }

        /// The bounds of `Record::bounds`, and none where `more_slack` is minus infinity rather than nothing.
        #[inline]
        #[target_feature(enable = $feature)]
        fn store_bounds(boxes: &Boxes, more_slack: V, block: &mut BoundsBlock, at: usize) {
            let slack = add(mul(boxes[15], splat(NEAR_TOLERANCE)), splat(f32::MIN_POSITIVE));
            let slack = add(slack, more_slack);
            for c in 0..3 {
                let reach = sum3(
                    mul(abs(boxes[6 + c]), boxes[3]),
                    mul(abs(boxes[9 + c]), boxes[4]),
                    mul(abs(boxes[12 + c]), boxes[5]),
                );
                let reach = add(reach, slack);
                store(sub(boxes[c], reach), &mut block.min[c], at);
                store(add(boxes[c], reach), &mut block.max[c], at);
            }
        }

        /// Lanes to one record after another, as many as there is room for.
        #[inline]
        #[target_feature(enable = $feature)]
        fn scatter(boxes: &Boxes, records: &mut [Record]) {
            // Written twice so that a full vector needs no questions.
            match records.first_chunk_mut::<WIDTH>() {
                Some(all) => scatter_into(boxes, all),
                None => scatter_into(boxes, records),
            }
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn scatter_into(boxes: &Boxes, records: &mut [Record]) {
            for quarter in 0..4 {
                let rows = [boxes[4 * quarter], boxes[4 * quarter + 1], boxes[4 * quarter + 2], boxes[4 * quarter + 3]];
                for (k, row) in transpose4(rows).into_iter().enumerate() {
                    store_quarters(row, records, k, quarter);
                }
            }
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn transform(columns: &[[V; 3]; 4], v: &[V; 3]) -> [V; 3] {
            let row = |c: usize| sum3(mul(columns[0][c], v[0]), mul(columns[1][c], v[1]), mul(columns[2][c], v[2]));
            [row(0), row(1), row(2)]
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn add3(a: &[V; 3], b: &[V; 3]) -> [V; 3] {
            [add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])]
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn scale(v: &[V; 3], by: V) -> [V; 3] {
            [mul(v[0], by), mul(v[1], by), mul(v[2], by)]
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn cross(a: &[V; 3], b: &[V; 3]) -> [V; 3] {
            let component = |i: usize, j: usize| sub(mul(a[i], b[j]), mul(a[j], b[i]));
            [component(1, 2), component(2, 0), component(0, 1)]
        }

        /// Which lanes of the block have bounds that reach into `bounds`.
        #[inline]
        #[target_feature(enable = $feature)]
        fn block_near(bounds: &Bounds, block: &BoundsBlock) -> u16 {
            let mut mask = 0;
            for at in (0..LANES).step_by(WIDTH) {
                mask |= bits(near(bounds, block, at)) << at;
            }
            mask
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn near(bounds: &Bounds, block: &BoundsBlock, at: usize) -> M {
            let mut near = all();
            for c in 0..3 {
                near = le(near, load(&block.min[c], at), splat(bounds.max[c]));
                near = le(near, splat(bounds.min[c]), load(&block.max[c], at));
            }
            near
        }

        /// Rows of one record after another to lanes.
        #[inline]
        #[target_feature(enable = $feature)]
        fn gather(records: [&Record; WIDTH]) -> Boxes {
            let mut boxes = [splat(0.0); 16];
            for quarter in 0..4 {
                let rows = [
                    load_quarters(&records, 0, quarter),
                    load_quarters(&records, 1, quarter),
                    load_quarters(&records, 2, quarter),
                    load_quarters(&records, 3, quarter),
                ];
                boxes[4 * quarter..][..4].copy_from_slice(&transpose4(rows));
            }
            boxes
        }

        /// Which lanes overlap by the first stage, and which of those are too close to call.
        #[inline]
        #[target_feature(enable = $feature)]
        fn overlap(a: &Boxes, b: &Boxes) -> (u16, u16) {
            let tolerance = add(mul(add(a[15], b[15]), splat(SEPARATION_TOLERANCE)), splat(f32::MIN_POSITIVE));
            let gap = widest_gap(a, b);
            let touching = le(all(), gap, tolerance);
            (bits(touching), bits(le(touching, mul(splat(-2.0), tolerance), gap)))
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn widest_gap(a: &Boxes, b: &Boxes) -> V {
            let d = [sub(b[0], a[0]), sub(b[1], a[1]), sub(b[2], a[2])];
            let (ha, hb) = ([a[3], a[4], a[5]], [b[3], b[4], b[5]]);
            let axes_a = [[a[6], a[7], a[8]], [a[9], a[10], a[11]], [a[12], a[13], a[14]]];
            let axes_b = [[b[6], b[7], b[8]], [b[9], b[10], b[11]], [b[12], b[13], b[14]]];
            let t = [dot(&axes_a[0], &d), dot(&axes_a[1], &d), dot(&axes_a[2], &d)];
            let mut gap = splat(f32::MIN);
            // The cosines between the boxes' axes, and their absolute values.
            let mut r = [[splat(0.0); 3]; 3];
            let mut p = r;
            for j in 0..3 {
                for i in 0..3 {
                    r[i][j] = dot(&axes_a[i], &axes_b[j]);
                    p[i][j] = abs(r[i][j]);
                }
                let reach = add(hb[j], sum3(mul(ha[0], p[0][j]), mul(ha[1], p[1][j]), mul(ha[2], p[2][j])));
                gap = max(gap, sub(abs(dot(&axes_b[j], &d)), reach));
            }
            for i in 0..3 {
                let reach = add(ha[i], sum3(mul(hb[0], p[i][0]), mul(hb[1], p[i][1]), mul(hb[2], p[i][2])));
                gap = max(gap, sub(abs(t[i]), reach));
            }
            for i in 0..3 {
                let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
                for j in 0..3 {
                    let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                    let distance = abs(sub(mul(t[i2], r[i1][j]), mul(t[i1], r[i2][j])));
                    let reach_a = add(mul(ha[i1], p[i2][j]), mul(ha[i2], p[i1][j]));
                    let reach_b = add(mul(hb[j1], p[i][j2]), mul(hb[j2], p[i][j1]));
                    gap = max(gap, sub(distance, add(reach_a, reach_b)));
                }
            }
            gap
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn dot(a: &[V; 3], b: &[V; 3]) -> V {
            sum3(mul(a[0], b[0]), mul(a[1], b[1]), mul(a[2], b[2]))
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn sum3(a: V, b: V, c: V) -> V {
            add(add(a, b), c)
        }
    };
}

pub(super) use kernel;
