//! Writes a character as bytes.

use crate::attack::{Attack, AttackKind, ClipState, StateKind, Window};
use crate::character::{BakeWarning, BakedCharacter, Coverage, Hitbox, HitboxRole, HitboxShape};
use crate::clip_codec;
use crate::envelope::{Envelope, Motion, Mover};
use crate::error::{LimitExceeded, WriteError};
use crate::generated::bonebox as wire;
use crate::header::Header;
use crate::hitbox_hull::HitboxHull;
use crate::limits::MAX_FILE_BYTES;
use crate::ragdoll::{ConstraintKind, LimitSource, Ragdoll, RagdollBody};
use crate::skin::{Skin, SkinBinding, SkinEncoding, SkinMesh, SkinMorphTarget};
use crate::skin_codec;
use crate::version::HEADER_BYTES;
use glam::{Affine3A, Quat, Vec3};
use planus::{Builder, Offset};
use skeleton::humanoid::{Humanoid, HumanoidSource};
use skeleton::{Clip, Joint, LocalTransform};
use std::collections::HashMap;

/// Returns the bytes of a .bonebox file. Equal characters give equal bytes.
///
/// All numbers keep their bits, except for a negative zero as volume or coverage, which becomes zero.
///
/// # Errors
/// Returns [`WriteError`] if the character does not pass [`BakedCharacter::validate`], or if the file would be longer
/// than [`MAX_FILE_BYTES`](crate::limits::MAX_FILE_BYTES).
pub fn write(character: &BakedCharacter) -> Result<Vec<u8>, WriteError> {
    character.validate()?;
    // This check comes before the builder runs, because the builder's 32-bit offsets would wrap.
    let streams = FileStreams::new(character);
    file_size(least_bytes(character, &streams))?;
    let file = build(character, &streams);
    file_size(file.len() as u64)?;
    Ok(file)
}

/// Writes a character that may be invalid. The file must have less than 4 GiB.
pub(crate) fn unchecked(character: &BakedCharacter) -> Vec<u8> {
    build(character, &FileStreams::new(character))
}

/// The byte streams that a file contains unchanged.
struct FileStreams {
    /// The channels of each clip.
    clips: Vec<Vec<u8>>,
    /// The pieces of the skin; empty if the character has no skin.
    skin_pieces: Vec<u8>,
    /// The offsets of the skin's morph targets; empty if the skin has none.
    morph_offsets: Vec<u8>,
    skin_bindings: SkinBindings,
}

impl FileStreams {
    fn new(character: &BakedCharacter) -> Self {
        Self {
            clips: character.clips.iter().map(clip_codec::encode).collect(),
            skin_pieces: character.skin.as_ref().map(skin_codec::encode).unwrap_or_default(),
            morph_offsets: character.skin.as_ref().map(skin_codec::morphs::encode).unwrap_or_default(),
            skin_bindings: character.skin.as_ref().map(SkinBindings::new).unwrap_or_default(),
        }
    }
}

/// The bindings of a skin. Joints often have the same matrix, above all those of copies of one figure.
#[derive(Default)]
struct SkinBindings {
    /// No matrix twice, in the order of their first use.
    matrices: Vec<wire::Affine>,
    bindings: Vec<wire::SkinBinding>,
}

impl SkinBindings {
    fn new(skin: &Skin) -> Self {
        let mut found = Self::default();
        let mut numbers = HashMap::new();
        for SkinBinding { joint, joint_from_mesh } in &skin.bindings {
            let number = *numbers.entry(joint_from_mesh.to_cols_array().map(f32::to_bits)).or_insert_with(|| {
                found.matrices.push(affine(joint_from_mesh));
                found.matrices.len() - 1
            });
            found.bindings.push(wire::SkinBinding { joint: joint.0, matrix: number as u16 });
        }
        found
    }
}

