//! Ragdolls as JSON, for scripts of engines.
//!
//! No list holds lists and no value is `null`, because Unity's `JsonUtility` reads neither.

use super::figure::{Figure, Part};
use crate::marks::RAGDOLL_FORMAT;
use baked_format::{BodyShape, BodySolid, Constraint};
use serde::Serialize;

/// The version of the form, which a change that a script may notice increases.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Body<'a> {
    name: &'a str,
    joint: &'a str,
    parent: i32,
    position: [f32; 3],
    rotation: [f32; 4],
    mass: f32,
    center_of_mass: [f32; 3],
    inertia: [f32; 6],
    shapes: Vec<Shape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<Held>,
}

#[derive(Serialize)]
struct Shape {
    hitbox: u16,
    shape: &'static str,
    center: [f32; 3],
    rotation: [f32; 4],
    /// Half of the size of the box around the shape.
    half_extents: [f32; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    radius: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    half_length: Option<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    vertices: Vec<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    triangles: Vec<u8>,
}

#[derive(Serialize)]
struct Held {
    kind: &'static str,
    anchor: [f32; 3],
    parent_from_frame: [f32; 4],
    body_from_frame: [f32; 4],
    twist: f32,
    swing_y: f32,
    swing_z: f32,
    stiffness: f32,
    damping: f32,
    limits_from: &'static str,
}

#[derive(Serialize)]
struct Pair {
    first: u16,
    second: u16,
}

/// Returns the text and the warnings.
pub(super) fn text(figure: &Figure<'_>) -> (String, Vec<String>) {
    let character = figure.character;
    let bodies = figure.parts.iter().map(|part| line(&body(part)));
    let pairs = figure.no_collision.iter().map(|&[first, second]| line(&Pair { first, second }));
    let [name, file] = [&character.name, &character.source.file].map(line);
    let (mass, size) = (line(&(figure.mass as f32)), line(&(figure.size as f32)));
    let text = format!(
        "{{\n  \"format\": \"{RAGDOLL_FORMAT}\",\n  \"format_version\": {VERSION},\n  \"name\": {name},\n  \
         \"source\": {{ \"file\": {file} }},\n  \"mass\": {mass},\n  \"size\": {size},\n  \"bodies\": {},\n  \
         \"no_collision\": {}\n}}\n",
        lines(bodies),
        lines(pairs),
    );
    (text, figure.warnings.clone())
}

fn body<'a>(part: &'a Part<'_>) -> Body<'a> {
    let body = part.body;
    Body {
        name: &part.name,
        joint: part.joint,
        // An index of a body fits, because it fits into 16 bits.
        parent: part.parent.map_or(-1, |parent| parent as i32),
        position: body.position.to_array(),
        rotation: body.rotation.to_array(),
        mass: body.mass,
        center_of_mass: body.center_of_mass.to_array(),
        inertia: body.inertia,
        shapes: part.shapes.iter().map(shape).collect(),
        constraint: body.constraint.as_ref().map(held),
    }
}

fn shape(shape: &BodyShape) -> Shape {
    let mut written = Shape {
        hitbox: shape.hitbox,
        shape: "box",
        center: shape.center.to_array(),
        rotation: shape.rotation.to_array(),
        half_extents: shape.half_extents().to_array(),
        radius: None,
        half_length: None,
        vertices: Vec::new(),
        triangles: Vec::new(),
    };
    match &shape.solid {
        BodySolid::Box(_) => {}
        BodySolid::Sphere(radius) => (written.shape, written.radius) = ("sphere", Some(*radius)),
        BodySolid::Capsule { half_length, radius } => {
            (written.shape, written.radius, written.half_length) = ("capsule", Some(*radius), Some(*half_length));
        }
        BodySolid::Hull(hull) => {
            written.shape = "hull";
            written.vertices = hull.vertices.iter().flat_map(|vertex| vertex.to_array()).collect();
            written.triangles = hull.triangles.iter().flatten().copied().collect();
        }
    }
    written
}

fn held(one: &Constraint) -> Held {
    Held {
        kind: one.kind.keyword(),
        anchor: one.anchor.to_array(),
        parent_from_frame: one.parent_from_frame.to_array(),
        body_from_frame: one.body_from_frame.to_array(),
        twist: one.limits.x,
        swing_y: one.limits.y,
        swing_z: one.limits.z,
        stiffness: one.stiffness,
        damping: one.damping,
        limits_from: one.limits_from.keyword(),
    }
}

/// Numbers are finite in every valid character, and keys are texts, so this cannot fail.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.map(|line| format!("    {line}")).collect();
    if lines.is_empty() { "[]".into() } else { format!("[\n{}\n  ]", lines.join(",\n")) }
}
