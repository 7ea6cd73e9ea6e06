//! Ragdolls as MJCF, for MuJoCo.

use super::figure::{Figure, Part, Place};
use super::hinge::Hinge;
use super::xml::{clean_inertia, direction, escaped, numbers, vector, w_first};
use crate::ExportForm;
use crate::marks::export_comment;
use baked_format::{BodyShape, BodySolid};
use std::fmt::Write as _;

/// Seconds of a step for a figure of a person's size.
const STEP: f64 = 0.002;

/// The inertia that each hinge has beside that of its body, as a share of that of a point with the figure's mass at a distance
/// of the figure's size. Without it, small bodies turn far past their limits before the solver answers.
const ARMATURE: f64 = 5e-5;

/// The torque of dry friction in each hinge, as a share of that of the figure's weight at a distance of the figure's size. Without
/// it, figures that have fallen rock for seconds.
const DRY_FRICTION: f64 = 1e-4;

/// The friction of all shapes: against sliding, against turning on the spot and against rolling. The last two are lengths, for a
/// figure of the size 1.
const FRICTION: [f64; 3] = [0.8, 0.003, 0.0001];

/// Returns the text and the warnings.
pub(super) fn text(figure: &Figure<'_>) -> (String, Vec<String>) {
    let mut out = String::new();
    let (time, size) = (figure.time_scale(), figure.size);
    let armature = ARMATURE * figure.mass * size * size;
    let friction = [FRICTION[0], FRICTION[1] * size, FRICTION[2] * size];
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        r#"<mujoco model="{name}">
  {mark}
  <compiler angle="radian" autolimits="true" inertiafromgeom="false"/>
  <option timestep="{step}" integrator="implicitfast" cone="elliptic" impratio="10"/>
  <default>
    <joint type="hinge" armature="{armature}" frictionloss="{dry}" solreflimit="{limit} 1"/>
    <equality solref="{limit} 1"/>
    <geom friction="{friction}" solref="{contact} 1"/>
  </default>
"#,
        name = escaped(&figure.character.name),
        mark = export_comment(figure.character, ExportForm::Mjcf),
        step = numbers(&[STEP * time]),
        armature = numbers(&[armature]),
        dry = numbers(&[DRY_FRICTION * 9.81 * figure.mass * size]),
        limit = numbers(&[2.0 * STEP * time]),
        friction = numbers(&friction),
        contact = numbers(&[10.0 * STEP * time]),
    );
    meshes(figure, &mut out);
    let _ = write!(
        out,
        r#"  <worldbody>
    <light directional="true" pos="0 0 {light}" dir="0 0 -1"/>
    <geom name="floor" type="plane" size="{floor}" pos="0 0 {low}"/>
"#,
        light = numbers(&[3.0 * size]),
        floor = numbers(&[10.0 * size, 10.0 * size, size]),
        low = numbers(&[figure.lowest]),
    );
    bodies(figure, &mut out);
    out.push_str("  </worldbody>\n");
    if !figure.no_collision.is_empty() {
        out.push_str("  <contact>\n");
        for pair in &figure.no_collision {
            let [first, second] = pair.map(|body| escaped(&figure.parts[usize::from(body)].name));
            let _ = writeln!(out, r#"    <exclude body1="{first}" body2="{second}"/>"#);
        }
        out.push_str("  </contact>\n");
    }
    couplings(figure, &mut out);
    out.push_str("</mujoco>\n");
    (out, figure.all_warnings())
}

