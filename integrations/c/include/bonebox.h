/*
 * bonebox: tight hitboxes for skinned characters, from C.
 *
 * Generated from the Rust code by `cargo xtask codegen`; do not edit. README.md shows how to begin.
 *
 * Rules for callers
 * - A pointer to a value, a list or a string must be NULL or valid for the whole call. A function fails
 *   if a pointer is NULL, unless the function's documentation allows NULL.
 * - Pass only handles that a function of this library made. Free each handle once, with the function of
 *   its type.
 * - Functions that take a const handle may run at the same time on any threads. While a function that
 *   takes a handle without const runs, no other function may use that handle.
 * - Functions that write a list write it to the caller's buffer `out`, which has room for `capacity`
 *   elements, and write the number of all elements to `count`. If there are more than `capacity`, the
 *   function writes the first ones and returns BONEBOX_RESULT_BUFFER_TOO_SMALL. If `capacity` is 0,
 *   `out` may be NULL.
 * - Functions write all other outputs only if they succeed, and `error` only if they fail. `error` may
 *   always be NULL.
 * - Hitboxes that share a single point overlap. All answers are the same to the last bit on every
 *   machine.
 */

#ifndef BONEBOX_H
#define BONEBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The major version. It changes when a release requires changes in programs that use the library.
 */
#define BONEBOX_VERSION_MAJOR 0

/**
 * The minor version. It changes when a release adds functions, types or constants.
 */
#define BONEBOX_VERSION_MINOR 1

/**
 * The patch version. It changes with releases that change neither of the other two numbers.
 */
#define BONEBOX_VERSION_PATCH 0

/**
 * The size of `BoneboxError::message` in bytes, with the zero byte at its end.
 */
#define BONEBOX_MESSAGE_SIZE 504

/**
 * The largest number of points that a contact can have.
 */
#define BONEBOX_MAX_CONTACT_POINTS 9

/**
 * The version of saved worlds and saved histories. A library reads only bytes of its own version. The number changes with
 * every release that changes what is saved.
 */
#define BONEBOX_STATE_VERSION 2

/**
 * The largest number of tags that a filter can have.
 */
#define BONEBOX_MAX_FILTER_TAGS 16

/**
 * The role of a part of the figure that can be hit, such as every fitted hitbox.
 */
#define BONEBOX_ROLE_HURT 1

/**
 * The role of a hitbox that hits others.
 */
#define BONEBOX_ROLE_STRIKE 2

/**
 * The role of a hitbox that grabs others.
 */
#define BONEBOX_ROLE_GRAB 4

/**
 * The role of a hitbox that stops strikes.
 */
#define BONEBOX_ROLE_GUARD 8

/**
 * The role of a hitbox that notices others.
 */
#define BONEBOX_ROLE_SENSOR 16

/**
 * The result of a function. Every value except `BONEBOX_RESULT_OK` is a failure. A function that fails has changed
 * nothing, unless its documentation says otherwise.
 */
typedef enum BoneboxResult {
  /**
   * The function did its work.
   */
  BONEBOX_RESULT_OK = 0,
  /**
   * A pointer that must not be NULL is NULL.
   */
  BONEBOX_RESULT_NULL_POINTER = 1,
  /**
   * The function does not accept a number, a shape or a string that was passed.
   */
  BONEBOX_RESULT_INVALID_ARGUMENT = 2,
  /**
   * The handle was already freed, or has another type. Only debug builds of the library detect this.
   */
  BONEBOX_RESULT_INVALID_HANDLE = 3,
  /**
   * The bytes are not a `.bonebox` file, a saved world or a saved history, or have a version that this library does not
   * read.
   */
  BONEBOX_RESULT_BAD_FILE = 4,
  /**
   * The character has no joint, clip, hitbox, tag or body with that name or index, or no ragdoll.
   */
  BONEBOX_RESULT_NOT_FOUND = 5,
  /**
   * The world has no body with that id.
   */
  BONEBOX_RESULT_NO_BODY = 6,
  /**
   * The world already has a body with that id.
   */
  BONEBOX_RESULT_BODY_EXISTS = 7,
  /**
   * A pose, a set of hitboxes or a joint mask belongs to another character.
   */
  BONEBOX_RESULT_WRONG_CHARACTER = 8,
  /**
   * The pose or its bounds cannot be computed: the number of matrices is not the number of joints, a matrix or a time
   * is not finite, a pose has no hitboxes, or the character has no bounds over time (`poses = "any"`).
   */
  BONEBOX_RESULT_POSE_REFUSED = 9,
  /**
   * The caller's buffer is too small. The function filled it, and wrote the number of all elements to `count`.
   */
  BONEBOX_RESULT_BUFFER_TOO_SMALL = 10,
  /**
   * A defect in bonebox. Free the objects that were passed to the call, and report the message.
   */
  BONEBOX_RESULT_INTERNAL_ERROR = 11,
  /**
   * The asset cannot be baked, or the settings contain a mistake.
   */
  BONEBOX_RESULT_BAKE_FAILED = 12,
  /**
   * The caller canceled the bake.
   */
  BONEBOX_RESULT_CANCELED = 13,
  /**
   * An exact query needs the skin: the character was baked without it, or the pose does not track it.
   */
  BONEBOX_RESULT_NO_SKIN = 14,
} BoneboxResult;

/**
 * The change of a touch between the previous update and the last one.
 */
typedef enum BoneboxTouchPhase {
  /**
   * The two hitboxes overlap now and did not overlap at the previous update.
   */
  BONEBOX_TOUCH_PHASE_STARTED = 0,
  /**
   * The two hitboxes overlap now and overlapped at the previous update.
   */
  BONEBOX_TOUCH_PHASE_PERSISTED = 1,
  /**
   * The two hitboxes overlapped at the previous update and do not overlap now.
   */
  BONEBOX_TOUCH_PHASE_ENDED = 2,
} BoneboxTouchPhase;

/**
 * The relation of a body's hitboxes in a world of the past to what was recorded.
 */
typedef enum BoneboxMomentKind {
  /**
   * The hitboxes are those of a recorded tick.
   */
  BONEBOX_MOMENT_KIND_EXACT = 0,
  /**
   * The hitboxes lie between two recorded ticks.
   */
  BONEBOX_MOMENT_KIND_INTERPOLATED = 1,
  /**
   * The moment is older than the oldest tick, which the world shows.
   */
  BONEBOX_MOMENT_KIND_CLAMPED_TO_OLDEST = 2,
  /**
   * The moment is newer than the newest tick, which the world shows.
   */
  BONEBOX_MOMENT_KIND_CLAMPED_TO_NEWEST = 3,
  /**
   * The moment is longer ago than `max_back` allows. The world shows the oldest moment that is allowed.
   */
  BONEBOX_MOMENT_KIND_CLAMPED_TO_MAX_BACK = 4,
  /**
   * The body was teleported between the two ticks, or it became another character. The world shows the tick before.
   */
  BONEBOX_MOMENT_KIND_CUT = 5,
} BoneboxMomentKind;

/**
 * The answer to a shot, for one target.
 */
typedef enum BoneboxVerdict {
  /**
   * The target is what the ray hits first.
   */
  BONEBOX_VERDICT_HIT = 0,
  /**
   * The ray hits the target, but another body first.
   */
  BONEBOX_VERDICT_BLOCKED = 1,
  /**
   * The ray hits a hitbox of the target that the filter or the hitbox's layers leave out, and no other.
   */
  BONEBOX_VERDICT_LEFT_OUT = 2,
  /**
   * The ray passes the target, or ends before it.
   */
  BONEBOX_VERDICT_MISSED = 3,
  /**
   * The target was not in the world at this moment, or had no pose.
   */
  BONEBOX_VERDICT_NOT_THERE = 4,
  /**
   * `may_ask` does not allow the target.
   */
  BONEBOX_VERDICT_NOT_ALLOWED = 5,
} BoneboxVerdict;

/**
 * What happens when an attack meets a hitbox, in the order in which the rules are asked.
 */
typedef enum BoneboxOutcome {
  /**
   * The hitbox is invulnerable. The attack can still strike later.
   */
  BONEBOX_OUTCOME_INVULNERABLE = 0,
  /**
   * Attacking hitboxes of two swings meet. The attacker's swing ends.
   */
  BONEBOX_OUTCOME_CLASH_LOST = 1,
  /**
   * Attacking hitboxes of two swings meet. The attacker's swing is stronger and goes on.
   */
  BONEBOX_OUTCOME_CLASH_WON = 2,
  /**
   * A grab meets a hitbox.
   */
  BONEBOX_OUTCOME_GRAB = 3,
  /**
   * A throw meets a hitbox.
   */
  BONEBOX_OUTCOME_THROW = 4,
  /**
   * A strike meets a hitbox that guards.
   */
  BONEBOX_OUTCOME_GUARD = 5,
  /**
   * A strike meets a hitbox with armor.
   */
  BONEBOX_OUTCOME_ARMOR = 6,
  /**
   * A strike meets a hitbox, and in the same tick the target hits the attacker too.
   */
  BONEBOX_OUTCOME_TRADE = 7,
  /**
   * A strike meets a hitbox.
   */
  BONEBOX_OUTCOME_HIT = 8,
} BoneboxOutcome;

/**
 * The axes that a constraint leaves free.
 */
typedef enum BoneboxConstraintKind {
  /**
   * The body turns about all axes: twist and swing.
   */
  BONEBOX_CONSTRAINT_KIND_BALL = 0,
  /**
   * The body turns about the frame's axis x only.
   */
  BONEBOX_CONSTRAINT_KIND_HINGE = 1,
} BoneboxConstraintKind;

/**
 * Where the limits of a constraint come from.
 */
typedef enum BoneboxLimitSource {
  /**
   * From the poses of the clips.
   */
  BONEBOX_LIMIT_SOURCE_CLIPS = 0,
  /**
   * From a table of the ranges of human joints, because no clip moves the joint.
   */
  BONEBOX_LIMIT_SOURCE_HUMAN_RANGE = 1,
  /**
   * From the settings.
   */
  BONEBOX_LIMIT_SOURCE_SETTINGS = 2,
  /**
   * Nothing says how far the joint turns, so it has the same small range as others of its kind.
   */
  BONEBOX_LIMIT_SOURCE_UNKNOWN = 3,
} BoneboxLimitSource;

/**
 * The kind of a body's shape.
 */
typedef enum BoneboxRagdollShapeKind {
  /**
   * A sphere.
   */
  BONEBOX_RAGDOLL_SHAPE_KIND_SPHERE = 0,
  /**
   * All points within a radius of a segment along the shape's axis y.
   */
  BONEBOX_RAGDOLL_SHAPE_KIND_CAPSULE = 1,
  /**
   * A box.
   */
  BONEBOX_RAGDOLL_SHAPE_KIND_BOX = 2,
  /**
   * A convex hull, see `bonebox_ragdoll_hull_vertices`.
   */
  BONEBOX_RAGDOLL_SHAPE_KIND_HULL = 3,
} BoneboxRagdollShapeKind;

#if defined(BONEBOX_BAKE)
/**
 * A step of a bake, in the order in which the steps run.
 */
typedef enum BoneboxBakeStep {
  /**
   * Binds the surface to joints.
   */
  BONEBOX_BAKE_STEP_ASSIGN = 0,
  /**
   * Samples the clips.
   */
  BONEBOX_BAKE_STEP_SAMPLE = 1,
  /**
   * Splits the surface of joints that get several hitboxes, if the settings allow it.
   */
  BONEBOX_BAKE_STEP_SPLIT = 2,
  /**
   * Fits one hitbox to each piece of the surface.
   */
  BONEBOX_BAKE_STEP_FIT = 3,
  /**
   * Measures the share of the surface inside hitboxes.
   */
  BONEBOX_BAKE_STEP_MEASURE = 4,
} BoneboxBakeStep;
#endif

/**
 * The source of the pairs of joints that an exact query tests.
 */
typedef enum BoneboxSkinCandidates {
  /**
   * The pairs of joints whose skin bounds overlap. The bounds contain the skin in every pose, so the answer is the
   * same as that of a test of all triangles.
   */
  BONEBOX_SKIN_CANDIDATES_BOUNDS = 0,
  /**
   * The pairs of joints whose hitboxes overlap. The library tests fewer pairs, but misses pairs that touch outside
   * the hitboxes.
   */
  BONEBOX_SKIN_CANDIDATES_HITBOXES = 1,
} BoneboxSkinCandidates;

/**
 * The effect of a pose layer on the pose of the layers before it.
 */
typedef enum BoneboxLayerMode {
  /**
   * The pose moves toward the clip's pose.
   */
  BONEBOX_LAYER_MODE_BLEND = 0,
  /**
   * The difference between the clip's pose and the clip's pose at its first key is added to the pose: for a breath,
   * a recoil or a lean.
   */
  BONEBOX_LAYER_MODE_ADD = 1,
} BoneboxLayerMode;

/**
 * What a clip does after its end.
 */
typedef enum BoneboxLoopMode {
  /**
   * The clip holds its last pose.
   */
  BONEBOX_LOOP_MODE_ONCE = 0,
  /**
   * The clip starts again at its first key.
   */
  BONEBOX_LOOP_MODE_LOOP = 1,
} BoneboxLoopMode;

/**
 * The kind of a shape.
 */
typedef enum BoneboxShapeKind {
  /**
   * A sphere.
   */
  BONEBOX_SHAPE_KIND_SPHERE = 0,
  /**
   * All points within a radius of a segment.
   */
  BONEBOX_SHAPE_KIND_CAPSULE = 1,
  /**
   * An oriented box.
   */
  BONEBOX_SHAPE_KIND_BOX = 2,
} BoneboxShapeKind;

/**
 * A set of hitboxes of one character. It never changes, so any number of threads may read it.
 */
typedef struct BoneboxBoxSet BoneboxBoxSet;

/**
 * A buffer of bytes that the library allocated.
 */
typedef struct BoneboxBytes BoneboxBytes;

/**
 * A baked character: hitboxes, skeleton and clips. It never changes, so any number of threads may read it. It may be
 * freed before the worlds and poses that use it: they keep the parts that they need.
 */
typedef struct BoneboxCharacter BoneboxCharacter;

/**
 * The last ticks of a world: for each tick, the pose, the character and the settings of each body as a few numbers. Worlds
 * of the past and clones share the memory of a history, so both are cheap.
 */
typedef struct BoneboxHistory BoneboxHistory;

/**
 * A weight from 0 to 1 for each joint of one character, by which a pose layer affects that joint. It never changes, so
 * any number of threads may read it. Make the masks that a game needs when you load the character.
 */
typedef struct BoneboxJointMask BoneboxJointMask;

/**
 * A character's hitboxes in world space. One thread at a time may change a pose. Any number of threads may read a pose
 * while no thread changes it.
 */
typedef struct BoneboxPose BoneboxPose;

/**
 * The ragdoll of a character: rigid bodies, and the constraints that hold them together. It never changes, so any number of
 * threads may read it, and all bodies of a game can share it. It may outlive its character.
 *
 * The space of a body is rigid and in meters. Its origin is the origin of the body's joint, and its axes are those of the
 * joint in the rest pose.
 */
typedef struct BoneboxRagdoll BoneboxRagdoll;

/**
 * The running swings of all bodies, what they have struck, and the weapons that bodies carry. The attacks are in the files
 * of the characters. A clone is the whole state, for a rollback.
 */
typedef struct BoneboxStrikes BoneboxStrikes;