fn build(character: &BakedCharacter, streams: &FileStreams) -> Vec<u8> {
    let at_least = least_bytes(character, streams);
    let mut builder = Builder::with_capacity((at_least + at_least / 4) as usize);
    let root = write_character(&mut builder, character, streams);
    seal(character.minor_version(), builder.finish(root, None))
}

/// Puts a header before the payload.
pub(crate) fn seal(minor_version: u16, payload: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(HEADER_BYTES + payload.len());
    file.extend_from_slice(&Header::for_payload(minor_version, payload).to_bytes());
    file.extend_from_slice(payload);
    file
}

fn file_size(found: u64) -> Result<(), WriteError> {
    if found <= MAX_FILE_BYTES as u64 {
        return Ok(());
    }
    let (place, limit) = ("file".into(), MAX_FILE_BYTES as u64);
    Err(WriteError::Limit(LimitExceeded { place, what: "bytes", limit, found }))
}

/// Returns a lower bound of the file's size in bytes. It counts every number and string once, and 16 bytes for each
/// table; this is more than a third of the size.
fn least_bytes(character: &BakedCharacter, streams: &FileStreams) -> u64 {
    let text = |text: &str| text.len() + 8;
    let joints: usize = character.skeleton.joints().iter().map(|joint| text(&joint.name) + 40).sum();
    let boxes: usize = character
        .boxes
        .iter()
        .map(|baked| {
            let hull = baked.hull.as_ref().map_or(0, |hull| 16 + 12 * hull.vertices.len() + 3 * hull.triangles.len());
            64 + hull + baked.tags.iter().map(|tag| text(tag)).sum::<usize>()
        })
        .sum();
    let floats = |list: &[f32]| (4 * list.len() + 16) as u64;
    let clip = |(clip, channels): (&Clip, &Vec<u8>)| {
        let times = clip.timelines.iter().map(|times| floats(times)).sum::<u64>();
        (text(&clip.name) + 16 + channels.len()) as u64 + times
    };
    let options: usize = character.options.iter().map(|(key, value)| text(key) + text(value)).sum();
    let warning = |warning: &BakeWarning| {
        text(&warning.code) + text(&warning.text) + warning.joint.as_ref().map_or(0, |joint| text(joint))
    };
    let warnings: usize = character.warnings.iter().map(warning).sum();
    let bones = character.humanoid.as_ref().map_or(0, |humanoid| 16 + 4 * humanoid.iter().count());
    let envelopes: usize = character.envelopes.iter().map(Envelope::bytes).sum();
    let SkinBindings { matrices, bindings } = &streams.skin_bindings;
    let meshes = |skin: &Skin| skin.meshes.iter().map(|mesh| 16 + text(&mesh.name)).sum::<usize>();
    let meshes = character.skin.as_ref().map_or(0, meshes);
    let targets = |skin: &Skin| skin.morph_targets.iter().map(|target| 16 + text(&target.name)).sum::<usize>();
    let morphs = character.skin.as_ref().map_or(0, targets) + streams.morph_offsets.len();
    let skin = meshes + 48 * matrices.len() + 4 * bindings.len() + streams.skin_pieces.len() + morphs;
    let active = |boxes: &[u16], active: &[Window]| 16 + 2 * boxes.len() + 8 * active.len();
    let attack = |one: &Attack| {
        let texts = one.against.iter().chain([&one.name, &one.group]).chain(&one.data);
        active(&one.boxes, &one.active) + texts.map(|one| text(one)).sum::<usize>()
    };
    let attacks: usize = character.attacks.iter().map(attack).sum();
    let states: usize = character.states.iter().map(|one| active(&one.boxes, &one.active)).sum();
    let body = |body: &RagdollBody| 116 + 2 * body.boxes.len() + body.constraint.as_ref().map_or(0, |_| 80);
    let ragdoll = |ragdoll: &Ragdoll| ragdoll.bodies.iter().map(body).sum::<usize>() + 4 * ragdoll.no_collision.len();
    let ragdoll = character.ragdoll.as_ref().map_or(0, ragdoll);
    (joints + boxes + options + warnings + bones + envelopes + skin + attacks + states + ragdoll) as u64
        + character.clips.iter().zip(&streams.clips).map(clip).sum::<u64>()
}

