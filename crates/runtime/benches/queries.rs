//! Loading, rays, contacts, distances and sweeps.

mod common;
mod figure {
    include!("../tests/common/figure.rs");
}

use common::{Random, Table};
use figure::{baked_figure, figure};
use geometry_core::Ray;
use glam::{Affine3A, Quat, Vec3};
use runtime::{
    Arena, BodyId, BodyMotion, BodySettings, Character, ClipIndex, Filter, Posed, contacts, distance, sweep,
    sweep_first,
};
use std::hint::black_box;
use std::sync::Arc;

fn place(character: &Character, x: f32, turn: f32, seconds: f32) -> Posed {
    let mut posed = Posed::new();
    let rotation = Quat::from_xyzw(0.0, turn, 0.0, 1.0).normalize();
    let world = Affine3A::from_rotation_translation(rotation, Vec3::new(x, 0.0, 0.0));
    posed.pose_from_clip(character, &world, ClipIndex(1), seconds).expect("a finite pose");
    posed
}

fn main() {
    load();
    rays();
    pairs();
}

fn load() {
    let mut baked = baked_figure("figure");
    let with_clips = baked_format::write(&baked).expect("a right character");
    baked.clips.clear();
    let without = baked_format::write(&baked).expect("a right character");
    let runa = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runa.bonebox");
    let runa = std::fs::read(runa).unwrap_or_default();
    let table = Table::new("Character::load, checksum and validation included, ns", 1.0);
    let mut row = table.row("load".into());
    row.ours(&format!("figure, {} B", without.len()), || assert!(Character::load(&without).is_ok()));
    row.ours(&format!("with clips, {} B", with_clips.len()), || assert!(Character::load(&with_clips).is_ok()));
    if let Ok(character) = Character::load(&runa) {
        let (joints, clips) = (character.skeleton().len(), character.clips().len());
        let name = format!("runa, {joints} joints, {clips} clips, {} B", runa.len());
        row.ours(&name, || assert!(Character::load(&runa).is_ok()));
        let mut bare = character.baked().clone();
        bare.clips.clear();
        let bare = baked_format::write(&bare).expect("a right character");
        row.ours(&format!("runa without clips, {} B", bare.len()), move || assert!(Character::load(&bare).is_ok()));
        row.measure();
    } else {
        println!("skipped: assets/runa.bonebox is not there");
        row.measure();
    }
}

fn rays() {
    let character = Arc::new(figure("figure"));
    let mut arena = Arena::new();
    let mut random = Random(5);
    for id in 0..1000 {
        arena.insert(BodyId(id), Arc::clone(&character), BodySettings::default()).expect("a new name");
        let at = Vec3::new(random.between(0.0, 32.0), 0.0, random.between(0.0, 32.0));
        arena.pose_from_rest(BodyId(id), &Affine3A::from_translation(at)).expect("a finite pose");
    }
    arena.update();
    let rays: Vec<Ray> = (0..200)
        .map(|_| {
            let from = Vec3::new(random.between(-5.0, 37.0), random.between(0.3, 1.7), random.between(-5.0, 37.0));
            let to = Vec3::new(random.between(0.0, 32.0), random.between(0.3, 1.7), random.between(0.0, 32.0));
            Ray::try_new(from, (to - from).normalize()).expect("a direction")
        })
        .collect();
    let cast = |ray: &Ray| arena.cast_ray(ray, f32::INFINITY, Filter::default());
    let hits = rays.iter().filter(|ray| cast(ray).is_some()).count();
    let title = format!("a ray against 1,000 characters at 1 per m2, {hits} of {} hit, ns per ray", rays.len());
    let table = Table::new(&title, rays.len() as f64);
    let mut row = table.row("rays".into());
    row.ours("first", || assert_eq!(rays.iter().filter(|ray| cast(black_box(ray)).is_some()).count(), hits));
    row.ours("any", || {
        let any = |ray: &&Ray| arena.ray_hits_any(black_box(ray), f32::INFINITY, Filter::default());
        assert_eq!(rays.iter().filter(any).count(), hits);
    });
    row.ours("all in order", || {
        let mut all = Vec::new();
        for ray in &rays {
            arena.cast_ray_all(black_box(ray), f32::INFINITY, Filter::default(), &mut all);
        }
    });
    row.measure();
}

fn pairs() {
    let character = figure("figure");
    let (a, b) = (place(&character, 0.0, 0.0, 0.3), place(&character, 0.3, -1.2, 0.8));
    let (a_next, b_next) = (place(&character, 0.05, 0.05, 0.35), place(&character, 0.25, -1.15, 0.85));
    let (a_motion, b_motion) = (
        BodyMotion::between(&a, &a_next).expect("one character"),
        BodyMotion::between(&b, &b_next).expect("one character"),
    );
    let far = place(&character, 1.5, -1.2, 0.8);
    let (mut found, mut impacts) = (Vec::new(), Vec::new());
    contacts(&a, &b, &mut found);
    let touching = found.len();
    assert!(distance(&a, &b, f32::INFINITY).is_some_and(|nearest| nearest.distance == 0.0));
    let table = Table::new(&format!("two characters of 24 boxes, {touching} pairs touch, ns per pair"), 1.0);
    let mut row = table.row("pairs".into());
    row.ours("contacts", || {
        contacts(black_box(&a), &b, &mut found);
        assert_eq!(found.len(), touching);
    });
    row.ours("distance, 1.5 apart", || assert!(distance(black_box(&a), &far, f32::INFINITY).is_some()));
    row.ours("sweep, all pairs", || {
        sweep(black_box(&a_motion), &b_motion, 1e-4, &mut impacts);
        assert!(impacts.len() >= touching);
    });
    row.ours("sweep, first", || assert!(sweep_first(black_box(&a_motion), &b_motion, 1e-4).is_some()));
    row.measure();
}
