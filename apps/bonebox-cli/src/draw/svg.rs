//! Draws a picture as shapes: the visible triangles from back to front, then the boxes.
//!
//! Coordinates are rounded to a tenth of a pixel, so that files are small and the same on every machine. A z-buffer
//! shows where surfaces hide faces and edges of boxes, and these parts are cut off. Boxes are sorted
//! by whole boxes, not by faces.

use crate::draw::camera::Camera;
use crate::draw::look::{self, Look, light};
use crate::draw::raster::Visible;
use crate::draw::scene::{Emphasis, Scene, SceneBox};
use glam::DVec3;
use page_answers::color::Rgb;
use std::fmt::Write as _;
use std::ops::Range;

/// The number of shades of a surface, from dark to bright.
const SHADES: f64 = 20.0;

/// The largest depth behind a surface at which an edge is still drawn as visible, in pixels.
const SLACK: f64 = 1.5;

pub(crate) fn draw(scene: &Scene, camera: &Camera, background: Option<Rgb>, title: &str) -> String {
    let visible = Visible::find(scene, camera);
    let Camera { width, height, .. } = *camera;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n"
    );
    push(&mut svg, format_args!("<title>{}</title>\n", escaped(title)));
    if let Some(color) = background {
        push(&mut svg, format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n", color.to_hex()));
    }
    push_surfaces(&mut svg, scene, camera, &visible);
    push_faces(&mut svg, scene, camera, &visible);
    push_edges(&mut svg, scene, camera, &visible);
    svg.push_str("</svg>\n");
    svg
}

/// Appends text. Writing to a string cannot fail.
fn push(svg: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(text);
}

fn escaped(text: &str) -> String {
    let printable = text.chars().filter(|letter| !letter.is_control());
    printable.fold(String::new(), |mut out, letter| {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            letter => out.push(letter),
        }
        out
    })
}

/// A point in tenths of a pixel.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Tenths(i64, i64);

impl Tenths {
    fn of(point: DVec3) -> Self {
        let round = |length: f64| (length * 10.0 + 0.5).floor() as i64;
        Self(round(point.x), round(point.y))
    }
}

/// Appends `M` to the first point, then `l` to each next point, in the path language of SVG.
fn push_path(path: &mut String, points: &[Tenths]) {
    let mut previous = Tenths(0, 0);
    for (index, &point) in points.iter().enumerate() {
        let Tenths(x, y) = if index == 0 { point } else { Tenths(point.0 - previous.0, point.1 - previous.1) };
        path.push_str(match index {
            0 => "M",
            1 => "l",
            // A minus sign also separates numbers.
            _ if x < 0 => "",
            _ => " ",
        });
        push_tenths(path, x);
        if y >= 0 {
            path.push(' ');
        }
        push_tenths(path, y);
        previous = point;
    }
}

fn push_tenths(path: &mut String, tenths: i64) {
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, tenth) = (tenths.abs() / 10, tenths.abs() % 10);
    match (whole, tenth) {
        (whole, 0) => push(path, format_args!("{sign}{whole}")),
        (0, tenth) => push(path, format_args!("{sign}.{tenth}")),
        (whole, tenth) => push(path, format_args!("{sign}{whole}.{tenth}")),
    }
}

/// Draws the visible triangles from back to front. Neighbors in that order with the same shade form one path.
fn push_surfaces(svg: &mut String, scene: &Scene, camera: &Camera, visible: &Visible) {
    let mut seen: Vec<u32> = visible.triangle.iter().copied().filter(|&id| id != u32::MAX).collect();
    seen.sort_unstable();
    seen.dedup();
    let mut shapes: Vec<(f64, String, [Tenths; 3])> = Vec::with_capacity(seen.len());
    let mut first = 0;
    for surface in &scene.surfaces {
        let end = first + surface.triangles.len() as u32;
        let (from, to) = (seen.partition_point(|&id| id < first), seen.partition_point(|&id| id < end));
        for &id in &seen[from..to] {
            let index = (id - first) as usize;
            let points = surface.triangles[index].map(|corner| camera.project(surface.positions[corner as usize]));
            let normal = surface.normals[index].iter().sum::<DVec3>().normalize_or_zero();
            let shade = (light(camera.camera_from_world * normal) * SHADES + 0.5).floor() / SHADES;
            let depth = points.iter().map(|point| point.z).sum();
            shapes.push((depth, surface.color.times(shade as f32).to_hex(), points.map(Tenths::of)));
        }
        first = end;
    }
    shapes.sort_by(|a, b| a.0.total_cmp(&b.0));
    if shapes.is_empty() {
        return;
    }
    // Strokes in the color of the fill close the thin gaps between triangles.
    svg.push_str("<g fill=\"currentColor\" stroke=\"currentColor\" stroke-width=\".6\" stroke-linejoin=\"round\">\n");
    for run in shapes.chunk_by(|a, b| a.1 == b.1) {
        push(svg, format_args!("<path color=\"{}\" d=\"", run[0].1));
        for (_, _, corners) in run {
            push_path(svg, corners);
            svg.push('z');
        }
        svg.push_str("\"/>\n");
    }
    svg.push_str("</g>\n");
}