fn write_character(
    builder: &mut Builder,
    character: &BakedCharacter,
    streams: &FileStreams,
) -> Offset<wire::Character> {
    // The builder fills its buffer from the back: the part that is written last comes first in the file. The skin and
    // the keys are most of the bytes and go to the end.
    let skin = character.skin.as_ref().map(|skin| write_skin(builder, skin, streams));
    let clips = character.clips.iter().zip(&streams.clips);
    let clips: Vec<_> = clips.map(|(clip, channels)| write_clip(builder, clip, channels)).collect();
    let attacks: Vec<_> = character.attacks.iter().map(|attack| write_attack(builder, attack)).collect();
    let attacks = (!attacks.is_empty()).then_some(attacks);
    let states: Vec<_> = character.states.iter().map(|state| write_state(builder, state)).collect();
    let states = (!states.is_empty()).then_some(states);
    let ragdoll = character.ragdoll.as_ref().map(|ragdoll| write_ragdoll(builder, ragdoll));
    let envelopes: Vec<_> = character.envelopes.iter().map(|envelope| write_envelope(builder, envelope)).collect();
    let envelopes = (!envelopes.is_empty()).then_some(envelopes);
    let warnings: Vec<_> = character.warnings.iter().map(|warning| write_warning(builder, warning)).collect();
    let humanoid = character.humanoid.as_ref().map(|humanoid| write_humanoid(builder, humanoid));
    let coverage = character.coverage.as_ref().map(|coverage| write_coverage(builder, coverage));
    let boxes: Vec<_> = character.boxes.iter().map(|baked| write_box(builder, baked)).collect();
    let joints: Vec<_> = character.skeleton.joints().iter().map(|joint| write_joint(builder, joint)).collect();
    let option = |(key, value): &(String, String)| wire::BakeOption::create(builder, key.as_str(), value.as_str());
    let options: Vec<_> = character.options.iter().map(option).collect();
    let source = &character.source;
    let source = wire::Source::create(builder, source.file.as_str(), source.blake3, source.generator.as_str());
    let name = character.name.as_str();
    let revision = character.algorithm_revision;
    wire::Character::create(
        builder, name, source, options, joints, boxes, clips, coverage, warnings, humanoid, envelopes, skin, revision,
        attacks, states, ragdoll,
    )
}

fn write_joint(builder: &mut Builder, joint: &Joint) -> Offset<wire::Joint> {
    let (trs, matrix) = match &joint.rest {
        LocalTransform::Trs(trs) => {
            let (translation, rotation, scale) = (vec3(trs.translation), quat(trs.rotation), vec3(trs.scale));
            (Some(wire::Trs { translation, rotation, scale }), None)
        }
        LocalTransform::Matrix(matrix) => (None, Some(affine(matrix))),
    };
    let parent = joint.parent.map(|parent| parent.0);
    wire::Joint::create(builder, joint.name.as_str(), joint.node.0, parent, joint.skinned, trs, matrix)
}

fn write_box(builder: &mut Builder, baked: &Hitbox) -> Offset<wire::Box> {
    let tags: Vec<_> = baked.tags.iter().map(|tag| builder.create_string(tag.as_str())).collect();
    let tags = (!tags.is_empty()).then_some(tags);
    let shape = match baked.shape {
        HitboxShape::Box => wire::Shape::Box,
        HitboxShape::Capsule => wire::Shape::Capsule,
        HitboxShape::Sphere => wire::Shape::Sphere,
        HitboxShape::Hull => wire::Shape::Hull,
    };
    let role = match baked.role {
        HitboxRole::Hurt => wire::Role::Hurt,
        HitboxRole::Strike => wire::Role::Strike,
        HitboxRole::Grab => wire::Role::Grab,
        HitboxRole::Guard => wire::Role::Guard,
        HitboxRole::Sensor => wire::Role::Sensor,
    };
    let hull = baked.hull.as_ref().map(|hull| write_hull(builder, hull));
    wire::Box::create(
        builder,
        baked.joint.0,
        shape,
        tags,
        vec3(baked.center),
        vec3(baked.half_extents),
        quat(baked.orientation),
        baked.vertices,
        baked.hull_vertices,
        baked.hull_volume,
        baked.min_volume,
        hull,
        role,
    )
}

