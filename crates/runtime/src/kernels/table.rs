//! The table of the kernels' functions, one row for each function.
//!
//! A row is a function whose first parameter has no type: it is the value of the instruction set, see [`super::vectors`].
//! [`super`] makes a function of each row that takes the [`super::Kernel`] instead, and calls the function of the same name in
//! the kernel's module. The macro `entries!` makes these functions.

/// Calls a macro with all rows. `$context` is passed on.
macro_rules! table {
    ($generate:ident!($($context:tt)*)) => {
        $generate! {
            ($($context)*)

            /// Sets bit `k` of `masks[i]` if the bounds of lane `k` of `blocks[i]` are near `bounds`; clears the other bits.
            fn bounds_masks(s, bounds: &Bounds, blocks: &[BoundsBlock], masks: &mut [u16]) {
                near_bounds::bounds_masks(s, bounds, blocks, masks);
            }

            /// The squared gap between `bounds` and the bounds of each lane.
            fn squared_gaps(_s, bounds: &Bounds, block: &BoundsBlock, squares: &mut Row) {
                block.squared_gaps(bounds, squares);
            }

            /// Sets bit `k` of `masks[i]` if the squared gap between `bounds` and the bounds of lane `k` of `blocks[i]` is at
            /// most `limit`; clears the other bits.
            fn lanes_within(s, bounds: &Bounds, blocks: &[BoundsBlock], limit: f32, masks: &mut [u16]) {
                near_bounds::lanes_within(s, bounds, blocks, limit, masks);
            }

            /// The union of the bounds of all lanes.
            fn around(s, blocks: &[BoundsBlock]) -> Bounds {
                near_bounds::around(s, blocks)
            }

            /// The lanes of at most [`RAY_BLOCKS`] blocks whose bounds the ray may hit: bit `16 * i + k` is lane `k` of
            /// `blocks[i]`. For these lanes, sets `earliest[i][k]` to the earliest possible time. `earliest` has at least as
            /// many rows as there are blocks.
            fn ray_lanes(s, slabs: &Slabs, blocks: &[BoundsBlock], earliest: &mut [Row]) -> u64 {
                debug_assert!(blocks.len() <= RAY_BLOCKS && blocks.len() <= earliest.len());
                ray_slabs::ray_lanes(s, slabs, blocks, earliest)
            }

            /// Adds all candidates of two characters to the batch; those of two sides are in the order of the boxes of the
            /// first character, then of the second. `tag` is the number by which the caller knows the two characters; `sink`
            /// gets it back. A full batch is flushed to `sink`. Returns `false` if `sink` returned `false`. `prefetch` says
            /// whether to prefetch the records of the first character's near boxes and of their candidates. `packed` is memory
            /// that is reused.
            fn add_near_pairs<'r>(
                s,
                characters: [&BoxesToTest<'r, '_>; 2],
                tag: u32,
                prefetch: bool,
                packed: &mut PackedBounds,
                batch: &mut Batch<'r>,
                sink: &mut OverlapSink<'_>,
            ) -> bool {
                align_frame();
                let flush = |batch: &mut Batch<'r>| flush(batch, sink);
                candidates::add_near_pairs(s, characters, tag, prefetch, packed, batch, flush)
            }

            /// Adds all candidates of two sides to the batch, in the order of the boxes of `a`, then of `b`.
            #[cfg(test)]
            fn add_candidates<'r>(
                s,
                a: &Side<'r, '_>,
                b: &Side<'r, '_>,
                tag: u32,
                batch: &mut Batch<'r>,
                sink: &mut OverlapSink<'_>,
            ) -> bool {
                align_frame();
                let flush = |batch: &mut Batch<'r>| flush(batch, sink);
                candidates::add_candidates(s, [a, b], tag, false, &mut PackedBounds::new(), batch, flush)
            }

            /// Empties the batch: calls `sink` with the candidates that overlap, in their order and several in each call, until
            /// `sink` returns `false`. Returns `false` if `sink` returned `false`.
            fn flush(s, batch: &mut Batch<'_>, sink: &mut OverlapSink<'_>) -> bool {
                align_frame();
                box_test::flush(s, batch, sink)
            }

            /// [`pose`] of blocks that take the least time with this kernel.
            fn pose_blocks(
                s,
                shapes: &[ShapeBlock],
                joints: &[JointIndex],
                matrices: &JointMatrices<'_>,
                records: &mut [Record],
                blocks: &mut [BoundsBlock],
                done: &mut [u16],
            ) {
                align_frame();
                posing::pose(s, shapes, joints, matrices, records, blocks, done);
            }

            /// [`envelopes()`], with room in `motions` for all movers of any block, and for a block of lanes after them.
            fn envelopes_in(
                s,
                table: &EnvelopeTable,
                matrices: &JointMatrices<'_>,
                motions: &mut [Fours],
                records: &mut [Record],
                bounds: &mut [BoundsBlock],
            ) -> Option<usize> {
                align_frame();
                envelopes::envelopes(s, table, matrices, motions, records, bounds)
            }

            /// Writes the tracks' lanes of `blocks`; `moments` is indexed by the tracks' timelines.
            fn sample_tracks(s, tracks: &[Track], moments: &[Moment], blocks: &mut [LocalBlock]) {
                sampling::sample_tracks(s, tracks, moments, blocks);
            }

            /// [`sample_tracks`] of a pose that begins as `base`, then [`local_matrices`]. `tracks` is sorted by block, and each
            /// block of `matrices` has a block in `base`.
            fn sample_matrices(
                s,
                base: &[LocalBlock],
                tracks: &[Track],
                moments: &[Moment],
                matrices: &mut [Fours],
            ) {
                debug_assert_eq!(base.len(), matrices.len().div_ceil(LANES));
                align_frame();
                // The keys of a moment lie apart from those of the last pose, so all of them are fetched at once.
                for track in tracks {
                    let [from, to] = moments[track.timeline].keys;
                    prefetch(&track.keys[track.width() * from..track.width() * (to + 1)]);
                }
                sampling::sample_matrices(s, base, tracks, moments, matrices);
            }

            /// `matrices[p]` becomes `parent_from_joint` of lane `p % 16` of block `p / 16`, by columns of four numbers.
            fn local_matrices(s, blocks: &[LocalBlock], matrices: &mut [Fours]) {
                align_frame();
                sampling::local_matrices(s, blocks, matrices);
            }

            /// Writes `model_from_joint` of some joints, parents first, in the order of `local`, which is `parent_from_joint` by
            /// columns of four numbers. `parents` and `local` have an entry for each of `joints`.
            fn model_matrices(
                s,
                joints: &[JointIndex],
                parents: &[Option<JointIndex>],
                local: &[Fours],
                model_from_joint: &mut [Affine3A],
            ) {
                debug_assert!(joints.len() == parents.len() && joints.len() == local.len());
                sampling::model_matrices(s, joints, parents, local, model_from_joint);
            }

            /// Interpolates the rotation, translation and scale of each lane between `a` (weight 0) and `b` (weight 1):
            /// translations and scales linearly, rotations along the chord of the shorter arc, then normalized.
            fn blend(s, a: &mut [LocalBlock], b: &[LocalBlock], weights: &[Row]) {
                layers::blend_blocks(s, a, b, weights);
            }

            /// Adds the difference between `from` and `b` to the lanes of `a`. A lane's weight scales the difference. A rotation
            /// is turned in the parent's space by a blend of no turn (weight 0) and `b * from^-1` (weight 1), along the chord of
            /// the shorter arc. A translation moves by `b - from`, and a scale is multiplied by `b / from`.
            fn add_change(s, a: &mut [LocalBlock], b: &[LocalBlock], from: &[LocalBlock], weights: &[Row]) {
                layers::add_blocks(s, a, b, from, weights);
            }

            /// Skins all vertices: `points` has an entry for each, whose fourth component has no meaning. `numbers` are
            /// [`SkinLanes::numbers`], or a copy of them with other positions. `matrices` is indexed by binding.
            fn skin_vertices(s, lanes: &SkinLanes, numbers: &[f32], matrices: &[Columns], points: &mut [Vec4]) {
                debug_assert_eq!(lanes.vertex_count(), points.len());
                debug_assert_eq!(lanes.numbers().len(), numbers.len());
                skinning::skin(s, lanes, numbers, matrices, points);
            }

            /// Poses all cuts: `points` has an entry for each. `vertices` are posed.
            fn skin_cuts(_s, cuts: &[SkinCut], vertices: &[Vec4], points: &mut [Vec4]) {
                debug_assert_eq!(cuts.len(), points.len());
                skin_lanes::skin_cuts(cuts, vertices, points);
            }

            /// The bounds of the points in these ranges.
            fn bounds_of_ranges(s, ranges: &[Range<usize>], points: &[Vec4]) -> Bounds {
                point_bounds::bounds_of_ranges(s, ranges, points)
            }

            /// Sets the bounds of the first lanes of a block to those of the chunks.
            fn bounds_of_chunks(s, chunks: ChunkPoints<'_>, points: &[Vec4], block: &mut BoundsBlock) {
                point_bounds::bounds_of_chunks(s, chunks, points, block);
            }

            /// Puts at most sixteen triangles into lanes. Their corners are indices into `points`. Leaves
            /// [`TriangleBlock::around`] as it is.
            fn fill_triangles(s, block: &mut TriangleBlock, triangles: &[[u32; 3]], points: &[Vec4]) {
                debug_assert!((1..=LANES).contains(&triangles.len()));
                align_frame();
                triangle_lanes::fill(s, block, triangles, points);
            }

            /// Adds the pairs of chunks whose bounds overlap to `near`, in the order of the chunks of `a`, then of `b`, starting
            /// with chunk `from` of `a`. The bounds of each chunk must lie inside the bounds around its piece. Returns the chunk
            /// of `a` from which to go on: the search stops early when it has [`near_chunks::ENOUGH`] pairs, and otherwise
            /// returns the number of lanes of `a`.
            fn near_chunks(
                s,
                a: ChunkBounds<'_>,
                b: ChunkBounds<'_>,
                from: usize,
                near: &mut Vec<NearChunks>,
            ) -> usize {
                align_frame();
                near_chunks::find(s, a, b, from, near)
            }

            /// The first triangle of `a` that overlaps a triangle of `b`, and the first triangle of `b` that overlaps it
            /// ([`geometry_core::triangle::overlap`]).
            fn first_touch(s, a: &TriangleBlock, b: &TriangleBlock) -> Option<[usize; 2]> {
                align_frame();
                first_touch::first_touch(s, a, b)
            }

            /// Returns a mask of the pairs that may meet, and writes their earliest possible times. All other pairs stay apart by
            /// more than `relative_tolerance` times the sum of their half extents.
            fn meeting_pairs(s, pairs: &MovingPairs<'_>, relative_tolerance: f32, earliest: &mut Row) -> u16 {
                align_frame();
                sweeping::meeting_pairs(s, pairs, relative_tolerance, earliest)
            }

            /// Writes [`sweep_lanes::swept_bounds`] of each box on its way from `from` to `to`: lane `i % 16` of block `i / 16`
            /// is box `i`. Lanes without a box are left as they are, or hold NaN.
            fn swept_bounds(s, from: &[Record], to: &[Record], blocks: &mut [BoundsBlock]) {
                debug_assert!(from.len() == to.len() && from.len().div_ceil(LANES) == blocks.len());
                align_frame();
                sweeping::swept_bounds(s, from, to, blocks);
            }

            /// [`Obb::first_contact_until`].
            fn first_contact(
                _s,
                a: &ObbMotion,
                b: &ObbMotion,
                relative_tolerance: f32,
                limit: f32,
            ) -> Option<FirstContact> {
                // `first_contact_until` is not inlined here, so it is compiled without the kernel's instructions: with them, the
                // compiler uses an AVX2 instruction that valgrind 3.19 does not know.
                Obb::first_contact_until(a, b, relative_tolerance, limit)
            }

            /// Writes the first contact of each pair into `contacts`: [`Obb::first_contact_until`] with the kernel's
            /// instructions.
            fn first_contacts(
                _s,
                pairs: &[[&ObbMotion; 2]],
                relative_tolerance: f32,
                limit: f32,
                contacts: &mut [Option<FirstContact>],
            ) {
                debug_assert_eq!(pairs.len(), contacts.len());
                align_frame();
                Obb::first_contacts_inlined(pairs, relative_tolerance, limit, contacts);
            }

            /// Writes the motion of each box from one pose to another into `motions`: [`ObbMotion::between`] with the kernel's
            /// instructions.
            fn motions(_s, from: &[Obb], to: &[Obb], motions: &mut [ObbMotion]) {
                debug_assert!(from.len() == to.len() && from.len() == motions.len());
                align_frame();
                ObbMotion::between_each_inlined(from, to, motions);
            }

            /// [`Obb::separation`] with the kernel's instructions.
            fn separation(_s, a: &Obb, b: &Obb) -> Separation {
                align_frame();
                a.separation_inlined(b)
            }
        }
    };
}

pub(super) use table;
