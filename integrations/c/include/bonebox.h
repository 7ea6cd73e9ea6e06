/*
 * bonebox: tight hitboxes for skinned characters, from C.
 *
 * Generated from the Rust code by `cargo xtask codegen`; do not edit. README.md shows how to begin.
 *
 * Rules for callers
 * - A pointer to a value, a list or a string is NULL or valid for the whole call. NULL is a failure
 *   where the function does not say that it is allowed.
 * - A handle comes from a function of this library and is freed once, by the function of its type.
 * - Functions that take a const handle may run at the same time on any threads. A function that takes
 *   a handle without const needs it alone.
 * - Lists are written to the caller's buffer: `out` has room for `capacity` elements, and `count` says
 *   how many there are. Where there are more, the first are written and the answer is
 *   BONEBOX_RESULT_BUFFER_TOO_SMALL. With a capacity of 0, `out` may be NULL.
 * - Other values are written only on success. `error` may always be NULL.
 * - Sets are closed: hitboxes that share a point overlap. All answers are the same to the last bit on
 *   every machine.
 */

#ifndef BONEBOX_H
#define BONEBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Changes where callers must change.
 */
#define BONEBOX_VERSION_MAJOR 0

/**
 * Changes where something is added.
 */
#define BONEBOX_VERSION_MINOR 1

/**
 * Changes with every other release.
 */
#define BONEBOX_VERSION_PATCH 0

/**
 * Room for a message of a failure, with its end.
 */
#define BONEBOX_MESSAGE_SIZE 504

/**
 * The most points that a contact has.
 */
#define BONEBOX_MAX_CONTACT_POINTS 9

/**
 * The most tags that a filter takes.
 */
#define BONEBOX_MAX_FILTER_TAGS 16

/**
 * What a function answers. Every value but `BONEBOX_RESULT_OK` is a failure, and nothing was changed unless the function
 * says otherwise.
 */
typedef enum BoneboxResult {
  /**
   * The function did its work.
   */
  BONEBOX_RESULT_OK = 0,
  /**
   * A pointer is NULL that must not be.
   */
  BONEBOX_RESULT_NULL_POINTER = 1,
  /**
   * A number, a shape or a string is not one that the function accepts.
   */
  BONEBOX_RESULT_INVALID_ARGUMENT = 2,
  /**
   * Debug builds only: the handle was freed already, or is of another type.
   */
  BONEBOX_RESULT_INVALID_HANDLE = 3,
  /**
   * The bytes are no `.bonebox` file of a version that this library reads.
   */
  BONEBOX_RESULT_BAD_FILE = 4,
  /**
   * The character has no joint, clip, hitbox or tag of that name or index.
   */
  BONEBOX_RESULT_NOT_FOUND = 5,
  /**
   * The world has no body of that id.
   */
  BONEBOX_RESULT_NO_BODY = 6,
  /**
   * The world has a body of that id already.
   */
  BONEBOX_RESULT_BODY_EXISTS = 7,
  /**
   * A pose or a set of hitboxes belongs to another character.
   */
  BONEBOX_RESULT_WRONG_CHARACTER = 8,
  /**
   * A pose has another number of matrices, or a matrix or a time that is not finite.
   */
  BONEBOX_RESULT_POSE_REFUSED = 9,
  /**
   * The caller's buffer is too small: it was filled, and the count says how many elements there are in all.
   */
  BONEBOX_RESULT_BUFFER_TOO_SMALL = 10,
  /**
   * A defect in bonebox. Free the objects that took part in the call, and report the message.
   */
  BONEBOX_RESULT_INTERNAL_ERROR = 11,
  /**
   * An asset cannot be baked, or the settings have a mistake.
   */
  BONEBOX_RESULT_BAKE_FAILED = 12,
  /**
   * The caller canceled the bake.
   */
  BONEBOX_RESULT_CANCELED = 13,
} BoneboxResult;

/**
 * What became of a touch since the update before.
 */
typedef enum BoneboxTouchPhase {
  /**
   * It was not there before.
   */
  BONEBOX_TOUCH_PHASE_STARTED = 0,
  /**
   * It was there already.
   */
  BONEBOX_TOUCH_PHASE_PERSISTED = 1,
  /**
   * It is no longer there.
   */
  BONEBOX_TOUCH_PHASE_ENDED = 2,
} BoneboxTouchPhase;

#if defined(BONEBOX_BAKE)
/**
 * A step of a bake, in the order in which the steps run.
 */
typedef enum BoneboxBakeStep {
  /**
   * The surface is bound to joints.
   */
  BONEBOX_BAKE_STEP_ASSIGN = 0,
  /**
   * Clips are sampled.
   */
  BONEBOX_BAKE_STEP_SAMPLE = 1,
  /**
   * Joints get several hitboxes where the settings allow it.
   */
  BONEBOX_BAKE_STEP_SPLIT = 2,
  /**
   * One hitbox is fitted to each piece.
   */
  BONEBOX_BAKE_STEP_FIT = 3,
  /**
   * The share of the surface inside hitboxes is measured.
   */
  BONEBOX_BAKE_STEP_MEASURE = 4,
} BoneboxBakeStep;
#endif

/**
 * Some hitboxes of a character. It never changes, so any number of threads may read it.
 */
typedef struct BoneboxBoxSet BoneboxBoxSet;

#if defined(BONEBOX_BAKE)
/**
 * Bytes that the library made.
 */
