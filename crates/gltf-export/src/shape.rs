//! Boxes in the form that glTF nodes and shapes need.

use crate::marks::box_extras;
use baked_format::{BakedCharacter, Hitbox, HitboxShape};
use geometry_core::portable;
use glam::{Affine3A, Vec3};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The least size of a shape, as a share of the character's longest box edge: formats demand sizes above zero.
pub(crate) const LEAST_SIZE: f32 = 1e-4;

/// A box that is ready to be written.
pub(crate) struct Shape<'a> {
    pub(crate) baked: &'a Hitbox,
    /// The name of the box's node, unique in the export.
    pub(crate) name: String,
    /// The joint's name.
    pub(crate) joint: &'a str,
    /// Index of the joint's node.
    pub(crate) node: u32,
    /// The joint's scale at rest.
    pub(crate) scale: f32,
    /// Full edge lengths in the scene's unit, each above zero.
    pub(crate) size: Vec3,
    /// Index of the box in the bake.
    pub(crate) index: usize,
}

/// Returns the boxes of a bake, and warnings about joints that are scaled unevenly.
pub(crate) fn shapes(character: &BakedCharacter) -> (Vec<Shape<'_>>, Vec<String>) {
    let skeleton = &character.skeleton;
    let model_from_joint = skeleton.rest_matrices();
    let mut warnings = Vec::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shapes: Vec<Shape<'_>> = Vec::new();
    for (index, baked) in character.boxes.iter().enumerate() {
        let joint = skeleton.joint(baked.joint);
        let number = numbers.entry(&joint.name).or_default();
        *number += 1;
        let name = if *number == 1 { format!("bb:{}", joint.name) } else { format!("bb:{} ({number})", joint.name) };
        let (scale, even) = uniform_scale(&model_from_joint[baked.joint.index()]);
        if !even && *number == 1 {
            warnings.push(format!(
                "joint {:?} is scaled unevenly at rest: engines that scale shapes with their node will show another box",
                joint.name
            ));
        }
        let size = baked.half_extents * (2.0 * scale);
        shapes.push(Shape { baked, name, joint: &joint.name, node: joint.node.0, scale, size, index });
    }
    let least = LEAST_SIZE * shapes.iter().map(|shape| shape.size.max_element()).fold(f32::MIN_POSITIVE, f32::max);
    for shape in &mut shapes {
        shape.size = shape.size.max(Vec3::splat(least));
    }
    (shapes, warnings)
}

/// Returns the cube root of the matrix's volume, and whether the matrix is a rotation with that scale. A joint that
/// collapses its space counts as unscaled.
pub(crate) fn uniform_scale(matrix: &Affine3A) -> (f32, bool) {
    let (linear, _) = portable::affine_parts(matrix);
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
    let scale = libm::cbrtf(x.cross(y).dot(z).abs());
    if !(scale.is_normal()) {
        return (1.0, false);
    }
    let tolerance = 1e-3 * scale * scale;
    let even = [x, y, z].iter().all(|axis| (axis.length_squared() - scale * scale).abs() <= tolerance)
        && [x.dot(y), y.dot(z), z.dot(x)].iter().all(|dot| dot.abs() <= tolerance);
    (scale, even)
}

impl Shape<'_> {
    pub(crate) fn extras(&self) -> Value {
        box_extras(self.joint, self.baked, self.index)
    }

    /// Returns the box's node, without extensions. Its scale cancels the joint's, so that sizes are in the scene's unit.
    pub(crate) fn node(&self) -> Value {
        json!({
            "name": self.name,
            "translation": floats(&self.baked.center.to_array()),
            "rotation": floats(&self.baked.orientation.to_array()),
            "scale": floats(&[1.0 / self.scale; 3]),
            "extras": self.extras(),
        })
    }

    /// Returns the shape as both physics extensions write it. Their capsules run along y, as a hitbox's does; the height is
    /// the distance between the centers of the caps. `None` for a hull, which is a mesh.
    pub(crate) fn physics_shape(&self) -> Option<Value> {
        let radius = || floats(&[0.5 * self.size.x])[0].clone();
        Some(match self.baked.shape {
            HitboxShape::Hull => return None,
            HitboxShape::Box => json!({ "type": "box", "box": { "size": floats(&self.size.to_array()) } }),
            HitboxShape::Capsule => {
                let height = floats(&[self.size.y - self.size.x])[0].clone();
                let capsule = json!({ "height": height, "radiusBottom": radius(), "radiusTop": radius() });
                json!({ "type": "capsule", "capsule": capsule })
            }
            HitboxShape::Sphere => json!({ "type": "sphere", "sphere": { "radius": radius() } }),
        })
    }
}

/// Returns numbers as the shortest decimals that read back to the same `f32`.
pub(crate) fn floats(numbers: &[f32]) -> Value {
    let shortest = |number: &f32| number.to_string().parse::<f64>().unwrap_or_default();
    numbers.iter().map(shortest).collect::<Vec<f64>>().into()
}