/**
 * A world of many bodies, or the world of a moment in the past (`bonebox_history_at`), which never changes. One thread at a time may change a world. Any number of threads may query a world while no
 * thread changes it.
 */
typedef struct BoneboxWorld BoneboxWorld;

/**
 * A vector or a point.
 */
typedef struct BoneboxVec3 {
  /**
   * The coordinate along the x axis.
   */
  float x;
  /**
   * The coordinate along the y axis.
   */
  float y;
  /**
   * The coordinate along the z axis.
   */
  float z;
} BoneboxVec3;

/**
 * A rotation as a unit quaternion.
 */
typedef struct BoneboxQuat {
  /**
   * The coefficient of i.
   */
  float x;
  /**
   * The coefficient of j.
   */
  float y;
  /**
   * The coefficient of k.
   */
  float z;
  /**
   * The real part.
   */
  float w;
} BoneboxQuat;

/**
 * An oriented box.
 */
typedef struct BoneboxOrientedBox {
  /**
   * The center.
   */
  struct BoneboxVec3 center;
  /**
   * Half the lengths of the box's edges, each at least 0.
   */
  struct BoneboxVec3 half_extents;
  /**
   * The rotation of the box's axes.
   */
  struct BoneboxQuat orientation;
} BoneboxOrientedBox;

/**
 * A sphere, a capsule or a box in world space. Make it with `bonebox_shape_sphere`, `bonebox_shape_capsule` or
 * `bonebox_shape_box`; the functions that take shapes check the numbers.
 */
typedef struct BoneboxShape {
  /**
   * A `BoneboxShapeKind`.
   */
  uint32_t kind;
  /**
   * The radius of a sphere or a capsule, at least 0; ignored for a box.
   */
  float radius;
  /**
   * The center of a sphere, or the center of a capsule's first half sphere; ignored for a box.
   */
  struct BoneboxVec3 start;
  /**
   * The center of a capsule's second half sphere; ignored for a sphere and for a box.
   */
  struct BoneboxVec3 end;
  /**
   * The box; ignored for a sphere and for a capsule.
   */
  struct BoneboxOrientedBox oriented_box;
} BoneboxShape;

/**
 * A failure, in memory of the caller. Every function that can fail takes a pointer to a `BoneboxError`, which may be
 * NULL. The function writes to it only when it fails.
 */
typedef struct BoneboxError {
  /**
   * The same value that the function returned.
   */
  enum BoneboxResult result;
  /**
   * The length of the message in bytes, without the zero byte.
   */
  uint32_t message_length;
  /**
   * The message: what is wrong, where, and what to do. It is UTF-8 and ends with a zero byte. A message that does
   * not fit is cut and ends with `...`.
   */
  char message[BONEBOX_MESSAGE_SIZE];
} BoneboxError;

/**
 * A text that a character holds. It is UTF-8, valid until the character is freed, and a zero byte follows it.
 */
typedef struct BoneboxString {
  /**
   * The first byte; never NULL.
   */
  const char *data;
  /**
   * The length in bytes, without the zero byte.
   */
  size_t length;
} BoneboxString;

/**
 * One joint of a skeleton.
 */
typedef struct BoneboxJoint {
  /**
   * The joint's name. No other joint of the character has the same name.
   */
  struct BoneboxString name;
  /**
   * The index of the parent joint, which is less than the index of this joint; -1 for a root.
   */
  int32_t parent;
} BoneboxJoint;

/**
 * One hitbox of a character.
 */
typedef struct BoneboxHitbox {
  /**
   * The index of the joint that the hitbox is attached to.
   */
  uint16_t joint;
  /**
   * What the hitbox is for: one of the numbers `BONEBOX_ROLE_...`.
   */
  uint8_t role;
  /**
   * The number of the hitbox's tags.
   */
  uint32_t tag_count;
  /**
   * The name of the joint that the hitbox is attached to.
   */
  struct BoneboxString joint_name;
  /**
   * Center, half extents and orientation in joint space. Lengths are in the unit of joint space, which differs from the
   * model's unit if the joint is scaled.
   */
  struct BoneboxOrientedBox shape;
} BoneboxHitbox;

/**
 * One clip of a character.
 */
typedef struct BoneboxClip {
  /**
   * The clip's name.
   */
  struct BoneboxString name;
  /**
   * The time of the first key, in seconds on the clip's own clock.
   */
  float start;
  /**
   * The time from the first key to the last, in seconds.
   */
  float seconds;
} BoneboxClip;

/**
 * A matrix with four rows and four columns for column vectors, stored column by column: `m[12]`, `m[13]` and `m[14]`
 * are the translation, and `m[3]`, `m[7]`, `m[11]`, `m[15]` must be 0, 0, 0, 1. glTF, OpenGL, GLM and Unity's
 * `Matrix4x4` have this layout. `System.Numerics.Matrix4x4` and DirectXMath store the same 16 numbers in the same
 * order, because they multiply row vectors and store row by row.
 */
typedef struct BoneboxMatrix {
  /**
   * The sixteen numbers, column by column.
   */
  float m[16];
} BoneboxMatrix;

/**
 * A hitbox in world space.
 */
typedef struct BoneboxPosedHitbox {
  /**
   * The hitbox's index.
   */
  uint16_t hitbox;
  /**
   * The index of the joint that the hitbox is attached to.
   */
  uint16_t joint;
  /**
   * The center, in world space.
   */
  struct BoneboxVec3 center;
  /**
   * Half the lengths of the edges along `axes`, in world units, each at least 0.
   */
  struct BoneboxVec3 half_extents;
  /**
   * Unit vectors along the edges, in world space.
   */
  struct BoneboxVec3 axes[3];
} BoneboxPosedHitbox;

/**
 * A box whose edges are parallel to the axes of its space: world space, unless a function's documentation says
 * otherwise.
 */
typedef struct BoneboxBounds {
  /**
   * The least coordinates.
   */
  struct BoneboxVec3 min;
  /**
   * The greatest coordinates.
   */
  struct BoneboxVec3 max;
} BoneboxBounds;

/**
 * One clip at one time, applied to the pose of the layers before it.
 */
typedef struct BoneboxPoseLayer {
  /**
   * The index of the clip.
   */
  uint32_t clip;
  /**
   * The time in seconds, on the clip's own clock.
   */
  float seconds;
  /**
   * The weight of the layer, from 0 to 1; a number outside is clamped.
   */
  float weight;
  /**
   * A `BoneboxLayerMode`.
   */
  uint32_t mode;
  /**
   * A weight for each joint, multiplied by `weight`; NULL applies `weight` to all joints.
   */
  const struct BoneboxJointMask *mask;
} BoneboxPoseLayer;

/**
 * A pose of one body: clips in layers.
 */
typedef struct BoneboxLayerPose {
  /**
   * The id of the body.
   */
  uint64_t body;
  /**
   * The place of the body's model in the world.
   */
  struct BoneboxMatrix world_from_model;
  /**
   * The layers, in the order in which they are applied to the rest pose.
   */
  const struct BoneboxPoseLayer *layers;
  /**
   * The number of layers in `layers`.
   */
  size_t layer_count;
} BoneboxLayerPose;

/**
 * A hitbox of one character and a hitbox of another that overlap.
 */
typedef struct BoneboxBoxPair {
  /**
   * The index of a hitbox of the first character.
   */
  uint16_t box_a;
  /**
   * The index of a hitbox of the second character.
   */
  uint16_t box_b;
  /**
   * The index of the joint that `box_a` is attached to.
   */
  uint16_t joint_a;
  /**
   * The index of the joint that `box_b` is attached to.
   */
  uint16_t joint_b;
} BoneboxBoxPair;

/**
 * A joint of one character and a joint of another whose hitboxes overlap.
 */
typedef struct BoneboxJointPair {
  /**
   * The index of the joint in the skeleton of the first character.
   */
  uint16_t joint_a;
  /**
   * The index of the joint in the skeleton of the second character.
   */
  uint16_t joint_b;
} BoneboxJointPair;

/**
 * The depth, the direction and the points of an overlap between two hitboxes.
 */
typedef struct BoneboxContact {
  /**
   * The index of a hitbox of the first character.
   */
  uint16_t box_a;
  /**
   * The index of a hitbox of the second character.
   */
  uint16_t box_b;
  /**
   * The index of the joint that `box_a` is attached to.
   */
  uint16_t joint_a;
  /**
   * The index of the joint that `box_b` is attached to.
   */
  uint16_t joint_b;
  /**
   * The depth in world units, at least 0. If the second hitbox moves by `depth * direction`, the two hitboxes touch
   * without penetration.
   */
  float depth;
  /**
   * The direction of least penetration: a unit vector from the first hitbox towards the second, in world space.
   */
  struct BoneboxVec3 direction;
  /**
   * The mean of `points`, in world space.
   */
  struct BoneboxVec3 center;
  /**
   * The number of points in `points`, 1 to 9.
   */
  uint32_t point_count;
  /**
   * The contact points, in world space. Entries from `point_count` on are zero.
   */
  struct BoneboxVec3 points[BONEBOX_MAX_CONTACT_POINTS];
} BoneboxContact;

/**
 * The two hitboxes of two characters that are nearest to each other.
 */
typedef struct BoneboxClosestHitboxes {
  /**
   * The index of a hitbox of the first character.
   */
  uint16_t box_a;
  /**
   * The index of a hitbox of the second character.
   */
  uint16_t box_b;
  /**
   * The index of the joint that `box_a` is attached to.
   */
  uint16_t joint_a;
  /**
   * The index of the joint that `box_b` is attached to.
   */
  uint16_t joint_b;
  /**
   * The distance in world units; 0 if the two hitboxes overlap.
   */
  float distance;
  /**
   * The point of the first hitbox that is nearest to the second, in world space.
   */
  struct BoneboxVec3 point_a;
  /**
   * The point of the second hitbox that is nearest to the first, in world space.
   */
  struct BoneboxVec3 point_b;
} BoneboxClosestHitboxes;

/**
 * Two hitboxes that hit each other while both move.
 */
typedef struct BoneboxSweepHit {
  /**
   * The index of a hitbox of the first character.
   */
  uint16_t box_a;
  /**
   * The index of a hitbox of the second character.
   */
  uint16_t box_b;
  /**
   * The index of the joint that `box_a` is attached to.
   */
  uint16_t joint_a;
  /**
   * The index of the joint that `box_b` is attached to.
   */
  uint16_t joint_b;
  /**
   * The time of the first touch, from 0 (the first poses) to 1 (the second poses). It is never later than the true
   * time.
   */
  float time;
  /**
   * The direction of the hit: a unit vector from the first hitbox towards the second, in world space.
   */
  struct BoneboxVec3 direction;
} BoneboxSweepHit;

/**
 * Settings that say against which other bodies a body is tested. Start from `bonebox_body_settings_default`.
 */
typedef struct BoneboxBodySettings {
  /**
   * The layers that the body's hitboxes are in, one bit for each layer.
   */
  uint32_t memberships;
  /**
   * The layers that the body's hitboxes are tested against, one bit for each layer.
   */
  uint32_t mask;
  /**
   * The body's team if `has_team` is true, else ignored.
   */
  uint32_t team;
  /**
   * True if the body has a team. Bodies of the same team are not tested against each other.
   */
  bool has_team;
  /**
   * True if the body's own hitboxes are tested against each other, except hitboxes of the same joint and of
   * neighboring joints.
   */
  bool self_touches;
  /**
   * True if sweeps see the body move from its pose at the last update to its present pose.
   */
  bool continuous;
} BoneboxBodySettings;

/**
 * A pose of one body: a clip and a time.
 */
typedef struct BoneboxClipPose {
  /**
   * The id of the body.
   */
  uint64_t body;
  /**
   * The place of the body's model in the world.
   */
  struct BoneboxMatrix world_from_model;
  /**
   * The index of the clip.
   */
  uint32_t clip;
  /**
   * The time in seconds, on the clip's own clock.
   */
  float seconds;
} BoneboxClipPose;

/**
 * A hitbox of one body and a hitbox of another that overlap.
 */
typedef struct BoneboxTouch {
  /**
   * The lesser id of the two bodies.
   */
  uint64_t body_a;
  /**
   * The greater id of the two bodies.
   */
  uint64_t body_b;
  /**
   * The index of a hitbox of `body_a`.
   */
  uint16_t box_a;
  /**
   * The index of a hitbox of `body_b`.
   */
  uint16_t box_b;
  /**
   * The index of the joint that `box_a` is attached to.
   */
  uint16_t joint_a;
  /**
   * The index of the joint that `box_b` is attached to.
   */
  uint16_t joint_b;
} BoneboxTouch;

/**
 * A touch and its change since the previous update.
 */
typedef struct BoneboxTouchEvent {
  /**
   * The two bodies and their hitboxes.
   */
  struct BoneboxTouch touch;
  /**
   * The change of the touch.
   */
  enum BoneboxTouchPhase phase;
} BoneboxTouchEvent;

/**
 * The bodies of a tick that was recorded.
 */
typedef struct BoneboxRecorded {
  /**
   * The number of bodies that worlds of the past show at this tick.
   */
  size_t bodies;
  /**
   * The number of bodies without a pose, which are not shown.
   */
  size_t without_pose;
  /**
   * The number of bodies that are not shown because their pose could not be stored: bodies that were posed with matrices
   * in a world without `bonebox_world_keep_joints`, or with the pose of another body.
   */
  size_t without_recipe;
  /**
   * The id of the first of these bodies; 0 if there is none.
   */
  uint64_t first_without_recipe;
} BoneboxRecorded;

/**
 * The ticks of a history.
 */
typedef struct BoneboxHistoryTicks {
  /**
   * The number of the oldest tick; 0 without ticks.
   */
  uint64_t oldest;
  /**
   * The number of the newest tick; 0 without ticks.
   */
  uint64_t newest;
  /**
   * The number of recorded ticks.
   */
  size_t count;
} BoneboxHistoryTicks;

/**
 * The first tick and the first body about which two histories differ.
 */
typedef struct BoneboxHistoryDifference {
  /**
   * The tick.
   */
  uint64_t tick;
  /**
   * The id of the body.
   */
  uint64_t body;
} BoneboxHistoryDifference;

/**
 * A function of the caller that returns true if anybody may ask about a body. The library calls it once for each body that
 * a question reaches, on the thread that asks. It must not throw a C++ exception.
 */
typedef bool (*BoneboxMayAsk)(uint64_t body, void *user);

/**
 * The rules that a server applies to each look at the past. Start from `bonebox_rewind_rules_default`.
 */
typedef struct BoneboxRewindRules {
  /**
   * The longest time back from the newest tick, in seconds. An older moment is replaced by the oldest that is allowed.
   */
  double max_back;
  /**
   * A body that moves farther than this from one tick to the next, in world units, was teleported: it is not shown in
   * between. The place of a body that is posed with matrices is that of its topmost joint.
   */
  float teleport_distance;
  /**
   * A `BoneboxInterpolation`.
   */
  uint32_t interpolation;
  /**
   * True if bodies keep their skin, so that exact queries accept the poses of `bonebox_world_get_pose`.
   */
  bool track_skin;
  /**
   * A function that returns true for bodies that anybody may ask about; NULL allows all bodies.
   */
  BoneboxMayAsk may_ask;
  /**
   * A pointer that the library passes to `may_ask`.
   */
  void *user;
} BoneboxRewindRules;

/**
 * A moment between two recorded ticks.
 */