typedef struct BoneboxBytes BoneboxBytes;
#endif

/**
 * A baked character: hitboxes, skeleton and clips. It never changes, so any number of threads may read it. Worlds and
 * poses keep what they need of it: it may be freed before them.
 */
typedef struct BoneboxCharacter BoneboxCharacter;

/**
 * A character's hitboxes in world space. One thread at a time may change it; any number may read it while nobody
 * changes it.
 */
typedef struct BoneboxPose BoneboxPose;

/**
 * Many characters. One thread at a time may change a world; any number of threads may ask it while nobody
 * changes it.
 */
typedef struct BoneboxWorld BoneboxWorld;

/**
 * What went wrong, in the caller's memory. Every function that can fail takes a pointer to one, which may be NULL. The
 * function writes it only when it fails.
 */
typedef struct BoneboxError {
  /**
   * What the function also answers.
   */
  enum BoneboxResult result;
  /**
   * Bytes of the message, without its end.
   */
  uint32_t message_length;
  /**
   * What is wrong, where, and what to do: UTF-8, ends with a zero byte. A message that is too long is cut.
   */
  char message[BONEBOX_MESSAGE_SIZE];
} BoneboxError;

/**
 * Text that a character holds: UTF-8, valid until the character is freed. A zero byte stands behind it.
 */
typedef struct BoneboxString {
  /**
   * The first byte; never NULL.
   */
  const char *data;
  /**
   * Bytes, without the zero byte.
   */
  size_t length;
} BoneboxString;

/**
 * One joint of a skeleton.
 */
typedef struct BoneboxJoint {
  /**
   * The joint's name, which no other joint of the character has.
   */
  struct BoneboxString name;
  /**
   * The index of the joint above, which is less than the joint's own; -1 for a root.
   */
  int32_t parent;
} BoneboxJoint;

/**
 * A vector or a point.
 */
typedef struct BoneboxVec3 {
  /**
   * Along the first axis.
   */
  float x;
  /**
   * Along the second axis.
   */
  float y;
  /**
   * Along the third axis.
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
   * The middle.
   */
  struct BoneboxVec3 center;
  /**
   * Half the lengths of its edges, each at least 0.
   */
  struct BoneboxVec3 half_extents;
  /**
   * How it is turned.
   */
  struct BoneboxQuat orientation;
} BoneboxOrientedBox;

/**
 * One hitbox of a character.
 */
typedef struct BoneboxHitbox {
  /**
   * The index of the joint that the hitbox is attached to.
   */
  uint16_t joint;
  /**
   * How many tags it has.
   */
  uint32_t tag_count;
  /**
   * The name of that joint.
   */
  struct BoneboxString joint_name;
  /**
   * Center, half extents and orientation in joint space, in the model's unit.
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
   * The time of the first key, in seconds.
   */
  float start;
  /**
   * The time from the first key to the last, in seconds.
   */
  float seconds;
} BoneboxClip;

/**
 * A matrix of four rows and columns, column after column, for column vectors: `m[12]`, `m[13]` and `m[14]` are the
 * translation, and `m[3]`, `m[7]`, `m[11]`, `m[15]` must be 0, 0, 0, 1. This is the layout of glTF, OpenGL, GLM and
 * Unity's `Matrix4x4`, and of `System.Numerics.Matrix4x4` and DirectXMath, which write it transposed for row vectors.
 */
typedef struct BoneboxMatrix {
  /**
   * The numbers.
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
   * The index of its joint.
   */
  uint16_t joint;
  /**
   * The middle.
   */
  struct BoneboxVec3 center;
  /**
   * Half the lengths of its edges.
   */
  struct BoneboxVec3 half_extents;
  /**
   * Unit vectors along its edges.
   */
  struct BoneboxVec3 axes[3];
} BoneboxPosedHitbox;

/**
 * A box along the world's axes.
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
 * A hitbox of one character and a hitbox of another that overlap.
 */
typedef struct BoneboxBoxPair {
  /**
   * The first character's hitbox.
   */
  uint16_t box_a;
  /**
   * The second character's hitbox.
   */
  uint16_t box_b;
  /**
   * The joint of `box_a`.
   */
  uint16_t joint_a;
  /**
   * The joint of `box_b`.
   */
  uint16_t joint_b;
} BoneboxBoxPair;

/**
 * A joint of one character and a joint of another whose hitboxes overlap.
 */
typedef struct BoneboxJointPair {
  /**
   * The first character's joint.
   */
  uint16_t joint_a;
  /**
   * The second character's joint.
   */
  uint16_t joint_b;
} BoneboxJointPair;

/**
 * Two hitboxes that overlap, how deep and where.
 */
typedef struct BoneboxContact {
  /**
   * Which hitboxes of which joints.
   */
  struct BoneboxBoxPair pair;
  /**
   * Moving the second hitbox by `depth * direction` makes the two touch only; in world units, at least 0.
   */
  float depth;
  /**
   * Unit vector of least penetration, from the first hitbox towards the second, world space.
   */
  struct BoneboxVec3 direction;
  /**
   * The mean of the points.
   */
  struct BoneboxVec3 center;
  /**
   * How many points there are, 1 to 9.
   */
  uint32_t point_count;
  /**
   * Where the two are in contact, world space.
   */
  struct BoneboxVec3 points[BONEBOX_MAX_CONTACT_POINTS];
} BoneboxContact;

