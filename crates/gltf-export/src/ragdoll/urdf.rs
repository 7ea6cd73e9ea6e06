//! Ragdolls as URDF, for programs of robots.

use super::figure::{Figure, Part, Place, Y_FROM_Z};
use super::hinge::Hinge;
use super::xml::{direction, escaped, numbers, roll_pitch_yaw, vector};
use crate::ExportForm;
use crate::marks::export_comment;
use baked_format::BodySolid;
use glam::{DQuat, DVec3};
use std::fmt::Write as _;

/// The share of a body's mass and inertia that each link between its hinges has. Many programs refuse links without a mass.
const SHARE: f64 = 0.01;

/// The speed in rad/s that no joint of a person reaches.
const SPEED: f64 = 100.0;

/// Returns the text and the warnings.
pub(super) fn text(figure: &Figure<'_>) -> (String, Vec<String>) {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    // Writing to a string cannot fail.
    let _ = writeln!(out, r#"<robot name="{}">"#, escaped(&figure.character.name));
    let _ = writeln!(out, "  {}", export_comment(figure.character, ExportForm::Urdf));
    for part in &figure.parts {
        match (part.parent, &part.hinges[..]) {
            (Some(parent), hinges) => held_link(figure, part, &figure.parts[parent], hinges, &mut out),
            (None, _) => link(part, &part.name, part_place(part), 1.0, true, &mut out),
        }
    }
    let roots: Vec<&Part<'_>> = figure.parts.iter().filter(|part| part.parent.is_none()).collect();
    for root in roots.iter().skip(1) {
        let (name, first) = (escaped(&root.name), escaped(&roots[0].name));
        let _ = writeln!(out, "  <joint name=\"{name}:free\" type=\"floating\">");
        let _ = writeln!(out, "    <parent link=\"{first}\"/>\n    <child link=\"{name}\"/>\n  </joint>");
    }
    out.push_str("</robot>\n");
    (out, warnings(figure, roots.len()))
}

fn warnings(figure: &Figure<'_>, roots: usize) -> Vec<String> {
    let mut warnings = figure.all_warnings();
    let is_hull = |solid: &&BodySolid| matches!(solid, BodySolid::Hull(_));
    let solids = figure.parts.iter().flat_map(|part| part.shapes.iter().map(|shape| &shape.solid));
    let hulls = solids.filter(is_hull).count();
    if hulls > 0 {
        warnings
            .push(format!("{hulls} hulls would need files of their own in URDF; the boxes around them replace them"));
    }
    if roots > 1 {
        warnings.push(format!(
            "nothing holds {roots} bodies; all but the first hang at it by `floating` joints, which some programs read as fixed ones"
        ));
    }
    let held = figure.parts.iter().filter(|part| part.parent.is_some()).count();
    let pairs = figure.no_collision.len() - held;
    if pairs > 0 {
        warnings.push(format!(
            "{pairs} pairs of bodies that never collide, besides neighbors, have no place in URDF; exclude them in your program"
        ));
    }
    let springs = |part: &&Part<'_>| part.body.constraint.as_ref().is_some_and(|one| one.stiffness > 0.0);
    let springs = figure.parts.iter().filter(springs).count();
    if springs > 0 {
        warnings.push(format!("the stiffness of {springs} constraints has no place in URDF"));
    }
    warnings
}

/// The place of a body in the space of its link. The link of a root has the axes of the world, so that a program that puts the
/// root at its own origin shows the figure upright.
fn part_place(part: &Part<'_>) -> Place {
    if part.parent.is_none() { part.place } else { Place::IDENTITY }
}

/// Writes a body and its hinges, with a link between each two hinges.
fn held_link(figure: &Figure<'_>, part: &Part<'_>, parent: &Part<'_>, hinges: &[Hinge], out: &mut String) {
    let (mut above, mut place) = (parent.name.clone(), part_place(parent).after(&part.place));
    for (number, hinge) in hinges.iter().enumerate() {
        let is_last = number + 1 == hinges.len();
        let child = if is_last { part.name.clone() } else { hinge.name.clone() };
        joint(figure, part, hinge, [&above, &child], place, out);
        let share = if is_last { 1.0 - SHARE * number as f64 } else { SHARE };
        link(part, &child, Place::IDENTITY, share, is_last, out);
        (above, place) = (child, Place::IDENTITY);
    }
}

fn joint(
    figure: &Figure<'_>,
    part: &Part<'_>,
    hinge: &Hinge,
    [parent, child]: [&str; 2],
    place: Place,
    out: &mut String,
) {
    let name = escaped(&hinge.name);
    let kind = if hinge.limit.is_some() { "revolute" } else { "continuous" };
    let _ = writeln!(out, "  <joint name=\"{name}\" type=\"{kind}\">");
    let _ = writeln!(out, "    {}", origin(place));
    let _ = writeln!(out, "    <parent link=\"{}\"/>\n    <child link=\"{}\"/>", escaped(parent), escaped(child));
    let _ = writeln!(out, "    <axis xyz=\"{}\"/>", direction(hinge.axis));
    // No joint ever needs a larger torque than the whole figure at its full length.
    let effort = numbers(&[9.81 * figure.mass * figure.size]);
    let speed = numbers(&[SPEED / figure.time_scale()]);
    let range = match hinge.limit {
        Some(limit) => {
            let [low, high] = [-limit - hinge.rest, limit - hinge.rest].map(|angle| numbers(&[angle]));
            format!("lower=\"{low}\" upper=\"{high}\" ")
        }
        None => String::new(),
    };
    let _ = writeln!(out, "    <limit {range}effort=\"{effort}\" velocity=\"{speed}\"/>");
    let damping = part.body.constraint.as_ref().map_or(0.0, |one| one.damping);
    let _ = writeln!(out, "    <dynamics damping=\"{}\"/>\n  </joint>", numbers(&[damping.into()]));
}

/// Writes a link with a share of the body's mass. `place` is that of the body in the space of the link.
fn link(part: &Part<'_>, name: &str, place: Place, share: f64, has_shapes: bool, out: &mut String) {
    let body = part.body;
    let center = Place { position: body.center_of_mass.as_dvec3(), rotation: DQuat::IDENTITY };
    let [xx, yy, zz, xy, xz, yz] = body.inertia.map(|moment| numbers(&[share * f64::from(moment)]));
    let _ = writeln!(out, "  <link name=\"{}\">\n    <inertial>", escaped(name));
    let _ = writeln!(out, "      {}", origin(place.after(&center)));
    let _ = writeln!(out, "      <mass value=\"{}\"/>", numbers(&[share * f64::from(body.mass)]));
    let _ = writeln!(
        out,
        "      <inertia ixx=\"{xx}\" ixy=\"{xy}\" ixz=\"{xz}\" iyy=\"{yy}\" iyz=\"{yz}\" izz=\"{zz}\"/>\n    </inertial>"
    );
    if has_shapes {
        for (at, geometry) in part.shapes.iter().flat_map(geometries) {
            let origin = origin(place.after(&at));
            for word in ["visual", "collision"] {
                let _ =
                    writeln!(out, "    <{word}>\n      {origin}\n      <geometry>{geometry}</geometry>\n    </{word}>");
            }
        }
    }
    out.push_str("  </link>\n");
}

/// The shapes of URDF that a shape of a body consists of, in the space of the body.
fn geometries(shape: &baked_format::BodyShape) -> Vec<(Place, String)> {
    let place = Place::of_shape(shape);
    let ball = |radius: f64| format!("<sphere radius=\"{}\"/>", numbers(&[radius]));
    match &shape.solid {
        BodySolid::Sphere(radius) => vec![(place, ball(f64::from(*radius)))],
        BodySolid::Capsule { half_length, radius } => {
            let [half_length, radius] = [half_length, radius].map(|length| f64::from(*length));
            let along = Place { position: DVec3::ZERO, rotation: Y_FROM_Z };
            let [length, width] = [2.0 * half_length, radius].map(|number| numbers(&[number]));
            let middle = format!("<cylinder radius=\"{width}\" length=\"{length}\"/>");
            let cap = |y: f64| (place.after(&Place { position: DVec3::Y * y, ..Place::IDENTITY }), ball(radius));
            vec![(place.after(&along), middle), cap(half_length), cap(-half_length)]
        }
        BodySolid::Box(_) | BodySolid::Hull(_) => {
            let size = 2.0 * shape.half_extents().as_dvec3();
            vec![(place, format!("<box size=\"{}\"/>", vector(size)))]
        }
    }
}

fn origin(place: Place) -> String {
    format!("<origin xyz=\"{}\" rpy=\"{}\"/>", vector(place.position), roll_pitch_yaw(place.rotation))
}
