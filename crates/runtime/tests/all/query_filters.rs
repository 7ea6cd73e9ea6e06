//! Every query of a world leaves out the bodies and hitboxes that its filter leaves out.

use crate::characters::figure;
use geometry_core::{Obb, Ray, Sphere};
use glam::{Affine3A, Quat, Vec3};
use runtime::{Body, BodyId, BodySettings, BoxIndex, CollisionLayers, HitboxWorld, QueryFilter};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Ten figures in a row along x, of two teams in turn; hands are in layer 2.
fn row() -> HitboxWorld {
    let figure = Arc::new(figure("figure"));
    let hands = figure.boxes_with_tag("hand").unwrap();
    let mut world = HitboxWorld::new();
    for id in 0..10 {
        let settings = BodySettings { team: Some(id as u32 % 2), ..BodySettings::default() };
        world.insert(BodyId(id), Arc::clone(&figure), settings).unwrap();
        world.set_box_layers(BodyId(id), &hands, CollisionLayers { memberships: 2, mask: u32::MAX }).unwrap();
        let place = Affine3A::from_translation(Vec3::X * id as f32);
        world.pose_from_clip(BodyId(id), &place, runtime::ClipIndex(0), 0.0).unwrap();
    }
    world.update();
    world
}

/// The body and the box index of all hitboxes that a query finds.
type Found = BTreeSet<(u64, u16)>;

/// The hitboxes that rays, shapes and casts find. Each answer is compared with the queries for the first and for any.
fn found(world: &HitboxWorld, filter: &QueryFilter<'_>) -> [Found; 3] {
    let ray = Ray::try_new(Vec3::new(-5.0, 1.2, 0.0), Vec3::X).unwrap();
    let mut hits = Vec::new();
    world.cast_ray_all(&ray, None, filter, &mut hits);
    assert_eq!(world.cast_ray(&ray, None, filter), hits.first().copied());
    assert_eq!(world.cast_ray_any(&ray, None, filter), !hits.is_empty());
    let ball = Sphere::try_new(Vec3::new(4.5, 1.0, 0.0), 1.5).unwrap();
    let mut boxes = Vec::new();
    world.overlapping_boxes(&ball, filter, &mut boxes);
    assert_eq!(world.overlaps_shape(&ball, filter), !boxes.is_empty());
    let blade = |x| Obb::from_orientation(Vec3::new(x, 0.8, 0.0), Vec3::new(0.05, 0.6, 0.2), Quat::IDENTITY);
    let (from, to) = (blade(-3.0), blade(12.0));
    let mut casts = Vec::new();
    world.cast_shape_all(&from, &to, None, filter, &mut casts);
    assert_eq!(world.cast_shape(&from, &to, None, filter), casts.first().copied());
    assert_eq!(world.cast_shape_any(&from, &to, None, filter), !casts.is_empty());
    [
        hits.iter().map(|hit| (hit.body.0, hit.box_index.0)).collect(),
        boxes.iter().map(|one| (one.body.0, one.box_index.0)).collect(),
        casts.iter().map(|hit| (hit.body.0, hit.box_index.0)).collect(),
    ]
}

/// Compares the answers with a filter to the answers without a filter for which a condition holds.
#[track_caller]
fn check(world: &HitboxWorld, filter: &QueryFilter<'_>, condition: impl Fn(&Body, BoxIndex) -> bool) {
    let everything = found(world, &QueryFilter::default());
    let (mut left_in, mut left_out) = (0, 0);
    for (all, found) in everything.into_iter().zip(found(world, filter)) {
        let body = |id: u64| world.body(BodyId(id)).unwrap();
        let expected: Found = all.iter().copied().filter(|&(id, index)| condition(body(id), BoxIndex(index))).collect();
        assert_eq!(found, expected);
        left_in += expected.len();
        left_out += all.len() - expected.len();
    }
    assert!(left_in > 0 && left_out > 0, "the filter leaves {left_in} in and {left_out} out");
}

fn tags(body: &Body, index: BoxIndex) -> &[String] {
    body.character().hitbox(index).unwrap().tags
}

