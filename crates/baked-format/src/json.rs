//! The JSON text of a character, for people who read or compare bakes.

use crate::attack::{Attack, ClipState, Window};
use crate::character::{BakeWarning, BakedCharacter, Coverage, Hitbox, HitboxRole};
use crate::envelope::Envelope;
use crate::ragdoll::{Constraint, RagdollBody};
use crate::skin::{Skin, SkinEncoding, SkinMesh, SkinMorphTarget, SkinPiece};
use crate::version::FORMAT_VERSION;
use glam::{Vec2, Vec3};
use skeleton::humanoid::{Humanoid, HumanoidSource};
use skeleton::{Clip, ClipIndex, Joint, Skeleton};
use std::fmt::Write as _;

/// Returns the character as JSON, with names and order as in `schema/bonebox.schema.json` and one line for each joint,
/// box, clip and warning.
///
/// Numbers are the shortest decimals that read back to the same `f32`. The text leaves out rest transforms, keys, and
/// fields without a value, except `parent`, which is `null` for a root. Equal characters give equal text. The text ends
/// with a line feed.
///
/// The character should pass [`BakedCharacter::validate`]. If it does not, the text is still well-formed JSON, with
/// `null` for a number that is not finite or a joint that does not exist.
#[must_use]
pub fn to_json(character: &BakedCharacter) -> String {
    let skeleton = &character.skeleton;
    let boxes = character.boxes.iter().enumerate();
    let boxes = boxes.map(|(index, baked)| hitbox(baked, character.envelopes.get(index), skeleton));
    let mut out = String::new();
    let mut fields: Vec<(&str, String)> = vec![
        ("format", string("bonebox")),
        ("format_version", FORMAT_VERSION.to_string()),
        ("name", string(&character.name)),
        ("source", source(character)),
        ("algorithm_revision", character.algorithm_revision.to_string()),
        ("options", object(character.options.iter().map(|(key, value)| (key.as_str(), string(value))))),
        ("joints", lines(skeleton.joints().iter().map(joint))),
        ("boxes", lines(boxes)),
        ("clips", lines(character.clips.iter().map(clip))),
    ];
    if let Some(measured) = &character.coverage {
        fields.push(("coverage", coverage(measured, character)));
    }
    fields.push(("warnings", lines(character.warnings.iter().map(warning))));
    fields.extend(character.humanoid.as_ref().map(|found| ("humanoid", humanoid(found, skeleton))));
    if !character.attacks.is_empty() {
        fields.push(("attacks", lines(character.attacks.iter().map(|one| attack(one, character)))));
    }
    if !character.states.is_empty() {
        fields.push(("states", lines(character.states.iter().map(|one| state(one, character)))));
    }
    if let Some(found) = &character.ragdoll {
        fields.push(("bodies", lines(found.bodies.iter().map(|one| body(one, skeleton)))));
        let pairs: Vec<_> = found.no_collision.iter().map(|[first, second]| format!("[{first}, {second}]")).collect();
        fields.push(("no_collision", format!("[{}]", pairs.join(", "))));
    }
    if let Some(found) = &character.skin {
        fields.push(("skin", skin(found)));
        fields.push(("skin_pieces", lines(found.pieces.iter().map(|piece| skin_piece(piece, skeleton)))));
        if !found.morph_targets.is_empty() {
            fields.push(("morph_targets", lines(found.morph_targets.iter().map(|one| morph_target(one, found)))));
        }
    }
    let last = fields.len() - 1;
    out.push_str("{\n");
    for (index, (key, value)) in fields.iter().enumerate() {
        let comma = if index < last { "," } else { "" };
        let _ = writeln!(out, "  {}: {value}{comma}", string(key));
    }
    out.push_str("}\n");
    out
}

fn source(character: &BakedCharacter) -> String {
    let source = &character.source;
    let blake3 = source.blake3.iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    object([("file", string(&source.file)), ("blake3", string(&blake3)), ("generator", string(&source.generator))])
}

fn joint(joint: &Joint) -> String {
    let parent = joint.parent.map_or("null".into(), |parent| parent.to_string());
    object([("name", string(&joint.name)), ("node", joint.node.0.to_string()), ("parent", parent)])
}

