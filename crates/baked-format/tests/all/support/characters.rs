//! Made-up characters for the tests, the golden files and the benches.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, reason = "made-up data that is known to be right")]

use baked_format::{
    Attack, AttackKind, BakeWarning, BakedCharacter, ClipState, Cluster, Constraint, ConstraintKind, Coverage,
    CutTriangle, Envelope, Hitbox, HitboxHull, HitboxRole, HitboxShape, LimitSource, Motion, Mover, Ragdoll,
    RagdollBody, Skin, SkinBinding, SkinCut, SkinEncoding, SkinMesh, SkinMorphTarget, SkinOffset, SkinPiece,
    SkinPieceOffsets, Source, StateKind, VertexAttributes, Window, WorstEscape,
};
use glam::{Affine3A, Mat3, Quat, Vec2, Vec3};
use skeleton::humanoid::{HumanBone, Humanoid, HumanoidSource};
use skeleton::{
    Channel, Clip, ClipIndex, Interpolation, Joint, JointIndex, LocalTransform, NodeIndex, Property, Skeleton, Trs,
};

/// Uses every field of the format at least once, but for the humanoid of [`human`].
pub fn scout() -> BakedCharacter {
    let up = |height: f32| LocalTransform::Trs(Trs { translation: Vec3::new(0.0, height, 0.0), ..Trs::IDENTITY });
    let shear = Mat3::from_cols(Vec3::X, Vec3::new(0.1, 1.0, 0.0), Vec3::Z);
    let bracket = LocalTransform::Matrix(Affine3A::from_mat3_translation(shear, Vec3::new(0.0, 0.25, 0.125)));
    let joint = |name: &str, node, parent: Option<u16>, rest, skinned| Joint {
        name: name.into(),
        node: NodeIndex(node),
        parent: parent.map(JointIndex),
        rest,
        skinned,
    };
    let tilted = LocalTransform::Trs(Trs {
        translation: Vec3::new(0.2, 0.0, 0.0),
        rotation: Quat::from_xyzw(0.0, 0.0, 0.6, 0.8),
        scale: Vec3::new(1.0, 1.0, -1.0),
    });
    let skeleton = Skeleton::new(vec![
        joint("Armature", 0, None, LocalTransform::Trs(Trs::IDENTITY), false),
        joint("hips", 3, Some(0), up(0.9), true),
        joint("head", 4, Some(1), up(0.7), true),
        joint("arm.l", 9, Some(1), tilted, true),
        joint("bracket \"é\"", 11, Some(2), bracket, false),
    ])
    .unwrap();
    BakedCharacter {
        name: "Scout".into(),
        source: Source {
            file: "Scout.glb".into(),
            blake3: std::array::from_fn(|i| (7 * i) as u8),
            generator: "bonebox 0.1.0".into(),
        },
        algorithm_revision: 7,
        options: [("bridge", "none"), ("fit", "pca"), ("group", "dominant"), ("poses", "bind"), ("preset", "recipe")]
            .map(|(key, value)| (key.into(), value.into()))
            .into(),
        skeleton,
        boxes: vec![
            Hitbox {
                joint: JointIndex(1),
                shape: HitboxShape::Box,
                role: HitboxRole::Hurt,
                tags: vec!["torso".into()],
                center: Vec3::new(0.0, 0.125, -0.01),
                half_extents: Vec3::new(0.2, 0.15, 0.1),
                orientation: Quat::IDENTITY,
                vertices: 120,
                hull_vertices: 40,
                hull_volume: 0.019,
                min_volume: Some(0.0235),
                hull: None,
            },
            Hitbox {
                joint: JointIndex(2),
                shape: HitboxShape::Box,
                role: HitboxRole::Hurt,
                tags: vec!["head".into(), "weak".into()],
                center: Vec3::new(0.0, 0.1, 0.02),
                half_extents: Vec3::new(0.08, 0.12, 0.1),
                orientation: Quat::from_xyzw(0.28, 0.0, 0.0, 0.96),
                vertices: 300,
                hull_vertices: 88,
                hull_volume: 0.0051,
                min_volume: None,
                hull: None,
            },
            Hitbox {
                joint: JointIndex(3),
                shape: HitboxShape::Box,
                role: HitboxRole::Hurt,
                tags: vec![],
                center: Vec3::new(0.3, 0.0, 0.0),
                half_extents: Vec3::new(0.3, 0.05, 0.0),
                orientation: Quat::from_xyzw(0.5, 0.5, 0.5, 0.5),
                vertices: 4,
                hull_vertices: 4,
                hull_volume: 0.0,
                min_volume: Some(0.0),
                hull: None,
            },
        ],
        clips: vec![wave(), Clip { name: "Still".into(), timelines: vec![], channels: vec![] }],
        coverage: Some(Coverage {
            surface_rest: 0.98,
            surface_clips: 0.953,
            own_rest: 0.96,
            own_clips: 0.921,
            max_escape: 0.0125,
            every_sample_time: true,
            worst: Some(WorstEscape { joint: JointIndex(3), clip: Some(ClipIndex(0)), time: 0.5 }),
        }),
        warnings: vec![
            BakeWarning {
                code: "flat-group".into(),
                joint: Some("arm.l".into()),
                text: "All 4 vertices lie in a plane; the box has no thickness.".into(),
            },
            BakeWarning { code: "no-texture".into(), joint: None, text: "Nothing was looked at.".into() },
        ],
        humanoid: None,
        skin: None,
        envelopes: vec![],
        attacks: vec![],
        states: vec![],
        ragdoll: None,
    }
}

