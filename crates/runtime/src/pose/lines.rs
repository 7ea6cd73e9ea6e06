//! Lines that show hitboxes.

use crate::pose::solid::Solid;
use crate::{BoxIndex, PosedCharacter};
use geometry_core::DCapsule;
use glam::{DVec3, Mat3, Vec3};
use std::f64::consts::TAU;

/// The number of segments of a whole circle.
const CIRCLE: usize = 32;

impl PosedCharacter {
    /// The lines to draw for a hitbox: the ends of each line in world space. Empty if there is no pose, or no hitbox with this
    /// index. Does not allocate.
    ///
    /// - **Box:** the 12 edges, in the order of [`geometry_core::Obb::EDGES`].
    /// - **Hull:** the edges between its faces, see [`geometry_core::PosedHull::edges`]. If the pose flattens the hull, the edges of
    ///   the hull's box, which queries test in this case.
    /// - **Sphere:** three circles of 32 lines each, in the planes of the box's axes.
    /// - **Capsule:** 132 lines. They are two outlines (32 lines of the caps each), the circles around both ends (32 lines each), and
    ///   the 4 lines between these circles.
    ///
    /// The ends of all lines are on the surface of the hitbox, up to the rounding of `f32`. The middle of a line of a circle is
    /// inside, by at most 0.5 % of the radius.
    ///
    /// ```
    /// use glam::Affine3A;
    /// use runtime::{Character, PosedCharacter};
    ///
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let mut posed = PosedCharacter::new();
    /// posed.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
    /// let mut drawn = 0;
    /// for hitbox in posed.boxes() {
    ///     for [from, to] in posed.lines(hitbox.index) {
    ///         assert!(hitbox.obb().contains(from) && hitbox.obb().contains(to));
    ///         drawn += 1; // draw a line in your engine
    ///     }
    /// }
    /// assert_eq!(drawn, 2 * 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lines(&self, index: BoxIndex) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        let (mut edges, mut round, mut hull) = (None, None, None);
        if let Some(record) = self.records.get(index.index()) {
            match self.solid(index.index()) {
                Solid::Box(one) => edges = Some(one.edges()),
                Solid::Round(capsule) => round = Some(of_round(&capsule, &record.axes())),
                Solid::Hull(posed) => hull = Some(posed.edges()),
            }
        }
        edges.into_iter().flatten().chain(round.into_iter().flatten()).chain(hull.into_iter().flatten())
    }
}

/// The lines of a capsule along axis 1, or of a sphere.
fn of_round(capsule: &DCapsule, axes: &Mat3) -> impl Iterator<Item = [Vec3; 2]> + use<> {
    let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis.as_dvec3() * capsule.radius);
    let unit: [[f64; 2]; CIRCLE] = std::array::from_fn(|step| {
        let angle = TAU * step as f64 / CIRCLE as f64;
        [libm::cos(angle), libm::sin(angle)]
    });
    // The vectors from the center to two points of each circle, and the centers of its first and second half.
    let [low, high] = capsule.ends();
    let circles = [(x, y, [high, low]), (z, y, [high, low]), (z, x, [high, high]), (z, x, [low, low])];
    let (circle_count, side_count) = if capsule.half_segment == DVec3::ZERO { (3, 0) } else { (4, 4) };
    let arcs = circles.into_iter().take(circle_count).flat_map(move |(u, v, centers)| {
        (0..CIRCLE).map(move |step| {
            [step, step + 1].map(|end| {
                let [cosine, sine] = unit[end % CIRCLE];
                centers[2 * step / CIRCLE] + u * cosine + v * sine
            })
        })
    });
    let sides = [x, -x, z, -z].into_iter().take(side_count).map(move |side| [low + side, high + side]);
    arcs.chain(sides).map(|ends| ends.map(|end| end.as_vec3()))
}
