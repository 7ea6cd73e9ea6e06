//! Tests with made-up scenes.

use super::camera::{Camera, Size, View};
use super::scene::{Emphasis, Scene, SceneBox, Surface};
use super::solid::Solid;
use super::{png, raster, svg};
use glam::{DMat3, DVec3, Vec3};
use page_answers::color::{self, Rgb};

fn boxed(center: DVec3, half: DVec3, axes: DMat3, joint: usize) -> SceneBox {
    let corners = std::array::from_fn(|i| {
        let sign = |k: usize| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
        center + axes * (DVec3::new(sign(0), sign(1), sign(2)) * half)
    });
    SceneBox { solid: Solid::of_box(corners), color: color::of_joint(joint), emphasis: Emphasis::Plain }
}

/// A ball in a box in front of a tilted slab.
fn scene() -> Scene {
    let (rings, segments) = (12u32, 16u32);
    let mut positions = Vec::new();
    for ring in 0..=rings {
        let (sin, cos) = libm::sincos(std::f64::consts::PI * f64::from(ring) / f64::from(rings));
        for segment in 0..segments {
            let (s, c) = libm::sincos(std::f64::consts::TAU * f64::from(segment) / f64::from(segments));
            positions.push(DVec3::new(sin * c, cos + 1.0, sin * s));
        }
    }
    let at = |ring: u32, segment: u32| ring * segments + segment % segments;
    let quads = (0..rings).flat_map(|ring| (0..segments).map(move |segment| (ring, segment)));
    let triangles: Vec<[u32; 3]> = quads
        .flat_map(|(r, s)| [[at(r, s), at(r, s + 1), at(r + 1, s)], [at(r, s + 1), at(r + 1, s + 1), at(r + 1, s)]])
        .collect();
    let bind: Vec<Vec3> = positions.iter().map(|point| point.as_vec3()).collect();
    let surface = Surface::new(positions, &triangles, &bind, Rgb::hex(0xe4e2df));
    // The platform's sine may differ in the last bit, which would change the snapshots.
    let (sin, cos) = libm::sincos(0.3);
    let tilted = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    let boxes = vec![
        boxed(DVec3::Y, DVec3::ONE, DMat3::IDENTITY, 0),
        boxed(DVec3::new(0.8, 1.2, -1.0), DVec3::new(1.2, 0.3, 0.1), tilted, 1),
    ];
    Scene { surfaces: vec![surface], boxes, floor: Some(0.0) }
}

fn camera(scene: &Scene, view: View, side: u32) -> Camera {
    let points = scene.surfaces.iter().flat_map(|surface| surface.positions.iter().copied());
    Camera::fit(
        view,
        Size::Longer(side),
        points.chain(scene.boxes.iter().flat_map(|one| one.solid.corners.iter().copied())),
    )
    .unwrap()
}

/// One box of each unusual kind.
fn odd_boxes() -> Vec<SceneBox> {
    let axes = DMat3::IDENTITY;
    vec![
        boxed(DVec3::ZERO, DVec3::ZERO, axes, 0),
        boxed(DVec3::ZERO, DVec3::X, axes, 1),
        boxed(DVec3::ZERO, DVec3::new(1.0, 0.0, 1.0), axes, 2),
        boxed(DVec3::ZERO, DVec3::splat(f64::NAN), axes, 3),
        boxed(DVec3::splat(f64::INFINITY), DVec3::ONE, axes, 4),
        boxed(DVec3::ZERO, DVec3::splat(1e-30), axes, 5),
        boxed(DVec3::ZERO, DVec3::ONE, DMat3::ZERO, 6),
        boxed(DVec3::ZERO, DVec3::ONE, DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)), 7),
        boxed(DVec3::splat(1e15), DVec3::ONE, axes, 8),
    ]
}

#[test]
fn a_small_svg_picture() {
    let mut scene = scene();
    scene.boxes[1].emphasis = Emphasis::Lit;
    let camera = camera(&scene, View::Iso, 64);
    insta::assert_snapshot!(svg::draw(&scene, &camera, None, "A ball & a slab"));
}

/// Tests the pixels, not the file, because another release of the PNG library may compress the same pixels differently.
#[test]
fn the_pixels_of_a_picture_are_unchanged() {
    let scene = scene();
    let mut hashes = Vec::new();
    for (view, background) in [(View::Iso, None), (View::Top, Some(Rgb::hex(0x20_40_60)))] {
        let picture = raster::draw(&scene, &camera(&scene, view, 96), background);
        hashes.push(format!("{view:?} {}", blake3::hash(&picture.rgba).to_hex()));
    }
    insta::assert_debug_snapshot!(hashes);
}

#[test]
fn any_number_of_threads_gives_the_same_file() {
    let scene = scene();
    let camera = camera(&scene, View::Iso, 100);
    let with_threads = |count: usize| {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
        threads.install(|| png(&raster::draw(&scene, &camera, None)).unwrap())
    };
    let alone = with_threads(1);
    assert_eq!(alone, with_threads(1));
    assert_eq!(alone, with_threads(5));
}