#[test]
fn each_condition_leaves_out_what_it_says() {
    let (world, any) = (row(), QueryFilter::default());
    let exclude = [BodyId(0), BodyId(4), BodyId(77)];
    check(&world, &QueryFilter::excluding(&exclude), |body, _| !exclude.contains(&body.id()));
    check(&world, &QueryFilter { team: Some(1), ..any }, |body, _| body.settings().team != Some(1));
    let tagged = QueryFilter { tags: &["chest", "arm", "no such tag"], ..any };
    check(&world, &tagged, |body, index| tags(body, index) == ["chest"] || tags(body, index) == ["arm"]);
    let odd = |body: &Body, index: BoxIndex| (body.id().0 + u64::from(index.0)) % 2 == 1;
    check(&world, &QueryFilter { predicate: Some(&odd), ..any }, odd);
    check(&world, &QueryFilter { only: Some(BodyId(1)), ..any }, |body, _| body.id() == BodyId(1));
    let not_hands = QueryFilter { layers: Some(CollisionLayers { memberships: 1, mask: 1 }), ..any };
    check(&world, &not_hands, |body, index| tags(body, index) != ["hand"]);
    let both = QueryFilter {
        exclude: &exclude,
        team: Some(1),
        tags: &["chest", "arm"],
        predicate: Some(&odd),
        layers: None,
        roles: runtime::Roles::default(),
        only: None,
    };
    check(&world, &both, |body, index| {
        let of_tag = tags(body, index) == ["chest"] || tags(body, index) == ["arm"];
        !exclude.contains(&body.id()) && body.settings().team != Some(1) && of_tag && odd(body, index)
    });
}

#[test]
fn a_filter_without_layers_is_not_a_filter_for_nothing() {
    let (world, any) = (row(), QueryFilter::default());
    for (memberships, mask) in [(0, 0), (0, u32::MAX), (u32::MAX, 0)] {
        let layers = Some(CollisionLayers { memberships, mask });
        assert_eq!(found(&world, &QueryFilter { layers, ..any }), found(&world, &any));
    }
    let hands = QueryFilter { layers: Some(CollisionLayers { memberships: 0, mask: 2 }), tags: &["hand"], ..any };
    assert_eq!(found(&world, &hands), found(&world, &QueryFilter { tags: &["hand"], ..any }));
}

#[test]
fn a_sweep_finds_the_pairs_of_which_the_filter_admits_both_hitboxes() {
    let mut world = row();
    world.start_motion();
    for id in 0..10 {
        // Each passes through its neighbors.
        let to = if id % 2 == 0 { id as f32 + 2.0 } else { id as f32 - 2.0 };
        world
            .pose_from_clip(BodyId(id), &Affine3A::from_translation(Vec3::X * to), runtime::ClipIndex(0), 0.0)
            .unwrap();
    }
    let exclude = [BodyId(2)];
    let hands = QueryFilter { tags: &["hand"], ..QueryFilter::default() };
    let filters = [QueryFilter::excluding(&exclude), QueryFilter { team: Some(1), ..hands }, hands];
    for updated in [false, true] {
        if updated {
            world.update();
        }
        let mut all = Vec::new();
        world.sweep_all(None, &QueryFilter::default(), &mut all);
        let mut sizes = vec![all.len()];
        for filter in &filters {
            let admits = |id: BodyId, index| {
                let body = world.body(id).unwrap();
                let of_tag = filter.tags.is_empty() || tags(body, index) == ["hand"];
                !filter.exclude.contains(&id)
                    && (filter.team != body.settings().team || filter.team.is_none())
                    && of_tag
            };
            let mut expected = all.clone();
            expected.retain(|one| admits(one.body_a, one.box_a) && admits(one.body_b, one.box_b));
            let mut found = Vec::new();
            world.sweep_all(None, filter, &mut found);
            assert_eq!(found, expected);
            assert_eq!(world.sweep_any(None, filter), !expected.is_empty());
            let first =
                expected.iter().min_by_key(|one| (one.time.to_bits(), one.body_a, one.body_b, one.box_a, one.box_b));
            assert_eq!(world.sweep(None, filter), first.copied());
            sizes.push(found.len());
        }
        // Teams alternate, and each team walks in one direction, so members of team 0 never meet.
        assert!(sizes[0] > sizes[1] && sizes[1] > 0 && sizes[2] == 0 && sizes[3] > 0, "{sizes:?}");
    }
}