typedef struct BoneboxMoment {
  /**
   * The tick before the moment, or at the moment.
   */
  uint64_t tick;
  /**
   * The share of the way from this tick to the next number, from 0 to 1; a number outside this range is clamped.
   */
  float fraction;
} BoneboxMoment;

/**
 * A body that a client shows at a moment of its own.
 */
typedef struct BoneboxBodyMoment {
  /**
   * The id of the body.
   */
  uint64_t body;
  /**
   * The moment.
   */
  struct BoneboxMoment moment;
} BoneboxBodyMoment;

/**
 * The bodies that a world of the past looked at and did not show, by reason.
 */
typedef struct BoneboxRefused {
  /**
   * `may_ask` did not allow the body.
   */
  uint32_t not_allowed;
  /**
   * The pose between the two ticks is not finite, or out of range.
   */
  uint32_t pose_failed;
} BoneboxRefused;

/**
 * A ray: `origin + t * direction` for every `t` from 0 to `max_time`.
 */
typedef struct BoneboxRay {
  /**
   * The point where the ray starts, in world space.
   */
  struct BoneboxVec3 origin;
  /**
   * The direction of the ray, in world space. Its length must be at least 1e-25; the times of hits are multiples of
   * this vector.
   */
  struct BoneboxVec3 direction;
  /**
   * The end of the ray as a multiple of `direction`, at least 0; `INFINITY` for a ray without an end.
   */
  float max_time;
} BoneboxRay;

/**
 * A function of the caller that returns true if a query may find a hitbox of a body. It must not change the world and
 * must not throw a C++ exception.
 */
typedef bool (*BoneboxPredicate)(uint64_t body, uint16_t hitbox, void *user);

/**
 * Conditions on the bodies and hitboxes that a query may find; all conditions must hold. NULL, or a filter of zeros,
 * finds everything that can be hit.
 */
typedef struct BoneboxFilter {
  /**
   * The ids of bodies that the query ignores, such as the shooter or the owner of the blade.
   */
  const uint64_t *exclude;
  /**
   * The number of ids in `exclude`.
   */
  size_t exclude_count;
  /**
   * Tags, at most 16: the query finds the hitboxes that have at least one of them. Without tags, the query finds
   * hitboxes with any tags or none.
   */
  const char *const *tags;
  /**
   * The number of tags in `tags`.
   */
  size_t tag_count;
  /**
   * The layers that the query is in, if `has_layers` is true. The query finds only hitboxes whose mask has one of
   * these layers; 0 switches this condition off.
   */
  uint32_t memberships;
  /**
   * The layers that the query finds, if `has_layers` is true. 0 switches this condition off.
   */
  uint32_t mask;
  /**
   * The team that the query belongs to, such as the shooter's, if `has_team` is true. The query ignores bodies of this
   * team.
   */
  uint32_t team;
  /**
   * True if `memberships` and `mask` apply.
   */
  bool has_layers;
  /**
   * True if `team` applies.
   */
  bool has_team;
  /**
   * The roles of the hitboxes that the query finds: a sum of the numbers `BONEBOX_ROLE_...`. 0 finds only those that can be
   * hit, `BONEBOX_ROLE_HURT`.
   */
  uint8_t roles;
  /**
   * A function that returns true for the hitboxes that the query may find; NULL accepts all hitboxes. The library
   * calls it after all other conditions, on the thread that called the query.
   */
  BoneboxPredicate predicate;
  /**
   * A pointer that the library passes to `predicate`.
   */
  void *user;
} BoneboxFilter;

/**
 * What became of a shot that was meant for one body.
 */
typedef struct BoneboxExplanation {
  /**
   * The body that the shot was meant for.
   */
  uint64_t target;
  /**
   * The moment that the shot names.
   */
  struct BoneboxMoment asked;
  /**
   * The moment that was shown.
   */
  struct BoneboxMoment shown;
  /**
   * The answer.
   */
  enum BoneboxVerdict verdict;
  /**
   * The relation of the target's hitboxes to what was recorded; `BONEBOX_MOMENT_KIND_EXACT` if `is_shown` is false.
   */
  enum BoneboxMomentKind kind;
  /**
   * The body that is hit first if `verdict` is `BONEBOX_VERDICT_BLOCKED`, else 0.
   */
  uint64_t blocked_by;
  /**
   * The index of the hitbox that is hit or left out; 0 for other answers.
   */
  uint16_t hitbox;
  /**
   * True if the target was shown.
   */
  bool is_shown;
  /**
   * True if `nearest_hitbox` and the fields after it have a value.
   */
  bool has_nearest;
  /**
   * True if the nearest hitbox is enabled.
   */
  bool nearest_is_enabled;
  /**
   * The index of the hitbox that is nearest to the ray.
   */
  uint16_t nearest_hitbox;
  /**
   * Its distance from the ray in world units; 0 if the ray hits it.
   */
  float distance;
  /**
   * The point of the ray that is nearest to the hitbox, in world space.
   */
  struct BoneboxVec3 on_ray;
  /**
   * The point of the hitbox that is nearest to the ray, in world space.
   */
  struct BoneboxVec3 on_hitbox;
  /**
   * The number of recorded ticks, of those that the rules allow, at which the same ray hits the target.
   */
  size_t hit_count;
  /**
   * The first of these ticks; 0 if there is none.
   */
  uint64_t first_hit;
  /**
   * The last of these ticks; 0 if there is none.
   */
  uint64_t last_hit;
} BoneboxExplanation;

/**
 * The rules of `bonebox_strikes_advance`. Start from `bonebox_strike_rules_default`.
 */
typedef struct BoneboxStrikeRules {
  /**
   * The longest time back from the newest tick for the moments of `BoneboxSeen`, in seconds.
   */
  double max_back;
  /**
   * A body that moves farther than this from one tick to the next, in world units, was teleported: it strikes nothing and
   * nothing strikes it on the way.
   */
  float teleport_distance;
  /**
   * True if a strike counts only when the skin of the target is touched. All targets must have a skin.
   */
  bool exact;
} BoneboxStrikeRules;

/**
 * One use of a clip's attacks by a body, from the moment that the body begins to play the clip.
 */
typedef struct BoneboxSwing {
  /**
   * The body that attacks.
   */
  uint64_t attacker;
  /**
   * A number of the game's own that tells swings of the same body apart.
   */
  uint32_t instance;
  /**
   * The clip that has the attacks.
   */
  uint32_t clip;
  /**
   * The time at which the swing begins, in seconds on the clip's own clock.
   */
  float seconds;
  /**
   * The seconds of the clip that pass in a second; from 0 to 1000.
   */
  float speed;
  /**
   * True if the clip begins again at its end. Otherwise the swing ends with its clip.
   */
  bool loops;
} BoneboxSwing;

/**
 * A box that a body carries at a joint, such as a sword.
 */
typedef struct BoneboxWeapon {
  /**
   * The place of the weapon's box in the space of the joint.
   */
  struct BoneboxMatrix joint_from_weapon;
  /**
   * Half of the box's size along each of its axes, in the unit of the joint's space; each at least 0.
   */
  struct BoneboxVec3 half_extents;
  /**
   * The joint that carries the weapon, with or without a hitbox.
   */
  uint16_t joint;
  /**
   * The hitbox that holds the weapon. The weapon has its layers, and strikes name it beside the weapon.
   */
  uint16_t holder;
} BoneboxWeapon;

/**
 * The moments at which a client drew the targets of one attacker, at the first and at the last tick of an advance.
 */
typedef struct BoneboxSeen {
  /**
   * The attacker.
   */
  uint64_t attacker;
  /**
   * The moment of all other bodies at the first tick.
   */
  struct BoneboxMoment from;
  /**
   * The moment of all other bodies at the last tick.
   */
  struct BoneboxMoment to;
} BoneboxSeen;

/**
 * A body that the client of an attacker drew at moments of its own, at the first and at the last tick of an advance.
 */
typedef struct BoneboxSeenBody {
  /**
   * The attacker, which has a `BoneboxSeen`.
   */
  uint64_t attacker;
  /**
   * The body.
   */
  uint64_t body;
  /**
   * The moment of the body at the first tick.
   */
  struct BoneboxMoment from;
  /**
   * The moment of the body at the last tick.
   */
  struct BoneboxMoment to;
} BoneboxSeenBody;

/**
 * One attack that met one target.
 */
typedef struct BoneboxStrike {
  /**
   * The recorded tick before the strike.
   */
  uint64_t tick;
  /**
   * The body that attacks.
   */
  uint64_t attacker;
  /**
   * The body that was met.
   */
  uint64_t target;
  /**
   * The share of the way from the tick to the next recorded tick, from 0 to 1.
   */
  float time;
  /**
   * The time of the attacker's clip, in seconds on the clip's own clock.
   */
  float seconds;
  /**
   * What happened.
   */
  enum BoneboxOutcome outcome;
  /**
   * The number of the attacker's swing.
   */
  uint32_t instance;
  /**
   * The attack of the attacker's character, see `bonebox_character_attack`.
   */
  uint32_t attack;
  /**
   * The number of the weapon that strikes, if `has_attacker_weapon` is true; else 0.
   */
  uint32_t attacker_weapon;
  /**
   * The number of the target's weapon that was met in a clash, if `has_target_weapon` is true; else 0.
   */
  uint32_t target_weapon;
  /**
   * The attacker's hitbox, or the hitbox that holds the weapon.
   */
  uint16_t attacker_hitbox;
  /**
   * The joint of the weapon, or of the attacker's hitbox.
   */
  uint16_t attacker_joint;
  /**
   * The target's hitbox, or the hitbox that holds the weapon.
   */
  uint16_t target_hitbox;
  /**
   * The joint of the weapon, or of the target's hitbox.
   */
  uint16_t target_joint;
  /**
   * True if a weapon strikes.
   */
  bool has_attacker_weapon;
  /**
   * True if a weapon of the target was met.
   */
  bool has_target_weapon;
  /**
   * The middle of the contact, in world space.
   */
  struct BoneboxVec3 point;
  /**
   * The direction of the contact: a unit vector in world space, from the attacker towards the target.
   */
  struct BoneboxVec3 normal;
  /**
   * The depth of the contact, in world units.
   */
  float depth;
} BoneboxStrike;

/**
 * An attack of a character's clip.
 */
typedef struct BoneboxAttack {
  /**
   * The name, which several attacks may share.
   */
  struct BoneboxString name;
  /**
   * The game's own data as JSON; empty if there is none.
   */
  struct BoneboxString data;
  /**
   * The clip.
   */
  uint32_t clip;
  /**
   * The strength in clashes.
   */
  float strength;
} BoneboxAttack;

/**
 * A rigid body, and the constraint that holds it at its parent body.
 *
 * Both bodies have the origin of the child's joint in common. The constraint has a frame in each body. If `q` is the rotation
 * of the child's frame in the parent's frame, then `q = swing * twist`: the twist turns about axis x, and the swing about an
 * axis at right angles to x. The swing vector is the swing's axis times its angle; it has a y and a z. The limits are the
 * same in both directions, because the frames stand in the middle of the range.
 */
typedef struct BoneboxRagdollBody {
  /**
   * The joint that the body moves with. No two bodies have the same joint.
   */
  uint16_t joint;
  /**
   * The number of the body's shapes, at least 1.
   */
  uint16_t shape_count;
  /**
   * The body that holds this one, an index below that of this body; -1 if nothing holds it. The fields of the constraint,
   * `kind` and all below it, mean nothing if `parent` is -1.
   */
  int32_t parent;
  /**
   * The origin of the body in the rest pose, in model space.
   */
  struct BoneboxVec3 position;
  /**
   * The rotation of the body in the rest pose, from the space of the body to model space.
   */
  struct BoneboxQuat rotation;
  /**
   * The mass in kilograms, above 0.
   */
  float mass;
  /**
   * The center of mass in the space of the body.
   */
  struct BoneboxVec3 center_of_mass;
  /**
   * The inertia tensor about the center of mass, along the axes of the body, in kilograms times square meters: xx, yy, zz, xy, xz, yz.
   */
  float inertia[6];
  /**
   * The axes that the body can turn about.
   */
  enum BoneboxConstraintKind kind;
  /**
   * Where the limits come from.
   */
  enum BoneboxLimitSource limits_from;
  /**
   * The origin of both frames in the space of the parent. In the space of this body it is the origin.
   */
  struct BoneboxVec3 anchor;
  /**
   * The rotation of the parent's frame, from the frame to the space of the parent.
   */
  struct BoneboxQuat parent_from_frame;
  /**
   * The rotation of this body's frame, from the frame to the space of the body.
   */
  struct BoneboxQuat body_from_frame;
  /**
   * The largest twist, and the largest y and z of the swing vector, in radians, 0 to pi. For a hinge, y and z are 0.
   */
  struct BoneboxVec3 limits;
  /**
   * The torque towards the middle of the range, in N m for each radian; at least 0.
   */
  float stiffness;
  /**
   * The torque against a turn, in N m for each radian per second; at least 0.
   */
  float damping;
} BoneboxRagdollBody;

/**
 * A shape of a body, in the space of the body. It is the shape of one hitbox.
 */
typedef struct BoneboxRagdollShape {
  /**
   * The kind of the shape.
   */
  enum BoneboxRagdollShapeKind kind;
  /**
   * The hitbox.
   */
  uint16_t hitbox;
  /**
   * The number of a hull's vertices; 0 for other shapes.
   */
  uint16_t vertex_count;
  /**
   * The center of the shape; of a hull, the center of its box.
   */
  struct BoneboxVec3 center;
  /**
   * The rotation from the shape's own axes to those of the body.
   */
  struct BoneboxQuat rotation;
  /**
   * Half the lengths of a box's edges along the shape's own axes; 0 for other shapes.
   */
  struct BoneboxVec3 half_extents;
  /**
   * The radius of a sphere or a capsule; 0 for other shapes.
   */
  float radius;
  /**
   * Half the distance between the centers of a capsule's half spheres; 0 for other shapes.
   */
  float half_length;
} BoneboxRagdollShape;

/**
 * Two bodies of a ragdoll.
 */
typedef struct BoneboxRagdollPair {
  /**
   * The body with the smaller index.
   */
  uint16_t body_a;
  /**
   * The other body.
   */
  uint16_t body_b;
} BoneboxRagdollPair;

/**
 * The place of a body in the world.
 */
typedef struct BoneboxRagdollPlace {
  /**
   * The origin of the body, which is the origin of its joint, in meters. Many engines have the place of the center of mass
   * instead: `position` plus the rotated `center_of_mass`.
   */
  struct BoneboxVec3 position;
  /**
   * The rotation from the space of the body to world space, a unit quaternion.
   */
  struct BoneboxQuat rotation;
} BoneboxRagdollPlace;

/**
 * The velocity of a body in the world.
 */
typedef struct BoneboxRagdollVelocity {
  /**
   * The velocity of the center of mass, in m/s.
   */
  struct BoneboxVec3 linear;
  /**
   * The axis of the turn times its speed in rad/s.
   */
  struct BoneboxVec3 angular;
} BoneboxRagdollVelocity;

/**
 * A hitbox of a body that a ray hits.
 */