#[test]
fn near_shapes_hide_far_shapes() {
    // Two squares that cross in the middle, and a box whose face is partly in front of them and partly behind them.
    let square = |z: [f64; 2], color| {
        let points =
            [[-1.0, -1.0, z[0]], [1.0, -1.0, z[1]], [1.0, 1.0, z[1]], [-1.0, 1.0, z[0]]].map(DVec3::from_array);
        Surface::new(points.to_vec(), &[[0, 1, 2], [0, 2, 3]], &[], Rgb::hex(color))
    };
    let scene =
        Scene { surfaces: vec![square([0.0, 1.0], 0xff_00_00), square([1.0, 0.0], 0x00_00_ff)], ..Scene::default() };
    let camera = camera(&scene, View::Front, 64);
    let pixel = |scene: &Scene, x: usize| {
        let picture = raster::draw(scene, &camera, None);
        let at = (32 * picture.width as usize + x) * 4;
        [picture.rgba[at], picture.rgba[at + 1], picture.rgba[at + 2]]
    };
    let (left, right) = (pixel(&scene, 16), pixel(&scene, 48));
    assert!(left[2] > 2 * left[0], "blue is nearer on the left: {left:?}");
    assert!(right[0] > 2 * right[2], "red is nearer on the right: {right:?}");
    // The front of the box is at 0.75. It is behind the squares at the sides, where they rise to 1, and in front of
    // them in the middle, where they meet at 0.5.
    let mut with_box = scene.clone();
    with_box.boxes.push(boxed(DVec3::new(0.0, 0.0, 0.7), DVec3::new(0.9, 0.9, 0.05), DMat3::IDENTITY, 0));
    assert_eq!(pixel(&with_box, 7), pixel(&scene, 7));
    assert_ne!(pixel(&with_box, 30), pixel(&scene, 30));
}

#[test]
fn unusual_boxes_do_not_panic_or_change_the_rest_of_the_picture() {
    let fine = Scene { floor: None, ..scene() };
    let camera = camera(&fine, View::Iso, 64);
    for odd in odd_boxes() {
        let mut scene = fine.clone();
        scene.floor = Some(f64::NAN);
        scene.boxes.push(odd.clone());
        let picture = raster::draw(&scene, &camera, None);
        assert_eq!(picture.rgba.len(), 4 * (picture.width * picture.height) as usize);
        let shapes = svg::draw(&scene, &camera, None, "odd");
        assert!(!shapes.contains("NaN") && !shapes.contains("inf"), "{odd:?}");
    }
    let all = Scene { boxes: odd_boxes(), ..Scene::default() };
    raster::draw(&all, &camera, None);
}

#[test]
fn many_layers_use_bounded_memory() {
    let mut scene = Scene { boxes: vec![boxed(DVec3::ZERO, DVec3::ONE, DMat3::IDENTITY, 0); 300], ..Scene::default() };
    scene.boxes[0].color = Rgb::hex(0x00_ff_00);
    let camera = camera(&scene, View::Front, 40);
    let picture = raster::draw(&scene, &camera, None);
    assert_eq!(picture.rgba[(20 * 40 + 20) * 4 + 3], 255, "300 translucent faces are opaque");
}

#[test]
fn the_command_draws_assets_bakes_and_duels() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("man.glb"), test_models::box_man().to_glb()).unwrap();
    let run = |arguments: &[&str]| crate::run(["bonebox"].into_iter().chain(arguments.iter().copied()));
    let success = 0;
    assert_eq!(run(&["bake", "--quiet", &path("man.glb")]), success);
    let (glb, baked) = (path("man.glb"), path("man.bonebox"));
    let draws: [&[&str]; 5] = [
        &[&glb, "--clip", "jab", "--time", "0.2", "--out"],
        &[&baked, "--view", "top", "--out"],
        &[&baked, "--model", &glb, "--no-boxes", "--background", "none", "--out"],
        &[&glb, &baked, "--distance", "0.4", "--turn", "30", "--out"],
        &[&glb, "--no-mesh", "--color-by", "character", "--size", "80x40", "--out"],
    ];
    for (index, arguments) in draws.iter().enumerate() {
        for ending in ["png", "svg"] {
            let out = path(&format!("{index}.{ending}"));
            assert_eq!(run(&[&["draw"], *arguments, &[&out]].concat()), success, "{arguments:?}");
            assert!(std::fs::metadata(&out).unwrap().len() > 200, "{arguments:?}");
        }
    }
    let failure = 1;
    assert_eq!(run(&["draw", &glb, "--out", &path("a.jpg")]), 2);
    assert_eq!(run(&["draw", &glb, "--clip", "dance", "--out", &path("a.png")]), failure);
}
