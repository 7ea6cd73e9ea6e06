//! Ray casts against the skin.

use crate::PosedCharacter;
use crate::kernels;
use crate::kernels::layout::LANES;
use crate::kernels::ray_slabs::{RAY_BLOCKS, Slabs};
use crate::kernels::set_bits::set_bits;
use crate::query::hit_search::sort_key;
use crate::skin::SkinError;
use crate::skin::attributes::unit;
use crate::skin::blocks::ChunkBlocks;
use crate::skin::posed_skin::{PieceView, PosedSkin};
use geometry_core::Ray;
use geometry_core::triangle::{RayFrame, TriangleHit};
use glam::{Vec2, Vec3};
use skeleton::JointIndex;

/// The point where a ray hits the skin of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinRayHit {
    /// The joint that owns the surface at the hit.
    pub joint: JointIndex,
    /// The source triangle that is hit: [`baked_format::Skin::source_of`] has its mesh. With this index and
    /// `barycentric`, a game can interpolate attributes of its mesh that the `.bonebox` file does not have, such as
    /// vertex colors.
    pub source_triangle: u32,
    /// The weights of the three corners of the source triangle at the hit; their sum is 1 up to rounding.
    pub barycentric: [f32; 3],
    /// The time of the hit, not negative. [`Ray::at`] computes the point `origin + time * direction`. If the direction
    /// has the length 1, the time is the distance in world units.
    pub time: f32,
    /// The hit in world space: a point on the triangle, up to the rounding of its coordinates.
    pub point: Vec3,
    /// The unit normal of the skinned triangle in world space. It points to the side from which the corners of the
    /// source triangle run counter-clockwise.
    pub normal: Vec3,
    /// The unit normal in world space, interpolated between the skinned normals of the source triangle's corners. Equal
    /// to `normal` if the character was baked without normals (option `skin_attributes`), or if a corner has no normal.
    ///
    /// The normal of each corner is multiplied by the matrix of cofactors of the vertex's blended matrix, so that it
    /// stays perpendicular to the surface if joints scale the surface unevenly. As in most renderers, the normal
    /// ignores that the weights change along the surface.
    pub shading_normal: Vec3,
    /// The texture coordinate at the hit: glTF's `TEXCOORD_0`, interpolated between the corners of the source triangle.
    /// The texture transform of the material is not applied. `None` if the character was baked without texture
    /// coordinates (option `skin_attributes`), or if a corner has no texture coordinate.
    pub texture_coordinate: Option<Vec2>,
    /// `true` if the ray comes from the side of `normal`, which is the outside of glTF meshes.
    pub front: bool,
}

/// A hit with its piece and triangle, by which hits at the same time are sorted.
#[derive(Clone, Copy)]
struct Found {
    hit: TriangleHit,
    piece: usize,
    triangle: usize,
}

impl Found {
    fn key(&self, source_triangle: u32) -> (u32, usize, u32) {
        // The bits of nonnegative times sort like the times; adding zero drops the sign of a zero.
        ((self.hit.time + 0.0).to_bits(), self.piece, source_triangle)
    }
}

impl PosedCharacter {
    /// The first point of the skin that the ray hits within `0 <= t <= max_time` (`None`: at any time), from either side.
    /// If several hits have the same time, the answer is the hit with the least joint, then the least source triangle. The
    /// ray is in world space, and the unit of times is the length of the ray's direction. If `max_time` is negative or NaN,
    /// nothing is hit.
    ///
    /// No ray slips through between neighboring triangles of a piece. The hitboxes have no influence on the answer.
    /// [`RayFrame::cast`] has the details.
    ///
    /// # Errors
    /// Returns an error if the character was baked without its skin, the pose does not [track
    /// it](PosedCharacter::track_skin), or there is no pose.
    ///
    /// ```
    /// use geometry_core::Ray;
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{Character, PosedCharacter};
    ///
    /// let tube = Character::load(&std::fs::read("tests/data/tube.bonebox")?)?;
    /// let mut posed = PosedCharacter::new();
    /// posed.track_skin(true);
    /// posed.pose_from_rest(&tube, &Affine3A::IDENTITY)?;
    /// let shot = Ray::try_new(Vec3::new(-10.0, 2.5, 0.0), Vec3::X)?;
    /// let hit = posed.exact_ray(&shot, None)?.unwrap();
    /// assert_eq!((tube.joint_name(hit.joint), hit.front), ("fore", true));
    /// assert!((hit.point.x + 0.5).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exact_ray(&mut self, ray: &Ray, max_time: impl Into<Option<f32>>) -> Result<Option<SkinRayHit>, SkinError> {
        Ok(self.skin_mut()?.first_hit(ray, max_time.into().unwrap_or(f32::INFINITY), |_| true))
    }
}