typedef struct BoneboxBodyRayHit {
  /**
   * The id of the body.
   */
  uint64_t body;
  /**
   * The hitbox, an index into the hitboxes of the body's character.
   */
  uint16_t hitbox;
  /**
   * The index of the joint that the hitbox is attached to.
   */
  uint16_t joint;
  /**
   * True if the ray starts inside the hitbox; `normal` is then zero.
   */
  bool starts_inside;
  /**
   * The time at which the ray enters the hitbox, a multiple of the ray's direction; 0 if the ray starts inside the
   * hitbox.
   */
  float entry;
  /**
   * The time at which the ray leaves the hitbox, a multiple of the ray's direction. It may be greater than the ray's
   * `max_time`.
   */
  float exit;
  /**
   * The point where the ray enters the hitbox, in world space.
   */
  struct BoneboxVec3 point;
  /**
   * The outward unit normal of the hitbox's surface at `point`, in world space.
   */
  struct BoneboxVec3 normal;
} BoneboxBodyRayHit;

/**
 * A ray of a batch and its filter.
 */
typedef struct BoneboxRayQuery {
  /**
   * The ray.
   */
  struct BoneboxRay ray;
  /**
   * The filter of this ray; NULL finds everything that can be hit. Several rays may have the same filter.
   */
  const struct BoneboxFilter *filter;
} BoneboxRayQuery;

/**
 * The answer to one ray of a batch.
 */
typedef struct BoneboxRayAnswer {
  /**
   * The first hitbox that the ray hits; zeros if `found` is false.
   */
  struct BoneboxBodyRayHit hit;
  /**
   * True if the ray hits a hitbox.
   */
  bool found;
} BoneboxRayAnswer;

/**
 * A hitbox of a body that a shape overlaps.
 */
typedef struct BoneboxBodyShapeOverlap {
  /**
   * The id of the body.
   */
  uint64_t body;
  /**
   * The hitbox, an index into the hitboxes of the body's character.
   */
  uint16_t hitbox;
  /**
   * The index of the joint that the hitbox is attached to.
   */
  uint16_t joint;
} BoneboxBodyShapeOverlap;

/**
 * Two hitboxes of two bodies that hit each other while both move.
 */
typedef struct BoneboxBodySweepHit {
  /**
   * The lesser id of the two bodies.
   */
  uint64_t body_a;
  /**
   * The greater id of the two bodies.
   */
  uint64_t body_b;
  /**
   * The index of a hitbox of `body_a`.
   */
  uint16_t box_a;
  /**
   * The index of a hitbox of `body_b`.
   */
  uint16_t box_b;
  /**
   * The index of the joint that `box_a` is attached to.
   */
  uint16_t joint_a;
  /**
   * The index of the joint that `box_b` is attached to.
   */
  uint16_t joint_b;
  /**
   * The time of the first touch, from 0 (the start of the motion) to 1 (its end). It is never later than the true
   * time.
   */
  float time;
  /**
   * The direction of the hit: a unit vector from the first hitbox towards the second, in world space.
   */
  struct BoneboxVec3 direction;
} BoneboxBodySweepHit;

/**
 * A hitbox of a body that a moving shape hits.
 */
typedef struct BoneboxBodyCastHit {
  /**
   * The id of the body.
   */
  uint64_t body;
  /**
   * The hitbox, an index into the hitboxes of the body's character.
   */
  uint16_t hitbox;
  /**
   * The index of the joint that the hitbox is attached to.
   */
  uint16_t joint;
  /**
   * The time of the first touch, from 0 (the start of the motion) to 1 (its end). It is never later than the true
   * time.
   */
  float time;
  /**
   * The direction of the hit: a unit vector from the moving shape towards the hitbox, in world space.
   */
  struct BoneboxVec3 direction;
} BoneboxBodyCastHit;

/**
 * The contact between a moving shape and the hitbox that it hits, at the time of the hit.
 */
typedef struct BoneboxCastContact {
  /**
   * The contact point, in world space.
   */
  struct BoneboxVec3 point;
  /**
   * The depth in world units. It is greater than 0 only if the shape and the hitbox overlap at the start of the
   * motion.
   */
  float depth;
  /**
   * A unit vector from the moving shape towards the hitbox, in world space.
   */
  struct BoneboxVec3 direction;
} BoneboxCastContact;

/**
 * A hitbox of a posed character that a moving shape hits.
 */
typedef struct BoneboxCastHit {
  /**
   * The hitbox, an index into the hitboxes of the character.
   */
  uint16_t hitbox;
  /**
   * The index of the joint that the hitbox is attached to.
   */
  uint16_t joint;
  /**
   * The time of the first touch, from 0 (the start of the motion) to 1 (its end). It is never later than the true
   * time.
   */
  float time;
  /**
   * The direction of the hit: a unit vector from the moving shape towards the hitbox, in world space.
   */
  struct BoneboxVec3 direction;
} BoneboxCastHit;

/**
 * A mesh of the file that the character was baked from.
 */
typedef struct BoneboxSkinMesh {
  /**
   * The mesh's name.
   */
  struct BoneboxString name;
  /**
   * The glTF node of the mesh.
   */
  uint32_t node;
  /**
   * The number of the mesh's triangles. Source triangles are numbered through all meshes in the order of their indices:
   * the triangles of mesh 0 come first.
   */
  uint32_t triangle_count;
} BoneboxSkinMesh;

/**
 * A joint of one character and a joint of another whose skins touch.
 */
typedef struct BoneboxSkinOverlap {
  /**
   * The index of the joint in the skeleton of the first character.
   */
  uint16_t joint_a;
  /**
   * The index of the joint in the skeleton of the second character.
   */
  uint16_t joint_b;
  /**
   * A source triangle of the first character that touches a triangle of the second; see `BoneboxSkinMesh`.
   */
  uint32_t source_triangle_a;
  /**
   * The source triangle of the second character that `source_triangle_a` touches.
   */
  uint32_t source_triangle_b;
  /**
   * A point that both triangles share, in world space.
   */
  struct BoneboxVec3 point;
} BoneboxSkinOverlap;

/**
 * The nearest points of the skins of two characters.
 */
typedef struct BoneboxSkinDistance {
  /**
   * The index of the joint that owns the nearest point of the first character.
   */
  uint16_t joint_a;
  /**
   * The index of the joint that owns the nearest point of the second character.
   */
  uint16_t joint_b;
  /**
   * The source triangle of the first character that has this point; see `BoneboxSkinMesh`.
   */
  uint32_t source_triangle_a;
  /**
   * The source triangle of the second character that has this point.
   */
  uint32_t source_triangle_b;
  /**
   * The distance in world units; 0 if and only if the skins touch.
   */
  float distance;
  /**
   * The nearest point on the first character's skin, in world space.
   */
  struct BoneboxVec3 point_a;
  /**
   * The nearest point on the second character's skin, in world space.
   */
  struct BoneboxVec3 point_b;
} BoneboxSkinDistance;

/**
 * The point where a ray hits the skin of a character.
 */
typedef struct BoneboxSkinRayHit {
  /**
   * The index of the joint that owns the surface at the hit.
   */
  uint16_t joint;
  /**
   * True if the ray comes from the side of `normal`, which is the outside of glTF meshes.
   */
  bool front;
  /**
   * True if `texture_coordinate` has a value.
   */
  bool has_texture_coordinate;
  /**
   * The source triangle that the ray hits; see `BoneboxSkinMesh`.
   */
  uint32_t source_triangle;
  /**
   * The weights of the three corners of the source triangle at the hit; their sum is 1 up to rounding.
   */
  float barycentric[3];
  /**
   * The time of the hit, a multiple of the ray's direction; at least 0.
   */
  float time;
  /**
   * The hit, in world space.
   */
  struct BoneboxVec3 point;
  /**
   * The unit normal of the skinned triangle, in world space, on the side from which the corners of the source
   * triangle run counter-clockwise.
   */
  struct BoneboxVec3 normal;
  /**
   * The unit normal in world space, interpolated between the skinned normals of the source triangle's corners; equal to
   * `normal` if the character was baked without normals there (option `skin_attributes`).
   */
  struct BoneboxVec3 shading_normal;
  /**
   * glTF's TEXCOORD_0 at the hit, u and v; zeros if the character was baked without texture coordinates there (option
   * `skin_attributes`).
   */
  float texture_coordinate[2];
} BoneboxSkinRayHit;

/**
 * Two joints of two bodies whose skins touch.
 */
typedef struct BoneboxSkinTouch {
  /**
   * The lesser id of the two bodies.
   */
  uint64_t body_a;
  /**
   * The greater id of the two bodies.
   */
  uint64_t body_b;
  /**
   * The index of the joint in the skeleton of `body_a`.
   */
  uint16_t joint_a;
  /**
   * The index of the joint in the skeleton of `body_b`.
   */
  uint16_t joint_b;
  /**
   * A source triangle of `body_a` that touches a triangle of `body_b`; see `BoneboxSkinMesh`.
   */
  uint32_t source_triangle_a;
  /**
   * The source triangle of `body_b` that `source_triangle_a` touches.
   */
  uint32_t source_triangle_b;
  /**
   * A point that both triangles share, in world space.
   */
  struct BoneboxVec3 point;
} BoneboxSkinTouch;

/**
 * The point where a ray hits the skin of a body.
 */
typedef struct BoneboxBodySkinRayHit {
  /**
   * The id of the body.
   */
  uint64_t body;
  /**
   * The index of the joint that owns the surface at the hit.
   */
  uint16_t joint;
  /**
   * True if the ray comes from the side of `normal`, which is the outside of glTF meshes.
   */
  bool front;
  /**
   * True if `texture_coordinate` has a value.
   */
  bool has_texture_coordinate;
  /**
   * The source triangle that the ray hits; see `BoneboxSkinMesh`.
   */
  uint32_t source_triangle;
  /**
   * The weights of the three corners of the source triangle at the hit; their sum is 1 up to rounding.
   */
  float barycentric[3];
  /**
   * The time of the hit, a multiple of the ray's direction; at least 0.
   */
  float time;
  /**
   * The hit, in world space.
   */
  struct BoneboxVec3 point;
  /**
   * The unit normal of the skinned triangle, in world space, on the side from which the corners of the source
   * triangle run counter-clockwise.
   */
  struct BoneboxVec3 normal;
  /**
   * The unit normal in world space, interpolated between the skinned normals of the source triangle's corners; equal to
   * `normal` if the character was baked without normals there (option `skin_attributes`).
   */
  struct BoneboxVec3 shading_normal;
  /**
   * glTF's TEXCOORD_0 at the hit, u and v; zeros if the character was baked without texture coordinates there (option
   * `skin_attributes`).
   */
  float texture_coordinate[2];
} BoneboxBodySkinRayHit;

/**
 * A morph target of the character's skin.
 */
typedef struct BoneboxMorphTarget {
  /**
   * The target's name in the source, or `target_N` if it has none. Several targets may have the same name.
   */
  struct BoneboxString name;
  /**
   * The mesh, an index for `bonebox_character_skin_mesh`.
   */
  uint32_t mesh;
  /**
   * The number of the target among those of its mesh in the source file. Targets that move nothing are left out.
   */
  uint32_t number;
} BoneboxMorphTarget;

/**
 * A joint whose skin a shape touches.
 */
typedef struct BoneboxSkinShapeOverlap {
  /**
   * The index of the joint that owns the skin.
   */
  uint16_t joint;
  /**
   * A source triangle that the shape touches; see `BoneboxSkinMesh`.
   */
  uint32_t source_triangle;
} BoneboxSkinShapeOverlap;

/**
 * A joint of a body whose skin a shape touches.
 */
typedef struct BoneboxBodySkinShapeOverlap {
  /**
   * The id of the body.
   */
  uint64_t body;
  /**
   * The index of the joint that owns the skin.
   */
  uint16_t joint;
  /**
   * A source triangle that the shape touches; see `BoneboxSkinMesh`.
   */
  uint32_t source_triangle;
} BoneboxBodySkinShapeOverlap;

#if defined(BONEBOX_BAKE)
/**
 * A function of the caller, called when a step of a bake starts. It returns true to continue, or false to cancel the
 * bake. The library may call it on another thread than the one that called `bonebox_bake`. It must not throw a C++
 * exception.
 */
typedef bool (*BoneboxBakeProgress)(enum BoneboxBakeStep step, void *user);
#endif

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the version of the loaded library: major * 1,000,000 + minor * 1,000 + patch. Compare it with
 * `BONEBOX_VERSION_MAJOR`, `BONEBOX_VERSION_MINOR` and `BONEBOX_VERSION_PATCH`, which are the versions of the header.
 */
uint32_t bonebox_version(void);

/**
 * Returns a pointer to the first byte. Returns NULL for NULL.
 */
const uint8_t *bonebox_bytes_data(const struct BoneboxBytes *bytes);

/**
 * Returns the number of bytes. Returns 0 for NULL.
 */
size_t bonebox_bytes_length(const struct BoneboxBytes *bytes);

/**
 * Frees a buffer that the library allocated; NULL is allowed.
 */
enum BoneboxResult bonebox_bytes_free(struct BoneboxBytes *bytes);

/**
 * Returns a sphere.
 */
struct BoneboxShape bonebox_shape_sphere(struct BoneboxVec3 center, float radius);

/**
 * Returns a capsule. `start` and `end` are the centers of its two half spheres.
 */
struct BoneboxShape bonebox_shape_capsule(struct BoneboxVec3 start, struct BoneboxVec3 end, float radius);

/**
 * Returns a box.
 */
struct BoneboxShape bonebox_shape_box(struct BoneboxOrientedBox oriented_box);

/**
 * Loads a character from the bytes of a `.bonebox` file. Any bytes are safe to pass: the function checks all of them.
 * The caller may free the bytes afterwards.
 */
enum BoneboxResult bonebox_character_load(const uint8_t *bytes,
                                          size_t length,
                                          struct BoneboxCharacter **character,
                                          struct BoneboxError *error);

/**
 * Frees a character; NULL is allowed. The strings that functions wrote for this character become invalid.
 */
enum BoneboxResult bonebox_character_free(struct BoneboxCharacter *character);

/**
 * Writes the character's name.
 */
enum BoneboxResult bonebox_character_name(const struct BoneboxCharacter *character,
                                          struct BoneboxString *name,
                                          struct BoneboxError *error);

/**
 * Returns the number of joints of the skeleton, which is the number of matrices of a pose. Returns 0 for NULL.
 */
size_t bonebox_character_joint_count(const struct BoneboxCharacter *character);

/**
 * Returns the number of hitboxes. Returns 0 for NULL.
 */
size_t bonebox_character_hitbox_count(const struct BoneboxCharacter *character);

/**
 * Returns the number of clips. Returns 0 for NULL.
 */
size_t bonebox_character_clip_count(const struct BoneboxCharacter *character);

/**
 * Writes the joint with this index. Parents come before their children.
 */
enum BoneboxResult bonebox_character_joint(const struct BoneboxCharacter *character,
                                           uint16_t index,
                                           struct BoneboxJoint *joint,
                                           struct BoneboxError *error);

/**
 * Writes the index of the joint with this name.
 */
enum BoneboxResult bonebox_character_find_joint(const struct BoneboxCharacter *character,
                                                const char *name,
                                                uint16_t *index,
                                                struct BoneboxError *error);

/**
 * Writes the hitbox with this index. Hitboxes are in the order of their joints.
 */
enum BoneboxResult bonebox_character_hitbox(const struct BoneboxCharacter *character,
                                            uint16_t index,
                                            struct BoneboxHitbox *hitbox,
                                            struct BoneboxError *error);

/**
 * Writes one tag of a hitbox. `tag_index` is less than the hitbox's `tag_count`; tags are sorted.
 */
