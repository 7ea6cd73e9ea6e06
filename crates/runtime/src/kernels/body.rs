//! The box test of `scalar.rs` over vectors, once for all instruction sets.
//!
//! Each instruction set is a module with a vector type `V` of `WIDTH` lanes, a comparison's result `M`, and the
//! operations `splat load add sub mul abs max all le bits`; `kernel!` adds the test, inlined into functions that carry
//! the same `#[target_feature]`.
//!
//! Sums stand in the order of `geometry_core::sat_obb_obb::first_stage`, whose tolerance is only relative to sizes: the
//! widest gap of all axes says as much as each of them, and a maximum is cheaper than fifteen comparisons. Leaving
//! early after some of the axes was tried and gains nothing on eight boxes at once, as one of them always stays.

macro_rules! kernel {
    ($feature:literal) => {
        use super::settle;
        use crate::lanes::{Block, LANES, Lane};
        use geometry_core::sat_obb_obb::SEPARATION_TOLERANCE;

        #[target_feature(enable = $feature)]
        pub(super) fn masks(query: &Lane, blocks: &[Block], masks: &mut [u16]) {
            for (block, mask) in blocks.iter().zip(masks) {
                *mask = block_mask(query, block, u16::MAX);
            }
        }

        #[target_feature(enable = $feature)]
        pub(super) fn pairs(
            (a, a_near): (&[Block], &[u16]),
            (b, b_near): (&[Block], &[u16]),
            touch: &mut dyn FnMut(usize, usize, u16) -> bool,
        ) {
            for (i, (a, &near)) in a.iter().zip(a_near).enumerate() {
                let mut near = near;
                while near != 0 {
                    let lane = near.trailing_zeros() as usize;
                    near &= near - 1;
                    let query = a.get(lane);
                    for (j, (b, &near)) in b.iter().zip(b_near).enumerate() {
                        let mask = if near == 0 { 0 } else { block_mask(&query, b, near) };
                        if mask != 0 && !touch(i * LANES + lane, j, mask) {
                            return;
                        }
                    }
                }
            }
        }

        #[target_feature(enable = $feature)]
        pub(super) fn near_bounds(blocks: &[Block], min: &[f32; 3], max: &[f32; 3], masks: &mut [u16]) {
            for (block, mask) in blocks.iter().zip(masks) {
                *mask = 0;
                for part in 0..LANES / WIDTH {
                    let at = part * WIDTH;
                    let mut near = all();
                    for c in 0..3 {
                        let (center, extent) = (load(&block.center[c], at), load(&block.extent[c], at));
                        near = le(near, sub(center, extent), splat(max[c]));
                        near = le(near, splat(min[c]), add(center, extent));
                    }
                    *mask |= bits(near) << at;
                }
            }
        }

        /// Which of the lanes in `wanted` overlap.
        #[inline]
        #[target_feature(enable = $feature)]
        fn block_mask(a: &Lane, b: &Block, wanted: u16) -> u16 {
            let mut mask = 0;
            for part in 0..LANES / WIDTH {
                let at = part * WIDTH;
                let d = [
                    sub(load(&b.center[0], at), splat(a.center[0])),
                    sub(load(&b.center[1], at), splat(a.center[1])),
                    sub(load(&b.center[2], at), splat(a.center[2])),
                ];
                let reach = add(splat(a.radius), load(&b.radius, at));
                let mut near = le(all(), dot(&d, &d), add(mul(reach, reach), splat(f32::MIN_POSITIVE)));
                for c in 0..3 {
                    near = le(near, abs(d[c]), add(splat(a.extent[c]), load(&b.extent[c], at)));
                }
                let near = (bits(near) << at) & wanted;
                if near != 0 {
                    let gap = widest_gap(a, b, at, &d);
                    let sizes = add(splat(a.size), load(&b.size, at));
                    let tolerance = add(mul(sizes, splat(SEPARATION_TOLERANCE)), splat(f32::MIN_POSITIVE));
                    let touching = near & bits(le(all(), gap, tolerance)) << at;
                    mask |= touching;
                    let unsure = touching & bits(le(all(), mul(splat(-2.0), tolerance), gap)) << at;
                    if unsure != 0 {
                        mask = settle(a, b, mask, unsure);
                    }
                }
            }
            mask
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn widest_gap(a: &Lane, b: &Block, at: usize, d: &[V; 3]) -> V {
            let ha = three(&a.half);
            let axes = [three(&a.axes[0]), three(&a.axes[1]), three(&a.axes[2])];
            let hb = [load(&b.half[0], at), load(&b.half[1], at), load(&b.half[2], at)];
            let t = [dot(&axes[0], d), dot(&axes[1], d), dot(&axes[2], d)];
            let mut gap = splat(f32::MIN);
            // The cosines between the boxes' axes, and their absolute values.
            let mut r = [[splat(0.0); 3]; 3];
            let mut p = r;
            for j in 0..3 {
                let axis = [load(&b.axes[j][0], at), load(&b.axes[j][1], at), load(&b.axes[j][2], at)];
                for i in 0..3 {
                    r[i][j] = dot(&axes[i], &axis);
                    p[i][j] = abs(r[i][j]);
                }
                let reach = add(hb[j], sum3(mul(ha[0], p[0][j]), mul(ha[1], p[1][j]), mul(ha[2], p[2][j])));
                gap = max(gap, sub(abs(dot(&axis, d)), reach));
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
        fn three(v: &[f32; 3]) -> [V; 3] {
            [splat(v[0]), splat(v[1]), splat(v[2])]
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
