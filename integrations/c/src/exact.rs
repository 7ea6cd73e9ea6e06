//! Exact answers: questions about the skin of characters that were baked with it.

use crate::character::Mesh;
use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{borrow, borrow_mut};
use crate::memory::{BoneboxString, write, write_found, write_list};
use crate::query::{BoneboxFilter, with_filter};
use crate::shapes::{BoneboxRay, BoneboxVec3};
use crate::world::present_mut;
use crate::{BoneboxCharacter, BoneboxPose, BoneboxWorld};
use runtime::{BodyId, BodySkinRayHit, SkinCandidates, SkinDistance, SkinError, SkinOverlap, SkinRayHit, SkinTouch};

/// The source of the pairs of joints that an exact query tests.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxSkinCandidates {
    /// The pairs of joints whose skin bounds overlap. The bounds contain the skin in every pose, so the answer is the
    /// same as that of a test of all triangles.
    Bounds = 0,
    /// The pairs of joints whose hitboxes overlap. The library tests fewer pairs, but misses pairs that touch outside
    /// the hitboxes.
    Hitboxes = 1,
}

/// A mesh of the file that the character was baked from.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BoneboxSkinMesh {
    /// The mesh's name.
    pub name: BoneboxString,
    /// The glTF node of the mesh.
    pub node: u32,
    /// The number of the mesh's triangles. Source triangles are numbered through all meshes in the order of their indices:
    /// the triangles of mesh 0 come first.
    pub triangle_count: u32,
}

/// A joint of one character and a joint of another whose skins touch.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxSkinOverlap {
    /// The index of the joint in the skeleton of the first character.
    pub joint_a: u16,
    /// The index of the joint in the skeleton of the second character.
    pub joint_b: u16,
    /// A source triangle of the first character that touches a triangle of the second; see `BoneboxSkinMesh`.
    pub source_triangle_a: u32,
    /// The source triangle of the second character that `source_triangle_a` touches.
    pub source_triangle_b: u32,
    /// A point that both triangles share, in world space.
    pub point: BoneboxVec3,
}

/// The point where a ray hits the skin of a character.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxSkinRayHit {
    /// The index of the joint that owns the surface at the hit.
    pub joint: u16,
    /// True if the ray comes from the side of `normal`, which is the outside of glTF meshes.
    pub front: bool,
    /// True if `texture_coordinate` has a value.
    pub has_texture_coordinate: bool,
    /// The source triangle that the ray hits; see `BoneboxSkinMesh`.
    pub source_triangle: u32,
    /// The weights of the three corners of the source triangle at the hit; their sum is 1 up to rounding.
    pub barycentric: [f32; 3],
    /// The time of the hit, a multiple of the ray's direction; at least 0.
    pub time: f32,
    /// The hit, in world space.
    pub point: BoneboxVec3,
    /// The unit normal of the skinned triangle, in world space, on the side from which the corners of the source
    /// triangle run counter-clockwise.
    pub normal: BoneboxVec3,
    /// The unit normal in world space, interpolated between the skinned normals of the source triangle's corners; equal to
    /// `normal` if the character was baked without normals there (option `skin_attributes`).
    pub shading_normal: BoneboxVec3,
    /// glTF's TEXCOORD_0 at the hit, u and v; zeros if the character was baked without texture coordinates there (option
    /// `skin_attributes`).
    pub texture_coordinate: [f32; 2],
}

/// The nearest points of the skins of two characters.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxSkinDistance {
    /// The index of the joint that owns the nearest point of the first character.
    pub joint_a: u16,
    /// The index of the joint that owns the nearest point of the second character.
    pub joint_b: u16,
    /// The source triangle of the first character that has this point; see `BoneboxSkinMesh`.
    pub source_triangle_a: u32,
    /// The source triangle of the second character that has this point.
    pub source_triangle_b: u32,
    /// The distance in world units; 0 if and only if the skins touch.
    pub distance: f32,
    /// The nearest point on the first character's skin, in world space.
    pub point_a: BoneboxVec3,
    /// The nearest point on the second character's skin, in world space.
    pub point_b: BoneboxVec3,
}

