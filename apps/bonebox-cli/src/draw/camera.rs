//! The camera of a picture: parallel projections, so that lengths can be compared across a picture.

use glam::{DMat3, DVec2, DVec3};

/// The direction of the camera, for a character that faces +Z with +Y up, as glTF requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum View {
    /// From +Z: the character looks at the viewer.
    Front,
    /// From +X: the character looks to the left of the picture.
    Side,
    /// From +Y: down on the head.
    Top,
    /// From above, between the character's front and its left side.
    Iso,
}

/// The angles by which [`View::Iso`] is turned from the front and raised, in degrees.
const ISO_DEGREES: (f64, f64) = (38.0, 18.0);

impl View {
    /// `camera_from_world`, a rotation. In camera space x points right, y up, and z toward the viewer.
    pub(crate) fn camera_from_world(self) -> DMat3 {
        let (turn, raise) = match self {
            Self::Front => (0.0, 0.0),
            Self::Side => (90.0, 0.0),
            Self::Top => (0.0, 90.0),
            Self::Iso => ISO_DEGREES,
        };
        let ((sin_turn, cos_turn), (sin_raise, cos_raise)) = (sin_cos_degrees(turn), sin_cos_degrees(raise));
        let right = DVec3::new(cos_turn, 0.0, -sin_turn);
        let up = DVec3::new(-sin_turn * sin_raise, cos_raise, -cos_turn * sin_raise);
        let towards_viewer = DVec3::new(sin_turn * cos_raise, sin_raise, cos_turn * cos_raise);
        DMat3::from_cols(right, up, towards_viewer).transpose()
    }
}

/// Sine and cosine, exact at multiples of 90 degrees.
pub(crate) fn sin_cos_degrees(degrees: f64) -> (f64, f64) {
    let quarter = degrees % 360.0 / 90.0;
    match quarter {
        0.0 => (0.0, 1.0),
        1.0 | -3.0 => (1.0, 0.0),
        2.0 | -2.0 => (0.0, -1.0),
        3.0 | -1.0 => (-1.0, 0.0),
        _ => libm::sincos(degrees.to_radians()),
    }
}

/// The size of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Width and height; the content is centered.
    Exact(u32, u32),
    /// The length of the longer side; the content gives the other side.
    Longer(u32),
}

impl Size {
    /// The smallest and the largest length of a side.
    pub(crate) const LIMITS: std::ops::RangeInclusive<u32> = 16..=8192;
}

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let side = |text: &str| text.parse().ok().filter(|side| Self::LIMITS.contains(side));
        let size = match text.split_once('x') {
            Some((width, height)) => side(width).zip(side(height)).map(|(width, height)| Self::Exact(width, height)),
            None => side(text).map(Self::Longer),
        };
        let (least, most) = (Self::LIMITS.start(), Self::LIMITS.end());
        size.ok_or_else(|| {
            format!("expected WIDTHxHEIGHT or the length of the longer side, in pixels from {least} to {most}")
        })
    }
}

/// Projects world space to the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    pub(crate) camera_from_world: DMat3,
    /// Pixels per unit of world space.
    scale: f64,
    /// The position of the world's origin, in pixels from the top left corner.
    origin: DVec2,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// The free space on every side, as a share of the content's longer side.
const MARGIN: f64 = 0.05;

impl Camera {
    /// Makes a camera that shows all points. `None` if there are no points, or they are all the same.
    pub(crate) fn fit(view: View, size: Size, points: impl Iterator<Item = DVec3>) -> Option<Self> {
        let camera_from_world = view.camera_from_world();
        let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for point in points.filter(|point| point.is_finite()) {
            let point = (camera_from_world * point).truncate();
            (min, max) = (min.min(point), max.max(point));
        }
        let span = max - min;
        let longer = span.max_element();
        if !(longer > 0.0 && longer.is_finite()) {
            return None;
        }
        let framed = span + DVec2::splat(2.0 * MARGIN * longer);
        let (width, height, scale) = match size {
            Size::Longer(side) => {
                let scale = f64::from(side) / framed.max_element();
                let pixels = |length: f64| (length * scale - 1e-9).ceil().max(1.0) as u32;
                (pixels(framed.x), pixels(framed.y), scale)
            }
            Size::Exact(width, height) => {
                let scale = (f64::from(width) / framed.x).min(f64::from(height) / framed.y);
                (width, height, scale)
            }
        };
        let middle = (min + max) * 0.5;
        let origin = DVec2::new(0.5 * f64::from(width) - middle.x * scale, 0.5 * f64::from(height) + middle.y * scale);
        Some(Self { camera_from_world, scale, origin, width, height })
    }