fn wave() -> Clip {
    let channel = |joint, property, interpolation, timeline, values: &[f32]| Channel {
        joint: JointIndex(joint),
        property,
        interpolation,
        timeline,
        values: values.to_vec(),
    };
    Clip {
        name: "Wave".into(),
        timelines: vec![vec![0.0, 0.5, 1.25], vec![0.25]],
        channels: vec![
            channel(1, Property::Translation, Interpolation::Linear, 0, &[0.0, 0.9, 0.0, 0.0, 0.85, 0.0, 0., 0.9, 0.]),
            channel(3, Property::Rotation, Interpolation::Step, 1, &[0.0, 0.0, 0.6, 0.8]),
            channel(3, Property::Scale, Interpolation::CubicSpline, 1, &[0.0, 0.0, 0.0, 1.0, 1.0, -1.0, 0.0, 0.0, 0.0]),
        ],
    }
}

/// The boxer, each hitbox with another role.
pub fn fighter() -> BakedCharacter {
    let mut fighter = BakedCharacter { name: "Fighter".into(), ..boxer() };
    let roles = [HitboxRole::Strike, HitboxRole::Sensor, HitboxRole::Guard];
    fighter.boxes.iter_mut().zip(roles).for_each(|(one, role)| one.role = role);
    fighter
}

/// The scout with attacks and states.
pub fn boxer() -> BakedCharacter {
    let window = |from, to| Window { from, to };
    let jab = Attack {
        name: "jab".into(),
        clip: ClipIndex(0),
        kind: AttackKind::Strike,
        boxes: vec![0, 2],
        active: vec![window(0.0, 0.25), window(0.5, 0.5)],
        group: "jab".into(),
        rank: 2,
        rehit: Some(0.2),
        against: vec!["hurt".into(), "shield \"é\"".into()],
        strength: 4.5,
        data: Some("{\"damage\":7}".into()),
    };
    let grab = Attack {
        name: "grab".into(),
        clip: ClipIndex(1),
        kind: AttackKind::Grab,
        boxes: vec![1],
        active: vec![window(0.0, 1e9)],
        rank: 0,
        rehit: None,
        against: vec![],
        strength: 0.0,
        data: None,
        ..jab.clone()
    };
    let tip = Attack { name: "tip".into(), kind: AttackKind::Throw, boxes: vec![2], rank: 1, ..jab.clone() };
    let state = |clip, kind, boxes: &[u16]| ClipState {
        clip: ClipIndex(clip),
        kind,
        boxes: boxes.to_vec(),
        active: vec![window(0.125, 0.75)],
    };
    BakedCharacter {
        name: "Boxer".into(),
        attacks: vec![jab, tip, grab],
        states: vec![
            state(0, StateKind::Invulnerable, &[1]),
            state(0, StateKind::Guard, &[0, 1, 2]),
            state(1, StateKind::Armor, &[0]),
            state(1, StateKind::Grabbable, &[2]),
        ],
        ..scout()
    }
}