enum BoneboxResult bonebox_character_hitbox_tag(const struct BoneboxCharacter *character,
                                                uint16_t index,
                                                uint32_t tag_index,
                                                struct BoneboxString *tag,
                                                struct BoneboxError *error);

/**
 * Writes true if a hitbox has a tag, else false. A tag that no hitbox of the character has is not a failure.
 */
enum BoneboxResult bonebox_character_hitbox_has_tag(const struct BoneboxCharacter *character,
                                                    uint16_t index,
                                                    const char *tag,
                                                    bool *has_tag,
                                                    struct BoneboxError *error);

/**
 * Writes the clip with this index.
 */
enum BoneboxResult bonebox_character_clip(const struct BoneboxCharacter *character,
                                          uint32_t index,
                                          struct BoneboxClip *clip,
                                          struct BoneboxError *error);

/**
 * Writes the index of the clip with this name.
 */
enum BoneboxResult bonebox_character_find_clip(const struct BoneboxCharacter *character,
                                               const char *name,
                                               uint32_t *index,
                                               struct BoneboxError *error);

/**
 * Makes the set of all hitboxes of a character.
 */
enum BoneboxResult bonebox_box_set_all(const struct BoneboxCharacter *character,
                                       struct BoneboxBoxSet **set,
                                       struct BoneboxError *error);

/**
 * Makes the set of the hitboxes that have a tag. The function fails if no hitbox has the tag; the
 * message then lists the tags of the character.
 */
enum BoneboxResult bonebox_box_set_with_tag(const struct BoneboxCharacter *character,
                                            const char *tag,
                                            struct BoneboxBoxSet **set,
                                            struct BoneboxError *error);

/**
 * Makes the set of the hitboxes of a joint; the set is empty if the joint has no hitbox, or if the character has no joint
 * with this index.
 */
enum BoneboxResult bonebox_box_set_of_joint(const struct BoneboxCharacter *character,
                                            uint16_t joint,
                                            struct BoneboxBoxSet **set,
                                            struct BoneboxError *error);

/**
 * Makes the set of the hitboxes that are in `a` or in `b`. Both sets must belong to the same character.
 */
enum BoneboxResult bonebox_box_set_union(const struct BoneboxBoxSet *a,
                                         const struct BoneboxBoxSet *b,
                                         struct BoneboxBoxSet **set,
                                         struct BoneboxError *error);

/**
 * Makes the set of the character's hitboxes that are not in `boxes`.
 */
enum BoneboxResult bonebox_box_set_complement(const struct BoneboxBoxSet *boxes,
                                              struct BoneboxBoxSet **set,
                                              struct BoneboxError *error);

/**
 * Makes a character that has only the hitboxes of a set: for bodies that are far away, or for queries that need only
 * heads. Posing the new character computes only the joints that lead to these hitboxes. Free the new character with
 * `bonebox_character_free`.
 *
 * - The skeleton, the clips and their indices stay the same. The new character has no skin.
 * - The hitboxes get new indices from 0 on, in the order of their old indices. Sets of hitboxes and joint masks of the
 *   old character do not fit the new character: make new ones.
 * - The function copies the skeleton and the clips. Call it once, when you load the character.
 * - To change the character of a body, remove the body and insert it again.
 */
enum BoneboxResult bonebox_character_with_only_boxes(const struct BoneboxCharacter *character,
                                                     const char *name,
                                                     const struct BoneboxBoxSet *boxes,
                                                     struct BoneboxCharacter **limited,
                                                     struct BoneboxError *error);

/**
 * Returns the number of hitboxes in the set. Returns 0 for NULL.
 */
size_t bonebox_box_set_count(const struct BoneboxBoxSet *set);

/**
 * Returns true if a hitbox is in the set. Returns false for NULL.
 */
bool bonebox_box_set_contains(const struct BoneboxBoxSet *set, uint16_t hitbox);

/**
 * Frees a set; NULL is allowed. Body settings that were made with the set stay in effect.
 */
enum BoneboxResult bonebox_box_set_free(struct BoneboxBoxSet *set);

/**
 * Makes an empty pose. The functions `bonebox_pose_from_…` give it hitboxes.
 */
enum BoneboxResult bonebox_pose_new(struct BoneboxPose **pose, struct BoneboxError *error);

/**
 * Frees a pose; NULL is allowed.
 */
enum BoneboxResult bonebox_pose_free(struct BoneboxPose *pose);

/**
 * Poses a character by its rest pose. If this or any other function `bonebox_pose_from_…` fails, the pose has no
 * hitboxes.
 */
enum BoneboxResult bonebox_pose_from_rest(struct BoneboxPose *pose,
                                          const struct BoneboxCharacter *character,
                                          const struct BoneboxMatrix *world_from_model,
                                          struct BoneboxError *error);

/**
 * Poses a character by a clip. `seconds` is the time on the clip's own clock. A time before the first key gives the
 * pose of the first key, and a time after the last key gives the pose of the last key.
 */
enum BoneboxResult bonebox_pose_from_clip(struct BoneboxPose *pose,
                                          const struct BoneboxCharacter *character,
                                          const struct BoneboxMatrix *world_from_model,
                                          uint32_t clip,
                                          float seconds,
                                          struct BoneboxError *error);

/**
 * Poses a character by matrices in model space. `model_from_joint[j]` belongs to joint `j`; `joint_count` is the
 * number of joints of the skeleton.
 */
enum BoneboxResult bonebox_pose_from_model(struct BoneboxPose *pose,
                                           const struct BoneboxCharacter *character,
                                           const struct BoneboxMatrix *world_from_model,
                                           const struct BoneboxMatrix *model_from_joint,
                                           size_t joint_count,
                                           struct BoneboxError *error);

/**
 * Poses a character by matrices in world space. `world_from_joint[j]` belongs to joint `j`; `joint_count` is the
 * number of joints of the skeleton.
 */
enum BoneboxResult bonebox_pose_from_world(struct BoneboxPose *pose,
                                           const struct BoneboxCharacter *character,
                                           const struct BoneboxMatrix *world_from_joint,
                                           size_t joint_count,
                                           struct BoneboxError *error);

/**
 * Takes away the hitboxes of a pose, as a pose that fails does.
 */
enum BoneboxResult bonebox_pose_clear(struct BoneboxPose *pose, struct BoneboxError *error);

/**
 * Tracks joints: from the next pose on, `bonebox_pose_joint_matrix` returns their matrices, for example for weapon
 * sockets, muzzles and cameras. Replaces the joints that were tracked before.
 */
enum BoneboxResult bonebox_pose_track_joints(struct BoneboxPose *pose,
                                             const uint16_t *joints,
                                             size_t count,
                                             struct BoneboxError *error);

/**
 * Writes the matrix of a tracked joint, from joint space to world space. The function fails if the joint is not
 * tracked, or if no pose was computed since it is tracked.
 */
enum BoneboxResult bonebox_pose_joint_matrix(const struct BoneboxPose *pose,
                                             uint16_t joint,
                                             struct BoneboxMatrix *world_from_joint,
                                             struct BoneboxError *error);

/**
 * Returns true if the pose has hitboxes. Returns false before the first pose, after a failed pose, and for NULL.
 */
bool bonebox_pose_is_posed(const struct BoneboxPose *pose);

/**
 * Writes all hitboxes in world space, in the order of their indices.
 */
enum BoneboxResult bonebox_pose_hitboxes(const struct BoneboxPose *pose,
                                         struct BoneboxPosedHitbox *out,
                                         size_t capacity,
                                         size_t *count,
                                         struct BoneboxError *error);

/**
 * Writes bounds around all hitboxes. The function fails if the pose has no hitboxes.
 */
enum BoneboxResult bonebox_pose_bounds(const struct BoneboxPose *pose,
                                       struct BoneboxBounds *bounds,
                                       struct BoneboxError *error);

/**
 * Makes a mask from a weight for each joint: `weights[j]` belongs to joint `j`, and `joint_count` is the number of
 * joints of the skeleton. Numbers outside 0 to 1 are clamped, and NaN becomes 0.
 */
enum BoneboxResult bonebox_joint_mask_new(const struct BoneboxCharacter *character,
                                          const float *weights,
                                          size_t joint_count,
                                          struct BoneboxJointMask **mask,
                                          struct BoneboxError *error);

/**
 * Makes a mask with weight 1 for a joint and all its descendants, and weight 0 for the other joints: for example the
 * upper body from the spine, or an arm from the shoulder.
 */
enum BoneboxResult bonebox_joint_mask_below(const struct BoneboxCharacter *character,
                                            uint16_t joint,
                                            struct BoneboxJointMask **mask,
                                            struct BoneboxError *error);

/**
 * Frees a mask; NULL is allowed.
 */
enum BoneboxResult bonebox_joint_mask_free(struct BoneboxJointMask *mask);

/**
 * Poses a character by clips in layers: each layer changes the pose of the layers before it, and the first layer
 * changes the rest pose. To mix clips by weights whose sum is 1, give each layer its weight divided by the sum of its
 * own weight and the weights of all layers before it. The masks must belong to the same character.
 */
enum BoneboxResult bonebox_pose_from_layers(struct BoneboxPose *pose,
                                            const struct BoneboxCharacter *character,
                                            const struct BoneboxMatrix *world_from_model,
                                            const struct BoneboxPoseLayer *layers,
                                            size_t layer_count,
                                            struct BoneboxError *error);

/**
 * Poses bodies by clips in layers; see `bonebox_pose_from_layers`. If a pose is refused, the function still applies
 * the poses after it, and returns the failure of the first refused pose.
 */
enum BoneboxResult bonebox_world_pose_from_layers(struct BoneboxWorld *world,
                                                  const struct BoneboxLayerPose *poses,
                                                  size_t count,
                                                  struct BoneboxError *error);

/**
 * Writes the time on a clip's own clock when `elapsed` seconds have passed since the clip was started. `loop_mode` is a
 * `BoneboxLoopMode`.
 */
enum BoneboxResult bonebox_character_clip_time(const struct BoneboxCharacter *character,
                                               uint32_t clip,
                                               uint32_t loop_mode,
                                               double elapsed,
                                               float *seconds,
                                               struct BoneboxError *error);

/**
 * Writes bounds, in model space, of all hitboxes over a span of a clip: from `elapsed` to `elapsed + duration` seconds
 * after the clip was started. The bounds contain the hitboxes of the pose at `bonebox_character_clip_time` for every
 * time in that span. The function fails if the character was baked with `poses = "any"`.
 *
 * Use the bounds to pose characters that are far away less often. For example, keep the bounds for ten ticks, and pose
 * the character earlier only if something comes into the bounds. The first call for a clip takes about a millisecond for
 * each second of the clip; a later call takes some tens of nanoseconds.
 */
enum BoneboxResult bonebox_character_bounds_over(const struct BoneboxCharacter *character,
                                                 uint32_t clip,
                                                 uint32_t loop_mode,
                                                 double elapsed,
                                                 double duration,
                                                 struct BoneboxBounds *model_bounds,
                                                 struct BoneboxError *error);

/**
 * Transforms bounds from model space, such as those of `bonebox_character_bounds_over`, to world space: writes bounds
 * that contain the transformed box. If the matrix only rotates, moves, mirrors and scales evenly, the written bounds
 * contain the hitboxes that are posed with the same matrix.
 */
enum BoneboxResult bonebox_bounds_transformed(const struct BoneboxBounds *bounds,
                                              const struct BoneboxMatrix *world_from_model,
                                              struct BoneboxBounds *transformed,
                                              struct BoneboxError *error);

/**
 * Writes true if any hitbox of `a` overlaps any hitbox of `b`, else false. The result is false if `a` or `b` has no
 * hitboxes.
 */
enum BoneboxResult bonebox_overlaps(const struct BoneboxPose *a,
                                    const struct BoneboxPose *b,
                                    bool *overlaps,
                                    struct BoneboxError *error);

/**
 * Writes the pairs of hitboxes that overlap, sorted by hitbox of `a`, then by hitbox of `b`.
 */
enum BoneboxResult bonebox_overlapping_boxes(const struct BoneboxPose *a,
                                             const struct BoneboxPose *b,
                                             struct BoneboxBoxPair *out,
                                             size_t capacity,
                                             size_t *count,
                                             struct BoneboxError *error);

/**
 * Writes the pairs of joints whose hitboxes overlap, each pair once, sorted by joint of `a`, then by joint of `b`.
 */
enum BoneboxResult bonebox_overlapping_joints(const struct BoneboxPose *a,
                                              const struct BoneboxPose *b,
                                              struct BoneboxJointPair *out,
                                              size_t capacity,
                                              size_t *count,
                                              struct BoneboxError *error);

/**
 * Writes the contacts of all hitboxes that overlap, one for each pair that `bonebox_overlapping_boxes` writes, in the
 * same order.
 */
enum BoneboxResult bonebox_contacts(const struct BoneboxPose *a,
                                    const struct BoneboxPose *b,
                                    struct BoneboxContact *out,
                                    size_t capacity,
                                    size_t *count,
                                    struct BoneboxError *error);

/**
 * Finds the nearest two hitboxes of two characters that are at most `max_distance` world units apart (`INFINITY` for
 * any distance). Writes true to `found` if two such hitboxes exist, else false, and writes `closest` only if it is
 * true.
 */
enum BoneboxResult bonebox_distance(const struct BoneboxPose *a,
                                    const struct BoneboxPose *b,
                                    float max_distance,
                                    bool *found,
                                    struct BoneboxClosestHitboxes *closest,
                                    struct BoneboxError *error);

/**
 * Finds the first hit of two characters while each character moves from one pose to another; see `bonebox_sweep_all`.
 * Writes true to `found` if there is a hit, else false, and writes `hit` only if it is true. If several hits have the
 * same time, the function writes the hit with the least index of the hitbox of `a`, then of the hitbox of `b`.
 */
enum BoneboxResult bonebox_sweep(const struct BoneboxPose *a_from,
                                 const struct BoneboxPose *a_to,
                                 const struct BoneboxPose *b_from,
                                 const struct BoneboxPose *b_to,
                                 float relative_tolerance,
                                 bool *found,
                                 struct BoneboxSweepHit *hit,
                                 struct BoneboxError *error);

/**
 * Writes all hitboxes of two characters that hit each other while each character moves from one pose to another: one
 * entry with the first time for each pair of hitboxes, sorted by hitbox of `a`, then by hitbox of `b`. Both poses of a
 * motion must belong to the same character; pass the same pose twice for a character that stands still.
 * `relative_tolerance` is relative to the size of the hitboxes, from 0 to 1; 0 selects the default.
 */
enum BoneboxResult bonebox_sweep_all(const struct BoneboxPose *a_from,
                                     const struct BoneboxPose *a_to,
                                     const struct BoneboxPose *b_from,
                                     const struct BoneboxPose *b_to,
                                     float relative_tolerance,
                                     struct BoneboxSweepHit *out,
                                     size_t capacity,
                                     size_t *count,
                                     struct BoneboxError *error);

/**
 * Writes true to `any` if two characters hit each other while each character moves from one pose to another, else
 * false; see `bonebox_sweep_all`. The function stops at the first hit that it finds.
 */
enum BoneboxResult bonebox_sweep_any(const struct BoneboxPose *a_from,
                                     const struct BoneboxPose *a_to,
                                     const struct BoneboxPose *b_from,
                                     const struct BoneboxPose *b_to,
                                     float relative_tolerance,
                                     bool *any,
                                     struct BoneboxError *error);