    /// The pixels from the left and from the top, and the depth toward the viewer at the same scale.
    pub(crate) fn project(&self, world: DVec3) -> DVec3 {
        let camera = self.camera_from_world * world;
        DVec3::new(self.origin.x + camera.x * self.scale, self.origin.y - camera.y * self.scale, camera.z * self.scale)
    }

    /// The direction to the viewer in world space, a unit vector.
    pub(crate) fn towards_viewer(&self) -> DVec3 {
        self.camera_from_world.transpose().z_axis
    }

    /// The point of the horizontal plane at height `y` that is visible at a pixel. `None` if the camera looks
    /// horizontally.
    pub(crate) fn ground_point(&self, pixel: DVec2, y: f64) -> Option<DVec3> {
        let world_from_camera = self.camera_from_world.transpose();
        let towards = world_from_camera.z_axis;
        if towards.y < 0.1 {
            return None;
        }
        let camera = DVec3::new((pixel.x - self.origin.x) / self.scale, (self.origin.y - pixel.y) / self.scale, 0.0);
        let world = world_from_camera * camera;
        Some(world + towards * ((y - world.y) / towards.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_is_a_rotation() {
        for view in [View::Front, View::Side, View::Top, View::Iso] {
            let m = view.camera_from_world();
            assert!((m.determinant() - 1.0).abs() < 1e-12, "{view:?}");
            assert!((m * m.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-12), "{view:?}");
        }
        assert_eq!(View::Side.camera_from_world() * DVec3::X, DVec3::Z);
        assert_eq!(View::Top.camera_from_world() * DVec3::Z, DVec3::NEG_Y);
    }

    #[test]
    fn fits_all_points_inside() {
        let points = [DVec3::new(-1.0, 0.0, 2.0), DVec3::new(3.0, 9.0, -4.0), DVec3::new(0.0, 4.0, 0.0)];
        for size in [Size::Longer(200), Size::Exact(300, 100)] {
            let camera = Camera::fit(View::Iso, size, points.into_iter()).unwrap();
            for point in points {
                let pixel = camera.project(point);
                assert!(pixel.x > 0.0 && pixel.x < f64::from(camera.width), "{size:?} {pixel}");
                assert!(pixel.y > 0.0 && pixel.y < f64::from(camera.height), "{size:?} {pixel}");
            }
        }
        assert_eq!(Camera::fit(View::Iso, Size::Longer(9), [DVec3::ONE; 2].into_iter()), None);
        assert_eq!(Camera::fit(View::Iso, Size::Longer(9), [DVec3::NAN; 2].into_iter()), None);
    }

    #[test]
    fn ground_points_project_back() {
        let points = [DVec3::ZERO, DVec3::new(1.0, 2.0, 0.5)];
        let camera = Camera::fit(View::Iso, Size::Longer(100), points.into_iter()).unwrap();
        let ground = camera.ground_point(DVec2::new(20.0, 70.0), -0.5).unwrap();
        assert!((ground.y + 0.5).abs() < 1e-9);
        assert!((camera.project(ground).truncate() - DVec2::new(20.0, 70.0)).length() < 1e-9);
    }

    #[test]
    fn sizes_are_read_and_bounded() {
        assert_eq!("640".parse(), Ok(Size::Longer(640)));
        assert_eq!("640x480".parse(), Ok(Size::Exact(640, 480)));
        for bad in ["", "x", "0", "640x", "9000", "-5", "1e3"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
    }
}
