//! Draws a picture in pixels: a z-buffer for surfaces, sorted layers for boxes, and several samples per pixel.
//!
//! Rows of pixels are drawn in bands that are independent of each other, so any number of threads gives the same bytes.

use crate::draw::camera::Camera;
use crate::draw::look::{self, Look, light};
use crate::draw::polygon::{self, Gradient};
use crate::draw::scene::{Scene, SceneBox, Surface};
use crate::draw::shadow::Shadow;
use glam::{DVec2, DVec3};
use page_answers::color::{Rgb, byte_from_linear};
use rayon::prelude::*;
use std::ops::Range;

/// A finished picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Red, green, blue and alpha of each pixel in sRGB, row by row from the top. Alpha is not multiplied in.
    pub(crate) rgba: Vec<u8>,
}

/// The number of samples along each side of a pixel.
const SAMPLES: u32 = 3;

/// The number of pixel rows in a band.
const BAND: u32 = 16;

/// The largest number of layers that are drawn at a sample: the nearest ones. Layers behind them are left out.
const VISIBLE_LAYERS: usize = 24;

pub(crate) fn draw(scene: &Scene, camera: &Camera, background: Option<Rgb>) -> Picture {
    let triangles: Vec<Triangle> = scene.surfaces.iter().flat_map(|surface| project(surface, camera)).collect();
    let layers: Vec<Layer> = scene.boxes.iter().flat_map(|one| layers(one, camera)).collect();
    let shadow = scene.floor.and_then(|floor| Shadow::cast(scene, floor));
    let bands: Vec<Vec<u8>> = (0..camera.height.div_ceil(BAND))
        .into_par_iter()
        .map(|band| {
            let rows = band * BAND..((band + 1) * BAND).min(camera.height);
            let mut samples = Samples::new(camera.width * SAMPLES, rows.start * SAMPLES..rows.end * SAMPLES);
            samples.fill_background(background, shadow.as_ref(), camera);
            triangles.iter().for_each(|triangle| samples.draw_triangle(triangle));
            layers.iter().for_each(|layer| samples.draw_layer(layer));
            samples.blend_layers();
            samples.average()
        })
        .collect();
    Picture { width: camera.width, height: camera.height, rgba: bands.concat() }
}

/// The position in samples; z points toward the viewer.
fn to_samples(camera: &Camera, world: DVec3) -> DVec3 {
    camera.project(world) * f64::from(SAMPLES)
}

/// A shaded triangle.
struct Triangle {
    corners: [DVec2; 3],
    depth: Gradient,
    /// The light, interpolated between the corners.
    light: Gradient,
    color: Rgb,
}

fn project<'a>(surface: &'a Surface, camera: &'a Camera) -> impl Iterator<Item = Triangle> + 'a {
    surface.triangles.iter().zip(&surface.normals).filter_map(move |(triangle, normals)| {
        let points = triangle.map(|corner| to_samples(camera, surface.positions[corner as usize]));
        let corners = points.map(DVec3::truncate);
        let depth = Gradient::through(corners, points.map(|point| point.z))?;
        let light = Gradient::through(corners, normals.map(|normal| light(camera.camera_from_world * normal)))?;
        Some(Triangle { corners, depth, light, color: surface.color })
    })
}

/// A translucent shape at some depth.
struct Layer {
    corners: [DVec2; 4],
    depth: Gradient,
    color: Rgb,
    /// The opacity in front of the surfaces, and behind them.
    alpha: [f32; 2],
}

/// Lines are drawn this much nearer to the viewer, in pixels, so that they are in front of the faces they bound.
const EDGE_BIAS: f64 = 0.75;

fn layers(one: &SceneBox, camera: &Camera) -> Vec<Layer> {
    let look = Look::of(one.emphasis);
    let faces = look::front_faces(one, camera).filter_map(|face| {
        let points = face.corners.map(|corner| to_samples(camera, corner));
        let depth = Gradient::of_depth(points)?;
        Some(Layer { corners: points.map(DVec3::truncate), depth, color: face.color, alpha: [look.face, 0.0] })
    });
    let edges = look::edges(one, camera).filter_map(|edge| {
        let [from, to] = edge.ends.map(|end| to_samples(camera, end));
        let (corners, depth) = line(from, to, look.edge_width)?;
        let alpha = [if edge.in_front { look.edge } else { look.back_edge }, look.hidden_edge];
        Some(Layer { corners, depth, color: look::edge_color(one), alpha })
    });
    faces.chain(edges).collect()
}

