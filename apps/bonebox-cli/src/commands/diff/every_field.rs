//! Changes each field of the file format in turn, and expects that `diff` names it.

use super::compare::compare;
use baked_format::{
    Attack, AttackKind, BakeWarning, BakedCharacter, ClipState, Cluster, Constraint, ConstraintKind, Coverage,
    CutTriangle, Envelope, Hitbox, HitboxHull, HitboxRole, HitboxShape, LimitSource, Motion, Mover, Ragdoll,
    RagdollBody, Skin, SkinBinding, SkinCut, SkinEncoding, SkinMesh, SkinMorphTarget, SkinOffset, SkinPiece,
    SkinPieceOffsets, Source, StateKind, VertexAttributes, Window, WorstEscape,
};
use glam::{Affine3A, Quat, Vec2, Vec3};
use skeleton::humanoid::{HumanBone, Humanoid, HumanoidSource};
use skeleton::{
    Channel, Clip, ClipIndex, Interpolation, Joint, JointIndex, LocalTransform, NodeIndex, Property, Skeleton, Trs,
};

/// An edit of one field, and the lines that `diff` prints for it.
struct Edit {
    field: &'static str,
    edit: fn(&mut BakedCharacter),
    lines: &'static [&'static str],
}

/// Lists an edit for each field of a struct. A field without an edit does not compile.
macro_rules! edits {
    ($list:ident: $struct:ident { $($field:ident: $edit:expr => $lines:expr),+ $(,)? }) => {
        // The pattern has to name every field.
        let _ = |value: $struct| { let $struct { $($field: _),+ } = value; };
        $($list.push(Edit {
            field: concat!(stringify!($struct), ".", stringify!($field)),
            edit: $edit,
            lines: &$lines,
        });)+
    };
}

// The fields of these types are private, so a new one shows only in their sizes.
const _: () = assert!(size_of::<Skeleton>() == size_of::<Vec<Joint>>());
const _: () = assert!(size_of::<Humanoid>() == size_of::<([Option<JointIndex>; HumanBone::COUNT], HumanoidSource)>());

/// A character with at least one thing of each kind that a file can hold. Only `compare` has to accept it.
fn whole() -> BakedCharacter {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runa.bonebox");
    let mut character = baked_format::read(&std::fs::read(path).unwrap()).unwrap();
    let head = head(&character);
    character.warnings =
        vec![BakeWarning { code: "flat-group".into(), joint: Some("head".into()), text: "It is flat.".into() }];
    character.coverage.as_mut().unwrap().worst = Some(WorstEscape { joint: head, clip: Some(ClipIndex(0)), time: 0.5 });
    let first = &mut character.boxes[0];
    first.shape = HitboxShape::Hull;
    first.min_volume = Some(0.25);
    first.hull = Some(HitboxHull {
        vertices: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    });
    let motion = Motion { mover: 0, low: [-1; 3], high: [1; 3], low_weight: 0, high_weight: 9 };
    let mover = Mover { joint: head, orientation: Quat::IDENTITY, scale: 1.0, center: Vec3::ZERO, slack: 0.0 };
    let envelope = Envelope {
        slack: 0.0,
        place_step: 1.0,
        rest_step: 1.0,
        movers: vec![mover],
        clusters: vec![Cluster { low: [-1; 3], high: [1; 3], motions: vec![motion] }],
    };
    character.envelopes = vec![envelope; character.boxes.len()];
    let piece = SkinPiece {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        influence_counts: vec![3],
        influences: vec![0; 3],
        weights: vec![1.0; 3],
        cuts: vec![SkinCut::new([0, 1, 2], [0.25, 0.25])],
        triangles: vec![[0, 1, 2]],
        chunk_ends: vec![1],
        source_triangles: vec![0],
        cut_triangles: vec![CutTriangle { source_triangle: 0, corners: [0, 1, 2] }],
        attributes: vec![VertexAttributes { vertex: 0, normal: Some(Vec3::X), texture_coordinate: Some(Vec2::ZERO) }],
        attribute_corners: vec![[0; 3]],
        ..SkinPiece::empty(head)
    };
    let target = SkinMorphTarget {
        name: "smile".into(),
        mesh: 0,
        number: 0,
        max_error: 0.0,
        pieces: vec![SkinPieceOffsets { piece: 0, offsets: vec![SkinOffset { vertex: 0, offset: Vec3::X }] }],
    };
    let active = vec![Window { from: 0.25, to: 0.5 }];
    character.attacks = vec![Attack {
        name: "poke".into(),
        clip: ClipIndex(0),
        kind: AttackKind::Strike,
        boxes: vec![0],
        active: active.clone(),
        group: "poke".into(),
        rank: 0,
        rehit: None,
        against: vec![],
        strength: 1.0,
        data: None,
    }];
    character.states = vec![ClipState { clip: ClipIndex(1), kind: StateKind::Guard, boxes: vec![0, 1], active }];
    let body = |joint: &str, boxes, constraint| RagdollBody {
        joint: character.skeleton.find(joint).unwrap(),
        position: Vec3::Y,
        rotation: Quat::IDENTITY,
        boxes,
        mass: 5.0,
        center_of_mass: Vec3::ZERO,
        inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        constraint,
    };
    let constraint = Constraint {
        parent: 0,
        kind: ConstraintKind::Ball,
        anchor: Vec3::ZERO,
        parent_from_frame: Quat::IDENTITY,
        body_from_frame: Quat::IDENTITY,
        limits: Vec3::ZERO,
        stiffness: 0.0,
        damping: 1.0,
        limits_from: LimitSource::Clips,
    };
    let bodies = [("pelvis", None), ("spine_01", Some(constraint.clone())), ("spine_02", Some(constraint))];
    let bodies = (0..).zip(bodies).map(|(index, (joint, constraint))| body(joint, vec![index], constraint)).collect();
    character.ragdoll = Some(Ragdoll { bodies, no_collision: vec![[0, 1]] });
    character.skin = Some(Skin {
        encoding: SkinEncoding::Compact { step_exponent: -10 },
        max_error: 0.0,
        meshes: vec![SkinMesh { name: "body".into(), node: NodeIndex(1), triangles: 1 }],
        bindings: vec![SkinBinding { joint: head, joint_from_mesh: Affine3A::IDENTITY }],
        pieces: vec![piece],
        morph_targets: vec![target],
    });
    character
}