/// The scout with a ragdoll: three bodies, a ball and a hinge.
pub fn faller() -> BakedCharacter {
    let body = |joint, boxes: &[u16], constraint| RagdollBody {
        joint: JointIndex(joint),
        position: Vec3::new(0.0, 0.9, 0.125),
        rotation: Quat::from_xyzw(0.6, 0.0, 0.0, 0.8),
        boxes: boxes.to_vec(),
        mass: 12.5,
        center_of_mass: Vec3::new(0.0, 0.25, -0.5),
        inertia: [2.0, 1.5, 1.0, 0.25, -0.125, 0.0],
        constraint,
    };
    let ball = Constraint {
        parent: 0,
        kind: ConstraintKind::Ball,
        anchor: Vec3::new(0.0, 0.5, 0.25),
        parent_from_frame: Quat::from_xyzw(0.0, 0.0, 0.6, 0.8),
        body_from_frame: Quat::from_xyzw(0.0, -0.6, 0.0, 0.8),
        limits: Vec3::new(0.5, 0.75, std::f32::consts::PI),
        stiffness: 0.0,
        damping: 1.5,
        limits_from: LimitSource::Clips,
    };
    let hinge = Constraint {
        parent: 1,
        kind: ConstraintKind::Hinge,
        limits: Vec3::new(1.25, 0.0, 0.0),
        stiffness: 3.0,
        limits_from: LimitSource::HumanRange,
        ..ball.clone()
    };
    let bodies = vec![body(1, &[0], None), body(2, &[1], Some(ball)), body(3, &[2], Some(hinge))];
    let ragdoll = Some(Ragdoll { bodies, no_collision: vec![[0, 1], [0, 2], [1, 2]] });
    BakedCharacter { name: "Faller".into(), ragdoll, ..scout() }
}

/// The least there can be.
pub fn nobody() -> BakedCharacter {
    BakedCharacter {
        name: "Nobody".into(),
        source: Source { file: "nobody.gltf".into(), blake3: [0; 32], generator: String::new() },
        algorithm_revision: 0,
        options: vec![],
        skeleton: Skeleton::default(),
        boxes: vec![],
        clips: vec![],
        coverage: None,
        warnings: vec![],
        humanoid: None,
        skin: None,
        envelopes: vec![],
        attacks: vec![],
        states: vec![],
        ragdoll: None,
    }
}

/// As many joints and boxes as a game character has; `keys` keys for each of three properties of each joint.
pub fn crowd_member(joints: u16, keys: usize) -> BakedCharacter {
    let joint = |index: u16| Joint {
        name: format!("mixamorig:Joint{index:02}"),
        node: NodeIndex(u32::from(index) + 2),
        parent: index.checked_sub(1).map(JointIndex),
        ..Joint::default()
    };
    let baked = |index: u16| Hitbox {
        joint: JointIndex(index),
        shape: HitboxShape::Box,
        role: HitboxRole::Hurt,
        tags: vec![["arm.left", "arm.right", "head", "leg.left", "leg.right", "torso"][usize::from(index) % 6].into()],
        center: Vec3::new(0.01, 0.1, f32::from(index) * 0.001),
        half_extents: Vec3::new(0.05, 0.1, 0.04),
        orientation: Quat::from_xyzw(0.5, -0.5, 0.5, 0.5),
        vertices: 150,
        hull_vertices: 60,
        hull_volume: 0.0011,
        min_volume: Some(0.0014),
        hull: None,
    };
    let channel = |joint: u16, property: Property| Channel {
        joint: JointIndex(joint),
        property,
        interpolation: Interpolation::Linear,
        timeline: 0,
        values: (0..keys * property.width()).map(|value| 0.25 + (value % 97) as f32 * 0.001).collect(),
    };
    let properties = [Property::Translation, Property::Rotation, Property::Scale];
    let clip = Clip {
        name: "Run".into(),
        timelines: vec![(0..keys).map(|key| key as f32 / 30.0).collect()],
        channels: (0..joints).flat_map(|joint| properties.map(|property| channel(joint, property))).collect(),
    };
    BakedCharacter {
        name: "Crowd".into(),
        skeleton: Skeleton::new((0..joints).map(joint).collect()).unwrap(),
        boxes: (0..joints).map(baked).collect(),
        clips: if keys == 0 { vec![] } else { vec![clip] },
        ..scout_without_indices()
    }
}

