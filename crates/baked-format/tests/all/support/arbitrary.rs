//! Any valid character, small.

use super::arbitrary_skin::skin;
use baked_format::limits::{MAX_COORDINATE, MAX_SECONDS};
use baked_format::{
    Attack, AttackKind, BakeWarning, BakedCharacter, ClipState, Cluster, Constraint, ConstraintKind, Coverage,
    Envelope, Hitbox, HitboxHull, HitboxRole, HitboxShape, LimitSource, Motion, Mover, Ragdoll, RagdollBody, Source,
    StateKind, Window, WorstEscape,
};
use glam::{Affine3A, Mat3, Quat, Vec3};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use skeleton::humanoid::{HumanBone, Humanoid, HumanoidSource};
use skeleton::{
    Channel, Clip, ClipIndex, Interpolation, Joint, JointIndex, LocalTransform, NodeIndex, Property, Skeleton, Trs,
};

pub fn character() -> impl Strategy<Value = BakedCharacter> {
    let joint = || (text(), any::<u32>(), any::<Option<u16>>(), rest(), any::<bool>());
    let skeleton = prop_oneof![4 => vec(joint(), 0..6), 1 => vec(joint(), 15..18)];
    let options = btree_map(name(), text(), 0..4);
    let file = "[^/\\\\\0]{1,12}".prop_filter("names a folder", |name| name != "." && name != "..");
    let source = (file.clone(), any::<[u8; 32]>(), text(), any::<u32>());
    let warnings = vec(("[a-z0-9-]{1,12}", proptest::option::of(text()), text()), 0..3);
    (file, source, options, skeleton, warnings).prop_flat_map(|(name, source, options, joints, warnings)| {
        let skeleton = skeleton_of(joints);
        let (boxes, clips) = (boxes(skeleton.len()), clips(&skeleton));
        let coverage = (coverage(), any::<prop::sample::Index>(), any::<Option<prop::sample::Index>>(), seconds());
        let moved = (any::<bool>(), vec(envelope(), 5));
        let skin = skin(skeleton.len());
        let attacks = (vec(attack(), 0..3), vec((active(), 0..StateKind::ALL.len()), 0..3));
        let falling = vec(body(), 0..5);
        let parts = (boxes, clips, proptest::option::of(coverage), moved, skin, attacks, falling);
        parts.prop_map(move |(boxes, clips, coverage, moved, skin, attacks, falling)| BakedCharacter {
            name: name.clone(),
            source: Source { file: source.0.clone(), blake3: source.1, generator: source.2.clone() },
            algorithm_revision: source.3,
            options: options.clone().into_iter().collect(),
            skeleton: skeleton.clone(),
            envelopes: if moved.0 && boxes.iter().all(|one| one.shape == HitboxShape::Box) {
                envelopes(&boxes, skeleton.len(), &moved.1)
            } else {
                vec![]
            },
            attacks: attacks_of(attacks.0, boxes.len(), clips.len()),
            states: states_of(attacks.1, boxes.len(), clips.len()),
            ragdoll: ragdoll_of(falling, boxes.len(), skeleton.len()),
            boxes,
            coverage: coverage.map(|(coverage, joint, clip, time)| Coverage {
                worst: (!skeleton.is_empty()).then(|| WorstEscape {
                    joint: JointIndex(joint.index(skeleton.len()) as u16),
                    clip: clip.filter(|_| !clips.is_empty()).map(|clip| ClipIndex(clip.index(clips.len()) as u32)),
                    time,
                }),
                ..coverage
            }),
            clips,
            warnings: warnings.iter().cloned().map(|(code, joint, text)| BakeWarning { code, joint, text }).collect(),
            humanoid: humanoid(&skeleton),
            skin,
        })
    })
}

type Active = (prop::sample::Index, Vec<prop::sample::Index>, Vec<Window>);