fn target(character: &mut BakedCharacter) -> &mut SkinMorphTarget {
    &mut skin(character).morph_targets[0]
}

/// The head in [`whole`].
fn head(character: &BakedCharacter) -> JointIndex {
    character.skeleton.find("head").unwrap()
}

fn edit_head(character: &mut BakedCharacter, edit: impl FnOnce(&mut Joint)) {
    let head = head(character);
    let mut joints = character.skeleton.joints().to_vec();
    edit(&mut joints[head.index()]);
    character.skeleton = Skeleton::new(joints).unwrap();
}

fn edit_rest(character: &mut BakedCharacter, edit: impl FnOnce(&mut Trs)) {
    edit_head(character, |head| {
        let LocalTransform::Trs(trs) = &mut head.rest else { panic!("a matrix") };
        edit(trs);
    });
}

fn edit_humanoid(
    character: &mut BakedCharacter,
    edit: impl FnOnce(&mut HumanoidSource, &mut Vec<(HumanBone, JointIndex)>),
) {
    let humanoid = character.humanoid.take().unwrap();
    let (mut source, mut bones) = (humanoid.source(), humanoid.iter().collect());
    edit(&mut source, &mut bones);
    character.humanoid = Some(Humanoid::new(&character.skeleton, source, bones).unwrap());
}

fn skin(character: &mut BakedCharacter) -> &mut Skin {
    character.skin.as_mut().unwrap()
}

fn piece(character: &mut BakedCharacter) -> &mut SkinPiece {
    &mut skin(character).pieces[0]
}

fn coverage(character: &mut BakedCharacter) -> &mut Coverage {
    character.coverage.as_mut().unwrap()
}

fn worst(character: &mut BakedCharacter) -> &mut WorstEscape {
    coverage(character).worst.as_mut().unwrap()
}

fn bodies(character: &mut BakedCharacter) -> &mut Vec<RagdollBody> {
    &mut character.ragdoll.as_mut().unwrap().bodies
}

fn held(character: &mut BakedCharacter) -> &mut Constraint {
    bodies(character)[2].constraint.as_mut().unwrap()
}

fn channel(character: &mut BakedCharacter) -> &mut Channel {
    &mut character.clips[0].channels[0]
}

fn motion(character: &mut BakedCharacter) -> &mut Motion {
    &mut character.envelopes[0].clusters[0].motions[0]
}