/// Two joints of two bodies whose skins touch.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxSkinTouch {
    /// The lesser id of the two bodies.
    pub body_a: u64,
    /// The greater id of the two bodies.
    pub body_b: u64,
    /// The index of the joint in the skeleton of `body_a`.
    pub joint_a: u16,
    /// The index of the joint in the skeleton of `body_b`.
    pub joint_b: u16,
    /// A source triangle of `body_a` that touches a triangle of `body_b`; see `BoneboxSkinMesh`.
    pub source_triangle_a: u32,
    /// The source triangle of `body_b` that `source_triangle_a` touches.
    pub source_triangle_b: u32,
    /// A point that both triangles share, in world space.
    pub point: BoneboxVec3,
}

/// The point where a ray hits the skin of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxBodySkinRayHit {
    /// The id of the body.
    pub body: u64,
    /// The index of the joint that owns the surface at the hit.
    pub joint: u16,
    /// True if the ray comes from the side of `normal`, which is the outside of glTF meshes.
    pub front: bool,
    /// True if `texture_coordinate` has a value.
    pub has_texture_coordinate: bool,
    /// The source triangle that the ray hits; see `BoneboxSkinMesh`.
    pub source_triangle: u32,
    /// The weights of the three corners of the source triangle at the hit; their sum is 1 up to rounding.
    pub barycentric: [f32; 3],
    /// The time of the hit, a multiple of the ray's direction; at least 0.
    pub time: f32,
    /// The hit, in world space.
    pub point: BoneboxVec3,
    /// The unit normal of the skinned triangle, in world space, on the side from which the corners of the source
    /// triangle run counter-clockwise.
    pub normal: BoneboxVec3,
    /// The unit normal in world space, interpolated between the skinned normals of the source triangle's corners; equal to
    /// `normal` if the character was baked without normals there (option `skin_attributes`).
    pub shading_normal: BoneboxVec3,
    /// glTF's TEXCOORD_0 at the hit, u and v; zeros if the character was baked without texture coordinates there (option
    /// `skin_attributes`).
    pub texture_coordinate: [f32; 2],
}

/// Reads a `BoneboxSkinCandidates`, which C passes as a number of any value.
fn skin_candidates(candidates: u32) -> Result<SkinCandidates, Failure> {
    match candidates {
        one if one == BoneboxSkinCandidates::Bounds as u32 => Ok(SkinCandidates::Bounds),
        one if one == BoneboxSkinCandidates::Hitboxes as u32 => Ok(SkinCandidates::Hitboxes),
        other => {
            Err(Failure::invalid(format!("`candidates` is {other}; pass a BoneboxSkinCandidates, which is 0 or 1")))
        }
    }
}

impl From<&SkinOverlap> for BoneboxSkinOverlap {
    fn from(overlap: &SkinOverlap) -> Self {
        let &SkinOverlap { joint_a, joint_b, source_triangle_a, source_triangle_b, point } = overlap;
        Self { joint_a: joint_a.0, joint_b: joint_b.0, source_triangle_a, source_triangle_b, point: point.into() }
    }
}

impl From<&SkinRayHit> for BoneboxSkinRayHit {
    fn from(hit: &SkinRayHit) -> Self {
        let &SkinRayHit { joint, source_triangle, barycentric, time, front, .. } = hit;
        Self {
            joint: joint.0,
            front,
            has_texture_coordinate: hit.texture_coordinate.is_some(),
            source_triangle,
            barycentric,
            time,
            point: hit.point.into(),
            normal: hit.normal.into(),
            shading_normal: hit.shading_normal.into(),
            texture_coordinate: hit.texture_coordinate.unwrap_or_default().to_array(),
        }
    }
}

impl From<&SkinDistance> for BoneboxSkinDistance {
    fn from(nearest: &SkinDistance) -> Self {
        let &SkinDistance { joint_a, joint_b, source_triangle_a, source_triangle_b, distance, point_a, point_b } =
            nearest;
        let (joint_a, joint_b, point_a, point_b) = (joint_a.0, joint_b.0, point_a.into(), point_b.into());
        Self { joint_a, joint_b, source_triangle_a, source_triangle_b, distance, point_a, point_b }
    }
}

impl From<&SkinTouch> for BoneboxSkinTouch {
    fn from(touch: &SkinTouch) -> Self {
        let &SkinTouch {
            body_a,
            body_b,
            answer: SkinOverlap { joint_a, joint_b, source_triangle_a, source_triangle_b, point },
        } = touch;
        let (body_a, body_b, joint_a, joint_b) = (body_a.0, body_b.0, joint_a.0, joint_b.0);
        Self { body_a, body_b, joint_a, joint_b, source_triangle_a, source_triangle_b, point: point.into() }
    }
}