fn scout_without_indices() -> BakedCharacter {
    BakedCharacter { coverage: None, warnings: vec![], clips: vec![], boxes: vec![], ..scout() }
}

/// The bones that every humanoid needs, with joints that carry the bones' names, and two bones more.
pub fn human() -> BakedCharacter {
    let bones = || HumanBone::ALL.into_iter().filter(|bone| bone.is_required() || bone.name().ends_with("Toes"));
    let place = |bone: HumanBone| bones().position(|other| other == bone);
    let joint = |(index, bone): (usize, HumanBone)| {
        let parent = std::iter::successors(bone.parent(), |above| above.parent()).find_map(place);
        Joint {
            name: bone.name().into(),
            node: NodeIndex(index as u32),
            parent: parent.map(|parent| JointIndex(parent as u16)),
            ..Joint::default()
        }
    };
    let skeleton = Skeleton::new(bones().enumerate().map(joint).collect()).unwrap();
    let joints = bones().enumerate().map(|(index, bone)| (bone, JointIndex(index as u16)));
    let humanoid = Humanoid::new(&skeleton, HumanoidSource::Settings, joints).unwrap();
    BakedCharacter { name: "Human".into(), skeleton, humanoid: Some(humanoid), ..scout_without_indices() }
}

/// The scout with bounds for any pose: the arm and the bracket move the head, and the hips move the arm.
pub fn bender() -> BakedCharacter {
    let mover = |joint, center: [f32; 3]| Mover {
        joint: JointIndex(joint),
        orientation: Quat::from_xyzw(0.0, 0.6, 0.0, 0.8),
        scale: 1.25,
        center: Vec3::from_array(center),
        slack: 1.5e-6,
    };
    let motion = |mover, size: i8| Motion {
        mover,
        low: [-size, 0, -size],
        high: [size, 1, 0],
        low_weight: 0,
        high_weight: 32768,
    };
    let cluster = |motions| Cluster { low: [-500, -1000, -1000], high: [800, 1200, 1000], motions };
    let (place_step, rest_step) = (1e-4, 1e-3);
    let envelopes = vec![
        Envelope::default(),
        Envelope {
            slack: 2e-6,
            place_step,
            rest_step,
            movers: vec![mover(3, [0.1, 0.0, 0.0]), mover(4, [0.0, 0.0, -0.2])],
            clusters: vec![cluster(vec![motion(0, 20), motion(1, 40)]), cluster(vec![]), cluster(vec![motion(1, 30)])],
        },
        Envelope {
            slack: 1e-6,
            place_step,
            rest_step,
            movers: vec![mover(1, [0.0, 0.9, 0.0])],
            clusters: vec![cluster(vec![motion(0, 10)])],
        },
    ];
    BakedCharacter { name: "Bender".into(), envelopes, ..scout() }
}