fn all_edits() -> Vec<Edit> {
    let mut list = Vec::new();
    edits!(list: BakedCharacter {
        name: |one| one.name.push('x') => ["changed  character: name runa -> runax"],
        source: |one| one.source.file = "x.glb".into() => ["changed  source: file runa.glb -> x.glb"],
        algorithm_revision: |one| one.algorithm_revision = 77 => ["changed  character: algorithm_revision ... -> 77"],
        options: |one| {
            one.options.retain(|(key, _)| key != "fit");
            one.options.push(("skin".into(), "compact".into()));
        } => ["changed  option fit: pca -> default", "changed  option skin: default -> compact"],
        skeleton: |one| {
            let mut joints = one.skeleton.joints().to_vec();
            let tail = Joint { name: "tail".into(), parent: Some(head(one)), ..joints[0].clone() };
            joints.push(tail);
            one.skeleton = Skeleton::new(joints).unwrap();
        } => ["added    joint tail: a child of head"],
        boxes: |one| drop(one.boxes.pop()) => ["removed  box ball_r: a box with half extents 0.0475 0.0297 0.0126"],
        clips: |one| one.clips.truncate(2) => [
            "removed  clip guard: 1.2 s, 52 channels, ... keys",
            "removed  clip jab: ",
            "removed  clip roundhouse_kick: ",
            "removed  clip hit: ",
        ],
        coverage: |one| one.coverage = None => ["removed  coverage: surface_clips 0.99"],
        warnings: |one| one.warnings.clear() => ["removed  warning flat-group of head: It is flat."],
        humanoid: |one| one.humanoid = None => ["removed  humanoid: 52 bones, guessed"],
        skin: |one| one.skin = None => ["removed  skin: 1 pieces, 3 vertices, 1 triangles"],
        envelopes: |one| one.envelopes.clear() => ["removed  envelopes: 52 envelopes"],
        attacks: |one| one.attacks.clear() => ["removed  attack poke of idle: 0.25 to 0.5 s with pelvis"],
        states: |one| one.states.clear() => ["removed  state guard of walk: 0.25 to 0.5 s with pelvis spine_01"],
        ragdoll: |one| one.ragdoll = None => [
            "removed  body pelvis: 5 kg with pelvis",
            "removed  body spine_01: 5 kg with spine_01",
            "removed  body spine_02: 5 kg with spine_02",
        ],
    });
    edits!(list: Ragdoll {
        bodies: |one| drop(bodies(one).pop()) => ["removed  body spine_02: 5 kg with spine_02"],
        no_collision: |one| one.ragdoll.as_mut().unwrap().no_collision = vec![[0, 2]] => [
            "changed  body pelvis: no_collision spine_01 -> spine_02",
            "changed  body spine_01: no_collision pelvis -> none",
            "changed  body spine_02: no_collision none -> pelvis",
        ],
    });
    edits!(list: RagdollBody {
        joint: |one| {
            let head = head(one);
            bodies(one)[2].joint = head;
        } =>
            ["removed  body spine_02: 5 kg with spine_02", "added    body head: 5 kg with spine_02"],
        position: |one| bodies(one)[0].position.y = 2.0 => ["changed  body pelvis: position 0 1 0 -> 0 2 0"],
        rotation: |one| bodies(one)[0].rotation.x = 0.5 => ["changed  body pelvis: rotation 0 0 0 1 -> 0.5 0 0 1"],
        boxes: |one| bodies(one)[0].boxes = vec![0, 3] => ["changed  body pelvis: boxes pelvis -> pelvis spine_03"],
        mass: |one| bodies(one)[0].mass = 6.0 => ["changed  body pelvis: mass 5 -> 6"],
        center_of_mass: |one| bodies(one)[0].center_of_mass.z = 0.5 =>
            ["changed  body pelvis: center_of_mass 0 0 0 -> 0 0 0.5"],
        inertia: |one| bodies(one)[0].inertia[5] = 0.5 => ["changed  body pelvis: inertia 1 1 1 0 0 0 -> 1 1 1 0 0 0.5"],
        constraint: |one| bodies(one)[1].constraint = None => ["changed  body spine_01: parent pelvis -> none"],
    });
    edits!(list: Constraint {
        parent: |one| held(one).parent = 1 => ["changed  body spine_02: parent pelvis -> spine_01"],
        kind: |one| held(one).kind = ConstraintKind::Hinge => ["changed  body spine_02: kind ball -> hinge"],
        anchor: |one| held(one).anchor.x = 0.5 => ["changed  body spine_02: anchor 0 0 0 -> 0.5 0 0"],
        parent_from_frame: |one| held(one).parent_from_frame.x = 0.5 =>
            ["changed  body spine_02: parent_from_frame 0 0 0 1 -> 0.5 0 0 1"],
        body_from_frame: |one| held(one).body_from_frame.x = 0.5 =>
            ["changed  body spine_02: body_from_frame 0 0 0 1 -> 0.5 0 0 1"],
        limits: |one| held(one).limits.y = 0.5 => ["changed  body spine_02: limits 0.0° 0.0° 0.0° -> 0.0° 28.6° 0.0°"],
        stiffness: |one| held(one).stiffness = 2.0 => ["changed  body spine_02: stiffness 0 -> 2"],
        damping: |one| held(one).damping = 2.0 => ["changed  body spine_02: damping 1 -> 2"],
        limits_from: |one| held(one).limits_from = LimitSource::Settings =>
            ["changed  body spine_02: limits_from clips -> settings"],
    });
    edits!(list: Attack {
        name: |one| one.attacks[0].name = "jab".into() => ["removed  attack poke of idle", "added    attack jab of idle"],
        clip: |one| one.attacks[0].clip = ClipIndex(1) => ["removed  attack poke of idle", "added    attack poke of walk"],
        kind: |one| one.attacks[0].kind = AttackKind::Grab => ["changed  attack poke of idle: kind strike -> grab"],
        boxes: |one| one.attacks[0].boxes = vec![1] => ["changed  attack poke of idle: boxes pelvis -> spine_01"],
        active: |one| one.attacks[0].active[0].to = 0.75 =>
            ["changed  attack poke of idle: active 0.25 to 0.5 s -> 0.25 to 0.75 s"],
        group: |one| one.attacks[0].group = "arm".into() => ["changed  attack poke of idle: group poke -> arm"],
        rank: |one| one.attacks[0].rank = 2 => ["changed  attack poke of idle: rank 0 -> 2"],
        rehit: |one| one.attacks[0].rehit = Some(0.1) => ["changed  attack poke of idle: rehit none -> 0.1"],
        against: |one| one.attacks[0].against = vec!["hurt".into()] => ["changed  attack poke of idle: against none -> hurt"],
        strength: |one| one.attacks[0].strength = 2.0 => ["changed  attack poke of idle: strength 1 -> 2"],
        data: |one| one.attacks[0].data = Some("{}".into()) => ["changed  attack poke of idle: data none -> {}"],
    });
    edits!(list: ClipState {
        clip: |one| one.states[0].clip = ClipIndex(0) => ["removed  state guard of walk", "added    state guard of idle"],
        kind: |one| one.states[0].kind = StateKind::Armor => ["removed  state guard of walk", "added    state armor of walk"],
        boxes: |one| one.states[0].boxes = vec![0] => ["changed  state guard of walk: boxes pelvis spine_01 -> pelvis"],
        active: |one| one.states[0].active[0].from = 0.0 =>
            ["changed  state guard of walk: active 0.25 to 0.5 s -> 0 to 0.5 s"],
    });
    edits!(list: Window {
        from: |one| one.attacks[0].active[0].from = 0.0 => ["changed  attack poke of idle: active 0.25 to 0.5 s -> 0 to 0.5 s"],
        to: |one| one.attacks[0].active[0].to = 1.0 => ["changed  attack poke of idle: active 0.25 to 0.5 s -> 0.25 to 1 s"],
    });
    edits!(list: Source {
        file: |one| one.source.file = "x.glb".into() => ["changed  source: file runa.glb -> x.glb"],
        blake3: |one| one.source.blake3 = [1; 32] => ["changed  source: blake3 ... -> 0101010101"],
        generator: |one| one.source.generator = "x".into() => ["changed  source: generator bonebox ... -> x"],
    });
    edits!(list: Joint {
        name: |one| edit_head(one, |head| head.name = "skull".into()) => [
            "removed  joint head: a child of neck_01",
            "added    joint skull: a child of neck_01",
            "removed  box head: ",
        ],
        node: |one| edit_head(one, |head| head.node = NodeIndex(999)) => ["changed  joint head: node ... -> 999"],
        parent: |one| {
            let pelvis = one.skeleton.find("pelvis");
            edit_head(one, |head| head.parent = pelvis);
        } => ["changed  joint head: parent neck_01 -> pelvis"],
        rest: |one| edit_head(one, |head| head.rest = LocalTransform::Matrix(Affine3A::IDENTITY)) =>
            ["changed  joint head: rest became a matrix"],
        skinned: |one| edit_head(one, |head| head.skinned ^= true) => ["changed  joint head: skinned true -> false"],
    });
    edits!(list: Trs {
        translation: |one| edit_rest(one, |rest| rest.translation.x += 1.0) =>
            ["changed  joint head: rest.translation moved by 1"],
        rotation: |one| edit_rest(one, |rest| rest.rotation *= Quat::from_xyzw(0.6, 0.0, 0.0, 0.8)) =>
            ["changed  joint head: rest.rotation turned by 73.7 degrees"],
        scale: |one| edit_rest(one, |rest| rest.scale.x *= 2.0) =>
            ["changed  joint head: rest.scale [1.0,1.0,1.0] -> [2.0,1.0,1.0]"],
    });
    edits!(list: Hitbox {
        joint: |one| one.boxes[0].joint = JointIndex(0) => ["removed  box pelvis: ", "added    box "],
        shape: |one| one.boxes[1].shape = HitboxShape::Capsule => ["changed  box spine_01: capsule instead of box; volume "],
        role: |one| one.boxes[1].role = HitboxRole::Grab => ["changed  box spine_01: role hurt -> grab"],
        tags: |one| one.boxes[1].tags = vec!["hurt".into(), "x".into()] => ["changed  box spine_01: tags +x -torso"],
        center: |one| {
            one.boxes[0].center.x += 1.0;
            one.boxes[1].center.x += 1.0;
        } => [
            "changed  box pelvis: the box around the hull: volume same; edges same, same, same; moved by ",
            "changed  box spine_01: volume same; edges same, same, same; moved by ",
        ],
        half_extents: |one| one.boxes[1].half_extents *= 2.0 => ["changed  box spine_01: volume +700.0 %; edges +100.0 %"],
        orientation: |one| one.boxes[1].orientation *= Quat::from_xyzw(0.0, 0.0, 0.1, 1.0).normalize() =>
            ["changed  box spine_01: volume same; ... turned by 11.4 degrees"],
        vertices: |one| one.boxes[0].vertices = 9 => ["changed  box pelvis: vertices 220 -> 9"],
        hull_vertices: |one| one.boxes[0].hull_vertices = 9 => ["changed  box pelvis: hull_vertices 116 -> 9"],
        hull_volume: |one| one.boxes[0].hull_volume = 9.0 => ["changed  box pelvis: hull_volume 0.00... -> 9"],
        min_volume: |one| one.boxes[0].min_volume = None => ["changed  box pelvis: min_volume 0.25 -> none"],
        hull: |one| one.boxes[0].hull = None => ["changed  box pelvis: hull.triangles 4 -> 0"],
    });
    edits!(list: HitboxHull {
        vertices: |one| one.boxes[0].hull.as_mut().unwrap().vertices[1].x = 2.0 =>
            ["changed  box pelvis: volume +100.0 %; edges same, same, same; moved by 0.0 %"],
        triangles: |one| one.boxes[0].hull.as_mut().unwrap().triangles.swap(0, 1) =>
            ["changed  box pelvis: 2 of 4 hull.triangles differ"],
    });
    edits!(list: Clip {
        name: |one| one.clips[0].name = "rest".into() => ["removed  clip idle: 4 s, 51 channels, ", "added    clip rest: 4 s, "],
        timelines: |one| one.clips[0].timelines.iter_mut().for_each(|times| *times.last_mut().unwrap() = 5.0) =>
            ["changed  clip idle: seconds 4 -> 5; ... timelines differ"],
        channels: |one| drop(one.clips[0].channels.remove(0)) => ["changed  clip idle: keys ...; channels removed: pelvis "],
    });
    edits!(list: Channel {
        joint: |one| channel(one).joint = JointIndex(0) => ["changed  clip idle: channels removed: pelvis "],
        property: |one| channel(one).property = Property::Scale =>
            ["changed  clip idle: channels removed: pelvis ...; channels added: pelvis scale"],
        interpolation: |one| channel(one).interpolation = Interpolation::Step =>
            ["changed  clip idle: interpolation of pelvis "],
        timeline: |one| channel(one).timeline += 1 => ["changed  clip idle: ...timeline of pelvis "],
        values: |one| channel(one).values[0] += 1.0 => ["changed  clip idle: values of pelvis "],
    });
    edits!(list: Coverage {
        surface_rest: |one| coverage(one).surface_rest = 0.5 => ["changed  coverage: surface_rest 0.99... -> 0.5"],
        surface_clips: |one| coverage(one).surface_clips = 0.5 => ["changed  coverage: surface_clips 0.99... -> 0.5"],
        own_rest: |one| coverage(one).own_rest = 0.5 => ["changed  coverage: own_rest 0.98... -> 0.5"],
        own_clips: |one| coverage(one).own_clips = 0.5 => ["changed  coverage: own_clips 0.98... -> 0.5"],
        max_escape: |one| coverage(one).max_escape = 0.5 => ["changed  coverage: max_escape 0.0... -> 0.5"],
        every_sample_time: |one| coverage(one).every_sample_time ^= true =>
            ["changed  coverage: every_sample_time true -> false"],
        worst: |one| coverage(one).worst = None => ["changed  coverage: worst at head in idle at 0.5 s -> none"],
    });
    edits!(list: WorstEscape {
        joint: |one| worst(one).joint.0 -= 1 => ["changed  coverage: worst at head in idle at 0.5 s -> at neck_01 in idle at 0.5 s"],
        clip: |one| worst(one).clip = None => ["changed  coverage: worst at head in idle at 0.5 s -> at head at rest at 0.5 s"],
        time: |one| worst(one).time = 0.75 => ["changed  coverage: worst at head in idle at 0.5 s -> at head in idle at 0.75 s"],
    });
    edits!(list: BakeWarning {
        code: |one| one.warnings[0].code = "x".into() =>
            ["removed  warning flat-group of head: It is flat.", "added    warning x of head: It is flat."],
        joint: |one| one.warnings[0].joint = None =>
            ["removed  warning flat-group of head: It is flat.", "added    warning flat-group: It is flat."],
        text: |one| one.warnings[0].text = "It is thin.".into() =>
            ["changed  warning flat-group of head: It is flat. -> It is thin."],
    });
    edits!(list: Skin {
        encoding: |one| skin(one).encoding = SkinEncoding::Lossless =>
            ["changed  skin: encoding compact -> lossless; step_exponent -10 -> none"],
        max_error: |one| skin(one).max_error = 0.5 => ["changed  skin: max_error 0 -> 0.5"],
        meshes: |one| skin(one).meshes.push(SkinMesh { name: "hat".into(), node: NodeIndex(2), triangles: 7 }) =>
            ["added    skin mesh hat: 7 triangles"],
        bindings: |one| skin(one).bindings.clear() => ["removed  skin binding head: origin "],
        pieces: |one| skin(one).pieces.clear() => ["removed  skin piece head: 3 vertices, 1 triangles"],
        morph_targets: |one| skin(one).morph_targets.clear() => ["removed  morph target smile: moves 1 vertices"],
    });
    edits!(list: SkinMorphTarget {
        name: |one| target(one).name = "frown".into() =>
            ["removed  morph target smile: moves 1 vertices", "added    morph target frown: moves 1 vertices"],
        mesh: |one| target(one).mesh = 1 => ["changed  morph target smile: mesh 0 -> 1"],
        number: |one| target(one).number = 2 => ["changed  morph target smile: number 0 -> 2"],
        max_error: |one| target(one).max_error = 0.5 => ["changed  morph target smile: max_error 0 -> 0.5"],
        pieces: |one| target(one).pieces.clear() => ["changed  morph target smile: pieces 1 -> 0"],
    });
    edits!(list: SkinPieceOffsets {
        piece: |one| target(one).pieces[0].piece = 9 =>
            ["changed  morph target smile: piece of 1 of 1 pieces differ"],
        offsets: |one| target(one).pieces[0].offsets.clear() =>
            ["changed  morph target smile: offsets of 1 of 1 pieces differ"],
    });
    edits!(list: SkinOffset {
        vertex: |one| target(one).pieces[0].offsets[0].vertex = 9 =>
            ["changed  morph target smile: offsets of 1 of 1 pieces differ"],
        offset: |one| target(one).pieces[0].offsets[0].offset = Vec3::Y =>
            ["changed  morph target smile: offsets of 1 of 1 pieces differ"],
    });
    list.push(Edit {
        field: "SkinEncoding::Compact.step_exponent",
        edit: |one| skin(one).encoding = SkinEncoding::Compact { step_exponent: -9 },
        lines: &["changed  skin: step_exponent -10 -> -9"],
    });
    edits!(list: SkinMesh {
        name: |one| skin(one).meshes[0].name = "x".into() => ["removed  skin mesh body: 1 triangles", "added    skin mesh x: "],
        node: |one| skin(one).meshes[0].node = NodeIndex(9) => ["changed  skin mesh body: node 1 -> 9"],
        triangles: |one| skin(one).meshes[0].triangles = 9 => ["changed  skin mesh body: triangles 1 -> 9"],
    });
    edits!(list: SkinBinding {
        joint: |one| skin(one).bindings[0].joint.0 -= 1 =>
            ["removed  skin binding head: origin ", "added    skin binding neck_01: origin "],
        joint_from_mesh: |one| skin(one).bindings[0].joint_from_mesh = Affine3A::from_scale(Vec3::splat(2.0)) =>
            ["changed  skin binding head: axes of joint_from_mesh differ"],
    });
    edits!(list: SkinPiece {
        joint: |one| piece(one).joint.0 -= 1 => ["removed  skin piece head: ", "added    skin piece neck_01: "],
        positions: |one| piece(one).positions[0].x = 9.0 => ["changed  skin piece head: 1 of 3 positions differ"],
        influence_counts: |one| piece(one).influence_counts = vec![2, 1] =>
            ["changed  skin piece head: influence_counts 1 -> 2"],
        influences: |one| piece(one).influences[0] = 9 => ["changed  skin piece head: 1 of 3 influences differ"],
        weights: |one| piece(one).weights[0] = 0.5 => ["changed  skin piece head: 1 of 3 weights differ"],
        cuts: |one| piece(one).cuts.clear() => ["changed  skin piece head: cuts 1 -> 0"],
        triangles: |one| piece(one).triangles[0] = [1, 2, 0] => ["changed  skin piece head: 1 of 1 triangles differ"],
        chunk_ends: |one| piece(one).chunk_ends[0] = 9 => ["changed  skin piece head: 1 of 1 chunk_ends differ"],
        source_triangles: |one| piece(one).source_triangles[0] = 9 =>
            ["changed  skin piece head: 1 of 1 source_triangles differ"],
        cut_triangles: |one| piece(one).cut_triangles.clear() => ["changed  skin piece head: cut_triangles 1 -> 0"],
        attributes: |one| piece(one).attributes.clear() => ["changed  skin piece head: attributes 1 -> 0"],
        attribute_corners: |one| piece(one).attribute_corners[0] = [9; 3] =>
            ["changed  skin piece head: 1 of 1 attribute_corners differ"],
    });
    edits!(list: SkinCut {
        corners: |one| piece(one).cuts[0].corners = [9; 3] => ["changed  skin piece head: corners of 1 of 1 cuts differ"],
        weights: |one| piece(one).cuts[0].weights = [1.0; 3] => ["changed  skin piece head: weights of 1 of 1 cuts differ"],
    });
    edits!(list: CutTriangle {
        source_triangle: |one| piece(one).cut_triangles[0].source_triangle = 9 =>
            ["changed  skin piece head: source_triangle of 1 of 1 cut_triangles differ"],
        corners: |one| piece(one).cut_triangles[0].corners = [9; 3] =>
            ["changed  skin piece head: corners of 1 of 1 cut_triangles differ"],
    });
    edits!(list: VertexAttributes {
        vertex: |one| piece(one).attributes[0].vertex = 9 =>
            ["changed  skin piece head: vertex of 1 of 1 attributes differ"],
        normal: |one| piece(one).attributes[0].normal = None =>
            ["changed  skin piece head: normal of 1 of 1 attributes differ"],
        texture_coordinate: |one| piece(one).attributes[0].texture_coordinate = None =>
            ["changed  skin piece head: texture_coordinate of 1 of 1 attributes differ"],
    });
    edits!(list: Envelope {
        slack: |one| one.envelopes[0].slack = 0.5 => ["changed  envelope pelvis: slack 0 -> 0.5"],
        place_step: |one| one.envelopes[0].place_step = 0.5 => ["changed  envelope pelvis: place_step 1 -> 0.5"],
        rest_step: |one| one.envelopes[0].rest_step = 0.5 => ["changed  envelope pelvis: rest_step 1 -> 0.5"],
        movers: |one| one.envelopes[0].movers.clear() => ["changed  envelope pelvis: movers head -> none"],
        clusters: |one| one.envelopes[0].clusters.clear() => ["changed  envelope pelvis: clusters 1 -> 0; motions 1 -> 0"],
    });
    edits!(list: Mover {
        joint: |one| one.envelopes[0].movers[0].joint.0 -= 1 => ["changed  envelope pelvis: movers head -> neck_01"],
        orientation: |one| one.envelopes[0].movers[0].orientation = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0) =>
            ["changed  envelope pelvis: orientation of 1 of 1 movers differ"],
        scale: |one| one.envelopes[0].movers[0].scale = -1.0 => ["changed  envelope pelvis: scale of 1 of 1 movers differ"],
        center: |one| one.envelopes[0].movers[0].center.x = 9.0 => ["changed  envelope pelvis: center of 1 of 1 movers differ"],
        slack: |one| one.envelopes[0].movers[0].slack = 9.0 => ["changed  envelope pelvis: slack of 1 of 1 movers differ"],
    });
    edits!(list: Cluster {
        low: |one| one.envelopes[0].clusters[0].low[0] = -9 => ["changed  envelope pelvis: low of 1 of 1 clusters differ"],
        high: |one| one.envelopes[0].clusters[0].high[0] = 9 => ["changed  envelope pelvis: high of 1 of 1 clusters differ"],
        motions: |one| one.envelopes[0].clusters[0].motions.clear() =>
            ["changed  envelope pelvis: motions of 1 of 1 clusters differ; motions 1 -> 0"],
    });
    edits!(list: Motion {
        mover: |one| motion(one).mover = 9 => ["changed  envelope pelvis: mover of 1 of 1 motions differ"],
        low: |one| motion(one).low[0] = -9 => ["changed  envelope pelvis: low of 1 of 1 motions differ"],
        high: |one| motion(one).high[0] = 9 => ["changed  envelope pelvis: high of 1 of 1 motions differ"],
        low_weight: |one| motion(one).low_weight = 9 => ["changed  envelope pelvis: low_weight of 1 of 1 motions differ"],
        high_weight: |one| motion(one).high_weight = 8 => ["changed  envelope pelvis: high_weight of 1 of 1 motions differ"],
    });
    list.push(Edit {
        field: "Humanoid.source",
        edit: |one| edit_humanoid(one, |source, _| *source = HumanoidSource::Settings),
        lines: &["changed  humanoid: source guessed -> settings"],
    });
    list.push(Edit {
        field: "Humanoid.joints",
        edit: |one| edit_humanoid(one, |_, bones| bones.retain(|(bone, _)| *bone != HumanBone::Neck)),
        lines: &["changed  humanoid: bones.neck neck_01 -> none"],
    });
    list
}