/// Draws the visible faces from back to front, without the parts that a surface hides.
fn push_faces(svg: &mut String, scene: &Scene, camera: &Camera, visible: &Visible) {
    let mut faces = Vec::new();
    for one in scene.boxes.iter().filter(|one| is_finite(one)) {
        for face in look::front_faces(one, camera) {
            let corners = face.corners.map(|corner| camera.project(corner));
            let depth: f64 = corners.iter().map(|corner| corner.z).sum();
            faces.push((depth, visible_part(corners, visible), face.color.to_hex(), Look::of(one.emphasis).face));
        }
    }
    faces.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, path, color, opacity) in faces.iter().filter(|(_, path, ..)| !path.is_empty()) {
        // Viewers blend shapes in sRGB, in which the same opacity covers more than in linear light.
        let percent = (opacity * 70.0).round();
        push(svg, format_args!("<path fill=\"{color}\" fill-opacity=\"{percent}%\" d=\"{path}\"/>\n"));
    }
}

/// The width of the strips that faces are cut into, in pixels.
const STRIP: f64 = 2.0;

/// A parallelogram as a path, cut into strips where a surface hides a part of it.
fn visible_part([a, b, _, d]: [DVec3; 4], visible: &Visible) -> String {
    let (along, across) = (b - a, d - a);
    let count = |side: DVec3| (side.truncate().length() / STRIP).ceil().clamp(1.0, 1000.0) as usize;
    let (steps, strips) = (count(along), count(across));
    let at = |step: f64, strip: f64| a + along * (step / steps as f64) + across * (strip / strips as f64);
    let runs = |strip: usize| {
        let seen = |step: usize| !visible.hides(at(step as f64 + 0.5, strip as f64 + 0.5), SLACK);
        runs_of_true(steps, seen)
    };
    let strip_runs: Vec<Vec<Range<usize>>> = (0..strips).map(runs).collect();
    let mut path = String::new();
    let mut first = 0;
    for same in strip_runs.chunk_by(|one, other| one == other) {
        let last = first + same.len();
        for run in &same[0] {
            let (from, to) = (run.start as f64, run.end as f64);
            let (top, bottom) = (first as f64, last as f64);
            push_path(&mut path, &[at(from, top), at(to, top), at(to, bottom), at(from, bottom)].map(Tenths::of));
            path.push('z');
        }
        first = last;
    }
    path
}

/// The ranges in which `is` holds without interruption.
fn runs_of_true(end: usize, is: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for index in (0..end).filter(|&index| is(index)) {
        match runs.last_mut().filter(|run| run.end == index) {
            Some(run) => run.end = index + 1,
            None => runs.push(index..index + 1),
        }
    }
    runs
}

fn is_finite(one: &SceneBox) -> bool {
    one.solid.corners.iter().all(|corner| corner.is_finite())
}

/// Draws the edges of all boxes, highlighted boxes last. The hidden parts of each box come first.
fn push_edges(svg: &mut String, scene: &Scene, camera: &Camera, visible: &Visible) {
    let mut boxes: Vec<&SceneBox> = scene.boxes.iter().filter(|one| is_finite(one)).collect();
    let depth = |one: &SceneBox| one.solid.center().dot(camera.towards_viewer());
    boxes.sort_by(|a, b| {
        (a.emphasis == Emphasis::Lit).cmp(&(b.emphasis == Emphasis::Lit)).then(depth(a).total_cmp(&depth(b)))
    });
    svg.push_str("<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n");
    for one in boxes {
        let look = Look::of(one.emphasis);
        // The paths of hidden edges, far edges and near edges.
        let mut paths = [String::new(), String::new(), String::new()];
        for edge in look::edges(one, camera) {
            for (part, hidden) in cut(edge.ends.map(|end| camera.project(end)), visible) {
                let path = &mut paths[if hidden { 0 } else { 1 + usize::from(edge.in_front) }];
                push_path(path, &part.map(Tenths::of));
            }
        }
        let color = look::edge_color(one).to_hex();
        let opacities = [look.hidden_edge, look.back_edge, look.edge].map(|opacity| (opacity * 100.0).round());
        for (path, opacity) in paths.iter().zip(opacities).filter(|(path, _)| !path.is_empty()) {
            let width = look.edge_width;
            push(
                svg,
                format_args!(
                    "<path stroke=\"{color}\" stroke-width=\"{width}\" stroke-opacity=\"{opacity}%\" d=\"{path}\"/>\n"
                ),
            );
        }
    }
    svg.push_str("</g>\n");
}

/// Splits an edge into parts that a surface hides or not, tested every two pixels.
fn cut([from, to]: [DVec3; 2], visible: &Visible) -> Vec<([DVec3; 2], bool)> {
    let length = (to - from).truncate().length();
    let steps = (length / 2.0).ceil().clamp(1.0, 10_000.0) as usize;
    let at = |step: usize| from + (to - from) * (step as f64 / steps as f64);
    let hidden = |step: usize| visible.hides((at(step) + at(step + 1)) * 0.5, SLACK);
    let mut parts = Vec::new();
    let mut start = 0;
    for step in 1..=steps {
        let before = hidden(step - 1);
        if step == steps || hidden(step) != before {
            parts.push(([at(start), at(step)], before));
            start = step;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_use_short_relative_coordinates() {
        let mut path = String::new();
        push_path(&mut path, &[Tenths(105, -20), Tenths(100, -13), Tenths(107, -13)]);
        assert_eq!(path, "M10.5-2l-.5 .7 .7 0");
    }

    #[test]
    fn names_are_escaped_in_the_title() {
        assert_eq!(escaped("<a> & \"b\"\u{7}"), "&lt;a&gt; &amp; \"b\"");
    }
}
