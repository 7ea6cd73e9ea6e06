//! Casts of many rays at once against all bodies of a world.

use super::bodies::first_ray_hit;
use super::body_tiles::{BodyTiles, TileList};
use super::broad_phase::BroadPhase;
use super::{BodyRayHit, HitboxWorld, QueryFilter};
use crate::Bounds;
use crate::kernels::layout::LANES;
use geometry_core::Ray;

/// A ray of a batch and its filter.
#[derive(Clone, Copy, Debug)]
pub struct RayQuery<'a> {
    /// The ray, in world space.
    pub ray: Ray,
    /// The latest time of a hit; the unit is the length of the ray's direction. `None` sets no limit. If the time is
    /// negative or NaN, the ray hits nothing.
    pub max_time: Option<f32>,
    /// The bodies and hitboxes that the ray may find.
    pub filter: QueryFilter<'a>,
}

impl RayQuery<'_> {
    /// A ray without a time limit that may find every hitbox.
    #[must_use]
    pub fn new(ray: Ray) -> Self {
        Self { ray, max_time: None, filter: QueryFilter::default() }
    }
}

/// The memory of [`HitboxWorld::cast_rays`]. Keep the buffers from call to call, so that casting allocates nothing once
/// they have grown.
#[derive(Debug, Default)]
pub struct RayBuffers {
    leaves: Vec<Leaf>,
    tiles: TileList,
}

/// A body with boxes.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    /// The sum of the two corners of the body's bounds, along the two axes on which the bodies spread most.
    place: [f32; 2],
    body: u32,
    bounds: Bounds,
}

impl RayBuffers {
    /// Sorts the bodies into tiles by sort-tile-recursive packing: strips along one axis, each strip cut along another
    /// axis.
    ///
    /// Source: Leutenegger, Lopez and Edgington, *STR: A Simple and Efficient Algorithm for R-Tree Packing* (1997).
    fn fill(&mut self, broad: &BroadPhase) {
        let Self { leaves, tiles } = self;
        leaves.clear();
        let (mut low, mut high) = (glam::Vec3::INFINITY, glam::Vec3::NEG_INFINITY);
        let BodyTiles { bodies, blocks, .. } = broad.tiles();
        for (lane, &body) in bodies.iter().enumerate() {
            let bounds = blocks[lane / LANES].get(lane % LANES);
            if bounds.min.x <= bounds.max.x {
                let middle = bounds.min + bounds.max;
                (low, high) = (low.min(middle), high.max(middle));
                leaves.push(Leaf { place: [0.0; 2], body, bounds });
            }
        }
        let spread = (high - low).to_array();
        let least = (1..3).fold(0, |least, axis| if spread[axis] < spread[least] { axis } else { least });
        let axes = [[1, 2], [0, 2], [0, 1]][least];
        for leaf in &mut *leaves {
            leaf.place = axes.map(|axis| leaf.bounds.min[axis] + leaf.bounds.max[axis]);
        }
        let tile_count = leaves.len().div_ceil(LANES);
        let strips = (tile_count as f32).sqrt().ceil().max(1.0) as usize;
        let by =
            |axis: usize| move |a: &Leaf, b: &Leaf| a.place[axis].total_cmp(&b.place[axis]).then(a.body.cmp(&b.body));
        leaves.sort_unstable_by(by(0));
        leaves.chunks_mut((tile_count.div_ceil(strips) * LANES).max(1)).for_each(|strip| strip.sort_unstable_by(by(1)));
        tiles.set(leaves.iter().map(|leaf| (leaf.body, leaf.bounds)));
    }
}

impl HitboxWorld {
    /// Casts many rays, each with its own filter: `hits[i]` is the answer that [`HitboxWorld::cast_ray`] gives for
    /// `queries[i]`. `hits` is overwritten.
    ///
    /// If there are many rays, the bodies are sorted into tiles once for all rays. If there are few rays compared with
    /// the number of bodies, each ray is cast separately.
    ///
    /// ```
    /// use geometry_core::Ray;
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{BodyId, BodySettings, Character, HitboxWorld, QueryFilter, RayBuffers, RayQuery};
    /// use std::sync::Arc;
    ///
    /// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
    /// let mut world = HitboxWorld::new();
    /// for id in 0..10u8 {
    ///     world.insert(BodyId(id.into()), Arc::clone(&arm), BodySettings::default())?;
    ///     world.pose_from_rest(BodyId(id.into()), &Affine3A::from_translation(Vec3::X * f32::from(id)))?;
    /// }
    /// let (shooter, from) = ([BodyId(9)], Vec3::new(9.0, 1.5, 0.0));
    /// let filter = QueryFilter::excluding(&shooter);
    /// let shot = |direction| Ray::try_new(from, direction).map(|ray| RayQuery { filter, ..RayQuery::new(ray) });
    /// let shots = [shot(Vec3::NEG_X)?, shot(Vec3::Y)?];
    /// let (mut buffers, mut hits) = (RayBuffers::default(), Vec::new());
    /// world.cast_rays(&shots, &mut buffers, &mut hits);
    /// assert_eq!(hits.iter().map(|hit| hit.map(|hit| hit.body)).collect::<Vec<_>>(), [Some(BodyId(8)), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_rays(&self, queries: &[RayQuery<'_>], buffers: &mut RayBuffers, hits: &mut Vec<Option<BodyRayHit>>) {
        let tiles = self.tiles_for(queries, buffers);
        hits.clear();
        hits.extend(queries.iter().map(|query| self.cast_query(query, tiles)));
    }

    /// [`HitboxWorld::cast_rays`] on all threads of rayon's pool, with the same answers.
    #[cfg(feature = "rayon")]
    pub fn cast_rays_parallel(
        &self,
        queries: &[RayQuery<'_>],
        buffers: &mut RayBuffers,
        hits: &mut Vec<Option<BodyRayHit>>,
    ) {
        use rayon::prelude::*;
        /// The number of rays in one task, which takes about ten microseconds.
        const RAYS: usize = 32;
        let tiles = self.tiles_for(queries, buffers);
        queries.par_iter().with_min_len(RAYS).map(|query| self.cast_query(query, tiles)).collect_into_vec(hits);
    }

    /// Sorts the bodies into tiles that are better than the tiles of the broad phase. `None` if there are so few rays
    /// that sorting takes more time than it saves.
    fn tiles_for<'b>(&self, queries: &[RayQuery<'_>], buffers: &'b mut RayBuffers) -> Option<&'b TileList> {
        /// The number of bodies for which sorting costs as much time as better tiles save for one ray, measured with 128, 256
        /// and 1,000 rays among 1,000 bodies.
        const BODIES_A_RAY: usize = 3;
        if queries.len() * BODIES_A_RAY < self.bodies.len() {
            return None;
        }
        buffers.fill(&self.broad);
        Some(&buffers.tiles)
    }

    fn cast_query(&self, query: &RayQuery<'_>, tiles: Option<&TileList>) -> Option<BodyRayHit> {
        let RayQuery { ray, max_time, filter } = query;
        first_ray_hit(self, ray, *max_time, filter, tiles.map_or_else(|| self.broad.tiles(), TileList::tiles))
    }
}