fn write_hull(builder: &mut Builder, hull: &HitboxHull) -> Offset<wire::Hull> {
    let vertices: Vec<_> = hull.vertices.iter().copied().map(vec3).collect();
    wire::Hull::create(builder, vertices, hull.triangles.as_flattened())
}

fn write_clip(builder: &mut Builder, clip: &Clip, channels: &[u8]) -> Offset<wire::Clip> {
    let channel_data = (!channels.is_empty()).then_some(channels);
    let timelines: Vec<_> =
        clip.timelines.iter().map(|times| wire::Timeline::create(builder, times.as_slice())).collect();
    wire::Clip::create(builder, clip.name.as_str(), timelines, clip.channels.len() as u32, channel_data)
}

fn write_coverage(builder: &mut Builder, coverage: &Coverage) -> Offset<wire::Coverage> {
    let worst = coverage
        .worst
        .as_ref()
        .map(|worst| wire::WorstEscape::create(builder, worst.joint.0, worst.clip.map(|clip| clip.0), worst.time));
    let Coverage { surface_rest, surface_clips, own_rest, own_clips, max_escape, every_sample_time, .. } = *coverage;
    let own = (own_rest, own_clips);
    wire::Coverage::create(builder, surface_rest, surface_clips, max_escape, worst, own.0, own.1, every_sample_time)
}

fn write_warning(builder: &mut Builder, warning: &BakeWarning) -> Offset<wire::BakeWarning> {
    let joint = warning.joint.as_deref();
    wire::BakeWarning::create(builder, warning.code.as_str(), joint, warning.text.as_str())
}

fn write_humanoid(builder: &mut Builder, humanoid: &Humanoid) -> Offset<wire::Humanoid> {
    let source = match humanoid.source() {
        HumanoidSource::Vrm => wire::HumanoidSource::Vrm,
        HumanoidSource::Guessed => wire::HumanoidSource::Guessed,
        HumanoidSource::Settings => wire::HumanoidSource::Settings,
    };
    let bones = humanoid.iter().map(|(bone, joint)| {
        let bone = wire::HumanBone::ENUM_VALUES[bone.index()];
        wire::BoneJoint { bone, joint: joint.0 }
    });
    wire::Humanoid::create(builder, source, bones.collect::<Vec<_>>())
}

fn write_envelope(builder: &mut Builder, envelope: &Envelope) -> Offset<wire::Envelope> {
    let mover = |mover: &Mover| wire::Mover {
        orientation: quat(mover.orientation),
        center: vec3(mover.center),
        scale: mover.scale,
        slack: mover.slack,
        joint: mover.joint.0,
    };
    let (mut clusters, mut motions) = (Vec::with_capacity(envelope.clusters.len()), Vec::new());
    for cluster in &envelope.clusters {
        let ([low_x, low_y, low_z], [high_x, high_y, high_z]) = (cluster.low, cluster.high);
        let count = cluster.motions.len() as u16;
        clusters.push(wire::Cluster { low_x, low_y, low_z, high_x, high_y, high_z, motions: count });
        motions.extend(cluster.motions.iter().map(|motion| {
            let ([low_x, low_y, low_z], [high_x, high_y, high_z]) = (motion.low, motion.high);
            let Motion { mover, low_weight, high_weight, .. } = *motion;
            wire::Motion { mover, low_weight, high_weight, low_x, low_y, low_z, high_x, high_y, high_z }
        }));
    }
    let movers: Vec<_> = envelope.movers.iter().map(mover).collect();
    let movers = (!movers.is_empty()).then_some(movers);
    let clusters = (!clusters.is_empty()).then_some(clusters);
    let motions = (!motions.is_empty()).then_some(motions);
    let Envelope { slack, place_step, rest_step, .. } = *envelope;
    wire::Envelope::create(builder, slack, place_step, rest_step, movers, clusters, motions)
}