/**
 * Makes a world without bodies.
 */
enum BoneboxResult bonebox_world_new(struct BoneboxWorld **world, struct BoneboxError *error);

/**
 * Frees a world and its bodies, also a world of the past; NULL is allowed.
 */
enum BoneboxResult bonebox_world_free(const struct BoneboxWorld *world);

/**
 * Copies the state of world `from` into world `to`, for example to roll back to it later. The function reuses the
 * memory of `to`. An update of the copy gives the same events as an update of the original.
 */
enum BoneboxResult bonebox_world_copy(const struct BoneboxWorld *from,
                                      struct BoneboxWorld *to,
                                      struct BoneboxError *error);

/**
 * Returns the default settings: the body is in all layers, is tested against all layers and has no team.
 */
struct BoneboxBodySettings bonebox_body_settings_default(void);

/**
 * Adds a body with an id that the caller chooses. Touches and queries ignore the body until it is posed. NULL
 * `settings` mean the default settings.
 */
enum BoneboxResult bonebox_world_insert(struct BoneboxWorld *world,
                                        uint64_t body,
                                        const struct BoneboxCharacter *character,
                                        const struct BoneboxBodySettings *settings,
                                        struct BoneboxError *error);

/**
 * Removes a body. Queries ignore the body from now on, and the next update reports the end of its touches.
 */
enum BoneboxResult bonebox_world_remove(struct BoneboxWorld *world,
                                        uint64_t body,
                                        struct BoneboxError *error);

/**
 * Writes the ids of all bodies, sorted.
 */
enum BoneboxResult bonebox_world_bodies(const struct BoneboxWorld *world,
                                        uint64_t *out,
                                        size_t capacity,
                                        size_t *count,
                                        struct BoneboxError *error);

/**
 * Writes the ids of the bodies without a pose, sorted: bodies that were not posed since they were inserted, and bodies
 * whose last pose was refused. Queries ignore these bodies.
 */
enum BoneboxResult bonebox_world_unposed_bodies(const struct BoneboxWorld *world,
                                                uint64_t *out,
                                                size_t capacity,
                                                size_t *count,
                                                struct BoneboxError *error);

/**
 * Changes a body's settings. Queries use the new settings at once, touches and events use them from the next update on.
 */
enum BoneboxResult bonebox_world_set_settings(struct BoneboxWorld *world,
                                              uint64_t body,
                                              const struct BoneboxBodySettings *settings,
                                              struct BoneboxError *error);

/**
 * Gives the hitboxes of a set layers of their own. A hitbox in several sets has the layers of all these sets. A second
 * call with an equal set replaces the layers of the first call.
 */
enum BoneboxResult bonebox_world_set_box_layers(struct BoneboxWorld *world,
                                                uint64_t body,
                                                const struct BoneboxBoxSet *boxes,
                                                uint32_t memberships,
                                                uint32_t mask,
                                                struct BoneboxError *error);

/**
 * Removes the layers that `bonebox_world_set_box_layers` gave to the same set.
 */
enum BoneboxResult bonebox_world_clear_box_layers(struct BoneboxWorld *world,
                                                  uint64_t body,
                                                  const struct BoneboxBoxSet *boxes,
                                                  struct BoneboxError *error);

/**
 * Enables or disables the hitboxes of a set. Touches and queries ignore disabled hitboxes.
 */
enum BoneboxResult bonebox_world_set_boxes_enabled(struct BoneboxWorld *world,
                                                   uint64_t body,
                                                   const struct BoneboxBoxSet *boxes,
                                                   bool enabled,
                                                   struct BoneboxError *error);

/**
 * Tracks joints of a body: from the body's next pose on, `bonebox_world_joint_matrix` returns their matrices, for
 * example for weapon sockets, muzzles and cameras. Replaces the joints that were tracked before.
 */
enum BoneboxResult bonebox_world_track_joints(struct BoneboxWorld *world,
                                              uint64_t body,
                                              const char *const *names,
                                              size_t count,
                                              struct BoneboxError *error);

/**
 * Writes the matrix of a tracked joint in the body's present pose.
 */
enum BoneboxResult bonebox_world_joint_matrix(const struct BoneboxWorld *world,
                                              uint64_t body,
                                              const char *name,
                                              struct BoneboxMatrix *world_from_joint,
                                              struct BoneboxError *error);

/**
 * Starts or stops keeping the matrices of bodies that are posed with matrices from now on, which a history needs. A body
 * then takes 48 bytes more for each joint that its poses need.
 */
enum BoneboxResult bonebox_world_keep_joints(struct BoneboxWorld *world,
                                             bool are_kept,
                                             struct BoneboxError *error);

/**
 * Poses a body by its rest pose. If this or any other function that poses a body fails, the body has no hitboxes until
 * it is posed again.
 */
enum BoneboxResult bonebox_world_pose_from_rest(struct BoneboxWorld *world,
                                                uint64_t body,
                                                const struct BoneboxMatrix *world_from_model,
                                                struct BoneboxError *error);

/**
 * Poses bodies by clips. If a pose is refused, the function still applies the poses after it, and returns the failure
 * of the first refused pose.
 */
enum BoneboxResult bonebox_world_pose_from_clips(struct BoneboxWorld *world,
                                                 const struct BoneboxClipPose *poses,
                                                 size_t count,
                                                 struct BoneboxError *error);

/**
 * Poses a body by matrices in model space. `model_from_joint[j]` belongs to joint `j`; `joint_count` is the number of
 * joints of the skeleton.
 */
enum BoneboxResult bonebox_world_pose_from_model(struct BoneboxWorld *world,
                                                 uint64_t body,
                                                 const struct BoneboxMatrix *world_from_model,
                                                 const struct BoneboxMatrix *model_from_joint,
                                                 size_t joint_count,
                                                 struct BoneboxError *error);

/**
 * Poses a body by matrices in world space. `world_from_joint[j]` belongs to joint `j`; `joint_count` is the number of
 * joints of the skeleton.
 */
enum BoneboxResult bonebox_world_pose_from_world(struct BoneboxWorld *world,
                                                 uint64_t body,
                                                 const struct BoneboxMatrix *world_from_joint,
                                                 size_t joint_count,
                                                 struct BoneboxError *error);

/**
 * Gives a body a copy of a pose, which must belong to the body's character.
 */
enum BoneboxResult bonebox_world_set_pose(struct BoneboxWorld *world,
                                          uint64_t body,
                                          const struct BoneboxPose *pose,
                                          struct BoneboxError *error);

/**
 * Takes away the hitboxes of a body until it is posed again, as a pose that fails does.
 */
enum BoneboxResult bonebox_world_clear_pose(struct BoneboxWorld *world,
                                            uint64_t body,
                                            struct BoneboxError *error);

/**
 * Copies the present pose of a body into `pose`. If the function fails, `pose` has no hitboxes.
 */
enum BoneboxResult bonebox_world_get_pose(const struct BoneboxWorld *world,
                                          uint64_t body,
                                          struct BoneboxPose *pose,
                                          struct BoneboxError *error);

/**
 * Writes the hitboxes of a body in world space, in the order of their indices; none if the body has no pose.
 */
enum BoneboxResult bonebox_world_hitboxes(const struct BoneboxWorld *world,
                                          uint64_t body,
                                          struct BoneboxPosedHitbox *out,
                                          size_t capacity,
                                          size_t *count,
                                          struct BoneboxError *error);

/**
 * Stores the present poses of all bodies as the starting poses of sweeps. Until the next call, sweeps see bodies move
 * from these poses to their present poses. A body that was not posed since the call stands still. Bodies whose settings
 * say `continuous` do not need this call.
 */
enum BoneboxResult bonebox_world_start_motion(struct BoneboxWorld *world,
                                              struct BoneboxError *error);

/**
 * Makes the present pose of a body the starting pose of its sweeps. Call this function for a body that was teleported,
 * after posing it at the new place, so that sweeps ignore the way to that place.
 */
enum BoneboxResult bonebox_world_reset_motion(struct BoneboxWorld *world,
                                              uint64_t body,
                                              struct BoneboxError *error);

/**
 * Finds all touches of the present poses and compares them with the touches of the previous update.
 */
enum BoneboxResult bonebox_world_update(struct BoneboxWorld *world, struct BoneboxError *error);

/**
 * Writes the touches that the last update found, sorted by bodies, then by hitboxes.
 */
enum BoneboxResult bonebox_world_touches(const struct BoneboxWorld *world,
                                         struct BoneboxTouch *out,
                                         size_t capacity,
                                         size_t *count,
                                         struct BoneboxError *error);

/**
 * Writes an event for each touch of the last update and of the update before it, sorted by bodies, then by hitboxes.
 */
enum BoneboxResult bonebox_world_events(const struct BoneboxWorld *world,
                                        struct BoneboxTouchEvent *out,
                                        size_t capacity,
                                        size_t *count,
                                        struct BoneboxError *error);

/**
 * Computes the contact of the two hitboxes of a touch in the present poses. Writes false to `found` if a body was
 * removed or has no pose. Otherwise writes true to `found` and the contact to `contact`; its depth is 0 if the two
 * hitboxes no longer overlap.
 */
enum BoneboxResult bonebox_world_contact(const struct BoneboxWorld *world,
                                         const struct BoneboxTouch *touch,
                                         bool *found,
                                         struct BoneboxContact *contact,
                                         struct BoneboxError *error);

/**
 * Makes an empty history that keeps the last `ticks` ticks, at least 2. `tick_seconds` is the time from one tick to the
 * next, for the field `max_back` of `BoneboxRewindRules`.
 */
enum BoneboxResult bonebox_history_new(size_t ticks,
                                       double tick_seconds,
                                       struct BoneboxHistory **history,
                                       struct BoneboxError *error);

/**
 * Frees a history; NULL is allowed. Its worlds of the past stay valid.
 */
enum BoneboxResult bonebox_history_free(struct BoneboxHistory *history);

/**
 * Makes a history with the same ticks, for example to compare it later. The two share the memory of their ticks.
 */
enum BoneboxResult bonebox_history_clone(const struct BoneboxHistory *history,
                                         struct BoneboxHistory **clone,
                                         struct BoneboxError *error);

/**
 * Records the present poses, characters, settings and box layers of all bodies as those of a tick. Call it once in each
 * tick, after the bodies were posed. The ticks must come in ascending order and may have gaps. `recorded` may be NULL. If
 * worlds of the past exist, the function allocates memory; otherwise it allocates nothing once the history is full.
 */
enum BoneboxResult bonebox_history_record(struct BoneboxHistory *history,
                                          uint64_t tick,
                                          const struct BoneboxWorld *world,
                                          struct BoneboxRecorded *recorded,
                                          struct BoneboxError *error);

/**
 * Marks a body that is teleported, or respawns, from the newest tick to the next one that is recorded. No world of the past
 * shows it between its two places.
 */
enum BoneboxResult bonebox_history_cut(struct BoneboxHistory *history,
                                       uint64_t body,
                                       struct BoneboxError *error);

/**
 * Forgets all ticks after this one, for a rollback that records them again. Marks of `bonebox_history_cut` since the newest
 * tick are forgotten too.
 */
enum BoneboxResult bonebox_history_drop_after(struct BoneboxHistory *history,
                                              uint64_t tick,
                                              struct BoneboxError *error);

/**
 * Writes the oldest and the newest tick, and the number of ticks.
 */
enum BoneboxResult bonebox_history_ticks(const struct BoneboxHistory *history,
                                         struct BoneboxHistoryTicks *ticks,
                                         struct BoneboxError *error);

/**
 * Writes a number that is equal for histories with the same ticks, with overwhelming probability, and on every machine.
 */
enum BoneboxResult bonebox_history_checksum(const struct BoneboxHistory *history,
                                            uint64_t *checksum,
                                            struct BoneboxError *error);

/**
 * Writes the checksum of one tick, for example to send it in each tick. Writes true to `found` if the tick is recorded, else
 * false, and writes `checksum` only if it is true.
 */
enum BoneboxResult bonebox_history_checksum_of(const struct BoneboxHistory *history,
                                               uint64_t tick,
                                               bool *found,
                                               uint64_t *checksum,
                                               struct BoneboxError *error);

/**
 * Finds the first tick and the first body about which two histories differ, of the ticks that both have. Writes true to
 * `found` if they differ, else false, and writes `difference` only if it is true.
 */
enum BoneboxResult bonebox_history_first_difference(const struct BoneboxHistory *a,
                                                    const struct BoneboxHistory *b,
                                                    bool *found,
                                                    struct BoneboxHistoryDifference *difference,
                                                    struct BoneboxError *error);

/**
 * Returns the default rules: 0.25 seconds back, teleports from 2 world units in a tick, poses in between, all bodies, no
 * skin.
 */
struct BoneboxRewindRules bonebox_rewind_rules_default(void);

/**
 * Makes the world of a moment in the past, as a client saw it. Functions that take a `const BoneboxWorld` answer from it:
 * rays, casts of shapes, overlaps, `bonebox_world_bodies`, `bonebox_world_hitboxes` and `bonebox_world_get_pose`. All other
 * functions fail. A body is posed when a question first reaches its bounds. Free the world with `bonebox_world_free`. It
 * stays as it is when the history changes or is freed.
 *
 * - A moment that the history or the rules do not allow is replaced by the nearest that they allow. `bonebox_past_kind`
 *   says so. The function fails if a fraction is NaN or if the history is empty.
 * - `own` has bodies that the client shows at moments of their own; of two moments for one body, the first counts. All
 *   other bodies are shown at `moment`. `own` may be NULL if `own_count` is 0.
 * - `rules` may be NULL for the defaults.
 */
enum BoneboxResult bonebox_history_at(const struct BoneboxHistory *history,
                                      struct BoneboxMoment moment,
                                      const struct BoneboxBodyMoment *own,
                                      size_t own_count,
                                      const struct BoneboxRewindRules *rules,
                                      const struct BoneboxWorld **then,
                                      struct BoneboxError *error);

/**
 * Writes the relation of a body's hitboxes to what was recorded. Writes false to `found`, and nothing to `kind`, if the body
 * was not in the world at this moment, or had no pose.
 */
enum BoneboxResult bonebox_past_kind(const struct BoneboxWorld *then,
                                     uint64_t body,
                                     bool *found,
                                     enum BoneboxMomentKind *kind,
                                     struct BoneboxError *error);

/**
 * Writes the moment at which a world of the past shows a body, which differs from the one that was asked for if the history
 * or the rules did not allow it.
 */
enum BoneboxResult bonebox_past_moment(const struct BoneboxWorld *then,
                                       uint64_t body,
                                       struct BoneboxMoment *moment,
                                       struct BoneboxError *error);

/**
 * Writes the numbers of bodies that a world of the past did not show so far, by reason.
 */
enum BoneboxResult bonebox_past_refused(const struct BoneboxWorld *then,
                                        struct BoneboxRefused *refused,
                                        struct BoneboxError *error);

/**
 * Explains a shot that was meant for the body `target`: whether the ray hits it at the moment, by how much it misses, and
 * when it would have hit. `filter` and `rules` may be NULL.
 *
 * `json` may be NULL. Otherwise the function writes the whole explanation to it as one line of JSON without a line break,
 * as `bonebox explain FILE` reads it. Free it with `bonebox_bytes_free`.
 */