fn hitbox(baked: &Hitbox, envelope: Option<&Envelope>, skeleton: &Skeleton) -> String {
    let tags: Vec<_> = baked.tags.iter().map(|tag| string(tag)).collect();
    let volume = baked.volume();
    let mut fields = vec![
        ("joint", joint_name(skeleton, baked.joint.index())),
        ("joint_index", baked.joint.to_string()),
        ("shape", string(baked.shape.keyword())),
        ("tags", format!("[{}]", tags.join(", "))),
        ("center", numbers(&baked.center.to_array())),
        ("half_extents", numbers(&baked.half_extents.to_array())),
        ("orientation", numbers(&baked.orientation.to_array())),
        ("vertices", baked.vertices.to_string()),
        ("hull_vertices", baked.hull_vertices.to_string()),
        ("hull_volume", number(baked.hull_volume)),
        ("volume", number(volume)),
    ];
    // A flat hull has no volume to compare with.
    let ratio = baked.min_volume.map(|least| volume / least).filter(|ratio| ratio.is_finite());
    fields.extend(ratio.map(|ratio| ("min_volume_ratio", number(ratio))));
    if let Some(hull) = &baked.hull {
        let vertices: Vec<_> = hull.vertices.iter().map(|vertex| numbers(&vertex.to_array())).collect();
        let triangles: Vec<_> = hull.triangles.iter().map(|[a, b, c]| format!("[{a}, {b}, {c}]")).collect();
        let lists = [("vertices", vertices), ("triangles", triangles)];
        fields.push(("hull", object(lists.map(|(key, list)| (key, format!("[{}]", list.join(", ")))))));
    }
    if let Some(envelope) = envelope {
        let movers: Vec<_> = envelope.movers.iter().map(|mover| joint_name(skeleton, mover.joint.index())).collect();
        let motions: usize = envelope.clusters.iter().map(|cluster| cluster.motions.len()).sum();
        fields.push(("moved_by", format!("[{}]", movers.join(", "))));
        fields.push(("clusters", envelope.clusters.len().to_string()));
        fields.push(("motions", motions.to_string()));
    }
    if baked.role != HitboxRole::Hurt {
        fields.push(("role", string(baked.role.keyword())));
    }
    object(fields)
}

fn clip(clip: &Clip) -> String {
    let values = || clip.channels.iter().flat_map(|channel| channel.values.iter().copied());
    let mut fields = vec![
        ("name", string(&clip.name)),
        ("seconds", number(clip.seconds())),
        ("channels", clip.channels.len().to_string()),
        ("numbers", values().count().to_string()),
    ];
    if let (Some(low), Some(high)) = (values().reduce(f32::min), values().reduce(f32::max)) {
        fields.extend([("low", number(low)), ("high", number(high))]);
    }
    object(fields)
}

fn coverage(coverage: &Coverage, character: &BakedCharacter) -> String {
    let mut fields = vec![
        ("surface_rest", number(coverage.surface_rest)),
        ("surface_clips", number(coverage.surface_clips)),
        ("own_rest", number(coverage.own_rest)),
        ("own_clips", number(coverage.own_clips)),
        ("max_escape", number(coverage.max_escape)),
        ("every_sample_time", coverage.every_sample_time.to_string()),
    ];
    if let Some(worst) = &coverage.worst {
        let mut place = vec![("joint", joint_name(&character.skeleton, worst.joint.index()))];
        place.extend(worst.clip.map(|clip| ("clip", clip_name(clip, character))));
        place.push(("time", number(worst.time)));
        fields.push(("worst", object(place)));
    }
    object(fields)
}

fn warning(warning: &BakeWarning) -> String {
    let mut fields = vec![("code", string(&warning.code))];
    fields.extend(warning.joint.as_ref().map(|joint| ("joint", string(joint))));
    fields.push(("text", string(&warning.text)));
    object(fields)
}

fn humanoid(humanoid: &Humanoid, skeleton: &Skeleton) -> String {
    let source = match humanoid.source() {
        HumanoidSource::Vrm => "vrm",
        HumanoidSource::Guessed => "guessed",
        HumanoidSource::Settings => "settings",
    };
    let bones = humanoid.iter().map(|(bone, joint)| (bone.name(), joint_name(skeleton, joint.index())));
    object([("source", string(source)), ("bones", object(bones))])
}