/**
 * The two hitboxes of two characters that are nearest to each other.
 */
typedef struct BoneboxClosest {
  /**
   * Which hitboxes of which joints.
   */
  struct BoneboxBoxPair pair;
  /**
   * In world units; 0 where they overlap.
   */
  float distance;
  /**
   * The nearest point on the first hitbox, world space.
   */
  struct BoneboxVec3 point_a;
  /**
   * The nearest point on the second hitbox, world space.
   */
  struct BoneboxVec3 point_b;
} BoneboxClosest;

/**
 * Two hitboxes that hit each other while both move.
 */
typedef struct BoneboxSweepHit {
  /**
   * Which hitboxes of which joints.
   */
  struct BoneboxBoxPair pair;
  /**
   * When they first touch, 0 to 1; never later than the true time.
   */
  float time;
  /**
   * Unit vector from the first hitbox towards the second along which they hit each other, world space.
   */
  struct BoneboxVec3 direction;
} BoneboxSweepHit;

/**
 * What a body is tested against. Start from `bonebox_body_settings_default`.
 */
typedef struct BoneboxBodySettings {
  /**
   * The layers that its hitboxes are in, as bits.
   */
  uint32_t memberships;
  /**
   * The layers that its hitboxes are tested against, as bits.
   */
  uint32_t mask;
  /**
   * Its team, where `has_team` is true.
   */
  uint32_t team;
  /**
   * Whether it has a team: bodies of one team are not tested against each other.
   */
  bool has_team;
  /**
   * Whether its own hitboxes are tested against each other, those of neighboring joints excepted.
   */
  bool self_touches;
  /**
   * Whether sweeps see it move from its pose at the last update to its present one.
   */
  bool continuous;
} BoneboxBodySettings;

/**
 * How one body is posed: by a clip at a time.
 */
typedef struct BoneboxClipPose {
  /**
   * The body.
   */
  uint64_t body;
  /**
   * Where the body's model stands.
   */
  struct BoneboxMatrix world_from_model;
  /**
   * The index of the clip.
   */
  uint32_t clip;
  /**
   * Seconds on the clip's own clock.
   */
  float seconds;
} BoneboxClipPose;

/**
 * A hitbox of one body and a hitbox of another that overlap.
 */
typedef struct BoneboxTouch {
  /**
   * The body of the lesser id.
   */
  uint64_t body_a;
  /**
   * The other body.
   */
  uint64_t body_b;
  /**
   * Which hitboxes of which joints.
   */
  struct BoneboxBoxPair pair;
} BoneboxTouch;

/**
 * A touch and what became of it.
 */
typedef struct BoneboxTouchEvent {
  /**
   * Which hitboxes of which bodies.
   */
  struct BoneboxTouch touch;
  /**
   * What became of it.
   */
  enum BoneboxTouchPhase phase;
} BoneboxTouchEvent;

/**
 * A ray: `origin + t * direction` for every `t` from 0 to `max_time`.
 */
typedef struct BoneboxRay {
  /**
   * Where it starts.
   */
  struct BoneboxVec3 origin;
  /**
   * Where it goes; any length but 0. Times of hits are in units of this vector.
   */
  struct BoneboxVec3 direction;
  /**
   * How far it goes, in units of `direction`; `INFINITY` for no end.
   */
  float max_time;
} BoneboxRay;

/**
 * A function of the caller: whether a query may find a hitbox of a body. It must not change the world, and no C++
 * exception may leave it.
 */
typedef bool (*BoneboxPredicate)(uint64_t body, uint16_t hitbox, void *user);

/**
 * Which bodies and hitboxes a query may find. All conditions must hold. A filter of zeros, and NULL, find everything.
 */
typedef struct BoneboxFilter {
  /**
   * Bodies that are not found: the shooter, the owner of the blade.
   */
  const uint64_t *exclude;
  /**
   * How many.
   */
  size_t exclude_count;
  /**
   * Finds hitboxes that have any of these tags; none of them for hitboxes of all tags. At most 16.
   */
  const char *const *tags;
  /**
   * How many.
   */
  size_t tag_count;
  /**
   * Where `has_layers` is true: the layers that the query is in. 0 leaves this half of the condition out.
   */
  uint32_t memberships;
  /**
   * Where `has_layers` is true: the layers that the query finds. 0 leaves this half of the condition out.
   */
  uint32_t mask;
  /**
   * Where `has_team` is true: the team that asks. Bodies of that team are not found.
   */
  uint32_t team;
  /**
   * Whether `memberships` and `mask` count.
   */
  bool has_layers;
  /**
   * Whether `team` counts.
   */
  bool has_team;
  /**
   * Finds hitboxes for which this function answers true; NULL for all. Called last, on the thread that asks.
   */
  BoneboxPredicate predicate;
  /**
   * Passed to `predicate`.
   */
  void *user;
} BoneboxFilter;

/**
 * A hitbox of a body that a ray hits.
 */
typedef struct BoneboxRayHit {
  /**
   * The body.
   */
  uint64_t body;
  /**
   * Its hitbox.
   */
  uint16_t hitbox;
  /**
   * The joint of the hitbox.
   */
  uint16_t joint;
  /**
   * Whether the ray starts inside the hitbox; `normal` is zero then.
   */
  bool starts_inside;
  /**
   * When the ray enters the hitbox, in units of its direction; 0 where it starts inside.
   */
  float entry;
  /**
   * When the ray leaves the hitbox, in units of its direction; may be beyond the ray's `max_time`.
   */
  float exit;
  /**
   * Where the ray enters, world space.
   */
  struct BoneboxVec3 point;
  /**
   * Outward unit normal of the face where the ray enters, world space.
   */
  struct BoneboxVec3 normal;
} BoneboxRayHit;