/// A box, a capsule and a sphere.
pub fn shapes() -> BakedCharacter {
    let scout = scout();
    let half_extents = |shape| match shape {
        HitboxShape::Box | HitboxShape::Hull => Vec3::new(0.2, 0.15, 0.1),
        HitboxShape::Capsule => Vec3::new(0.05, 0.3, 0.05),
        HitboxShape::Sphere => Vec3::splat(0.12),
    };
    let boxes = scout.boxes.iter().zip([HitboxShape::Box, HitboxShape::Capsule, HitboxShape::Sphere]);
    let boxes = boxes.map(|(one, shape)| Hitbox { shape, half_extents: half_extents(shape), ..one.clone() }).collect();
    BakedCharacter { name: "Shapes".into(), boxes, clips: vec![], coverage: None, warnings: vec![], ..scout }
}

/// A hull whose faces are triangles, a hull with faces of two triangles, and a box.
pub fn hulls() -> BakedCharacter {
    let scout = scout();
    let octahedron = HitboxHull {
        vertices: [
            [0.2, 0.0, 0.0],
            [-0.2, 0.0, 0.0],
            [0.0, 0.15, 0.0],
            [0.0, -0.15, 0.0],
            [0.0, 0.0, 0.1],
            [0.0, 0.0, -0.1],
        ]
        .map(Vec3::from_array)
        .to_vec(),
        triangles: vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
    };
    let corner = |corner: usize| {
        let side = |bit: usize| if corner >> bit & 1 == 1 { 0.0625 } else { -0.0625 };
        Vec3::new(side(0), 2.0 * side(1), side(2))
    };
    let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let brick = HitboxHull {
        vertices: (0..8).map(corner).collect(),
        triangles: sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    };
    let hull = |one: &Hitbox, hull: HitboxHull, half_extents: Vec3| Hitbox {
        shape: HitboxShape::Hull,
        center: Vec3::ZERO,
        half_extents,
        orientation: Quat::IDENTITY,
        hull: Some(hull),
        ..one.clone()
    };
    let boxes = vec![
        hull(&scout.boxes[0], octahedron, Vec3::new(0.2, 0.15, 0.1)),
        hull(&scout.boxes[1], brick, Vec3::new(0.0625, 0.125, 0.0625)),
        scout.boxes[2].clone(),
    ];
    BakedCharacter { name: "Hulls".into(), boxes, clips: vec![], coverage: None, warnings: vec![], ..scout }
}

/// The scout with a skin: a body that hips and head share, and a helmet on the head.
pub fn tailor() -> BakedCharacter {
    let mesh = |name: &str, node, triangles| SkinMesh { name: name.into(), node: NodeIndex(node), triangles };
    let binding = |joint, x: f32| SkinBinding {
        joint: JointIndex(joint),
        joint_from_mesh: Affine3A::from_translation(Vec3::new(x, -0.5, 0.0)),
    };
    let (third, quarters) = ([0.25f32, 0.5, 0.25], [0.75f32, 0.25]);
    let body = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.5, 0.125], [0.5, 0.75, -0.25], [-0.5, 0.25, 0.0]];
    let at = |position: [f32; 3]| Vec3::from_array(position);
    let hips = SkinPiece {
        joint: JointIndex(1),
        positions: body.map(at).to_vec(),
        influence_counts: vec![2, 2, 1],
        influences: [[0].as_slice(), &[0], &[0, 1], &[0, 1], &[0, 1, 2]].concat(),
        weights: [[1.0].as_slice(), &[1.0], &quarters, &[0.25, 0.75], &third].concat(),
        cuts: vec![
            SkinCut::new([1, 3, 3], [0.5, 0.0]),
            SkinCut::new([2, 3, 3], [0.75, 0.0]),
            SkinCut::new([1, 2, 3], [0.25, 0.25]),
        ],
        triangles: vec![[0, 1, 2], [1, 5, 7], [1, 7, 2], [7, 6, 2], [4, 0, 2]],
        chunk_ends: vec![3, 5],
        source_triangles: vec![0, 1, 1, 1, 2],
        cut_triangles: vec![CutTriangle { source_triangle: 1, corners: [1, 3, 2] }],
        attributes: vec![],
        attribute_corners: vec![],
    };
    let helmet = [[0.0, 1.0, 0.0], [0.25, 1.0, 0.0], [0.0, 1.25, 0.5]];
    let head = SkinPiece {
        joint: JointIndex(2),
        positions: [body[1], helmet[0], helmet[1], helmet[2], body[2], body[3]].map(at).to_vec(),
        influence_counts: vec![4, 2],
        influences: vec![0, 2, 2, 2, 0, 1, 0, 1],
        weights: [[1.0; 4].as_slice(), &quarters, &[0.25, 0.75]].concat(),
        cuts: vec![
            SkinCut::new([0, 5, 5], [0.5, 0.0]),
            SkinCut::new([4, 5, 5], [0.75, 0.0]),
            SkinCut::new([0, 4, 5], [0.25, 0.25]),
        ],
        triangles: vec![[6, 5, 8], [8, 5, 7], [1, 2, 3]],
        chunk_ends: vec![3],
        source_triangles: vec![1, 1, 3],
        cut_triangles: vec![CutTriangle { source_triangle: 1, corners: [0, 5, 4] }],
        attributes: vec![],
        attribute_corners: vec![],
    };
    let skin = Skin {
        encoding: SkinEncoding::Lossless,
        max_error: 1.5e-7,
        meshes: vec![mesh("body", 12, 3), mesh("helmet", 14, 2)],
        bindings: vec![binding(1, 0.0), binding(2, 0.0), binding(2, 0.125)],
        pieces: vec![hips, head],
        morph_targets: vec![],
    };
    BakedCharacter { name: "Tailor".into(), skin: Some(skin), ..scout() }
}