fn attack(attack: &Attack, character: &BakedCharacter) -> String {
    let mut fields = vec![("clip", clip_name(attack.clip, character)), ("name", string(&attack.name))];
    fields.push(("kind", string(attack.kind.keyword())));
    fields.extend(active(&attack.boxes, &attack.active));
    fields.extend([("group", string(&attack.group)), ("rank", attack.rank.to_string())]);
    fields.extend(attack.rehit.map(|rehit| ("rehit", number(rehit))));
    let against: Vec<_> = attack.against.iter().map(|tag| string(tag)).collect();
    fields.extend([("against", format!("[{}]", against.join(", "))), ("strength", number(attack.strength))]);
    // The text may be anything, so it is a string here.
    fields.extend(attack.data.as_ref().map(|data| ("data", string(data))));
    object(fields)
}

fn state(state: &ClipState, character: &BakedCharacter) -> String {
    let fields = [("clip", clip_name(state.clip, character)), ("kind", string(state.kind.keyword()))];
    object(fields.into_iter().chain(active(&state.boxes, &state.active)))
}

fn body(body: &RagdollBody, skeleton: &Skeleton) -> String {
    let mut fields = vec![
        ("joint", joint_name(skeleton, body.joint.index())),
        ("joint_index", body.joint.to_string()),
        ("position", numbers(&body.position.to_array())),
        ("rotation", numbers(&body.rotation.to_array())),
        ("boxes", format!("{:?}", body.boxes)),
        ("mass", number(body.mass)),
        ("center_of_mass", numbers(&body.center_of_mass.to_array())),
        ("inertia", numbers(&body.inertia)),
    ];
    fields.extend(body.constraint.as_ref().map(|one| ("constraint", constraint(one))));
    object(fields)
}

fn constraint(one: &Constraint) -> String {
    object([
        ("parent", one.parent.to_string()),
        ("kind", string(one.kind.keyword())),
        ("anchor", numbers(&one.anchor.to_array())),
        ("parent_from_frame", numbers(&one.parent_from_frame.to_array())),
        ("body_from_frame", numbers(&one.body_from_frame.to_array())),
        ("limits", numbers(&one.limits.to_array())),
        ("stiffness", number(one.stiffness)),
        ("damping", number(one.damping)),
        ("limits_from", string(one.limits_from.keyword())),
    ])
}

