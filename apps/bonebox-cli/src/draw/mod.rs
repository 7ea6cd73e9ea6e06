//! Still pictures of characters with their boxes, made without a graphics card.
//!
//! Parallel projection; the exactly skinned surface in clay, boxes in their joints' colors. Same input, same bytes, on
//! any machine and thread count: plain `f64` arithmetic, `libm`, bands of rows that do not depend on each other.
//!
//! - [`stage`]: characters and poses to a [`scene::Scene`] of surfaces and boxes in world space.
//! - [`camera`]: where it is seen from. [`look`], [`color`], [`shadow`]: how it is lit and colored.
//! - [`raster`]: the picture in pixels, written as PNG. [`svg`]: the picture in shapes.

pub(crate) mod camera;
pub(crate) mod color;
mod look;
mod polygon;
mod raster;
mod scene;
mod shadow;
pub(crate) mod stage;
mod svg;
#[cfg(test)]
mod tests;

pub(crate) use color::of_joint as joint_color;

use anyhow::Context as _;
use camera::{Camera, Size, View};
use color::Rgb;
use glam::DVec3;
use stage::{Actor, Wanted};

/// The file format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureFormat {
    Png,
    Svg,
}

/// Returns the bytes of a picture of the actors.
///
/// # Errors
/// A pose that is not finite, more boxes than a picture may hold, or nothing to draw.
pub(crate) fn picture(
    actors: &[Actor],
    wanted: Wanted,
    view: View,
    size: Size,
    background: Option<Rgb>,
    format: PictureFormat,
) -> anyhow::Result<Vec<u8>> {
    let scene = stage::scene(actors, wanted)?;
    let corners = scene.boxes.iter().flat_map(|one| one.corners);
    let points = scene.surfaces.iter().flat_map(|surface| surface_points(&surface.positions, &surface.triangles));
    let camera = Camera::fit(view, size, points.chain(corners)).context("there is nothing to draw")?;
    match format {
        PictureFormat::Png => png(&raster::draw(&scene, &camera, background)),
        PictureFormat::Svg => {
            let names: Vec<&str> = actors.iter().map(|actor| actor.character.name()).collect();
            Ok(svg::draw(&scene, &camera, background, &names.join(" and ")).into_bytes())
        }
    }
}

/// Positions that a triangle uses.
fn surface_points<'a>(positions: &'a [DVec3], triangles: &'a [[u32; 3]]) -> impl Iterator<Item = DVec3> + 'a {
    triangles.iter().flatten().map(|&corner| positions[corner as usize])
}

/// The picture as a PNG file, without an alpha channel where every pixel is opaque.
fn png(picture: &raster::Picture) -> anyhow::Result<Vec<u8>> {
    let opaque = picture.rgba.iter().skip(3).step_by(4).all(|&alpha| alpha == u8::MAX);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    if opaque {
        let rgb: Vec<u8> = picture.rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        writer.write_image_data(&rgb)?;
    } else {
        writer.write_image_data(&picture.rgba)?;
    }
    writer.finish()?;
    Ok(bytes)
}