impl From<&BodySkinRayHit> for BoneboxBodySkinRayHit {
    fn from(hit: &BodySkinRayHit) -> Self {
        let &BodySkinRayHit { body, answer: SkinRayHit { joint, source_triangle, barycentric, time, front, .. } } = hit;
        Self {
            body: body.0,
            joint: joint.0,
            front,
            has_texture_coordinate: hit.texture_coordinate.is_some(),
            source_triangle,
            barycentric,
            time,
            point: hit.point.into(),
            normal: hit.normal.into(),
            shading_normal: hit.shading_normal.into(),
            texture_coordinate: hit.texture_coordinate.unwrap_or_default().to_array(),
        }
    }
}

impl From<SkinError> for Failure {
    fn from(error: SkinError) -> Self {
        let result = match error {
            SkinError::NoPose => BoneboxResult::PoseRefused,
            SkinError::MorphCount { .. } | SkinError::MorphNotFinite { .. } => BoneboxResult::InvalidArgument,
            _ => BoneboxResult::NoSkin,
        };
        Self::new(result, error)
    }
}

/// Returns true if the character was baked with its skin, which exact queries need. Returns false for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_has_skin(character: *const BoneboxCharacter) -> bool {
    borrow(character, "character").is_ok_and(|character| character.character.has_skin())
}

/// Returns the number of meshes of the character's skin; 0 if it was baked without its skin, and for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_skin_mesh_count(character: *const BoneboxCharacter) -> usize {
    borrow(character, "character").map_or(0, |character| character.meshes.len())
}

/// Writes the mesh of the character's skin with this index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_skin_mesh(
    character: *const BoneboxCharacter,
    index: u32,
    mesh: *mut BoneboxSkinMesh,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        let missing = || character.no_index("mesh", index, character.meshes.len());
        let &Mesh { name, node, triangle_count } = character.meshes.get(index as usize).ok_or_else(missing)?;
        write(mesh, "mesh", BoneboxSkinMesh { name: character.string(name), node, triangle_count })
    })
}

/// Starts or stops keeping the skin, from the next pose on. Exact queries need the skin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_track_skin(
    pose: *mut BoneboxPose,
    is_tracked: bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        borrow_mut(pose, "pose")?.posed.track_skin(is_tracked);
        Ok(())
    })
}

/// Borrows two poses that the caller lets a query change.
///
/// # Safety
/// The rules of the crate's documentation.
unsafe fn two_poses<'a>(
    a: *mut BoneboxPose,
    b: *mut BoneboxPose,
) -> Result<(&'a mut BoneboxPose, &'a mut BoneboxPose), Failure> {
    if a == b && !a.is_null() {
        return Err(Failure::invalid("`a` and `b` are the same pose; pass two poses"));
    }
    Ok((borrow_mut(a, "a")?, borrow_mut(b, "b")?))
}

/// Writes the pairs of joints whose skins touch, each pair once with a point and two triangles, sorted by joint of `a`,
/// then by joint of `b`. `candidates` is a `BoneboxSkinCandidates`. The two poses must be different objects, and must
/// track their skins. A skin that lies wholly inside another does not touch it. The function skins the surface that it
/// needs once for each pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_exact_overlap_all(
    a: *mut BoneboxPose,
    b: *mut BoneboxPose,
    candidates: u32,
    out: *mut BoneboxSkinOverlap,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (a, b) = two_poses(a, b)?;
        a.lists.with(|lists| {
            runtime::exact_overlap_all(&mut a.posed, &mut b.posed, skin_candidates(candidates)?, &mut lists.skins)?;
            write_list(out, capacity, count, lists.skins.iter().map(Into::into))
        })
    })
}

/// Finds one pair of joints whose skins touch. Writes true to `found` if such a pair exists, else false, and writes
/// `overlap` only if it is true. The function first tests the pairs whose bounds overlap most. See
/// `bonebox_exact_overlap_all`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_exact_overlap(
    a: *mut BoneboxPose,
    b: *mut BoneboxPose,
    candidates: u32,
    found: *mut bool,
    overlap: *mut BoneboxSkinOverlap,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (a, b) = two_poses(a, b)?;
        let first = runtime::exact_overlap(&mut a.posed, &mut b.posed, skin_candidates(candidates)?)?;
        write_found(found, (overlap, "overlap"), first.as_ref())
    })
}