fn write_attack(builder: &mut Builder, attack: &Attack) -> Offset<wire::Attack> {
    let against: Vec<_> = attack.against.iter().map(|tag| builder.create_string(tag.as_str())).collect();
    let kind = match attack.kind {
        AttackKind::Strike => wire::AttackKind::Strike,
        AttackKind::Grab => wire::AttackKind::Grab,
        AttackKind::Throw => wire::AttackKind::Throw,
    };
    wire::Attack::create(
        builder,
        attack.name.as_str(),
        attack.clip.0,
        kind,
        attack.boxes.as_slice(),
        windows(&attack.active),
        attack.group.as_str(),
        attack.rank,
        attack.rehit,
        (!against.is_empty()).then_some(against),
        attack.strength,
        attack.data.as_deref(),
    )
}

fn write_ragdoll(builder: &mut Builder, ragdoll: &Ragdoll) -> Offset<wire::Ragdoll> {
    let bodies: Vec<_> = ragdoll.bodies.iter().map(|body| write_body(builder, body)).collect();
    let pair = |&[first, second]: &[u16; 2]| wire::BodyPair { first, second };
    let pairs: Vec<_> = ragdoll.no_collision.iter().map(pair).collect();
    wire::Ragdoll::create(builder, bodies, (!pairs.is_empty()).then_some(pairs))
}

fn write_body(builder: &mut Builder, body: &RagdollBody) -> Offset<wire::RagdollBody> {
    let constraint = body.constraint.as_ref().map(|one| {
        let kind = match one.kind {
            ConstraintKind::Ball => wire::ConstraintKind::Ball,
            ConstraintKind::Hinge => wire::ConstraintKind::Hinge,
        };
        let limits_from = match one.limits_from {
            LimitSource::Clips => wire::LimitSource::Clips,
            LimitSource::HumanRange => wire::LimitSource::HumanRange,
            LimitSource::Settings => wire::LimitSource::Settings,
            LimitSource::Unknown => wire::LimitSource::Unknown,
        };
        wire::Constraint::create(
            builder,
            one.parent,
            kind,
            vec3(one.anchor),
            quat(one.parent_from_frame),
            quat(one.body_from_frame),
            vec3(one.limits),
            one.stiffness,
            one.damping,
            limits_from,
        )
    });
    let [xx, yy, zz, xy, xz, yz] = body.inertia;
    wire::RagdollBody::create(
        builder,
        body.joint.0,
        vec3(body.position),
        quat(body.rotation),
        body.boxes.as_slice(),
        body.mass,
        vec3(body.center_of_mass),
        wire::Inertia { xx, yy, zz, xy, xz, yz },
        constraint,
    )
}

fn write_state(builder: &mut Builder, state: &ClipState) -> Offset<wire::ClipState> {
    let kind = match state.kind {
        StateKind::Invulnerable => wire::StateKind::Invulnerable,
        StateKind::Guard => wire::StateKind::Guard,
        StateKind::Armor => wire::StateKind::Armor,
        StateKind::Grabbable => wire::StateKind::Grabbable,
    };
    wire::ClipState::create(builder, state.clip.0, kind, state.boxes.as_slice(), windows(&state.active))
}

fn windows(active: &[Window]) -> Vec<wire::Window> {
    active.iter().map(|&Window { from, to }| wire::Window { start: from, end: to }).collect()
}