/// The tailor with the same numbers in fewer bytes.
pub fn compact_tailor() -> BakedCharacter {
    let tailor = tailor();
    let skin = tailor.skin.map(|skin| Skin { encoding: SkinEncoding::Compact { step_exponent: -10 }, ..skin });
    BakedCharacter { name: "Compact Tailor".into(), skin, ..tailor }
}

/// The tailor with morph targets: one moves border vertices of both pieces, one moves nothing that is left, and one moves the
/// helmet.
pub fn mime() -> BakedCharacter {
    morphing(tailor(), "Mime")
}

/// The mime in fewer bytes.
pub fn compact_mime() -> BakedCharacter {
    morphing(compact_tailor(), "Compact Mime")
}

fn morphing(character: BakedCharacter, name: &str) -> BakedCharacter {
    let offsets = |piece, list: &[(u32, [f32; 3])]| SkinPieceOffsets {
        piece,
        offsets: list.iter().map(|&(vertex, by)| SkinOffset { vertex, offset: Vec3::from_array(by) }).collect(),
    };
    let target = |name: &str, mesh, number, max_error, pieces| SkinMorphTarget {
        name: name.into(),
        mesh,
        number,
        max_error,
        pieces,
    };
    let [border, shared] = [[0.25, -0.5, 0.0], [0.0, 0.125, 1.5]];
    let swell =
        [offsets(0, &[(1, border), (3, shared), (4, [0.0, 0.0, -4.0])]), offsets(1, &[(0, border), (5, shared)])];
    let targets = vec![
        target("Swell", 0, 0, 0.000_25, swell.to_vec()),
        target("Swell", 0, 3, 0.0, vec![]),
        target("target_0", 1, 0, 0.0, vec![offsets(1, &[(1, [0.0, 1.0, 0.0]), (2, [0.0, 1.0, 0.0])])]),
    ];
    let skin = character.skin.map(|skin| Skin { morph_targets: targets, ..skin });
    BakedCharacter { name: name.into(), skin, ..character }
}

/// The tailor with normals and texture coordinates: two of each at a vertex on a seam, and corners without one or both.
pub fn painter() -> BakedCharacter {
    BakedCharacter { name: "Painter".into(), ..painted(tailor()) }
}

/// The painter in fewer bytes.
pub fn compact_painter() -> BakedCharacter {
    BakedCharacter { name: "Compact Painter".into(), ..painted(compact_tailor()) }
}