/// A line as a thin rectangle. It is longer by half its width at both ends, so that lines meet in corners.
fn line(from: DVec3, to: DVec3, width: f64) -> Option<([DVec2; 4], Gradient)> {
    let half = 0.5 * width * f64::from(SAMPLES);
    let bias = EDGE_BIAS * f64::from(SAMPLES);
    let (a, b) = (from.truncate(), to.truncate());
    // A line seen from its end is a dot.
    let along = (b - a).try_normalize().unwrap_or(DVec2::X);
    let (ahead, across) = (along * half, along.perp() * half);
    let corners = [a - ahead - across, b + ahead - across, b + ahead + across, a - ahead + across];
    let depth = if (b - a).length() < 1e-6 {
        let nearer = from.z.max(to.z) + bias;
        Gradient::through([a, a + along, a + across], [nearer; 3])
    } else {
        Gradient::through([a, b, a + across], [from.z + bias, to.z + bias, from.z + bias])
    }?;
    corners.iter().all(|corner| corner.is_finite()).then_some((corners, depth))
}

/// The samples of a band.
struct Samples {
    width: u32,
    rows: Range<u32>,
    depth: Vec<f32>,
    /// Linear light, with alpha multiplied in.
    color: Vec<[f32; 4]>,
    fragments: Vec<Fragment>,
}

/// The color of one layer at a sample.
#[derive(Clone, Copy)]
struct Fragment {
    sample: u32,
    depth: f32,
    alpha: f32,
    color: Rgb,
}

impl Samples {
    fn new(width: u32, rows: Range<u32>) -> Self {
        let count = width as usize * rows.len();
        let (depth, color) = (vec![f32::NEG_INFINITY; count], vec![[0.0; 4]; count]);
        Self { width, rows, depth, color, fragments: Vec::new() }
    }

