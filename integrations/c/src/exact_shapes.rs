//! Exact answers about shapes and points: the joints whose skin a shape touches, and the bodies that contain a point.

use crate::failure::{BoneboxError, BoneboxResult, guard};
use crate::handle::borrow_mut;
use crate::memory::{write, write_list};
use crate::query::{BoneboxFilter, with_filter};
use crate::shapes::{BoneboxShape, BoneboxVec3, CheckedShape};
use crate::world::present_mut;
use crate::{BoneboxPose, BoneboxWorld};
use runtime::{BodySkinShapeOverlap, SkinShapeOverlap};

/// A joint whose skin a shape touches.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxSkinShapeOverlap {
    /// The index of the joint that owns the skin.
    pub joint: u16,
    /// A source triangle that the shape touches; see `BoneboxSkinMesh`.
    pub source_triangle: u32,
}

/// A joint of a body whose skin a shape touches.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxBodySkinShapeOverlap {
    /// The id of the body.
    pub body: u64,
    /// The index of the joint that owns the skin.
    pub joint: u16,
    /// A source triangle that the shape touches; see `BoneboxSkinMesh`.
    pub source_triangle: u32,
}

impl From<&SkinShapeOverlap> for BoneboxSkinShapeOverlap {
    fn from(&SkinShapeOverlap { joint, source_triangle }: &SkinShapeOverlap) -> Self {
        Self { joint: joint.0, source_triangle }
    }
}

impl From<&BodySkinShapeOverlap> for BoneboxBodySkinShapeOverlap {
    fn from(
        &BodySkinShapeOverlap { body, answer: SkinShapeOverlap { joint, source_triangle } }: &BodySkinShapeOverlap,
    ) -> Self {
        Self { body: body.0, joint: joint.0, source_triangle }
    }
}

/// Writes the joints of a posed character whose skin a shape touches, sorted, each joint once. Only the surface counts:
/// a shape wholly inside the body touches nothing, see `bonebox_pose_skin_contains`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_exact_shape_overlaps(
    pose: *mut BoneboxPose,
    shape: *const BoneboxShape,
    out: *mut BoneboxSkinShapeOverlap,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let BoneboxPose { posed, lists, .. } = borrow_mut(pose, "pose")?;
        let shape = CheckedShape::read(shape, "shape")?;
        lists.with(|lists| {
            let found = &mut lists.skin_shapes;
            with_shape!(&shape, shape => posed.exact_shape_overlaps(shape, found))?;
            write_list(out, capacity, count, found.iter().map(Into::into))
        })
    })
}

/// Writes true if a point in world space is inside the skin of a posed character, else false. A point is inside if the
/// absolute value of the skin's generalized winding number around it is at least one half. For closed surfaces, this is
/// the usual meaning of inside. The function tests every triangle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_skin_contains(
    pose: *mut BoneboxPose,
    point: BoneboxVec3,
    contains: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || write(contains, "contains", borrow_mut(pose, "pose")?.posed.skin_contains(point.into())?))
}

/// Writes the joints of bodies whose skin a shape touches, sorted by body, then by joint; see
/// `bonebox_pose_exact_shape_overlaps`. If a body that `filter` admits is near the shape but does not track its skin, the
/// function fails. `filter` admits a joint if it admits a hitbox of the joint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_exact_shape_overlaps(
    world: *mut BoneboxWorld,
    shape: *const BoneboxShape,
    filter: *const BoneboxFilter,
    out: *mut BoneboxBodySkinShapeOverlap,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let BoneboxWorld { world, lists, .. } = present_mut(world, "world")?;
        let shape = CheckedShape::read(shape, "shape")?;
        with_filter(filter, |filter| {
            lists.with(|lists| {
                let found = &mut lists.skin_shapes;
                with_shape!(&shape, shape => world.exact_shape_overlaps(shape, filter, found))?;
                write_list(out, capacity, count, found.iter().map(Into::into))
            })
        })
    })
}

/// Writes the ids of the bodies whose skin contains a point in world space and of which `filter` admits any hitbox,
/// sorted; see `bonebox_pose_skin_contains`. If a body near the point does not track its skin, the function fails, unless
/// `filter` excludes the body or its team or layers. The tags and the predicate of `filter` do not prevent this failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_bodies_containing(
    world: *mut BoneboxWorld,
    point: BoneboxVec3,
    filter: *const BoneboxFilter,
    out: *mut u64,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let BoneboxWorld { world, lists, .. } = present_mut(world, "world")?;
        with_filter(filter, |filter| {
            lists.with(|lists| {
                world.bodies_containing(point.into(), filter, &mut lists.inside)?;
                write_list(out, capacity, count, lists.inside.iter().map(|body| body.0))
            })
        })
    })
}