/**
 * A hitbox of a body that a shape overlaps.
 */
typedef struct BoneboxOverlap {
  /**
   * The body.
   */
  uint64_t body;
  /**
   * Its hitbox.
   */
  uint16_t hitbox;
  /**
   * The joint of the hitbox.
   */
  uint16_t joint;
} BoneboxOverlap;

/**
 * A hitbox of a body that a moving box hits.
 */
typedef struct BoneboxCastHit {
  /**
   * The body.
   */
  uint64_t body;
  /**
   * Its hitbox.
   */
  uint16_t hitbox;
  /**
   * The joint of the hitbox.
   */
  uint16_t joint;
  /**
   * When they first touch, 0 to 1; never later than the true time.
   */
  float time;
  /**
   * Unit vector from the moving box towards the hitbox along which they hit each other, world space.
   */
  struct BoneboxVec3 direction;
} BoneboxCastHit;

/**
 * Where a moving box and the hitbox that it hits are in contact.
 */
typedef struct BoneboxCastContact {
  /**
   * World space.
   */
  struct BoneboxVec3 point;
  /**
   * How deep, in world units; above 0 only where they overlap from the start.
   */
  float depth;
  /**
   * Unit vector from the moving box towards the hitbox, world space.
   */
  struct BoneboxVec3 direction;
} BoneboxCastContact;

/**
 * Two hitboxes of two bodies that hit each other while both move.
 */
typedef struct BoneboxBodySweepHit {
  /**
   * The body of the lesser id.
   */
  uint64_t body_a;
  /**
   * The other body.
   */
  uint64_t body_b;
  /**
   * Which hitboxes, when and how.
   */
  struct BoneboxSweepHit hit;
} BoneboxBodySweepHit;

#if defined(BONEBOX_BAKE)
/**
 * A function of the caller that hears of each step of a bake and answers whether to go on. It may be called on another
 * thread than the one that bakes, and no C++ exception may leave it.
 */
typedef bool (*BoneboxBakeProgress)(enum BoneboxBakeStep step, void *user);
#endif

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library that runs: major * 1,000,000 + minor * 1,000 + patch. Compare it with
 * `BONEBOX_VERSION_MAJOR` and its like, which are those of the header.
 */
uint32_t bonebox_version(void);

/**
 * Loads a character from the bytes of a `.bonebox` file. Any bytes are safe to pass: they are checked whole. The bytes
 * are not needed afterwards.
 */
enum BoneboxResult bonebox_character_load(const uint8_t *bytes,
                                          size_t length,
                                          struct BoneboxCharacter **character,
                                          struct BoneboxError *error);

/**
 * Frees a character; NULL is allowed. Strings that came from it are gone with it.
 */
enum BoneboxResult bonebox_character_free(struct BoneboxCharacter *character);

/**
 * The character's name.
 */
enum BoneboxResult bonebox_character_name(const struct BoneboxCharacter *character,
                                          struct BoneboxString *name,
                                          struct BoneboxError *error);

/**
 * How many joints the skeleton has: as many as a pose has matrices. 0 for NULL.
 */
size_t bonebox_character_joint_count(const struct BoneboxCharacter *character);

/**
 * How many hitboxes there are. 0 for NULL.
 */
size_t bonebox_character_hitbox_count(const struct BoneboxCharacter *character);

/**
 * How many clips there are. 0 for NULL.
 */
size_t bonebox_character_clip_count(const struct BoneboxCharacter *character);

/**
 * One joint. Parents come before their children.
 */
enum BoneboxResult bonebox_character_joint(const struct BoneboxCharacter *character,
                                           uint16_t index,
                                           struct BoneboxJoint *joint,
                                           struct BoneboxError *error);

/**
 * The index of the joint of that name.
 */
enum BoneboxResult bonebox_character_find_joint(const struct BoneboxCharacter *character,
                                                const char *name,
                                                uint16_t *index,
                                                struct BoneboxError *error);

/**
 * One hitbox. Hitboxes are in the order of their joints.
 */
enum BoneboxResult bonebox_character_hitbox(const struct BoneboxCharacter *character,
                                            uint16_t index,
                                            struct BoneboxHitbox *hitbox,
                                            struct BoneboxError *error);

/**
 * One tag of a hitbox; tags are sorted.
 */
enum BoneboxResult bonebox_character_hitbox_tag(const struct BoneboxCharacter *character,
                                                uint16_t index,
                                                uint32_t tag_index,
                                                struct BoneboxString *tag,
                                                struct BoneboxError *error);

/**
 * Whether a hitbox has a tag. A tag that no hitbox of the character has is not a failure.
 */
enum BoneboxResult bonebox_character_hitbox_has_tag(const struct BoneboxCharacter *character,
                                                    uint16_t index,
                                                    const char *tag,
                                                    bool *has_tag,
                                                    struct BoneboxError *error);

/**
 * One clip.
 */
enum BoneboxResult bonebox_character_clip(const struct BoneboxCharacter *character,
                                          uint32_t index,
                                          struct BoneboxClip *clip,
                                          struct BoneboxError *error);

