//! Draws pictures of characters with their boxes, without a graphics card.
//!
//! Pictures use a parallel projection. They show the exactly skinned surface in the color of clay, and boxes in the
//! colors of their joints. The same input gives the same bytes on any machine and with any number of threads: the code
//! uses plain `f64` arithmetic, `libm`, and bands of rows that are independent of each other.
//!
//! - [`stage`] poses characters and makes a [`scene::Scene`] of surfaces and boxes in world space.
//! - [`camera`] projects the scene. [`look`], `page_answers::color` and [`shadow`] light and color it.
//! - [`raster`] draws the picture in pixels, which are written as PNG. [`svg`] draws it as shapes.

pub(crate) mod camera;
mod look;
mod polygon;
mod raster;
mod scene;
mod shadow;
mod solid;
pub(crate) mod stage;
mod svg;
#[cfg(test)]
mod tests;

use anyhow::Context as _;
use camera::{Camera, Size, View};
use glam::DVec3;
use page_answers::color::Rgb;
use stage::{Actor, Wanted};

/// The file format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureFormat {
    Png,
    Svg,
}

/// Draws a picture of the actors and returns its bytes.
///
/// # Errors
/// Returns an error if a pose is not finite, there are too many boxes for a picture, or there is nothing to draw.
pub(crate) fn picture(
    actors: &[Actor],
    wanted: Wanted,
    view: View,
    size: Size,
    background: Option<Rgb>,
    format: PictureFormat,
) -> anyhow::Result<Vec<u8>> {
    let scene = stage::scene(actors, wanted)?;
    let corners = scene.boxes.iter().flat_map(|one| one.solid.corners.iter().copied());
    let points = scene.surfaces.iter().flat_map(|surface| surface_points(&surface.positions, &surface.triangles));
    let camera = Camera::fit(view, size, points.chain(corners))
        .context("the characters have no surface and no hitboxes to draw; name an asset, or a bake with hitboxes")?;
    match format {
        PictureFormat::Png => png(&raster::draw(&scene, &camera, background)),
        PictureFormat::Svg => {
            let names: Vec<&str> = actors.iter().map(|actor| actor.character.name()).collect();
            Ok(svg::draw(&scene, &camera, background, &names.join(" and ")).into_bytes())
        }
    }
}

/// The positions that triangles use.
fn surface_points<'a>(positions: &'a [DVec3], triangles: &'a [[u32; 3]]) -> impl Iterator<Item = DVec3> + 'a {
    triangles.iter().flatten().map(|&corner| positions[corner as usize])
}

/// The picture as a PNG file. It has no alpha channel if every pixel is opaque.
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