enum BoneboxResult bonebox_history_explain(const struct BoneboxHistory *history,
                                           struct BoneboxMoment moment,
                                           const struct BoneboxRay *ray,
                                           const struct BoneboxFilter *filter,
                                           uint64_t target,
                                           const struct BoneboxRewindRules *rules,
                                           struct BoneboxExplanation *explanation,
                                           struct BoneboxBytes **json,
                                           struct BoneboxError *error);

/**
 * Makes bytes of a world: bodies, poses, settings, touches, events, motions, tracked joints and skins. The bytes hold the
 * names of the characters, not the characters. Free them with `bonebox_bytes_free`. To roll back within one program, use
 * `bonebox_world_copy`, which is faster.
 */
enum BoneboxResult bonebox_world_save(const struct BoneboxWorld *world,
                                      struct BoneboxBytes **bytes,
                                      struct BoneboxError *error);

/**
 * Replaces a world by the one that `bonebox_world_save` made the bytes of. Every function then gives the same answers as
 * for the saved world. Any bytes are safe to pass: bytes that are damaged, have another version or do not fit the
 * characters are a failure, and the world stays as it was.
 *
 * `characters` has the characters of the world. Only the name identifies a character, so all characters of a program need
 * different names, and must be the same as when the world was saved.
 */
enum BoneboxResult bonebox_world_restore(struct BoneboxWorld *world,
                                         const uint8_t *bytes,
                                         size_t length,
                                         const struct BoneboxCharacter *const *characters,
                                         size_t character_count,
                                         struct BoneboxError *error);

/**
 * Makes bytes of a history, as `bonebox_world_save` does of a world.
 */
enum BoneboxResult bonebox_history_save(const struct BoneboxHistory *history,
                                        struct BoneboxBytes **bytes,
                                        struct BoneboxError *error);

/**
 * Makes the history that `bonebox_history_save` made the bytes of. See `bonebox_world_restore`. The function poses each body
 * of each tick once.
 */
enum BoneboxResult bonebox_history_restore(const uint8_t *bytes,
                                           size_t length,
                                           const struct BoneboxCharacter *const *characters,
                                           size_t character_count,
                                           struct BoneboxHistory **history,
                                           struct BoneboxError *error);

/**
 * Returns the default rules: teleports from 2 world units in a tick, 0.25 seconds back, and hitboxes count.
 */
struct BoneboxStrikeRules bonebox_strike_rules_default(void);

/**
 * Makes a state without swings and weapons.
 */
enum BoneboxResult bonebox_strikes_new(struct BoneboxStrikes **strikes, struct BoneboxError *error);

/**
 * Frees a state; NULL is allowed.
 */
enum BoneboxResult bonebox_strikes_free(struct BoneboxStrikes *strikes);

/**
 * Copies a state, for a rollback.
 */
enum BoneboxResult bonebox_strikes_clone(const struct BoneboxStrikes *strikes,
                                         struct BoneboxStrikes **clone,
                                         struct BoneboxError *error);

/**
 * Begins a swing. Call it before `bonebox_strikes_advance` leaves the tick at which the body's clip is at the swing's time.
 * The function fails if the body already has a running swing with this instance.
 */
enum BoneboxResult bonebox_strikes_begin(struct BoneboxStrikes *strikes,
                                         const struct BoneboxSwing *swing,
                                         struct BoneboxError *error);

/**
 * Ends a swing, and writes true to `ended` if it ran.
 */
enum BoneboxResult bonebox_strikes_end(struct BoneboxStrikes *strikes,
                                       uint64_t attacker,
                                       uint32_t instance,
                                       bool *ended,
                                       struct BoneboxError *error);

/**
 * Ends all swings of a body, for example because it was hit or has left. Its weapons stay.
 */
enum BoneboxResult bonebox_strikes_end_all(struct BoneboxStrikes *strikes,
                                           uint64_t attacker,
                                           struct BoneboxError *error);

/**
 * Changes the speed of a swing, from the present tick on.
 */
enum BoneboxResult bonebox_strikes_set_speed(struct BoneboxStrikes *strikes,
                                             uint64_t attacker,
                                             uint32_t instance,
                                             float speed,
                                             struct BoneboxError *error);

/**
 * Hit stop: the swings of two bodies stand still for so many ticks, and strike nothing.
 */
enum BoneboxResult bonebox_strikes_hit_stop(struct BoneboxStrikes *strikes,
                                            uint64_t body_a,
                                            uint64_t body_b,
                                            uint64_t ticks,
                                            struct BoneboxError *error);

/**
 * Writes true if hit stop holds the body in the next tick. The game holds its animation.
 */
enum BoneboxResult bonebox_strikes_is_frozen(const struct BoneboxStrikes *strikes,
                                             uint64_t body,
                                             bool *frozen,
                                             struct BoneboxError *error);

/**
 * Gives a body a weapon, which strikes from the present tick on: in the attacks with these indices, or, if `attack_count` is
 * 0, in all attacks of its holder. `number` is the game's own; a weapon of the body with the same number is replaced.
 */
enum BoneboxResult bonebox_strikes_equip(struct BoneboxStrikes *strikes,
                                         uint64_t body,
                                         uint32_t number,
                                         const struct BoneboxWeapon *weapon,
                                         const uint32_t *attacks,
                                         size_t attack_count,
                                         struct BoneboxError *error);

/**
 * Takes a weapon from a body, and writes true to `had` if it had the weapon.
 */
enum BoneboxResult bonebox_strikes_unequip(struct BoneboxStrikes *strikes,
                                           uint64_t body,
                                           uint32_t number,
                                           bool *had,
                                           struct BoneboxError *error);

/**
 * Advances all swings from one recorded tick to a later one. `bonebox_strikes_found` then lists what they did. If the
 * function fails, no swing has advanced, and nothing was found.
 *
 * - `rules` may be NULL for the defaults.
 * - `seen` has attackers that strike what their clients saw; it may be NULL if `seen_count` is 0.
 * - `own` has bodies that these clients drew at moments of their own; it may be NULL if `own_count` is 0. Of two entries for one
 *   attacker and body, the first counts.
 */
enum BoneboxResult bonebox_strikes_advance(struct BoneboxStrikes *strikes,
                                           const struct BoneboxHistory *history,
                                           uint64_t from,
                                           uint64_t to,
                                           const struct BoneboxStrikeRules *rules,
                                           const struct BoneboxSeen *seen,
                                           size_t seen_count,
                                           const struct BoneboxSeenBody *own,
                                           size_t own_count,
                                           struct BoneboxError *error);

/**
 * Lists the strikes that the last advance found, sorted by time.
 */
enum BoneboxResult bonebox_strikes_found(const struct BoneboxStrikes *strikes,
                                         struct BoneboxStrike *out,
                                         size_t capacity,
                                         size_t *count,
                                         struct BoneboxError *error);

/**
 * Writes true if two states have the same swings, hit stops and weapons, for example for a test of a rollback. What they
 * found does not count.
 */
enum BoneboxResult bonebox_strikes_equal(const struct BoneboxStrikes *a,
                                         const struct BoneboxStrikes *b,
                                         bool *equal,
                                         struct BoneboxError *error);

/**
 * Returns the number of attacks. Returns 0 for NULL.
 */
size_t bonebox_character_attack_count(const struct BoneboxCharacter *character);

/**
 * Writes the attack with this index.
 */
enum BoneboxResult bonebox_character_attack(const struct BoneboxCharacter *character,
                                            uint32_t index,
                                            struct BoneboxAttack *attack,
                                            struct BoneboxError *error);

/**
 * Returns true if the character was baked with a ragdoll. Returns false for NULL.
 */
bool bonebox_character_has_ragdoll(const struct BoneboxCharacter *character);

/**
 * Prepares the ragdoll of a character. `scale` is the uniform scale with which the character is placed in the world; 1 if it is
 * not scaled. Lengths grow with the scale, masses with its third power and moments of inertia with its fifth; stiffness and
 * damping grow as the torques of gravity and of a fall do. The function fails if the character was baked without a ragdoll.
 */
enum BoneboxResult bonebox_ragdoll_new(const struct BoneboxCharacter *character,
                                       float scale,
                                       struct BoneboxRagdoll **ragdoll,
                                       struct BoneboxError *error);

/**
 * Frees a ragdoll; NULL is allowed.
 */
enum BoneboxResult bonebox_ragdoll_free(struct BoneboxRagdoll *ragdoll);

/**
 * Returns the number of bodies. Returns 0 for NULL.
 */
size_t bonebox_ragdoll_body_count(const struct BoneboxRagdoll *ragdoll);

/**
 * Writes the body with this index. Parents come before their children.
 */
enum BoneboxResult bonebox_ragdoll_body(const struct BoneboxRagdoll *ragdoll,
                                        uint16_t index,
                                        struct BoneboxRagdollBody *body,
                                        struct BoneboxError *error);

/**
 * Writes the index of the body that moves with a joint, if the joint has a body of its own.
 */
enum BoneboxResult bonebox_ragdoll_body_of_joint(const struct BoneboxRagdoll *ragdoll,
                                                 uint16_t joint,
                                                 bool *found,
                                                 uint16_t *body,
                                                 struct BoneboxError *error);

/**
 * Writes the shapes of a body.
 */
enum BoneboxResult bonebox_ragdoll_shapes(const struct BoneboxRagdoll *ragdoll,
                                          uint16_t body,
                                          struct BoneboxRagdollShape *out,
                                          size_t capacity,
                                          size_t *count,
                                          struct BoneboxError *error);

/**
 * Writes the vertices of a hull: `shape` is an index into the list of `bonebox_ragdoll_shapes`. The vertices are along the
 * shape's own axes, from its center. Shapes of other kinds have no vertices.
 */
enum BoneboxResult bonebox_ragdoll_hull_vertices(const struct BoneboxRagdoll *ragdoll,
                                                 uint16_t body,
                                                 uint16_t shape,
                                                 struct BoneboxVec3 *out,
                                                 size_t capacity,
                                                 size_t *count,
                                                 struct BoneboxError *error);

/**
 * Writes the pairs of bodies that never collide, sorted: a body and its parent, and bodies that overlap in most poses.
 */
enum BoneboxResult bonebox_ragdoll_no_collision(const struct BoneboxRagdoll *ragdoll,
                                                struct BoneboxRagdollPair *out,
                                                size_t capacity,
                                                size_t *count,
                                                struct BoneboxError *error);

/**
 * Writes the places of all bodies in a pose. `model_from_joint[j]` belongs to joint `j`; `joint_count` is the number of joints
 * of the skeleton. Pass matrices in world space with the identity as `world_from_model`. Bodies are rigid, so the scale of
 * the matrices does not matter.
 */
enum BoneboxResult bonebox_ragdoll_places(const struct BoneboxRagdoll *ragdoll,
                                          const struct BoneboxMatrix *world_from_model,
                                          const struct BoneboxMatrix *model_from_joint,
                                          size_t joint_count,
                                          struct BoneboxRagdollPlace *out,
                                          size_t capacity,
                                          size_t *count,
                                          struct BoneboxError *error);

/**
 * Writes the velocities of all bodies from their places at two moments that are `seconds` apart. Both lists have one place
 * for each body.
 */
enum BoneboxResult bonebox_ragdoll_velocities(const struct BoneboxRagdoll *ragdoll,
                                              const struct BoneboxRagdollPlace *before,
                                              size_t before_count,
                                              const struct BoneboxRagdollPlace *now,
                                              size_t now_count,
                                              float seconds,
                                              struct BoneboxRagdollVelocity *out,
                                              size_t capacity,
                                              size_t *count,
                                              struct BoneboxError *error);

/**
 * Writes the matrices of all joints, from joint space to world space, for `bonebox_pose_from_world` or for a skinned mesh.
 * `places[i]` is the place of body `i`; `body_count` is the number of bodies.
 *
 * A joint with a body is where the body is. Other joints follow the joint above with their matrix in `parent_from_joint`, one for
 * each joint, such as those of the animation that played last. It may be NULL for the rest pose; `joint_count` is then not
 * read. Joints above the first body keep their place to it.
 */
enum BoneboxResult bonebox_ragdoll_world_from_joints(const struct BoneboxRagdoll *ragdoll,
                                                     const struct BoneboxRagdollPlace *places,
                                                     size_t body_count,
                                                     const struct BoneboxMatrix *parent_from_joint,
                                                     size_t joint_count,
                                                     struct BoneboxMatrix *out,
                                                     size_t capacity,
                                                     size_t *count,
                                                     struct BoneboxError *error);

/**
 * Finds the first hitbox that a ray hits. Writes true to `found` if the ray hits a hitbox, else false, and writes
 * `hit` only if it is true. If the ray enters several hitboxes at the same time, the function returns the one with the
 * least body id, then the least index.
 */
enum BoneboxResult bonebox_world_cast_ray(const struct BoneboxWorld *world,
                                          const struct BoneboxRay *ray,
                                          const struct BoneboxFilter *filter,
                                          bool *found,
                                          struct BoneboxBodyRayHit *hit,
                                          struct BoneboxError *error);

/**
 * Casts many rays: writes to `answers[i]` the answer of `bonebox_world_cast_ray` to `queries[i]`. `answers` has room
 * for `count` elements. For many rays, this is faster than as many calls: the library sorts the bodies once for all of
 * them. The call allocates memory if a filter has a predicate.
 */
enum BoneboxResult bonebox_world_cast_rays(const struct BoneboxWorld *world,
                                           const struct BoneboxRayQuery *queries,
                                           size_t count,
                                           struct BoneboxRayAnswer *answers,
                                           struct BoneboxError *error);

/**
 * Writes all hitboxes that a ray hits, the nearest first.
 */
enum BoneboxResult bonebox_world_cast_ray_all(const struct BoneboxWorld *world,
                                              const struct BoneboxRay *ray,
                                              const struct BoneboxFilter *filter,
                                              struct BoneboxBodyRayHit *out,
                                              size_t capacity,
                                              size_t *count,
                                              struct BoneboxError *error);

/**
 * Writes true to `any` if a ray hits any hitbox, else false. The function stops at the first hit that it finds.
 */
enum BoneboxResult bonebox_world_cast_ray_any(const struct BoneboxWorld *world,
                                              const struct BoneboxRay *ray,
                                              const struct BoneboxFilter *filter,
                                              bool *any,
                                              struct BoneboxError *error);

/**
 * Writes all hitboxes that a shape overlaps, sorted by body, then by hitbox.
 */
enum BoneboxResult bonebox_world_overlapping_boxes(const struct BoneboxWorld *world,
                                                   const struct BoneboxShape *shape,
                                                   const struct BoneboxFilter *filter,
                                                   struct BoneboxBodyShapeOverlap *out,
                                                   size_t capacity,
                                                   size_t *count,
                                                   struct BoneboxError *error);

/**
 * Writes true to `overlaps` if a shape overlaps any hitbox, else false. The function stops at the first hitbox that it
 * finds.
 */
enum BoneboxResult bonebox_world_overlaps_shape(const struct BoneboxWorld *world,
                                                const struct BoneboxShape *shape,
                                                const struct BoneboxFilter *filter,
                                                bool *overlaps,
                                                struct BoneboxError *error);

/**
 * Finds the first hit between hitboxes of different bodies while the bodies move from pose to pose; see
 * `bonebox_world_sweep_all`. Writes true to `found` if there is a hit, else false, and writes `hit` only if it is true.
 * If several hits have the same time, the function writes the first of them in the order of `bonebox_world_sweep_all`.
 */