fn printed(old: &BakedCharacter, new: &BakedCharacter) -> Vec<String> {
    compare(old, new, 0.01).iter().map(ToString::to_string).collect()
}

/// The part of an expected line before `...` starts the printed line, and the part after it is in the line.
fn is_line(printed: &str, expected: &str) -> bool {
    let (start, rest) = expected.split_once("...").unwrap_or((expected, ""));
    printed.strip_prefix(start).is_some_and(|after| after.contains(rest))
}

#[test]
fn diff_names_each_field_that_changed() {
    let old = whole();
    assert_eq!(printed(&old, &old), [""; 0]);
    let mut unnamed = Vec::new();
    for Edit { field, edit, lines } in all_edits() {
        let mut new = old.clone();
        edit(&mut new);
        assert!(old != new, "{field}: the edit changes nothing");
        for (old, new) in [(&old, &new), (&new, &old)] {
            assert!(!printed(old, new).is_empty(), "{field}");
        }
        let printed = printed(&old, &new);
        let missing = lines.iter().filter(|line| !printed.iter().any(|printed| is_line(printed, line)));
        unnamed.extend(missing.map(|line| format!("{field}: {line}\nprinted:\n{}\n", printed.join("\n"))));
    }
    assert!(unnamed.is_empty(), "{}", unnamed.join("\n"));
}