fn active(boxes: &[u16], active: &[Window]) -> [(&'static str, String); 2] {
    let windows: Vec<_> = active.iter().map(|window| numbers(&[window.from, window.to])).collect();
    [("boxes", format!("{boxes:?}")), ("active", format!("[{}]", windows.join(", ")))]
}

fn clip_name(clip: ClipIndex, character: &BakedCharacter) -> String {
    character.clips.get(clip.index()).map_or("null".into(), |clip| string(&clip.name))
}

fn skin(skin: &Skin) -> String {
    let sum = |count: fn(&SkinPiece) -> usize| skin.pieces.iter().map(count).sum::<usize>().to_string();
    let mesh = |mesh: &SkinMesh| {
        let (node, triangles) = (mesh.node.0.to_string(), mesh.triangles.to_string());
        object([("name", string(&mesh.name)), ("node", node), ("triangles", triangles)])
    };
    let meshes: Vec<_> = skin.meshes.iter().map(mesh).collect();
    let mut fields = Vec::new();
    match skin.encoding {
        SkinEncoding::Lossless => fields.push(("encoding", string("lossless"))),
        SkinEncoding::Compact { step_exponent } => {
            fields.push(("encoding", string("compact")));
            fields.push(("step_exponent", step_exponent.to_string()));
        }
    }
    fields.extend([
        ("max_error", number(skin.max_error)),
        ("bindings", skin.bindings.len().to_string()),
        ("vertices", sum(|piece| piece.positions.len())),
        ("cuts", sum(|piece| piece.cuts.len())),
        ("triangles", sum(|piece| piece.triangles.len())),
        ("cut_triangles", sum(|piece| piece.cut_triangles.len())),
        ("meshes", format!("[{}]", meshes.join(", "))),
    ]);
    if skin.pieces.iter().any(|piece| !piece.attributes.is_empty()) {
        fields.extend([
            ("attributes", sum(|piece| piece.attributes.len())),
            ("normals", sum(|piece| normals(piece).count())),
            ("texture_coordinates", sum(|piece| texture_coordinates(piece).count())),
        ]);
    }
    object(fields)
}

/// Writes bounds and sums of a piece instead of its lists, which are long.
fn skin_piece(piece: &SkinPiece, skeleton: &Skeleton) -> String {
    let bound = |bound: fn(Vec3, Vec3) -> Vec3| piece.positions.iter().copied().reduce(bound).unwrap_or_default();
    let mut fields = vec![
        ("joint", joint_name(skeleton, piece.joint.index())),
        ("joint_index", piece.joint.to_string()),
        ("vertices", piece.positions.len().to_string()),
        ("influences", piece.influences.len().to_string()),
        ("cuts", piece.cuts.len().to_string()),
        ("triangles", piece.triangles.len().to_string()),
        ("chunks", piece.chunk_ends.len().to_string()),
        ("cut_triangles", piece.cut_triangles.len().to_string()),
        ("low", numbers(&bound(Vec3::min).to_array())),
        ("high", numbers(&bound(Vec3::max).to_array())),
    ];
    if !piece.attributes.is_empty() {
        fields.push(("attributes", piece.attributes.len().to_string()));
    }
    if let Some(low) = normals(piece).reduce(Vec3::min) {
        fields.push(("normal_low", numbers(&low.to_array())));
        fields.push(("normal_high", numbers(&normals(piece).fold(low, Vec3::max).to_array())));
    }
    if let Some(low) = texture_coordinates(piece).reduce(Vec2::min) {
        fields.push(("texture_low", numbers(&low.to_array())));
        fields.push(("texture_high", numbers(&texture_coordinates(piece).fold(low, Vec2::max).to_array())));
    }
    object(fields)
}

/// Writes the number of offsets and their bounds instead of the list.
fn morph_target(target: &SkinMorphTarget, skin: &Skin) -> String {
    let offsets = || target.pieces.iter().flat_map(|piece| piece.offsets.iter().map(|one| one.offset));
    let mut fields = vec![
        ("name", string(&target.name)),
        ("mesh", skin.meshes.get(target.mesh as usize).map_or("null".into(), |mesh| string(&mesh.name))),
        ("mesh_index", target.mesh.to_string()),
        ("number", target.number.to_string()),
        ("max_error", number(target.max_error)),
        ("offsets", offsets().count().to_string()),
    ];
    if let Some(low) = offsets().reduce(Vec3::min) {
        fields.push(("low", numbers(&low.to_array())));
        fields.push(("high", numbers(&offsets().fold(low, Vec3::max).to_array())));
    }
    object(fields)
}

fn normals(piece: &SkinPiece) -> impl Iterator<Item = Vec3> {
    piece.attributes.iter().filter_map(|entry| entry.normal)
}

fn texture_coordinates(piece: &SkinPiece) -> impl Iterator<Item = Vec2> {
    piece.attributes.iter().filter_map(|entry| entry.texture_coordinate)
}

fn joint_name(skeleton: &Skeleton, index: usize) -> String {
    skeleton.joints().get(index).map_or("null".into(), |joint| string(&joint.name))
}

/// Joins JSON values to an object on one line.
fn object<'a>(fields: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let fields: Vec<_> = fields.into_iter().map(|(key, value)| format!("{}: {value}", string(key))).collect();
    if fields.is_empty() { "{}".into() } else { format!("{{ {} }}", fields.join(", ")) }
}

/// Joins JSON values to an array with one line for each value.
fn lines(items: impl Iterator<Item = String>) -> String {
    let items: Vec<_> = items.map(|item| format!("    {item}")).collect();
    if items.is_empty() { "[]".into() } else { format!("[\n{}\n  ]", items.join(",\n")) }
}

fn numbers(numbers: &[f32]) -> String {
    let numbers: Vec<_> = numbers.iter().map(|&n| number(n)).collect();
    format!("[{}]", numbers.join(", "))
}

/// Rust prints the shortest decimal that reads back to the same number. JSON has no words for infinity and NaN, so
/// these become `null`.
fn number(number: f32) -> String {
    if number.is_finite() { format!("{number:?}") } else { "null".into() }
}

fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
