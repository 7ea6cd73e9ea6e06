//! Sizes and offsets of all structs, in a file that the C tests assert too.

use bonebox_c::*;
use std::fmt::Write;
use std::mem::offset_of;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/layout.inc");

macro_rules! layout {
    ($text:ident, $($name:ident { $($field:ident),* })*) => {$(
        writeln!($text, "SIZE({}, {}, {})", stringify!($name), size_of::<$name>(), align_of::<$name>()).unwrap();
        $(writeln!($text, "FIELD({}, {}, {})", stringify!($name), stringify!($field), offset_of!($name, $field)).unwrap();)*
        // Names all fields, so that a new one does not compile until it is listed.
        let _ = |$name { $($field: _),* }: $name| ();
    )*};
}

/// `BONEBOX_LAYOUT=write` writes the file anew.
#[test]
fn structs_lie_in_memory_as_the_file_says() {
    let mut text = String::from(
        "/* Sizes, alignments and offsets on 64-bit machines; tests/all/layout.rs writes and compares this file. */\n",
    );
    layout! { text,
        BoneboxError { result, message_length, message }
        BoneboxString { data, length }
        BoneboxVec3 { x, y, z }
        BoneboxQuat { x, y, z, w }
        BoneboxMatrix { m }
        BoneboxOrientedBox { center, half_extents, orientation }
        BoneboxRay { origin, direction, max_time }
        BoneboxShape { kind, radius, start, end, oriented_box }
        BoneboxJoint { name, parent }
        BoneboxClip { name, start, seconds }
        BoneboxHitbox { joint, role, tag_count, joint_name, shape }
        BoneboxPosedHitbox { hitbox, joint, center, half_extents, axes }
        BoneboxBounds { min, max }
        BoneboxBoxPair { box_a, box_b, joint_a, joint_b }
        BoneboxJointPair { joint_a, joint_b }
        BoneboxContact { box_a, box_b, joint_a, joint_b, depth, direction, center, point_count, points }
        BoneboxClosestHitboxes { box_a, box_b, joint_a, joint_b, distance, point_a, point_b }
        BoneboxSweepHit { box_a, box_b, joint_a, joint_b, time, direction }
        BoneboxBodySettings { memberships, mask, team, has_team, self_touches, continuous }
        BoneboxTouch { body_a, body_b, box_a, box_b, joint_a, joint_b }
        BoneboxTouchEvent { touch, phase }
        BoneboxClipPose { body, world_from_model, clip, seconds }
        BoneboxFilter {
            exclude, exclude_count, tags, tag_count, memberships, mask, team, has_layers, has_team, roles, predicate,
            user
        }
        BoneboxBodyRayHit { body, hitbox, joint, starts_inside, entry, exit, point, normal }
        BoneboxBodyShapeOverlap { body, hitbox, joint }
        BoneboxPoseLayer { clip, seconds, weight, mode, mask }
        BoneboxLayerPose { body, world_from_model, layers, layer_count }
        BoneboxBodyCastHit { body, hitbox, joint, time, direction }
        BoneboxCastHit { hitbox, joint, time, direction }
        BoneboxCastContact { point, depth, direction }
        BoneboxBodySweepHit { body_a, body_b, box_a, box_b, joint_a, joint_b, time, direction }
        BoneboxRayQuery { ray, filter }
        BoneboxRayAnswer { hit, found }
        BoneboxSkinMesh { name, node, triangle_count }
        BoneboxMorphTarget { name, mesh, number }
        BoneboxSkinOverlap { joint_a, joint_b, source_triangle_a, source_triangle_b, point }
        BoneboxSkinRayHit {
            joint, front, has_texture_coordinate, source_triangle, barycentric, time, point, normal, shading_normal,
            texture_coordinate
        }
        BoneboxSkinDistance { joint_a, joint_b, source_triangle_a, source_triangle_b, distance, point_a, point_b }
        BoneboxSkinShapeOverlap { joint, source_triangle }
        BoneboxBodySkinShapeOverlap { body, joint, source_triangle }
        BoneboxSkinTouch { body_a, body_b, joint_a, joint_b, source_triangle_a, source_triangle_b, point }
        BoneboxRecorded { bodies, without_pose, without_recipe, first_without_recipe }
        BoneboxHistoryTicks { oldest, newest, count }
        BoneboxHistoryDifference { tick, body }
        BoneboxMoment { tick, fraction }
        BoneboxBodyMoment { body, moment }
        BoneboxRewindRules { max_back, teleport_distance, interpolation, track_skin, may_ask, user }
        BoneboxRefused { not_allowed, pose_failed }
        BoneboxExplanation {
            target, asked, shown, verdict, kind, blocked_by, hitbox, is_shown, has_nearest, nearest_is_enabled,
            nearest_hitbox, distance, on_ray, on_hitbox, hit_count, first_hit, last_hit
        }
        BoneboxBodySkinRayHit {
            body, joint, front, has_texture_coordinate, source_triangle, barycentric, time, point, normal, shading_normal,
            texture_coordinate
        }
        BoneboxSwing { attacker, instance, clip, seconds, speed, loops }
        BoneboxWeapon { joint_from_weapon, half_extents, joint, holder }
        BoneboxStrike {
            tick, attacker, target, time, seconds, outcome, instance, attack, attacker_weapon, target_weapon,
            attacker_hitbox, attacker_joint, target_hitbox, target_joint, has_attacker_weapon, has_target_weapon, point,
            normal, depth
        }
        BoneboxStrikeRules { max_back, teleport_distance, exact }
        BoneboxSeen { attacker, from, to }
        BoneboxSeenBody { attacker, body, from, to }
        BoneboxAttack { name, data, clip, strength }
        BoneboxRagdollBody {
            joint, shape_count, parent, position, rotation, mass, center_of_mass, inertia, kind, limits_from, anchor,
            parent_from_frame, body_from_frame, limits, stiffness, damping
        }
        BoneboxRagdollShape { kind, hitbox, vertex_count, center, rotation, half_extents, radius, half_length }
        BoneboxRagdollPair { body_a, body_b }
        BoneboxRagdollPlace { position, rotation }
        BoneboxRagdollVelocity { linear, angular }
    }
    if std::env::var("BONEBOX_LAYOUT").is_ok_and(|mode| mode == "write") {
        std::fs::write(FILE, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(FILE).unwrap().replace("\r\n", "\n"), text);
}