#[test]
fn another_order_of_clips_is_named() {
    let (old, mut new) = (whole(), whole());
    new.clips.swap(0, 1);
    // The largest escape, the attacks and the states name a clip by its index.
    new.attacks[0].clip = ClipIndex(1);
    new.states[0].clip = ClipIndex(0);
    new.coverage.as_mut().unwrap().worst.as_mut().unwrap().clip = Some(ClipIndex(1));
    assert_eq!(printed(&old, &new), ["changed  clip: the order differs"]);
}

/// Indices of joints differ after a joint was inserted, but the names tell that the rest is the same.
#[test]
fn an_inserted_joint_is_the_only_change() {
    let old = whole();
    let mut new = old.clone();
    let shifted = |joint: JointIndex| JointIndex(joint.0 + 1);
    let mut joints = old.skeleton.joints().to_vec();
    joints.iter_mut().for_each(|joint| joint.parent = joint.parent.map(shifted));
    joints.insert(0, Joint { name: "world".into(), parent: None, ..joints[0].clone() });
    new.skeleton = Skeleton::new(joints).unwrap();
    let humanoid = old.humanoid.as_ref().unwrap();
    let bones = humanoid.iter().map(|(bone, joint)| (bone, shifted(joint)));
    new.humanoid = Some(Humanoid::new(&new.skeleton, humanoid.source(), bones).unwrap());
    new.boxes.iter_mut().for_each(|one| one.joint = shifted(one.joint));
    bodies(&mut new).iter_mut().for_each(|one| one.joint = shifted(one.joint));
    new.clips.iter_mut().flat_map(|clip| &mut clip.channels).for_each(|one| one.joint = shifted(one.joint));
    new.envelopes.iter_mut().flat_map(|one| &mut one.movers).for_each(|one| one.joint = shifted(one.joint));
    skin(&mut new).bindings[0].joint.0 += 1;
    piece(&mut new).joint.0 += 1;
    worst(&mut new).joint.0 += 1;
    assert_eq!(printed(&old, &new), ["added    joint world: a root"]);
}