impl PosedSkin {
    /// The hit of [`PosedCharacter::exact_ray`] among the joints for which `admits` returns `true`.
    pub(crate) fn first_hit(
        &mut self,
        ray: &Ray,
        max_time: f32,
        admits: impl Fn(JointIndex) -> bool,
    ) -> Option<SkinRayHit> {
        /// The most pieces on the ray that are sorted before they are tested.
        const WAITING: usize = 64;
        let skin = self;
        let mut search = Search { slabs: Slabs::new(ray, max_time), frame: RayFrame::new(ray), first: None };
        let mut waiting = [0; WAITING];
        let mut count = 0;
        for from in (0..skin.closest_lanes.len()).step_by(RAY_BLOCKS) {
            let blocks = &skin.closest_lanes[from..skin.closest_lanes.len().min(from + RAY_BLOCKS)];
            let mut entries = [[0.0; LANES]; RAY_BLOCKS];
            for lane in set_bits(kernels::ray_lanes(skin.kernel, &search.slabs, blocks, &mut entries)) {
                if count == WAITING {
                    search.look_at_pieces(skin, &admits, &mut waiting);
                    count = 0;
                }
                waiting[count] = sort_key(entries[lane / LANES][lane % LANES], from * LANES + lane);
                count += 1;
            }
        }
        search.look_at_pieces(skin, &admits, &mut waiting[..count]);
        let found = search.first?;
        let piece = skin.piece(found.piece)?;
        let [a, b, c] = piece.triangle(found.triangle).map(|corner| corner.as_dvec3());
        let normal = unit((b - a).cross(c - a)).unwrap_or_default().as_vec3();
        let barycentric = piece.table.source_barycentric(found.triangle, found.hit.barycentric);
        let shading_normal = piece.table.attributes.shading_normal(found.triangle, barycentric, skin.matrices());
        Some(SkinRayHit {
            joint: piece.table.joint,
            source_triangle: piece.table.source_triangles[found.triangle],
            barycentric,
            time: found.hit.time,
            point: found.hit.point,
            normal,
            shading_normal: shading_normal.map_or(normal, |shading| shading.as_vec3()),
            texture_coordinate: piece.table.attributes.texture_coordinate(found.triangle, barycentric),
            front: found.hit.front,
        })
    }
}

/// The entry time and the index of a [`sort_key`].
fn of_key(key: u64) -> (f32, usize) {
    (f32::from_bits((key >> 32) as u32), key as u32 as usize)
}

/// The search for the first hit of a ray.
struct Search {
    slabs: Slabs,
    frame: RayFrame,
    first: Option<Found>,
}

impl Search {
    /// The latest time at which a hit matters.
    fn limit(&self) -> f32 {
        self.first.map_or(self.slabs.max_time(), |first| first.hit.time)
    }

    /// Tests pieces in the order in which the ray reaches their bounds, until the next bounds begin after the first hit.
    fn look_at_pieces(&mut self, skin: &mut PosedSkin, admits: &impl Fn(JointIndex) -> bool, waiting: &mut [u64]) {
        waiting.sort_unstable();
        for (entry, index) in waiting.iter().copied().map(of_key) {
            if entry > self.limit() {
                return;
            }
            if !skin.table().is_some_and(|table| admits(table.pieces[index].joint)) {
                continue;
            }
            skin.open(index);
            if skin.parts_of(index).is_empty() {
                self.look_at_part(skin, [index, 0]);
            }
            for block in 0..skin.parts_of(index).len() {
                self.look_at_parts(skin, (index, block));
            }
        }
    }

    /// Tests the parts of an open piece in one block of lanes, in the order in which the ray reaches their bounds.
    fn look_at_parts(&mut self, skin: &mut PosedSkin, (index, block): (usize, usize)) {
        let mut entries = [0.0; LANES];
        let parts = &skin.parts_of(index)[block];
        let mask = kernels::ray_lanes_of_block(skin.kernel, &self.slabs, parts, &mut entries);
        let (mut waiting, mut count) = ([0; LANES], 0);
        for lane in set_bits(mask) {
            waiting[count] = sort_key(entries[lane], block * LANES + lane);
            count += 1;
        }
        waiting[..count].sort_unstable();
        for (entry, part) in waiting[..count].iter().copied().map(of_key) {
            if entry > self.limit() {
                return;
            }
            self.look_at_part(skin, [index, part]);
        }
    }

    /// Tests the chunks of a part in the order in which the ray reaches their bounds.
    fn look_at_part(&mut self, skin: &mut PosedSkin, [index, part]: [usize; 2]) {
        let Some(blocks) = skin.part_on_ray([index, part], &self.slabs, self.limit()) else { return };
        let Some((piece, lanes)) = skin.with_blocks(index) else { return };
        for from in blocks.clone().step_by(RAY_BLOCKS) {
            let chunks = &piece.posed.chunks[from..blocks.end.min(from + RAY_BLOCKS)];
            let mut entries = [[0.0; LANES]; RAY_BLOCKS];
            let (mut waiting, mut count) = ([0; RAY_BLOCKS * LANES], 0);
            for lane in set_bits(kernels::ray_lanes(piece.kernel, &self.slabs, chunks, &mut entries)) {
                waiting[count] = sort_key(entries[lane / LANES][lane % LANES], from * LANES + lane);
                count += 1;
            }
            self.look_at_chunks((index, piece, &mut *lanes), &mut waiting[..count]);
        }
    }

    fn look_at_chunks(
        &mut self,
        (index, piece, blocks): (usize, PieceView<'_>, &mut ChunkBlocks),
        waiting: &mut [u64],
    ) {
        let sources = &piece.table.source_triangles;
        waiting.sort_unstable();
        for (entry, place) in waiting.iter().copied().map(of_key) {
            if entry > self.limit() {
                return;
            }
            let bounds = &piece.block(blocks, place).bounds;
            let mut entries = [0.0; LANES];
            for lane in set_bits(kernels::ray_lanes_of_block(piece.kernel, &self.slabs, bounds, &mut entries)) {
                if entries[lane] > self.limit() {
                    continue;
                }
                let triangle = piece.triangle_at(place, lane);
                if let Some(hit) = self.frame.cast(&piece.triangle(triangle), self.limit().next_up()) {
                    let found = Found { hit, piece: index, triangle };
                    let key = found.key(sources[triangle]);
                    let is_first = self.first.as_ref().is_none_or(|first| {
                        let of_first = if first.piece == index { sources[first.triangle] } else { 0 };
                        key < first.key(of_first)
                    });
                    if is_first && hit.time <= self.slabs.max_time() {
                        self.first = Some(found);
                    }
                }
            }
        }
    }
}