/// Finds the nearest points of the skins of two characters that are at most `max_distance` world units apart
/// (`INFINITY` for any distance). Writes true to `found` if such points exist, else false, and writes `nearest` only if
/// it is true. The distance is 0 if and only if `bonebox_exact_overlap_all` finds a pair.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_exact_distance(
    a: *mut BoneboxPose,
    b: *mut BoneboxPose,
    max_distance: f32,
    found: *mut bool,
    nearest: *mut BoneboxSkinDistance,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (a, b) = two_poses(a, b)?;
        let points = runtime::exact_distance(&mut a.posed, &mut b.posed, max_distance)?;
        write_found(found, (nearest, "nearest"), points.as_ref())
    })
}

/// Finds the first point of a posed character's skin that a ray hits, from either side. Writes true to `found` if the
/// ray hits the skin, else false, and writes `hit` only if it is true. No ray passes between neighboring triangles of
/// one joint. If the ray hits several triangles at the same time, the function writes the hit with the least
/// joint index, then the least source triangle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_exact_ray(
    pose: *mut BoneboxPose,
    ray: *const BoneboxRay,
    found: *mut bool,
    hit: *mut BoneboxSkinRayHit,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (ray, max_time) = BoneboxRay::read(ray)?;
        let first = borrow_mut(pose, "pose")?.posed.exact_ray(&ray, max_time)?;
        write_found(found, (hit, "hit"), first.as_ref())
    })
}

/// Starts or stops keeping the skin of a body, from its next pose on. A character that was baked without its skin is a
/// failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_track_skin(
    world: *mut BoneboxWorld,
    body: u64,
    is_tracked: bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = present_mut(world, "world")?;
        Ok(world.world.track_skin(BodyId(body), is_tracked)?)
    })
}

/// Writes the joints of different bodies whose skins touch, sorted by bodies, then by joints, in the present poses.
/// Layers and teams apply as for touches. If a body that `filter` admits comes near another but does not track its skin,
/// the function fails. `filter` admits a joint if it admits a hitbox of the joint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_exact_touches(
    world: *mut BoneboxWorld,
    filter: *const BoneboxFilter,
    out: *mut BoneboxSkinTouch,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let BoneboxWorld { world, lists, .. } = present_mut(world, "world")?;
        with_filter(filter, |filter| {
            lists.with(|lists| {
                world.exact_touches(filter, &mut lists.skins)?;
                write_list(out, capacity, count, lists.skins.iter().map(Into::into))
            })
        })
    })
}

/// Finds the first point of any body's skin that a ray hits. Writes true to `found` if the ray hits a skin, else false,
/// and writes `hit` only if it is true. If a body that `filter` admits is in the ray's way but does not track its skin,
/// the function fails. `filter` admits a joint if it admits a hitbox of the joint. If the ray hits several bodies at the
/// same time, the function returns the one with the least id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_exact_ray(
    world: *mut BoneboxWorld,
    ray: *const BoneboxRay,
    filter: *const BoneboxFilter,
    found: *mut bool,
    hit: *mut BoneboxBodySkinRayHit,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = present_mut(world, "world")?;
        let (ray, max_time) = BoneboxRay::read(ray)?;
        let first = with_filter(filter, |filter| Ok(world.world.exact_ray(&ray, max_time, filter)?))?;
        write_found(found, (hit, "hit"), first.as_ref())
    })
}

/// Finds the nearest points of the skins of two bodies that are at most `max_distance` world units apart (`INFINITY`
/// for any distance). Writes true to `found` if such points exist, else false, and writes `nearest` only if it is true.
/// Both bodies must have a pose and track their skins.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_exact_distance(
    world: *mut BoneboxWorld,
    body_a: u64,
    body_b: u64,
    max_distance: f32,
    found: *mut bool,
    nearest: *mut BoneboxSkinDistance,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = present_mut(world, "world")?;
        let points = world.world.exact_distance(BodyId(body_a), BodyId(body_b), max_distance)?;
        write_found(found, (nearest, "nearest"), points.as_ref())
    })
}
