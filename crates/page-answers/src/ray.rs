//! The answer to a ray that the page casts at a character.

use geometry_core::Ray;
use glam::Vec3;
use runtime::{BoxIndex, Character, PosedCharacter, SkinRayHit};
use serde::Serialize;
use skeleton::JointIndex;

/// The first point of a character that a ray hits: of its skin, or of its hitboxes if the file has no skin.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RayAnswer {
    /// The joint that owns the surface or the hitbox, by name.
    joint: String,
    /// The first hitbox of the joint that the ray hits; `None` if the ray passes all of them.
    hitbox: Option<u16>,
    /// The distance from the ray's origin, in world units.
    distance: f32,
    /// The hit, in world space.
    point: [f32; 3],
    /// The smooth unit normal of the skin at the hit, in world space; `None` if the file has no skin.
    normal: Option<[f32; 3]>,
    /// glTF's `TEXCOORD_0` at the hit; `None` if the file has no skin or the mesh has no texture coordinates.
    texture_coordinate: Option<[f32; 2]>,
    /// The triangles to highlight, in world space: the parts of the source triangle that is hit, or the faces of the
    /// hull that is hit or of the box around another hitbox.
    triangles: Vec<[[f32; 3]; 3]>,
    /// The source triangle; `None` if the file has no skin.
    source: Option<SourceTriangle>,
    /// `true` if the hit is on the skin.
    is_skin: bool,
}

/// A triangle of the file that a character was baked from.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct SourceTriangle {
    /// The name of the mesh.
    mesh: String,
    /// The node of the file with this mesh.
    node: u32,
    /// The number of the triangle in its mesh.
    triangle: u32,
}

impl RayAnswer {
    /// Casts a ray in world space; `None` if it hits nothing. `posed` is a pose of `character` that tracks the skin.
    ///
    /// # Errors
    /// Returns an error if there is no pose.
    pub fn new(character: &Character, posed: &mut PosedCharacter, ray: &Ray) -> anyhow::Result<Option<Self>> {
        if !character.has_skin() {
            return Ok(posed.cast_ray(ray, None).map(|hit| Self {
                joint: character.joint_name(hit.joint).to_owned(),
                hitbox: Some(hit.box_index.0),
                distance: hit.entry * ray.direction().length(),
                point: ray.at(hit.entry).to_array(),
                normal: None,
                texture_coordinate: None,
                triangles: faces(character, posed, hit.box_index),
                source: None,
                is_skin: false,
            }));
        }
        let Some(hit) = posed.exact_ray(ray, None)? else { return Ok(None) };
        let SkinRayHit { joint, source_triangle, time, point, shading_normal, texture_coordinate, .. } = hit;
        let mut triangles = Vec::new();
        posed.skin_triangles(&mut triangles)?;
        triangles.retain(|triangle| triangle.source_triangle == source_triangle);
        Ok(Some(Self {
            joint: character.joint_name(joint).to_owned(),
            hitbox: first_hitbox(posed, ray, joint).map(|index| index.0),
            distance: time * ray.direction().length(),
            point: point.to_array(),
            normal: Some(shading_normal.to_array()),
            texture_coordinate: texture_coordinate.map(|at| at.to_array()),
            triangles: triangles.iter().map(|triangle| triangle.corners.map(|corner| corner.to_array())).collect(),
            source: source(character, source_triangle),
            is_skin: true,
        }))
    }
}

fn first_hitbox(posed: &PosedCharacter, ray: &Ray, joint: JointIndex) -> Option<BoxIndex> {
    let mut hits = Vec::new();
    posed.cast_ray_all(ray, None, &mut hits);
    hits.iter().find(|hit| hit.joint == joint).map(|hit| hit.box_index)
}

fn source(character: &Character, source_triangle: u32) -> Option<SourceTriangle> {
    let skin = character.baked().skin.as_ref()?;
    let (mesh, triangle) = skin.source_of(source_triangle)?;
    let mesh = &skin.meshes[mesh];
    Some(SourceTriangle { mesh: mesh.name.clone(), node: mesh.node.0, triangle })
}

/// The faces of a hitbox that is a hull; for another hitbox, two triangles for each side of the box around it.
fn faces(character: &Character, posed: &PosedCharacter, index: BoxIndex) -> Vec<[[f32; 3]; 3]> {
    let baked = character.hitbox(index).and_then(|hitbox| hitbox.baked.hull.as_ref());
    if let (Some(hull), Some(baked)) = (posed.posed_hull(index), baked) {
        let corners: Vec<[f32; 3]> = hull.corners().map(|corner| corner.to_array()).collect();
        return baked.triangles.iter().map(|triangle| triangle.map(|corner| corners[usize::from(corner)])).collect();
    }
    let Some(hitbox) = posed.hitbox(index) else { return Vec::new() };
    let corners = hitbox.obb().corners().map(|corner: Vec3| corner.to_array());
    // Bits 0, 1 and 2 of a corner's index choose its side along the three axes.
    let side = |axis: usize, far: usize| {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        let at = far << axis;
        [[at, at | u, at | v], [at | u, at | v, at | u | v]]
    };
    let sides = (0..3).flat_map(|axis| [side(axis, 0), side(axis, 1)]);
    sides.flatten().map(|triangle| triangle.map(|corner| corners[corner])).collect()
}