fn painted(mut character: BakedCharacter) -> BakedCharacter {
    let skin = character.skin.as_mut().unwrap();
    let encoding = skin.encoding;
    let normal = |x: f32, y: f32, z: f32| Some(encoding.round_normal(Vec3::new(x, y, z)));
    let place = |u: f32, v: f32| Some(encoding.round_texture_coordinate(Vec2::new(u, v)));
    let entry = |vertex, normal, texture_coordinate| VertexAttributes { vertex, normal, texture_coordinate };
    skin.pieces[0].attributes = vec![
        entry(0, normal(0.0, 1.0, 0.0), place(0.1, 0.2)),
        entry(1, normal(0.6, 0.0, -0.8), place(0.3, 0.4)),
        entry(1, normal(0.6, 0.0, -0.8), place(-7.0, 1.5)),
        entry(2, normal(-0.48, -0.64, 0.6), None),
        entry(3, None, place(0.7, 0.01)),
        entry(4, None, None),
    ];
    skin.pieces[0].attribute_corners = vec![[0, 1, 3], [2, 4, 3], [2, 4, 3], [2, 4, 3], [5, 0, 3]];
    skin.pieces[1].attributes = (0..6).map(|vertex| entry(vertex, normal(0.8, -0.6, 0.0), None)).collect();
    skin.pieces[1].attribute_corners = vec![[0, 5, 4], [0, 5, 4], [1, 2, 3]];
    character
}

/// Two clips with keys in steps: every number of bytes, and each component of a rotation left out once. A spline beside them.
pub fn dancer() -> BakedCharacter {
    const KEYS: usize = 9;
    let rotations = |last: usize| {
        let key = |key: usize| {
            let turn = key as f32 * 0.03125;
            let mut rotation = [0.25 * turn, -turn, turn * turn, 1.0];
            rotation.swap(last, 3);
            rotation
        };
        (0..KEYS).flat_map(key).collect::<Vec<f32>>()
    };
    let moves = |far: f32| (0..KEYS).flat_map(|key| [far * key as f32, 0.75, -0.001 * key as f32]).collect();
    let spline = || (0..3 * 3 * KEYS).map(|number| number as f32 * 0.1).collect();
    let channel = |joint, property, interpolation, values| Channel {
        joint: JointIndex(joint),
        property,
        interpolation,
        timeline: 0,
        values,
    };
    let (linear, step) = (Interpolation::Linear, Interpolation::Step);
    let clip = |name: &str, omitted: usize, far: f32| Clip {
        name: name.into(),
        timelines: vec![(0..KEYS).map(|key| key as f32 / 30.0).collect()],
        channels: vec![
            channel(0, Property::Translation, linear, moves(far)),
            channel(0, Property::Rotation, linear, rotations(omitted)),
            channel(1, Property::Translation, Interpolation::CubicSpline, spline()),
            channel(1, Property::Rotation, step, rotations(omitted + 1)),
            channel(1, Property::Scale, linear, [1.0f32; 3 * KEYS].to_vec()),
        ],
    };
    let clips = [clip("Turn", 0, 0.125), clip("Leap", 2, 1000.0)];
    let clips = clips.iter().map(baked_format::compact_clip).collect();
    BakedCharacter { name: "Dancer".into(), clips, coverage: None, ..scout() }
}

/// What `assets/golden/v1` holds, by file name.
pub fn golden() -> [(&'static str, BakedCharacter); 17] {
    [
        ("fighter", fighter()),
        ("boxer", boxer()),
        ("faller", faller()),
        ("scout", scout()),
        ("nobody", nobody()),
        ("crowd", crowd_member(20, 3)),
        ("human", human()),
        ("bender", bender()),
        ("shapes", shapes()),
        ("hulls", hulls()),
        ("tailor", tailor()),
        ("compact-tailor", compact_tailor()),
        ("painter", painter()),
        ("compact-painter", compact_painter()),
        ("dancer", dancer()),
        ("mime", mime()),
        ("compact-mime", compact_mime()),
    ]
}