/**
 * The index of the clip of that name.
 */
enum BoneboxResult bonebox_character_find_clip(const struct BoneboxCharacter *character,
                                               const char *name,
                                               uint32_t *index,
                                               struct BoneboxError *error);

/**
 * All hitboxes of a character.
 */
enum BoneboxResult bonebox_box_set_all(const struct BoneboxCharacter *character,
                                       struct BoneboxBoxSet **set,
                                       struct BoneboxError *error);

/**
 * The hitboxes that have a tag. A tag that no hitbox has is a failure whose message names the tags that there are.
 */
enum BoneboxResult bonebox_box_set_with_tag(const struct BoneboxCharacter *character,
                                            const char *tag,
                                            struct BoneboxBoxSet **set,
                                            struct BoneboxError *error);

/**
 * The hitboxes of a joint; none where the joint has no hitbox.
 */
enum BoneboxResult bonebox_box_set_of_joint(const struct BoneboxCharacter *character,
                                            uint16_t joint,
                                            struct BoneboxBoxSet **set,
                                            struct BoneboxError *error);

/**
 * The hitboxes that are in either of two sets of one character.
 */
enum BoneboxResult bonebox_box_set_union(const struct BoneboxBoxSet *a,
                                         const struct BoneboxBoxSet *b,
                                         struct BoneboxBoxSet **set,
                                         struct BoneboxError *error);

/**
 * The hitboxes of the character that are not in the set.
 */
enum BoneboxResult bonebox_box_set_complement(const struct BoneboxBoxSet *boxes,
                                              struct BoneboxBoxSet **set,
                                              struct BoneboxError *error);

/**
 * How many hitboxes are in the set. 0 for NULL.
 */
size_t bonebox_box_set_count(const struct BoneboxBoxSet *set);

/**
 * Whether a hitbox is in the set. False for NULL.
 */
bool bonebox_box_set_contains(const struct BoneboxBoxSet *set, uint16_t hitbox);

/**
 * Frees a set; NULL is allowed. Bodies keep their settings.
 */
enum BoneboxResult bonebox_box_set_free(struct BoneboxBoxSet *set);

/**
 * Makes a pose without hitboxes, to be posed by the functions below.
 */
enum BoneboxResult bonebox_pose_new(struct BoneboxPose **pose, struct BoneboxError *error);

/**
 * Frees a pose; NULL is allowed.
 */
enum BoneboxResult bonebox_pose_free(struct BoneboxPose *pose);

/**
 * Poses by the rest pose. After a failure of any function that poses, the pose has no hitboxes.
 */
enum BoneboxResult bonebox_pose_from_rest(struct BoneboxPose *pose,
                                          const struct BoneboxCharacter *character,
                                          const struct BoneboxMatrix *world_from_model,
                                          struct BoneboxError *error);

/**
 * Poses by a clip at a time, in seconds on the clip's own clock. Times before the first key and behind the last are
 * those of the first and the last key.
 */
enum BoneboxResult bonebox_pose_from_clip(struct BoneboxPose *pose,
                                          const struct BoneboxCharacter *character,
                                          const struct BoneboxMatrix *world_from_model,
                                          uint32_t clip,
                                          float seconds,
                                          struct BoneboxError *error);

/**
 * Poses by matrices in model space: `model_from_joint[j]` belongs to joint `j`, one for each joint of the skeleton.
 */
enum BoneboxResult bonebox_pose_from_model(struct BoneboxPose *pose,
                                           const struct BoneboxCharacter *character,
                                           const struct BoneboxMatrix *world_from_model,
                                           const struct BoneboxMatrix *model_from_joint,
                                           size_t joint_count,
                                           struct BoneboxError *error);

/**
 * Poses by matrices in world space: `world_from_joint[j]` belongs to joint `j`, one for each joint of the skeleton.
 */
enum BoneboxResult bonebox_pose_from_world(struct BoneboxPose *pose,
                                           const struct BoneboxCharacter *character,
                                           const struct BoneboxMatrix *world_from_joint,
                                           size_t joint_count,
                                           struct BoneboxError *error);

/**
 * Keeps the matrices of these joints from the next pose on, for `bonebox_pose_joint_matrix`: weapon sockets,
 * muzzles, cameras. Replaces the joints that were tracked before.
 */
enum BoneboxResult bonebox_pose_track_joints(struct BoneboxPose *pose,
                                             const uint16_t *joints,
                                             size_t count,
                                             struct BoneboxError *error);

/**
 * The matrix of a joint that is tracked.
 */
enum BoneboxResult bonebox_pose_joint_matrix(const struct BoneboxPose *pose,
                                             uint16_t joint,
                                             struct BoneboxMatrix *world_from_joint,
                                             struct BoneboxError *error);

/**
 * Whether there are hitboxes: false before the first pose, after a failure, and for NULL.
 */
bool bonebox_pose_is_posed(const struct BoneboxPose *pose);

/**
 * All hitboxes in world space, in the order of their indices.
 */
enum BoneboxResult bonebox_pose_hitboxes(const struct BoneboxPose *pose,
                                         struct BoneboxPosedHitbox *out,
                                         size_t capacity,
                                         size_t *count,
                                         struct BoneboxError *error);

/**
 * Bounds around all hitboxes. A pose without hitboxes is a failure.
 */