    fn fill_background(&mut self, background: Option<Rgb>, shadow: Option<&Shadow>, camera: &Camera) {
        let clear = background.map_or([0.0; 4], |Rgb([r, g, b])| [r, g, b, 1.0]);
        for (index, color) in self.color.iter_mut().enumerate() {
            *color = clear;
            let Some(shadow) = shadow else { continue };
            let x = index as u32 % self.width;
            let y = self.rows.start + index as u32 / self.width;
            let pixel = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5) / f64::from(SAMPLES);
            let darkness = shadow.darkness_at_pixel(camera, pixel);
            if darkness > 0.0 {
                *color = over([0.0, 0.0, 0.0], darkness, *color);
            }
        }
    }

    fn draw_triangle(&mut self, triangle: &Triangle) {
        let (width, start) = (self.width, self.rows.start);
        polygon::for_each_row(&triangle.corners, self.rows.clone(), width, |y, columns| {
            for x in columns {
                let point = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                let index = ((y - start) * width + x) as usize;
                let depth = triangle.depth.at(point) as f32;
                if depth > self.depth[index] {
                    self.depth[index] = depth;
                    let Rgb([r, g, b]) = triangle.color.times(triangle.light.at(point) as f32);
                    self.color[index] = [r, g, b, 1.0];
                }
            }
        });
    }

    fn draw_layer(&mut self, layer: &Layer) {
        let (width, start) = (self.width, self.rows.start);
        polygon::for_each_row(&layer.corners, self.rows.clone(), width, |y, columns| {
            for x in columns {
                let point = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                let sample = (y - start) * width + x;
                let depth = layer.depth.at(point) as f32;
                // The tolerance is needed because boxes are tight and their faces touch the surface.
                let hidden = depth + 0.5 < self.depth[sample as usize];
                let alpha = layer.alpha[usize::from(hidden)];
                if alpha > 0.0 {
                    self.fragments.push(Fragment { sample, depth, alpha, color: layer.color });
                }
            }
        });
        if self.fragments.len() > 4 * VISIBLE_LAYERS * self.depth.len() {
            self.forget_deep_layers();
        }
    }

    /// Sorts the fragments of each sample by depth, the nearest last. At equal depth, the fragment drawn later is
    /// nearer.
    fn sort_fragments(&mut self) {
        self.fragments.sort_by(|a, b| a.sample.cmp(&b.sample).then(a.depth.total_cmp(&b.depth)));
    }

    /// Drops hidden layers, so that any number of boxes uses a bounded amount of memory.
    fn forget_deep_layers(&mut self) {
        self.sort_fragments();
        let groups = self.fragments.chunk_by(|a, b| a.sample == b.sample);
        self.fragments =
            groups.flat_map(|group| &group[group.len().saturating_sub(VISIBLE_LAYERS)..]).copied().collect();
    }

    fn blend_layers(&mut self) {
        self.sort_fragments();
        for fragment in &self.fragments {
            let color = &mut self.color[fragment.sample as usize];
            *color = over(fragment.color.0, fragment.alpha, *color);
        }
    }

    /// The pixels in sRGB, averaged over their samples.
    fn average(&self) -> Vec<u8> {
        let columns = self.width / SAMPLES;
        let rows = self.rows.len() as u32 / SAMPLES;
        let mut rgba = Vec::with_capacity((columns * rows * 4) as usize);
        for (y, x) in (0..rows).flat_map(|y| (0..columns).map(move |x| (y, x))) {
            let mut sum = [0.0f32; 4];
            for (dy, dx) in (0..SAMPLES).flat_map(|dy| (0..SAMPLES).map(move |dx| (dy, dx))) {
                let sample = self.color[((y * SAMPLES + dy) * self.width + x * SAMPLES + dx) as usize];
                sum = std::array::from_fn(|i| sum[i] + sample[i]);
            }
            let [r, g, b, alpha] = sum.map(|channel| channel / (SAMPLES * SAMPLES) as f32);
            let straight = if alpha > 0.0 { 1.0 / alpha } else { 0.0 };
            rgba.extend([r, g, b].map(|channel| byte_from_linear(channel * straight)));
            rgba.push((alpha.clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
        }
        rgba
    }
}

/// Blends a color over another color whose alpha is multiplied in.
fn over([r, g, b]: [f32; 3], alpha: f32, under: [f32; 4]) -> [f32; 4] {
    let keep = 1.0 - alpha;
    [r * alpha + under[0] * keep, g * alpha + under[1] * keep, b * alpha + under[2] * keep, alpha + under[3] * keep]
}

/// The visible triangle at the middle of each pixel and its depth, which SVG pictures need.
pub(crate) struct Visible {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The index of the triangle among all surfaces' triangles in order, or `u32::MAX`.
    pub(crate) triangle: Vec<u32>,
    pub(crate) depth: Vec<f32>,
}

impl Visible {
    pub(crate) fn find(scene: &Scene, camera: &Camera) -> Self {
        let (width, height) = (camera.width, camera.height);
        let count = width as usize * height as usize;
        let mut visible =
            Self { width, height, triangle: vec![u32::MAX; count], depth: vec![f32::NEG_INFINITY; count] };
        let mut id = 0;
        for surface in &scene.surfaces {
            for triangle in &surface.triangles {
                visible.draw(id, triangle.map(|corner| camera.project(surface.positions[corner as usize])));
                id += 1;
            }
        }
        visible
    }

    fn draw(&mut self, id: u32, points: [DVec3; 3]) {
        let corners = points.map(DVec3::truncate);
        let Some(depth) = Gradient::through(corners, points.map(|point| point.z)) else { return };
        polygon::for_each_row(&corners, 0..self.height, self.width, |y, columns| {
            for x in columns {
                let index = (y * self.width + x) as usize;
                let near = depth.at(DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5)) as f32;
                if near > self.depth[index] {
                    (self.depth[index], self.triangle[index]) = (near, id);
                }
            }
        });
    }

    /// Returns true if a surface is in front of a point by more than `slack` pixels.
    pub(crate) fn hides(&self, point: DVec3, slack: f64) -> bool {
        let (x, y) = (point.x.floor(), point.y.floor());
        let inside = x >= 0.0 && y >= 0.0 && x < f64::from(self.width) && y < f64::from(self.height);
        inside && f64::from(self.depth[y as usize * self.width as usize + x as usize]) > point.z + slack
    }
}