fn active() -> impl Strategy<Value = Active> {
    let apart = |mut times: Vec<f32>| {
        times.sort_by(f32::total_cmp);
        times.dedup();
        times.chunks(2).map(|pair| Window { from: pair[0], to: pair[pair.len() - 1] }).collect()
    };
    (any::<prop::sample::Index>(), vec(any::<prop::sample::Index>(), 1..4), vec(0.0f32..10.0, 1..6).prop_map(apart))
}

/// An attack without a clip and boxes, and an index for each of these.
fn attack() -> impl Strategy<Value = (Active, Attack)> {
    let numbers = (any::<u16>(), proptest::option::of(0.001f32..10.0), 0.0f32..1e9);
    let texts = (name(), btree_set(name(), 0..3), proptest::option::of(text()));
    (active(), 0..AttackKind::ALL.len(), numbers, texts).prop_map(|(active, kind, numbers, texts)| {
        let attack = Attack {
            name: String::new(),
            clip: ClipIndex(0),
            kind: AttackKind::ALL[kind],
            boxes: vec![],
            active: active.2.clone(),
            group: texts.0,
            rank: numbers.0,
            rehit: numbers.1,
            against: texts.1.into_iter().collect(),
            strength: numbers.2,
            data: texts.2,
        };
        (active, attack)
    })
}