enum BoneboxResult bonebox_pose_bounds(const struct BoneboxPose *pose,
                                       struct BoneboxBounds *bounds,
                                       struct BoneboxError *error);

/**
 * Whether any hitbox of one character overlaps any of the other. False where either has none.
 */
enum BoneboxResult bonebox_overlaps(const struct BoneboxPose *a,
                                    const struct BoneboxPose *b,
                                    bool *overlaps,
                                    struct BoneboxError *error);

/**
 * Which hitboxes overlap, sorted by hitbox of `a`, then of `b`.
 */
enum BoneboxResult bonebox_overlapping_boxes(const struct BoneboxPose *a,
                                             const struct BoneboxPose *b,
                                             struct BoneboxBoxPair *out,
                                             size_t capacity,
                                             size_t *count,
                                             struct BoneboxError *error);

/**
 * The joints of hitboxes that overlap, each pair of joints once, sorted by joint of `a`, then of `b`.
 */
enum BoneboxResult bonebox_overlapping_joints(const struct BoneboxPose *a,
                                              const struct BoneboxPose *b,
                                              struct BoneboxJointPair *out,
                                              size_t capacity,
                                              size_t *count,
                                              struct BoneboxError *error);

/**
 * How deep and where hitboxes overlap: the same pairs as `bonebox_overlapping_boxes`.
 */
enum BoneboxResult bonebox_contacts(const struct BoneboxPose *a,
                                    const struct BoneboxPose *b,
                                    struct BoneboxContact *out,
                                    size_t capacity,
                                    size_t *count,
                                    struct BoneboxError *error);

/**
 * The nearest hitboxes of two characters, where they are at most `max_distance` apart (`INFINITY` for any distance).
 * `found` tells whether there are such hitboxes; `closest` is written only then.
 */
enum BoneboxResult bonebox_distance(const struct BoneboxPose *a,
                                    const struct BoneboxPose *b,
                                    float max_distance,
                                    bool *found,
                                    struct BoneboxClosest *closest,
                                    struct BoneboxError *error);

/**
 * Which hitboxes of two characters hit each other while each moves from one pose to another, and when first: one entry
 * for each pair of hitboxes, sorted by hitbox of `a`, then of `b`. Both poses of a motion are of one character; pass the
 * same pose twice for one that stands still. `tolerance` is relative to the size of the hitboxes, 0 for the default.
 */
enum BoneboxResult bonebox_sweep(const struct BoneboxPose *a_from,
                                 const struct BoneboxPose *a_to,
                                 const struct BoneboxPose *b_from,
                                 const struct BoneboxPose *b_to,
                                 float tolerance,
                                 struct BoneboxSweepHit *out,
                                 size_t capacity,
                                 size_t *count,
                                 struct BoneboxError *error);

/**
 * Makes a world without bodies.
 */
enum BoneboxResult bonebox_world_new(struct BoneboxWorld **world, struct BoneboxError *error);

/**
 * Frees a world and its bodies; NULL is allowed.
 */
enum BoneboxResult bonebox_world_free(struct BoneboxWorld *world);

/**
 * Makes `to` a copy of `from`, in the memory that `to` has: a state to roll back to. An update of the copy gives the
 * events that an update of the original would have given.
 */
enum BoneboxResult bonebox_world_copy(const struct BoneboxWorld *from,
                                      struct BoneboxWorld *to,
                                      struct BoneboxError *error);

/**
 * The settings of a body that is in all layers, is tested against all layers and has no team.
 */
struct BoneboxBodySettings bonebox_body_settings_default(void);

/**
 * Adds a body under an id of the caller's choice. Nothing finds it until it is posed. NULL settings are the default.
 */
enum BoneboxResult bonebox_world_insert(struct BoneboxWorld *world,
                                        uint64_t body,
                                        const struct BoneboxCharacter *character,
                                        const struct BoneboxBodySettings *settings,
                                        struct BoneboxError *error);

/**
 * Takes a body out: nothing finds it from now on, and the next update reports that its touches ended.
 */
enum BoneboxResult bonebox_world_remove(struct BoneboxWorld *world,
                                        uint64_t body,
                                        struct BoneboxError *error);

/**
 * The ids of all bodies, sorted.
 */
enum BoneboxResult bonebox_world_bodies(const struct BoneboxWorld *world,
                                        uint64_t *out,
                                        size_t capacity,
                                        size_t *count,
                                        struct BoneboxError *error);

/**
 * The ids of the bodies without a pose, sorted: those that were not posed since they were inserted, and those whose last
 * pose was refused. No query finds them.
 */
enum BoneboxResult bonebox_world_unposed_bodies(const struct BoneboxWorld *world,
                                                uint64_t *out,
                                                size_t capacity,
                                                size_t *count,
                                                struct BoneboxError *error);

/**
 * Changes a body's settings. Queries see the change at once, touches from the next update on.
 */
enum BoneboxResult bonebox_world_set_settings(struct BoneboxWorld *world,
                                              uint64_t body,
                                              const struct BoneboxBodySettings *settings,
                                              struct BoneboxError *error);

/**
 * Gives some hitboxes of a body layers of their own. A hitbox in several sets has the layers of all of them; the same
 * set again replaces its layers.
 */
enum BoneboxResult bonebox_world_set_box_layers(struct BoneboxWorld *world,
                                                uint64_t body,
                                                const struct BoneboxBoxSet *boxes,
                                                uint32_t memberships,
                                                uint32_t mask,
                                                struct BoneboxError *error);

