//! The parts that pixel pictures and SVG pictures share: light, and the opacity of boxes.

use crate::draw::camera::Camera;
use crate::draw::scene::{Emphasis, SceneBox};
use glam::DVec3;
use page_answers::color::Rgb;

/// The opacities of a box, each from 0 to 1.
pub(crate) struct Look {
    pub(crate) face: f32,
    pub(crate) edge: f32,
    /// The opacity of an edge on the far side, seen through the box.
    pub(crate) back_edge: f32,
    /// The opacity of an edge that a surface hides.
    pub(crate) hidden_edge: f32,
    /// The width of edges, in pixels.
    pub(crate) edge_width: f64,
}

impl Look {
    pub(crate) fn of(emphasis: Emphasis) -> Self {
        match emphasis {
            Emphasis::Plain => Self { face: 0.26, edge: 0.95, back_edge: 0.30, hidden_edge: 0.16, edge_width: 1.5 },
            Emphasis::Quiet => Self { face: 0.10, edge: 0.60, back_edge: 0.14, hidden_edge: 0.06, edge_width: 1.1 },
            Emphasis::Lit => Self { face: 0.50, edge: 1.00, back_edge: 0.50, hidden_edge: 0.45, edge_width: 2.2 },
        }
    }
}

/// The light that a surface reflects to the viewer, for its normal in camera space; from about 0.2 to 0.9.
///
/// A strong light shines over the viewer's left shoulder, a weak light from the right, and a diffuse light from all
/// directions. Where the surface turns away it is slightly darker, which shows the outlines.
pub(crate) fn light(normal: DVec3) -> f64 {
    // The back of a triangle has the same light as its front, because files disagree about the direction of normals.
    let normal = if normal.z < 0.0 { -normal } else { normal };
    let key = normal.dot(DVec3::new(-0.44, 0.66, 0.61)).max(0.0);
    let fill = normal.dot(DVec3::new(0.80, 0.10, 0.59)).max(0.0);
    let around = 0.5 + 0.5 * normal.y;
    let facing = 0.62 + 0.38 * normal.z;
    (0.16 + 0.60 * key + 0.14 * fill + 0.16 * around) * facing
}

/// A face of a box that is visible from the camera.
pub(crate) struct BoxFace {
    /// The corners in world space, in order around the face.
    pub(crate) corners: [DVec3; 4],
    pub(crate) color: Rgb,
}

/// The faces of a box that are visible from the camera, with their light.
pub(crate) fn front_faces(one: &SceneBox, camera: &Camera) -> impl Iterator<Item = BoxFace> {
    let turned = one.solid.faces_turned_to(camera.towards_viewer());
    let faces = one.solid.faces.iter().zip(turned).filter(|(_, turned)| *turned);
    faces.map(move |(face, _)| {
        let corners = face.map(|corner| one.solid.corners[corner]);
        let [a, b, c, d] = corners;
        let normal = camera.camera_from_world * (c - a).cross(d - b).normalize_or_zero();
        BoxFace { corners, color: one.color.times(0.75 + 0.35 * light(normal) as f32) }
    })
}

/// An edge of a box.
pub(crate) struct BoxEdge {
    /// The ends in world space.
    pub(crate) ends: [DVec3; 2],
    /// `true` if the edge bounds a face that is visible from the camera.
    pub(crate) in_front: bool,
}

/// The edges of a box, or the outline of a capsule or a sphere.
pub(crate) fn edges(one: &SceneBox, camera: &Camera) -> impl Iterator<Item = BoxEdge> {
    let seen = one.solid.edges_seen_from(camera.towards_viewer());
    seen.into_iter().map(|(ends, in_front)| BoxEdge { ends, in_front })
}

/// The color of a box's edges.
pub(crate) fn edge_color(one: &SceneBox) -> Rgb {
    one.color.times(0.72)
}