fn indices(list: &[prop::sample::Index], count: usize) -> Vec<u16> {
    list.iter().map(|index| index.index(count) as u16).collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

fn attacks_of(made_up: Vec<(Active, Attack)>, boxes: usize, clips: usize) -> Vec<Attack> {
    if boxes == 0 || clips == 0 {
        return vec![];
    }
    let attack = |(index, ((clip, list, _), attack)): (usize, (Active, Attack))| Attack {
        name: format!("{index}"),
        clip: ClipIndex(clip.index(clips) as u32),
        boxes: indices(&list, boxes),
        ..attack
    };
    let mut attacks: Vec<_> = made_up.into_iter().enumerate().map(attack).collect();
    attacks.sort_by_key(|attack| attack.clip);
    attacks
}

fn states_of(made_up: Vec<(Active, usize)>, boxes: usize, clips: usize) -> Vec<ClipState> {
    if boxes == 0 || clips == 0 {
        return vec![];
    }
    let state = |((clip, list, active), kind): (Active, usize)| ClipState {
        clip: ClipIndex(clip.index(clips) as u32),
        kind: StateKind::ALL[kind],
        boxes: indices(&list, boxes),
        active,
    };
    let mut states: Vec<_> = made_up.into_iter().map(state).collect();
    states.sort_by_key(|state| state.clip);
    states
}

/// A body without joint and boxes.
fn body() -> impl Strategy<Value = RagdollBody> {
    let point = || [-10.0f32..10.0, -MAX_COORDINATE..MAX_COORDINATE, -1.0..1.0].prop_map(Vec3::from_array);
    let limits = [0.0f32..3.0, 0.0..3.0, 0.0..3.0].prop_map(Vec3::from_array);
    let sources = 0..LimitSource::ALL.len();
    let constraint = (any::<prop::sample::Index>(), any::<bool>(), point(), limits, 0.0f32..1e9, sources);
    let constraint = constraint.prop_map(|(parent, is_hinge, anchor, limits, torque, source)| Constraint {
        parent: parent.index(usize::from(u16::MAX)) as u16,
        kind: if is_hinge { ConstraintKind::Hinge } else { ConstraintKind::Ball },
        anchor,
        parent_from_frame: Quat::from_xyzw(0.6, 0.0, -0.8, 0.0),
        body_from_frame: Quat::IDENTITY,
        limits: if is_hinge { Vec3::X * limits.x } else { limits },
        stiffness: torque,
        damping: 2.0 * torque,
        limits_from: LimitSource::ALL[source],
    });
    let constraint = proptest::option::of(constraint);
    (point(), point(), 0.001f32..1e6, constraint).prop_map(|(position, center_of_mass, mass, constraint)| RagdollBody {
        joint: JointIndex(0),
        position,
        rotation: Quat::from_xyzw(0.0, 0.6, 0.8, 0.0),
        boxes: vec![],
        mass,
        center_of_mass,
        inertia: [2.0, 1.5, 1.0, 0.25, 0.0, -0.25].map(|entry| entry * mass),
        constraint,
    })
}

/// One box for each body.
fn ragdoll_of(made_up: Vec<RagdollBody>, boxes: usize, joints: usize) -> Option<Ragdoll> {
    let of_number = |(index, body): (usize, RagdollBody)| RagdollBody {
        joint: JointIndex(index as u16),
        boxes: vec![index as u16],
        constraint: body
            .constraint
            .filter(|_| index > 0)
            .map(|one| Constraint { parent: one.parent % index as u16, ..one }),
        ..body
    };
    let bodies: Vec<_> = made_up.into_iter().take(boxes.min(joints)).enumerate().map(of_number).collect();
    let pairs = (1..bodies.len() as u16).map(|second| [0, second]).collect();
    (!bodies.is_empty()).then_some(Ragdoll { bodies, no_collision: pairs })
}

/// One mover for each box of a skeleton with two joints or more.
fn envelopes(boxes: &[Hitbox], joints: usize, made_up: &[Envelope]) -> Vec<Envelope> {
    let of_box = |(baked, made_up): (&Hitbox, &Envelope)| {
        let joint = JointIndex(((baked.joint.index() + 1) % joints) as u16);
        let movers = made_up.movers.iter().map(|mover| Mover { joint, ..mover.clone() });
        if joint == baked.joint {
            Envelope::default()
        } else {
            Envelope { movers: movers.collect(), ..made_up.clone() }
        }
    };
    boxes.iter().zip(made_up).map(of_box).collect()
}

fn envelope() -> impl Strategy<Value = Envelope> {
    let center = [-10.0f32..10.0, -10.0..10.0, -MAX_COORDINATE..MAX_COORDINATE].prop_map(Vec3::from_array);
    let mover = (center, -10.0f32..10.0, 0.0f32..1.0);
    let mover = mover.prop_map(|(center, scale, slack)| Mover {
        joint: JointIndex(0),
        orientation: Quat::from_xyzw(0.6, 0.0, -0.8, 0.0),
        scale,
        center,
        slack,
    });
    let motion = (any::<[i8; 3]>(), any::<[i8; 3]>(), any::<u16>(), any::<u16>());
    let motion = motion.prop_map(|(a, b, one, other)| Motion {
        mover: 0,
        low: std::array::from_fn(|axis| a[axis].min(b[axis])),
        high: std::array::from_fn(|axis| a[axis].max(b[axis])),
        low_weight: one.min(other),
        high_weight: one.max(other),
    });
    let cluster = (any::<[i16; 3]>(), any::<[i16; 3]>(), vec(motion, 0..2));
    let cluster = cluster.prop_map(|(a, b, motions)| Cluster {
        low: std::array::from_fn(|axis| a[axis].min(b[axis])),
        high: std::array::from_fn(|axis| a[axis].max(b[axis])),
        motions,
    });
    let lengths = [0.0f32..1.0, 0.0..1e6, 0.0..1e6];
    (lengths, mover, vec(cluster, 0..3)).prop_map(|([slack, place_step, rest_step], mover, clusters)| Envelope {
        slack,
        place_step,
        rest_step,
        movers: vec![mover],
        clusters,
    })
}

/// Small skeletons have no humanoid; joints for all required bones come with a skeleton large enough.
fn humanoid(skeleton: &Skeleton) -> Option<Humanoid> {
    let required = HumanBone::ALL.into_iter().filter(|bone| bone.is_required());
    let joints = (0..skeleton.len()).map(|joint| JointIndex(joint as u16));
    Humanoid::new(skeleton, HumanoidSource::Guessed, required.zip(joints)).ok()
}

type JointParts = (String, u32, Option<u16>, LocalTransform, bool);

fn skeleton_of(parts: Vec<JointParts>) -> Skeleton {
    let joint = |(index, (name, node, parent, rest, skinned)): (usize, JointParts)| Joint {
        name: format!("{name}#{index}"),
        node: NodeIndex(node),
        parent: parent.filter(|_| index > 0).map(|parent| JointIndex(parent % index as u16)),
        rest,
        skinned,
    };
    Skeleton::new(parts.into_iter().enumerate().map(joint).collect()).unwrap()
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![4 => ".{0,12}", 1 => "[\"\\\\\0\n\u{2028}é😀]{0,12}"]
}

fn name() -> impl Strategy<Value = String> {
    ".{1,12}"
}

fn finite() -> impl Strategy<Value = f32> {
    use proptest::num::f32::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO
}

fn seconds() -> impl Strategy<Value = f32> {
    -MAX_SECONDS..=MAX_SECONDS
}

fn finite_vec3() -> impl Strategy<Value = Vec3> {
    [finite(), finite(), finite()].prop_map(Vec3::from_array)
}

fn rotation() -> impl Strategy<Value = Quat> {
    let component = || -1.0f32..=1.0;
    [component(), component(), component(), component()]
        .prop_filter("too short to normalize", |q| q.iter().map(|c| c * c).sum::<f32>() > 1e-3)
        .prop_map(|q| Quat::from_array(q).normalize())
}

fn rest() -> impl Strategy<Value = LocalTransform> {
    let trs = (finite_vec3(), rotation(), finite_vec3())
        .prop_map(|(translation, rotation, scale)| LocalTransform::Trs(Trs { translation, rotation, scale }));
    let matrix = [finite_vec3(), finite_vec3(), finite_vec3(), finite_vec3()].prop_map(|[x, y, z, translation]| {
        LocalTransform::Matrix(Affine3A::from_mat3_translation(Mat3::from_cols(x, y, z), translation))
    });
    prop_oneof![3 => trs, 1 => matrix]
}

/// The half extents that a box around this shape may have, from any three lengths.
fn half_extents_of(shape: HitboxShape, [x, y, z]: [f32; 3]) -> Vec3 {
    match shape {
        HitboxShape::Box => Vec3::new(x, y, z),
        HitboxShape::Capsule => Vec3::new(x, x.max(y), x),
        HitboxShape::Sphere => Vec3::splat(x),
        HitboxShape::Hull => Vec3::new(x, y, z).max(Vec3::splat(0.125)),
    }
}

/// The octahedron in a box around the origin.
fn octahedron(half_extents: Vec3) -> HitboxHull {
    let ends = Vec3::AXES.map(|axis| axis * half_extents);
    HitboxHull {
        vertices: ends.into_iter().flat_map(|end| [end, -end]).collect(),
        triangles: vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
    }
}

/// Gives a hitbox of the shape hull a hull; other hitboxes stay as they are.
fn with_hull(one: Hitbox) -> Hitbox {
    if one.shape != HitboxShape::Hull {
        return one;
    }
    let hull = Some(octahedron(one.half_extents));
    Hitbox { center: Vec3::ZERO, orientation: Quat::IDENTITY, hull, ..one }
}

fn boxes(joints: usize) -> impl Strategy<Value = Vec<Hitbox>> {
    let coordinate = || prop_oneof![-10.0f32..10.0, -MAX_COORDINATE..=MAX_COORDINATE];
    let extent = || prop_oneof![Just(0.0f32), 0.0f32..10.0, 0.0..=MAX_COORDINATE];
    let volume = || 0.0..=f32::MAX;
    let named = (0..joints.max(1) as u16, btree_set(name(), 0..4), rotation());
    let shape = (0..HitboxShape::ALL.len()).prop_map(|index| HitboxShape::ALL[index]);
    let placed = ([coordinate(), coordinate(), coordinate()], [extent(), extent(), extent()], shape);
    let role = (0..HitboxRole::ALL.len()).prop_map(|index| HitboxRole::ALL[index]);
    let role = prop_oneof![3 => Just(HitboxRole::Hurt), 1 => role];
    let measured = (any::<u32>(), any::<u32>(), volume(), proptest::option::of(volume()));
    let one = (named, placed, measured, role).prop_map(|(named, placed, measured, role)| {
        with_hull(Hitbox {
            joint: JointIndex(named.0),
            shape: placed.2,
            role,
            tags: named.1.into_iter().collect(),
            center: Vec3::from_array(placed.0),
            half_extents: half_extents_of(placed.2, placed.1),
            orientation: named.2,
            vertices: measured.0,
            hull_vertices: measured.1,
            hull_volume: measured.2,
            min_volume: measured.3,
            hull: None,
        })
    });
    vec(one, 0..=if joints == 0 { 0 } else { 5 }).prop_map(|mut boxes| {
        boxes.sort_by_key(|baked| baked.joint);
        boxes
    })
}

fn clips(skeleton: &Skeleton) -> impl Strategy<Value = Vec<Clip>> + use<> {
    let is_animated = |index: &u16| matches!(skeleton.joints()[usize::from(*index)].rest, LocalTransform::Trs(_));
    let joints: Vec<u16> = (0..skeleton.len() as u16).filter(is_animated).collect();
    let most = if joints.is_empty() { 0 } else { 4 };
    let property = prop_oneof![Just(Property::Translation), Just(Property::Rotation), Just(Property::Scale)];
    let interpolation =
        prop_oneof![Just(Interpolation::Step), Just(Interpolation::Linear), Just(Interpolation::CubicSpline)];
    let joint = proptest::sample::select(if joints.is_empty() { vec![0] } else { joints });
    let channels = btree_map((joint, property), (interpolation, any::<prop::sample::Index>(), finite()), 0..=most);
    let one = (name(), vec(timeline(), 1..3), channels).prop_map(|(name, timelines, channels)| {
        let channel = |((joint, property), (interpolation, timeline, first)): (
            (u16, Property),
            (Interpolation, prop::sample::Index, f32),
        )| {
            let timeline = timeline.index(timelines.len());
            let width = timelines[timeline].len() * interpolation.values_per_key() * property.width();
            let values = (0..width).map(|index| if index % 3 == 0 { first } else { index as f32 * 0.1 }).collect();
            Channel { joint: JointIndex(joint), property, interpolation, timeline: timeline as u32, values }
        };
        let channels = channels.into_iter().map(channel).collect();
        Clip { name, timelines, channels }
    });
    vec(one, 0..3).prop_map(|mut clips| {
        for (index, clip) in clips.iter_mut().enumerate() {
            clip.name.push_str(&format!("#{index}"));
        }
        clips
    })
}

fn timeline() -> impl Strategy<Value = Vec<f32>> {
    (seconds(), 1usize..5).prop_map(|(start, keys)| {
        let mut times = vec![start.min(MAX_SECONDS - 1e6)];
        while times.len() < keys {
            times.push((times[times.len() - 1] + 0.1).max(times[times.len() - 1].next_up()));
        }
        times
    })
}

fn coverage() -> impl Strategy<Value = Coverage> {
    let shares = [0.0f32..=1.0, 0.0..=1.0, 0.0..=1.0, 0.0..=1.0];
    (shares, 0.0..=f32::MAX, any::<bool>()).prop_map(|(shares, max_escape, every_sample_time)| {
        let [surface_rest, surface_clips, own_rest, own_clips] = shares;
        Coverage { surface_rest, surface_clips, own_rest, own_clips, max_escape, every_sample_time, worst: None }
    })
}