enum BoneboxResult bonebox_world_sweep(const struct BoneboxWorld *world,
                                       float relative_tolerance,
                                       const struct BoneboxFilter *filter,
                                       bool *found,
                                       struct BoneboxBodySweepHit *hit,
                                       struct BoneboxError *error);

/**
 * Writes all hitboxes of different bodies that hit each other while the bodies move from pose to pose: one entry with
 * the first time for each pair of hitboxes, sorted by bodies, then by hitboxes. `filter` must admit both hitboxes of a
 * pair. Bodies whose settings say `continuous` move from their pose at the last update; after
 * `bonebox_world_start_motion`, all bodies move from the poses that it stored. `relative_tolerance` is relative to the
 * size of the hitboxes, from 0 to 1; 0 selects the default.
 */
enum BoneboxResult bonebox_world_sweep_all(const struct BoneboxWorld *world,
                                           float relative_tolerance,
                                           const struct BoneboxFilter *filter,
                                           struct BoneboxBodySweepHit *out,
                                           size_t capacity,
                                           size_t *count,
                                           struct BoneboxError *error);

/**
 * Writes true to `any` if hitboxes of any two bodies hit each other while the bodies move from pose to pose, else false;
 * see `bonebox_world_sweep_all`. The function stops at the first hit that it finds.
 */
enum BoneboxResult bonebox_world_sweep_any(const struct BoneboxWorld *world,
                                           float relative_tolerance,
                                           const struct BoneboxFilter *filter,
                                           bool *any,
                                           struct BoneboxError *error);

/**
 * Finds the first hitbox that a shape, such as a blade, a projectile or a thrown stone, hits on its way from one place
 * to another. Writes true to `found` if the shape hits a hitbox, else false, and writes `hit` and `contact` only if it
 * is true. `contact` may be NULL. `from` and `to` must have the same kind; if their sizes differ, the moving shape has
 * the larger ones. Its center moves on a straight line and its axes turn the shorter way, both at constant speed.
 * `relative_tolerance` is relative to the size of the shapes, from 0 to 1; 0 selects the default. If the shape hits
 * several hitboxes at the same time, the function returns the one with the least body id, then the least index.
 */
enum BoneboxResult bonebox_world_cast_shape(const struct BoneboxWorld *world,
                                            const struct BoneboxShape *from,
                                            const struct BoneboxShape *to,
                                            float relative_tolerance,
                                            const struct BoneboxFilter *filter,
                                            bool *found,
                                            struct BoneboxBodyCastHit *hit,
                                            struct BoneboxCastContact *contact,
                                            struct BoneboxError *error);

/**
 * Writes all hitboxes that a shape hits on its way from one place to another, the earliest first; see
 * `bonebox_world_cast_shape`.
 */
enum BoneboxResult bonebox_world_cast_shape_all(const struct BoneboxWorld *world,
                                                const struct BoneboxShape *from,
                                                const struct BoneboxShape *to,
                                                float relative_tolerance,
                                                const struct BoneboxFilter *filter,
                                                struct BoneboxBodyCastHit *out,
                                                size_t capacity,
                                                size_t *count,
                                                struct BoneboxError *error);

/**
 * Writes true to `any` if a shape hits any hitbox on its way from one place to another, else false. The function stops
 * at the first hit that it finds, and is faster than `bonebox_world_cast_shape`.
 */
enum BoneboxResult bonebox_world_cast_shape_any(const struct BoneboxWorld *world,
                                                const struct BoneboxShape *from,
                                                const struct BoneboxShape *to,
                                                float relative_tolerance,
                                                const struct BoneboxFilter *filter,
                                                bool *any,
                                                struct BoneboxError *error);

/**
 * Finds the first hitbox of one character that a moving shape hits while the character moves from one pose to another;
 * see `bonebox_world_cast_shape`. Both poses must belong to the same character; pass the same pose twice for a
 * character that stands still.
 */
enum BoneboxResult bonebox_cast_shape(const struct BoneboxShape *from,
                                      const struct BoneboxShape *to,
                                      const struct BoneboxPose *pose_from,
                                      const struct BoneboxPose *pose_to,
                                      float relative_tolerance,
                                      bool *found,
                                      struct BoneboxCastHit *hit,
                                      struct BoneboxCastContact *contact,
                                      struct BoneboxError *error);

/**
 * Writes all hitboxes of one character that a moving shape hits while the character moves from one pose to another, the
 * earliest first; see `bonebox_cast_shape`.
 */
enum BoneboxResult bonebox_cast_shape_all(const struct BoneboxShape *from,
                                          const struct BoneboxShape *to,
                                          const struct BoneboxPose *pose_from,
                                          const struct BoneboxPose *pose_to,
                                          float relative_tolerance,
                                          struct BoneboxCastHit *out,
                                          size_t capacity,
                                          size_t *count,
                                          struct BoneboxError *error);

/**
 * Writes true to `any` if a moving shape hits any hitbox of one character while the character moves from one pose to
 * another, else false; see `bonebox_cast_shape`. The function stops at the first hit that it finds.
 */
enum BoneboxResult bonebox_cast_shape_any(const struct BoneboxShape *from,
                                          const struct BoneboxShape *to,
                                          const struct BoneboxPose *pose_from,
                                          const struct BoneboxPose *pose_to,
                                          float relative_tolerance,
                                          bool *any,
                                          struct BoneboxError *error);

/**
 * Writes the contact of a moving shape with a hitbox at the time of a hit that `bonebox_cast_shape_all` found. Pass
 * the same shapes and poses. The function fails if the character does not have the hitbox.
 */
enum BoneboxResult bonebox_cast_contact(const struct BoneboxShape *from,
                                        const struct BoneboxShape *to,
                                        const struct BoneboxPose *pose_from,
                                        const struct BoneboxPose *pose_to,
                                        const struct BoneboxCastHit *hit,
                                        struct BoneboxCastContact *contact,
                                        struct BoneboxError *error);

/**
 * Returns true if the character was baked with its skin, which exact queries need. Returns false for NULL.
 */
bool bonebox_character_has_skin(const struct BoneboxCharacter *character);

/**
 * Returns the number of meshes of the character's skin; 0 if it was baked without its skin, and for NULL.
 */
size_t bonebox_character_skin_mesh_count(const struct BoneboxCharacter *character);

/**
 * Writes the mesh of the character's skin with this index.
 */
enum BoneboxResult bonebox_character_skin_mesh(const struct BoneboxCharacter *character,
                                               uint32_t index,
                                               struct BoneboxSkinMesh *mesh,
                                               struct BoneboxError *error);

/**
 * Starts or stops keeping the skin, from the next pose on. Exact queries need the skin.
 */
enum BoneboxResult bonebox_pose_track_skin(struct BoneboxPose *pose,
                                           bool is_tracked,
                                           struct BoneboxError *error);

/**
 * Writes the pairs of joints whose skins touch, each pair once with a point and two triangles, sorted by joint of `a`,
 * then by joint of `b`. `candidates` is a `BoneboxSkinCandidates`. The two poses must be different objects, and must
 * track their skins. A skin that lies wholly inside another does not touch it. The function skins the surface that it
 * needs once for each pose.
 */
enum BoneboxResult bonebox_exact_overlap_all(struct BoneboxPose *a,
                                             struct BoneboxPose *b,
                                             uint32_t candidates,
                                             struct BoneboxSkinOverlap *out,
                                             size_t capacity,
                                             size_t *count,
                                             struct BoneboxError *error);

/**
 * Finds one pair of joints whose skins touch. Writes true to `found` if such a pair exists, else false, and writes
 * `overlap` only if it is true. The function first tests the pairs whose bounds overlap most. See
 * `bonebox_exact_overlap_all`.
 */
enum BoneboxResult bonebox_exact_overlap(struct BoneboxPose *a,
                                         struct BoneboxPose *b,
                                         uint32_t candidates,
                                         bool *found,
                                         struct BoneboxSkinOverlap *overlap,
                                         struct BoneboxError *error);

/**
 * Finds the nearest points of the skins of two characters that are at most `max_distance` world units apart
 * (`INFINITY` for any distance). Writes true to `found` if such points exist, else false, and writes `nearest` only if
 * it is true. The distance is 0 if and only if `bonebox_exact_overlap_all` finds a pair.
 */
enum BoneboxResult bonebox_exact_distance(struct BoneboxPose *a,
                                          struct BoneboxPose *b,
                                          float max_distance,
                                          bool *found,
                                          struct BoneboxSkinDistance *nearest,
                                          struct BoneboxError *error);

/**
 * Finds the first point of a posed character's skin that a ray hits, from either side. Writes true to `found` if the
 * ray hits the skin, else false, and writes `hit` only if it is true. No ray passes between neighboring triangles of
 * one joint. If the ray hits several triangles at the same time, the function writes the hit with the least
 * joint index, then the least source triangle.
 */
enum BoneboxResult bonebox_pose_exact_ray(struct BoneboxPose *pose,
                                          const struct BoneboxRay *ray,
                                          bool *found,
                                          struct BoneboxSkinRayHit *hit,
                                          struct BoneboxError *error);

/**
 * Starts or stops keeping the skin of a body, from its next pose on. A character that was baked without its skin is a
 * failure.
 */
enum BoneboxResult bonebox_world_track_skin(struct BoneboxWorld *world,
                                            uint64_t body,
                                            bool is_tracked,
                                            struct BoneboxError *error);

/**
 * Writes the joints of different bodies whose skins touch, sorted by bodies, then by joints, in the present poses.
 * Layers and teams apply as for touches. If a body that `filter` admits comes near another but does not track its skin,
 * the function fails. `filter` admits a joint if it admits a hitbox of the joint.
 */
enum BoneboxResult bonebox_world_exact_touches(struct BoneboxWorld *world,
                                               const struct BoneboxFilter *filter,
                                               struct BoneboxSkinTouch *out,
                                               size_t capacity,
                                               size_t *count,
                                               struct BoneboxError *error);

/**
 * Finds the first point of any body's skin that a ray hits. Writes true to `found` if the ray hits a skin, else false,
 * and writes `hit` only if it is true. If a body that `filter` admits is in the ray's way but does not track its skin,
 * the function fails. `filter` admits a joint if it admits a hitbox of the joint. If the ray hits several bodies at the
 * same time, the function returns the one with the least id.
 */
enum BoneboxResult bonebox_world_exact_ray(struct BoneboxWorld *world,
                                           const struct BoneboxRay *ray,
                                           const struct BoneboxFilter *filter,
                                           bool *found,
                                           struct BoneboxBodySkinRayHit *hit,
                                           struct BoneboxError *error);

/**
 * Finds the nearest points of the skins of two bodies that are at most `max_distance` world units apart (`INFINITY`
 * for any distance). Writes true to `found` if such points exist, else false, and writes `nearest` only if it is true.
 * Both bodies must have a pose and track their skins.
 */
enum BoneboxResult bonebox_world_exact_distance(struct BoneboxWorld *world,
                                                uint64_t body_a,
                                                uint64_t body_b,
                                                float max_distance,
                                                bool *found,
                                                struct BoneboxSkinDistance *nearest,
                                                struct BoneboxError *error);

/**
 * Returns the number of morph targets of the character's skin; 0 if it was baked without its skin, and for NULL.
 */
size_t bonebox_character_morph_target_count(const struct BoneboxCharacter *character);

/**
 * Writes the morph target with this index.
 */
enum BoneboxResult bonebox_character_morph_target(const struct BoneboxCharacter *character,
                                                  uint32_t index,
                                                  struct BoneboxMorphTarget *target,
                                                  struct BoneboxError *error);

/**
 * Sets the weights of the morph targets of the tracked skin, from the next pose on. `count` is the number of morph targets of the
 * character. They hold until others are set; at first all are 0. Hitboxes do not follow them. A failure keeps the earlier weights.
 */
enum BoneboxResult bonebox_pose_set_morph_weights(struct BoneboxPose *pose,
                                                  const struct BoneboxCharacter *character,
                                                  const float *weights,
                                                  size_t count,
                                                  struct BoneboxError *error);

/**
 * Sets the weights of the morph targets of a body's tracked skin, as `bonebox_pose_set_morph_weights` does.
 */
enum BoneboxResult bonebox_world_set_morph_weights(struct BoneboxWorld *world,
                                                   uint64_t body,
                                                   const float *weights,
                                                   size_t count,
                                                   struct BoneboxError *error);

/**
 * Writes the joints of a posed character whose skin a shape touches, sorted, each joint once. Only the surface counts:
 * a shape wholly inside the body touches nothing, see `bonebox_pose_skin_contains`.
 */
enum BoneboxResult bonebox_pose_exact_shape_overlaps(struct BoneboxPose *pose,
                                                     const struct BoneboxShape *shape,
                                                     struct BoneboxSkinShapeOverlap *out,
                                                     size_t capacity,
                                                     size_t *count,
                                                     struct BoneboxError *error);

/**
 * Writes true if a point in world space is inside the skin of a posed character, else false. A point is inside if the
 * absolute value of the skin's generalized winding number around it is at least one half. For closed surfaces, this is
 * the usual meaning of inside. The function tests every triangle.
 */
enum BoneboxResult bonebox_pose_skin_contains(struct BoneboxPose *pose,
                                              struct BoneboxVec3 point,
                                              bool *contains,
                                              struct BoneboxError *error);

/**
 * Writes the joints of bodies whose skin a shape touches, sorted by body, then by joint; see
 * `bonebox_pose_exact_shape_overlaps`. If a body that `filter` admits is near the shape but does not track its skin, the
 * function fails. `filter` admits a joint if it admits a hitbox of the joint.
 */
enum BoneboxResult bonebox_world_exact_shape_overlaps(struct BoneboxWorld *world,
                                                      const struct BoneboxShape *shape,
                                                      const struct BoneboxFilter *filter,
                                                      struct BoneboxBodySkinShapeOverlap *out,
                                                      size_t capacity,
                                                      size_t *count,
                                                      struct BoneboxError *error);

/**
 * Writes the ids of the bodies whose skin contains a point in world space and of which `filter` admits any hitbox,
 * sorted; see `bonebox_pose_skin_contains`. If a body near the point does not track its skin, the function fails, unless
 * `filter` excludes the body or its team or layers. The tags and the predicate of `filter` do not prevent this failure.
 */
enum BoneboxResult bonebox_world_bodies_containing(struct BoneboxWorld *world,
                                                   struct BoneboxVec3 point,
                                                   const struct BoneboxFilter *filter,
                                                   uint64_t *out,
                                                   size_t capacity,
                                                   size_t *count,
                                                   struct BoneboxError *error);

#if defined(BONEBOX_BAKE)
/**
 * Bakes a skinned glTF or VRM file that is in memory into the bytes of a `.bonebox` file. A bake takes milliseconds to
 * seconds and uses all processor cores. Free the result with `bonebox_bytes_free`.
 *
 * - `bytes` is the content of the file, which must contain its buffers. `file` is its name, such as `runa.glb`.
 * - `settings` is the text of a `bonebox.toml`, or NULL for the defaults. Limits in the settings do not apply.
 * - `progress` may be NULL. The library passes `user` to it.
 */
enum BoneboxResult bonebox_bake(const uint8_t *bytes,
                                size_t length,
                                const char *file,
                                const char *settings,
                                BoneboxBakeProgress progress,
                                void *user,
                                struct BoneboxBytes **baked,
                                struct BoneboxError *error);
#endif

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BONEBOX_H */