fn write_skin(builder: &mut Builder, skin: &Skin, streams: &FileStreams) -> Offset<wire::Skin> {
    let mesh = |mesh: &SkinMesh| wire::SkinMesh::create(builder, mesh.name.as_str(), mesh.node.0, mesh.triangles);
    let meshes: Vec<_> = skin.meshes.iter().map(mesh).collect();
    let (encoding, step_exponent) = match skin.encoding {
        SkinEncoding::Lossless => (wire::SkinEncoding::Lossless, 0),
        SkinEncoding::Compact { step_exponent } => (wire::SkinEncoding::Compact, step_exponent),
    };
    let SkinBindings { matrices, bindings } = &streams.skin_bindings;
    let (matrices, bindings) = (matrices.as_slice(), bindings.as_slice());
    let pieces = skin.pieces.len() as u32;
    let piece_data = streams.skin_pieces.as_slice();
    let target = |target: &SkinMorphTarget| {
        wire::MorphTarget::create(builder, target.name.as_str(), target.mesh, target.number, target.max_error)
    };
    let targets: Vec<_> = skin.morph_targets.iter().map(target).collect();
    // A skin without targets has the bytes of version 1.2.
    let morph_targets = (!targets.is_empty()).then_some(targets);
    let morph_data = morph_targets.is_some().then_some(streams.morph_offsets.as_slice());
    wire::Skin::create(
        builder,
        encoding,
        step_exponent,
        skin.max_error,
        meshes,
        matrices,
        bindings,
        pieces,
        piece_data,
        morph_targets,
        morph_data,
    )
}

fn vec3(v: Vec3) -> wire::Vec3 {
    wire::Vec3 { x: v.x, y: v.y, z: v.z }
}

fn quat(q: Quat) -> wire::Quat {
    wire::Quat { x: q.x, y: q.y, z: q.z, w: q.w }
}

fn affine(m: &Affine3A) -> wire::Affine {
    let [x_axis, y_axis, z_axis] =
        [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis].map(|axis| vec3(Vec3::from(axis)));
    wire::Affine { x_axis, y_axis, z_axis, translation: vec3(Vec3::from(m.translation)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_STRING_BYTES;
    use crate::support;
    use skeleton::humanoid::HumanBone;

    /// [`write`] relies on this to refuse a file before the builder's 32-bit offsets wrap.
    #[test]
    fn the_estimate_is_below_the_size_and_above_a_third_of_it() {
        let mut seeds = vec![
            support::scout(),
            support::crowd_member(9, 0),
            support::crowd_member(9, 1),
            support::tailor(),
            support::compact_tailor(),
            support::painter(),
            support::mime(),
            support::hulls(),
            support::dancer(),
        ];
        let text = "x".repeat(MAX_STRING_BYTES);
        seeds.push(BakedCharacter {
            warnings: vec![BakeWarning { code: "long".into(), joint: None, text }],
            ..support::nobody()
        });
        for seed in seeds {
            let (least, file) = (least_bytes(&seed, &FileStreams::new(&seed)), unchecked(&seed).len() as u64);
            assert!(least <= file && file <= 3 * least + 1024, "{least} estimated, {file} written");
        }
    }

    /// The file stores bones by their position in VRM's list.
    #[test]
    fn bones_have_the_same_names_on_the_wire() {
        assert_eq!(wire::HumanBone::ENUM_VALUES.len(), HumanBone::COUNT);
        for (bone, wire) in HumanBone::ALL.into_iter().zip(wire::HumanBone::ENUM_VALUES) {
            assert!(bone.name().eq_ignore_ascii_case(&format!("{wire:?}")), "{bone} is {wire:?}");
            assert_eq!(usize::from(u8::from(wire)), bone.index());
        }
    }

    #[test]
    fn a_file_too_large_is_refused() {
        assert_eq!(file_size(MAX_FILE_BYTES as u64), Ok(()));
        assert!(matches!(file_size(MAX_FILE_BYTES as u64 + 1), Err(WriteError::Limit(_))));
    }
}