/// Writes that both halves of a swing have the same angle.
fn couplings(figure: &Figure<'_>, out: &mut String) {
    let mut couplings = String::new();
    for part in &figure.parts {
        let mut halves = part.hinges.iter().filter(|hinge| hinge.is_half);
        while let (Some(first), Some(second)) = (halves.next(), halves.next()) {
            let [first, second] = [first, second].map(|hinge| escaped(&hinge.name));
            let _ = writeln!(couplings, r#"    <joint joint1="{second}" joint2="{first}"/>"#);
        }
    }
    if !couplings.is_empty() {
        let _ = write!(out, "  <equality>\n{couplings}  </equality>\n");
    }
}

fn meshes(figure: &Figure<'_>, out: &mut String) {
    let mut meshes = String::new();
    for part in &figure.parts {
        for shape in &part.shapes {
            let BodySolid::Hull(hull) = &shape.solid else { continue };
            let vertices: Vec<f64> = hull.vertices.iter().flat_map(|vertex| vertex.as_dvec3().to_array()).collect();
            let (name, vertices) = (shape_name(part, shape), numbers(&vertices));
            let _ = writeln!(meshes, r#"    <mesh name="{name}" inertia="convex" vertex="{vertices}"/>"#);
        }
    }
    if !meshes.is_empty() {
        let _ = write!(out, "  <asset>\n{meshes}  </asset>\n");
    }
}

/// The name of a shape: that of its body, and the index of its hitbox.
fn shape_name(part: &Part<'_>, shape: &BodyShape) -> String {
    format!("{}:{}", escaped(&part.name), shape.hitbox)
}

enum Tag {
    Open(usize),
    Close,
}

/// Writes the bodies, each within the one that holds it.
fn bodies(figure: &Figure<'_>, out: &mut String) {
    let held = figure.held();
    let roots = (0..figure.parts.len()).filter(|body| figure.parts[*body].parent.is_none());
    let mut tags: Vec<Tag> = roots.rev().map(Tag::Open).collect();
    let mut indent = "    ".to_owned();
    while let Some(tag) = tags.pop() {
        match tag {
            Tag::Open(body) => {
                let part = &figure.parts[body];
                let (name, Place { position, rotation }) = (escaped(&part.name), part.place);
                let (position, rotation) = (vector(position), w_first(rotation));
                let _ = writeln!(out, r#"{indent}<body name="{name}" pos="{position}" quat="{rotation}">"#);
                indent.push_str("  ");
                contents(part, &indent, out);
                tags.push(Tag::Close);
                tags.extend(held[body].iter().rev().map(|body| Tag::Open(*body)));
            }
            Tag::Close => {
                indent.truncate(indent.len() - 2);
                let _ = writeln!(out, "{indent}</body>");
            }
        }
    }
}

fn contents(part: &Part<'_>, indent: &str, out: &mut String) {
    let body = part.body;
    if part.parent.is_none() {
        let _ = writeln!(out, r#"{indent}<freejoint name="{}:free"/>"#, escaped(&part.name));
    }
    let (center, mass) = (vector(body.center_of_mass.as_dvec3()), numbers(&[body.mass.into()]));
    let inertia = numbers(&clean_inertia(body.inertia));
    let _ = writeln!(out, r#"{indent}<inertial pos="{center}" mass="{mass}" fullinertia="{inertia}"/>"#);
    for hinge in &part.hinges {
        let _ = writeln!(out, "{indent}{}", joint(part, hinge));
    }
    for shape in &part.shapes {
        let place = Place::of_shape(shape);
        let name = shape_name(part, shape);
        let kind = match &shape.solid {
            BodySolid::Box(half) => format!(r#"type="box" size="{}""#, vector(half.as_dvec3())),
            BodySolid::Sphere(radius) => format!(r#"type="sphere" size="{}""#, numbers(&[f64::from(*radius)])),
            BodySolid::Capsule { half_length, radius } => {
                let size = numbers(&[radius, half_length].map(|length| f64::from(*length)));
                format!(r#"type="capsule" size="{size}""#)
            }
            BodySolid::Hull(_) => format!(r#"type="mesh" mesh="{name}""#),
        };
        // MuJoCo's capsules lie along z, and those of a bake along y.
        let rotation = match shape.solid {
            BodySolid::Capsule { .. } => place.rotation * super::figure::Y_FROM_Z,
            _ => place.rotation,
        };
        let (position, rotation) = (vector(place.position), w_first(rotation));
        let _ = writeln!(out, r#"{indent}<geom name="{name}" {kind} pos="{position}" quat="{rotation}"/>"#);
    }
}

fn joint(part: &Part<'_>, hinge: &Hinge) -> String {
    let mut joint = format!(r#"<joint name="{}" axis="{}""#, escaped(&hinge.name), direction(hinge.axis));
    if let Some(limit) = hinge.limit {
        let _ = write!(joint, r#" range="{}""#, numbers(&[-limit, limit]));
    }
    if hinge.rest != 0.0 {
        let _ = write!(joint, r#" ref="{}""#, numbers(&[hinge.rest]));
    }
    if let Some(constraint) = &part.body.constraint {
        // Two hinges that turn by half of the angle each need twice of both for the same torque.
        let times = if hinge.is_half { 2.0 } else { 1.0 };
        for (word, value) in [("stiffness", constraint.stiffness), ("damping", constraint.damping)] {
            if value > 0.0 {
                let _ = write!(joint, r#" {word}="{}""#, numbers(&[times * f64::from(value)]));
            }
        }
    }
    joint + "/>"
}