/**
 * Undoes `bonebox_world_set_box_layers` of the same set.
 */
enum BoneboxResult bonebox_world_clear_box_layers(struct BoneboxWorld *world,
                                                  uint64_t body,
                                                  const struct BoneboxBoxSet *boxes,
                                                  struct BoneboxError *error);

/**
 * Switches some hitboxes of a body off, so that they touch nothing and no query finds them, or on again.
 */
enum BoneboxResult bonebox_world_switch_boxes(struct BoneboxWorld *world,
                                              uint64_t body,
                                              const struct BoneboxBoxSet *boxes,
                                              bool on,
                                              struct BoneboxError *error);

/**
 * Keeps the matrices of these joints of a body from its next pose on, for `bonebox_world_joint_matrix`: weapon sockets,
 * muzzles, cameras. Replaces the joints that were tracked before.
 */
enum BoneboxResult bonebox_world_track_joints(struct BoneboxWorld *world,
                                              uint64_t body,
                                              const char *const *names,
                                              size_t count,
                                              struct BoneboxError *error);

/**
 * The matrix of a tracked joint of a body, in its present pose.
 */
enum BoneboxResult bonebox_world_joint_matrix(const struct BoneboxWorld *world,
                                              uint64_t body,
                                              const char *name,
                                              struct BoneboxMatrix *world_from_joint,
                                              struct BoneboxError *error);

/**
 * Poses a body by its rest pose. After a failure of any function that poses, the body has no hitboxes until it is posed
 * again.
 */
enum BoneboxResult bonebox_world_pose_from_rest(struct BoneboxWorld *world,
                                                uint64_t body,
                                                const struct BoneboxMatrix *world_from_model,
                                                struct BoneboxError *error);

/**
 * Poses bodies by clips. All are posed, also behind one that is refused; the failure is that of the first.
 */
enum BoneboxResult bonebox_world_pose_from_clips(struct BoneboxWorld *world,
                                                 const struct BoneboxClipPose *poses,
                                                 size_t count,
                                                 struct BoneboxError *error);

/**
 * Poses a body by matrices in model space: `model_from_joint[j]` belongs to joint `j`, one for each joint.
 */
enum BoneboxResult bonebox_world_pose_from_model(struct BoneboxWorld *world,
                                                 uint64_t body,
                                                 const struct BoneboxMatrix *world_from_model,
                                                 const struct BoneboxMatrix *model_from_joint,
                                                 size_t joint_count,
                                                 struct BoneboxError *error);

/**
 * Poses a body by matrices in world space: `world_from_joint[j]` belongs to joint `j`, one for each joint.
 */
enum BoneboxResult bonebox_world_pose_from_world(struct BoneboxWorld *world,
                                                 uint64_t body,
                                                 const struct BoneboxMatrix *world_from_joint,
                                                 size_t joint_count,
                                                 struct BoneboxError *error);

/**
 * Takes over a pose that was computed or kept elsewhere. The body keeps its own where that is a failure.
 */
enum BoneboxResult bonebox_world_set_pose(struct BoneboxWorld *world,
                                          uint64_t body,
                                          const struct BoneboxPose *pose,
                                          struct BoneboxError *error);

/**
 * Copies the present pose of a body.
 */
enum BoneboxResult bonebox_world_get_pose(const struct BoneboxWorld *world,
                                          uint64_t body,
                                          struct BoneboxPose *pose,
                                          struct BoneboxError *error);

/**
 * The hitboxes of a body in world space, in the order of their indices; none where it has no pose.
 */
enum BoneboxResult bonebox_world_hitboxes(const struct BoneboxWorld *world,
                                          uint64_t body,
                                          struct BoneboxPosedHitbox *out,
                                          size_t capacity,
                                          size_t *count,
                                          struct BoneboxError *error);

/**
 * Keeps all poses as they are now: bodies move from them to where they are posed next, until this is called again. For
 * sweeps; bodies whose settings say `continuous` need no call.
 */
enum BoneboxResult bonebox_world_start_motion(struct BoneboxWorld *world,
                                              struct BoneboxError *error);

/**
 * Makes a body stand still where it is now, so that sweeps do not see the way it came: for bodies that were teleported.
 * To be called after posing it at the new place.
 */
enum BoneboxResult bonebox_world_reset_motion(struct BoneboxWorld *world,
                                              uint64_t body,
                                              struct BoneboxError *error);

/**
 * Finds all touches of the present poses, and what has changed since the last update.
 */
enum BoneboxResult bonebox_world_update(struct BoneboxWorld *world, struct BoneboxError *error);

/**
 * Which hitboxes overlapped at the last update, sorted by bodies, then hitboxes.
 */
enum BoneboxResult bonebox_world_touches(const struct BoneboxWorld *world,
                                         struct BoneboxTouch *out,
                                         size_t capacity,
                                         size_t *count,
                                         struct BoneboxError *error);

/**
 * The touches of the last update and of the one before, and what became of each, sorted by bodies, then hitboxes.
 */
enum BoneboxResult bonebox_world_events(const struct BoneboxWorld *world,
                                        struct BoneboxTouchEvent *out,
                                        size_t capacity,
                                        size_t *count,
                                        struct BoneboxError *error);

/**
 * How deep and where the two hitboxes of a touch overlap in the present poses. `found` is false where a body is gone or
 * has no pose, or where the two no longer overlap; `contact` is written only where it is true.
 */
enum BoneboxResult bonebox_world_contact(const struct BoneboxWorld *world,
                                         const struct BoneboxTouch *touch,
                                         bool *found,
                                         struct BoneboxContact *contact,
                                         struct BoneboxError *error);

/**
 * The first hitbox that a ray hits. `found` tells whether there is one; `hit` is written only then. Of several hitboxes
 * that the ray enters at once, the one of the least body and index is found.
 */
enum BoneboxResult bonebox_world_cast_ray(const struct BoneboxWorld *world,
                                          const struct BoneboxRay *ray,
                                          const struct BoneboxFilter *filter,
                                          bool *found,
                                          struct BoneboxRayHit *hit,
                                          struct BoneboxError *error);

/**
 * All hitboxes that a ray hits, nearest first.
 */
enum BoneboxResult bonebox_world_cast_ray_all(const struct BoneboxWorld *world,
                                              const struct BoneboxRay *ray,
                                              const struct BoneboxFilter *filter,
                                              struct BoneboxRayHit *out,
                                              size_t capacity,
                                              size_t *count,
                                              struct BoneboxError *error);

/**
 * All hitboxes that a sphere overlaps, sorted by body, then hitbox.
 */
enum BoneboxResult bonebox_world_overlap_sphere(const struct BoneboxWorld *world,
                                                struct BoneboxVec3 center,
                                                float radius,
                                                const struct BoneboxFilter *filter,
                                                struct BoneboxOverlap *out,
                                                size_t capacity,
                                                size_t *count,
                                                struct BoneboxError *error);

/**
 * All hitboxes that a capsule overlaps, sorted by body, then hitbox. `start` and `end` are the middles of its ends.
 */
enum BoneboxResult bonebox_world_overlap_capsule(const struct BoneboxWorld *world,
                                                 struct BoneboxVec3 start,
                                                 struct BoneboxVec3 end,
                                                 float radius,
                                                 const struct BoneboxFilter *filter,
                                                 struct BoneboxOverlap *out,
                                                 size_t capacity,
                                                 size_t *count,
                                                 struct BoneboxError *error);

/**
 * All hitboxes that a box overlaps, sorted by body, then hitbox.
 */
enum BoneboxResult bonebox_world_overlap_box(const struct BoneboxWorld *world,
                                             const struct BoneboxOrientedBox *shape,
                                             const struct BoneboxFilter *filter,
                                             struct BoneboxOverlap *out,
                                             size_t capacity,
                                             size_t *count,
                                             struct BoneboxError *error);

/**
 * All hitboxes that a box hits on its way from one place to another, earliest first: a blade, a projectile. `relative_tolerance`
 * is relative to the size of the boxes, 0 for the default.
 */
enum BoneboxResult bonebox_world_cast_box(const struct BoneboxWorld *world,
                                          const struct BoneboxOrientedBox *from,
                                          const struct BoneboxOrientedBox *to,
                                          float relative_tolerance,
                                          const struct BoneboxFilter *filter,
                                          struct BoneboxCastHit *out,
                                          size_t capacity,
                                          size_t *count,
                                          struct BoneboxError *error);

/**
 * What a box hits first on its way from one place to another, and where. `found` tells whether it hits anything; `hit`
 * and `contact` are written only then. `contact` may be NULL.
 */
enum BoneboxResult bonebox_world_cast_box_first(const struct BoneboxWorld *world,
                                                const struct BoneboxOrientedBox *from,
                                                const struct BoneboxOrientedBox *to,
                                                float relative_tolerance,
                                                const struct BoneboxFilter *filter,
                                                bool *found,
                                                struct BoneboxCastHit *hit,
                                                struct BoneboxCastContact *contact,
                                                struct BoneboxError *error);

/**
 * Which hitboxes of which bodies hit each other on the way from pose to pose, sorted by bodies, then hitboxes, one entry
 * for each pair of hitboxes. `filter` must admit both hitboxes of a pair. Bodies move whose settings say `continuous`, and
 * all after `bonebox_world_start_motion`.
 */
enum BoneboxResult bonebox_world_sweep(const struct BoneboxWorld *world,
                                       float relative_tolerance,
                                       const struct BoneboxFilter *filter,
                                       struct BoneboxBodySweepHit *out,
                                       size_t capacity,
                                       size_t *count,
                                       struct BoneboxError *error);

#if defined(BONEBOX_BAKE)
/**
 * Bakes a skinned glTF or VRM file that is in memory into the bytes of a `.bonebox` file. `file` is its name, such as
 * `runa.glb`. `settings` is the text of a `bonebox.toml`, or NULL for the defaults; its limits do not apply. Buffers must be
 * inside the file. `progress` may be NULL. A bake takes from milliseconds to seconds, on all threads.
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

#if defined(BONEBOX_BAKE)
/**
 * The first byte; NULL for NULL.
 */
const uint8_t *bonebox_bytes_data(const struct BoneboxBytes *bytes);
#endif

#if defined(BONEBOX_BAKE)
/**
 * How many bytes; 0 for NULL.
 */
size_t bonebox_bytes_length(const struct BoneboxBytes *bytes);
#endif

#if defined(BONEBOX_BAKE)
/**
 * Frees bytes that the library made; NULL is allowed.
 */
enum BoneboxResult bonebox_bytes_free(struct BoneboxBytes *bytes);
#endif

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BONEBOX_H */
