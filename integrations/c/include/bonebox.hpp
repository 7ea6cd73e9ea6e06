/*
 * bonebox: tight hitboxes for skinned characters, from C++17.
 *
 * A thin layer over bonebox.h: objects that free themselves, and failures as exceptions. Where the standard
 * library has std::expected (C++23), bonebox::attempt([&] { ... }) turns the exceptions of its function
 * into a std::expected.
 *
 * Lists go into std::vectors of the caller, which keep their memory from tick to tick. The rules for
 * threads are those of bonebox.h: const functions may run at the same time on any threads. While a
 * function without const runs, no other function may use its object.
 */
#ifndef BONEBOX_HPP
#define BONEBOX_HPP

#include "bonebox.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#if defined(__cpp_lib_span)
#include <span>
#endif
#if defined(__cpp_lib_expected)
#include <expected>
#endif

namespace bonebox {

using Vec3 = BoneboxVec3;
using Quat = BoneboxQuat;
using Matrix = BoneboxMatrix;
using OrientedBox = BoneboxOrientedBox;
using PosedHitbox = BoneboxPosedHitbox;
using Bounds = BoneboxBounds;
using BoxPair = BoneboxBoxPair;
using JointPair = BoneboxJointPair;
using Contact = BoneboxContact;
using ClosestHitboxes = BoneboxClosestHitboxes;
using SweepHit = BoneboxSweepHit;
using BodySweepHit = BoneboxBodySweepHit;
using BodySettings = BoneboxBodySettings;
using Touch = BoneboxTouch;
using TouchEvent = BoneboxTouchEvent;
using TouchPhase = BoneboxTouchPhase;
using ClipPose = BoneboxClipPose;
using BodyRayHit = BoneboxBodyRayHit;
using BodyShapeOverlap = BoneboxBodyShapeOverlap;
using BodyCastHit = BoneboxBodyCastHit;
using CastContact = BoneboxCastContact;
using CastHit = BoneboxCastHit;
using Shape = BoneboxShape;
using PoseLayer = BoneboxPoseLayer;
using LayerPose = BoneboxLayerPose;
using RayQuery = BoneboxRayQuery;
using RayAnswer = BoneboxRayAnswer;
using LoopMode = BoneboxLoopMode;
using SkinCandidates = BoneboxSkinCandidates;
using SkinOverlap = BoneboxSkinOverlap;
using SkinRayHit = BoneboxSkinRayHit;
using SkinTouch = BoneboxSkinTouch;
using SkinDistance = BoneboxSkinDistance;
using SkinShapeOverlap = BoneboxSkinShapeOverlap;
using BodySkinShapeOverlap = BoneboxBodySkinShapeOverlap;
using BodySkinRayHit = BoneboxBodySkinRayHit;
using BodyId = std::uint64_t;
using Moment = BoneboxMoment;
using BodyMoment = BoneboxBodyMoment;
using MomentKind = BoneboxMomentKind;
using RewindRules = BoneboxRewindRules;
using Recorded = BoneboxRecorded;
using Swing = BoneboxSwing;
using Weapon = BoneboxWeapon;
using Strike = BoneboxStrike;
using StrikeRules = BoneboxStrikeRules;
using Seen = BoneboxSeen;
using SeenBody = BoneboxSeenBody;
using Attack = BoneboxAttack;
using RagdollBody = BoneboxRagdollBody;
using RagdollShape = BoneboxRagdollShape;
using RagdollPair = BoneboxRagdollPair;
using RagdollPlace = BoneboxRagdollPlace;
using RagdollVelocity = BoneboxRagdollVelocity;
using Refused = BoneboxRefused;
using HistoryTicks = BoneboxHistoryTicks;
using HistoryDifference = BoneboxHistoryDifference;
using Explanation = BoneboxExplanation;

/// A view of a list of the caller: std::span if the standard library has it.
#if defined(__cpp_lib_span)
template <class T> using Span = std::span<T>;
#else
template <class T> class Span {
public:
    Span() = default;
    Span(T *data, std::size_t size) : data_(data), size_(size) {}
    template <class C, class = decltype(std::declval<C &>().data())>
    Span(C &list) : data_(list.data()), size_(list.size()) {}
    template <std::size_t N> Span(T (&list)[N]) : data_(list), size_(N) {}
    T *data() const { return data_; }
    std::size_t size() const { return size_; }
    T *begin() const { return data_; }
    T *end() const { return data_ + size_; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
#endif

/// A failure: the result, and a message that says what is wrong, where, and what to do.
class Error : public std::runtime_error {
public:
    explicit Error(const BoneboxError &error)
        : std::runtime_error(std::string(error.message, error.message_length)), result_(error.result) {}
    BoneboxResult result() const noexcept { return result_; }

private:
    BoneboxResult result_;
};

/// The identity matrix.
inline Matrix identity() { return Matrix{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}; }

/// The matrix of a translation.
inline Matrix translation(float x, float y, float z) {
    return Matrix{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}};
}

/// A sphere.
inline Shape sphere(Vec3 center, float radius) { return bonebox_shape_sphere(center, radius); }

/// A capsule; `start` and `end` are the centers of its two half spheres.
inline Shape capsule(Vec3 start, Vec3 end, float radius) { return bonebox_shape_capsule(start, end, radius); }

/// A box.
inline Shape box(const OrientedBox &oriented_box) { return bonebox_shape_box(oriented_box); }

namespace detail {

/// Calls a function of bonebox.h with its arguments, followed by the error, and throws if it fails.
template <class F, class... Arguments> void call(F function, Arguments... arguments) {
    BoneboxError error;
    if (function(arguments..., &error) != BONEBOX_RESULT_OK) {
        throw Error(error);
    }
}

/// Calls a function that writes one value, and returns the value.
template <class T, class F, class... Arguments> T get(F function, Arguments... arguments) {
    T value{};
    call(function, arguments..., &value);
    return value;
}

/// Calls a function that writes a bool that is true if there is an answer, and the answer.
template <class T, class F, class... Arguments> std::optional<T> find(F function, Arguments... arguments) {
    bool found = false;
    T answer{};
    call(function, arguments..., &found, &answer);
    return found ? std::optional<T>(answer) : std::nullopt;
}

/// Calls a function that writes a hit of a moving shape and its contact, if there is a hit.
template <class T, class F, class... Arguments>
std::optional<std::pair<T, CastContact>> find_cast(F function, Arguments... arguments) {
    bool found = false;
    std::pair<T, CastContact> hit{};
    call(function, arguments..., &found, &hit.first, &hit.second);
    return found ? std::make_optional(hit) : std::nullopt;
}

/// Calls a function that writes a list; the vector grows until it holds the whole list.
template <class T, class F, class... Arguments> void fill(std::vector<T> &list, F function, Arguments... arguments) {
    list.resize(list.capacity());
    for (;;) {
        BoneboxError error;
        std::size_t count = 0;
        const BoneboxResult result = function(arguments..., list.data(), list.size(), &count, &error);
        if (result != BONEBOX_RESULT_OK && result != BONEBOX_RESULT_BUFFER_TOO_SMALL) {
            list.clear();
            throw Error(error);
        }
        list.resize(count);
        if (result == BONEBOX_RESULT_OK) {
            return;
        }
    }
}

inline std::string_view view(BoneboxString text) { return {text.data, text.length}; }

struct Free {
    void operator()(BoneboxCharacter *character) const { bonebox_character_free(character); }
    void operator()(BoneboxBoxSet *set) const { bonebox_box_set_free(set); }
    void operator()(BoneboxJointMask *mask) const { bonebox_joint_mask_free(mask); }
    void operator()(BoneboxPose *pose) const { bonebox_pose_free(pose); }
    void operator()(const BoneboxWorld *world) const { bonebox_world_free(world); }
    void operator()(BoneboxHistory *history) const { bonebox_history_free(history); }
    void operator()(BoneboxStrikes *strikes) const { bonebox_strikes_free(strikes); }
    void operator()(BoneboxRagdoll *ragdoll) const { bonebox_ragdoll_free(ragdoll); }
    void operator()(BoneboxBytes *bytes) const { bonebox_bytes_free(bytes); }
};

template <class T> using Handle = std::unique_ptr<T, Free>;

/// Calls a function that makes an object.
template <class T, class F, class... Arguments> Handle<T> make(F function, Arguments... arguments) {
    return Handle<T>(get<T *>(function, arguments...));
}

} // namespace detail

/// Transforms bounds from model space to world space. The result contains the transformed box.
inline Bounds transformed(const Bounds &model_bounds, const Matrix &world_from_model) {
    return detail::get<Bounds>(bonebox_bounds_transformed, &model_bounds, &world_from_model);
}

/// Calls `function` and returns its value, or the error that it threw.
#if defined(__cpp_lib_expected)
template <class F> auto attempt(F &&function) -> std::expected<decltype(function()), Error> {
    try {
        if constexpr (std::is_void_v<decltype(function())>) {
            function();
            return {};
        } else {
            return function();
        }
    } catch (const Error &error) {
        return std::unexpected(error);
    }
}
#endif

class Character;

/// A set of hitboxes of one character, for functions that change the settings of these hitboxes.
class BoxSet {
public:
    std::size_t size() const { return bonebox_box_set_count(handle_.get()); }
    bool contains(std::uint16_t hitbox) const { return bonebox_box_set_contains(handle_.get(), hitbox); }
    /// The hitboxes of the character that are not in this set.
    BoxSet complement() const { return BoxSet(detail::make<BoneboxBoxSet>(bonebox_box_set_complement, handle_.get())); }
    /// The hitboxes that are in this set or in `other`, which must belong to the same character.
    BoxSet united_with(const BoxSet &other) const {
        return BoxSet(detail::make<BoneboxBoxSet>(bonebox_box_set_union, handle_.get(), other.handle_.get()));
    }
    const BoneboxBoxSet *c() const { return handle_.get(); }

private:
    friend class Character;
    explicit BoxSet(detail::Handle<BoneboxBoxSet> handle) : handle_(std::move(handle)) {}
    detail::Handle<BoneboxBoxSet> handle_;
};

/// The contents of a `.bonebox` file: hitboxes, skeleton and clips. Any number of threads may read it.
class Character {
public:
    /// Loads a character from the bytes of a file. Any bytes are safe to pass.
    static Character load(const void *bytes, std::size_t length) {
        return Character(
            detail::make<BoneboxCharacter>(bonebox_character_load, static_cast<const std::uint8_t *>(bytes), length));
    }
    template <class Bytes> static Character load(const Bytes &bytes) {
        static_assert(sizeof(*bytes.data()) == 1, "bytes are expected");
        return load(bytes.data(), bytes.size());
    }

    std::string_view name() const { return detail::view(detail::get<BoneboxString>(bonebox_character_name, c())); }
    std::size_t joint_count() const { return bonebox_character_joint_count(c()); }
    std::size_t hitbox_count() const { return bonebox_character_hitbox_count(c()); }
    std::size_t clip_count() const { return bonebox_character_clip_count(c()); }
    BoneboxJoint joint(std::uint16_t index) const {
        return detail::get<BoneboxJoint>(bonebox_character_joint, c(), index);
    }
    std::string_view joint_name(std::uint16_t index) const { return detail::view(joint(index).name); }
    BoneboxHitbox hitbox(std::uint16_t index) const {
        return detail::get<BoneboxHitbox>(bonebox_character_hitbox, c(), index);
    }
    bool has_tag(std::uint16_t hitbox, const char *tag) const {
        return detail::get<bool>(bonebox_character_hitbox_has_tag, c(), hitbox, tag);
    }
    std::vector<std::string_view> tags(std::uint16_t hitbox) const {
        std::vector<std::string_view> tags;
        for (std::uint32_t index = 0, count = this->hitbox(hitbox).tag_count; index < count; ++index) {
            tags.push_back(detail::view(detail::get<BoneboxString>(bonebox_character_hitbox_tag, c(), hitbox, index)));
        }
        return tags;
    }
    BoneboxClip clip(std::uint32_t index) const { return detail::get<BoneboxClip>(bonebox_character_clip, c(), index); }
    std::uint32_t find_clip(const char *name) const {
        return detail::get<std::uint32_t>(bonebox_character_find_clip, c(), name);
    }
    std::uint16_t find_joint(const char *name) const {
        return detail::get<std::uint16_t>(bonebox_character_find_joint, c(), name);
    }
    BoxSet all_boxes() const { return BoxSet(detail::make<BoneboxBoxSet>(bonebox_box_set_all, c())); }
    BoxSet boxes_with_tag(const char *tag) const {
        return BoxSet(detail::make<BoneboxBoxSet>(bonebox_box_set_with_tag, c(), tag));
    }
    BoxSet boxes_of_joint(std::uint16_t joint) const {
        return BoxSet(detail::make<BoneboxBoxSet>(bonebox_box_set_of_joint, c(), joint));
    }
    /// A character that has only the hitboxes of a set of this character, with the same skeleton and the same clips:
    /// for bodies that are far away, or for queries that need only heads.
    Character with_only_boxes(const char *name, const BoxSet &boxes) const {
        return Character(detail::make<BoneboxCharacter>(bonebox_character_with_only_boxes, c(), name, boxes.c()));
    }
    /// The time on a clip's own clock when `elapsed` seconds have passed since the clip was started.
    float clip_time(std::uint32_t clip, LoopMode loop_mode, double elapsed) const {
        return detail::get<float>(bonebox_character_clip_time, c(), clip, loop_mode, elapsed);
    }
    /// Bounds, in model space, of all hitboxes from `elapsed` to `elapsed + duration` seconds after the clip was started.
    Bounds bounds_over(std::uint32_t clip, LoopMode loop_mode, double elapsed, double duration) const {
        return detail::get<Bounds>(bonebox_character_bounds_over, c(), clip, loop_mode, elapsed, duration);
    }
    /// True if the character was baked with its skin, which exact queries need.
    bool has_skin() const { return bonebox_character_has_skin(c()); }
    /// True if the character was baked with a ragdoll, which `Ragdoll` needs.
    bool has_ragdoll() const { return bonebox_character_has_ragdoll(c()); }
    /// The number of meshes of the character's skin; see `BoneboxSkinMesh`.
    std::size_t skin_mesh_count() const { return bonebox_character_skin_mesh_count(c()); }
    BoneboxSkinMesh skin_mesh(std::uint32_t index) const {
        return detail::get<BoneboxSkinMesh>(bonebox_character_skin_mesh, c(), index);
    }
    /// The number of morph targets of the character's skin; see `BoneboxMorphTarget`.
    std::size_t morph_target_count() const { return bonebox_character_morph_target_count(c()); }
    BoneboxMorphTarget morph_target(std::uint32_t index) const {
        return detail::get<BoneboxMorphTarget>(bonebox_character_morph_target, c(), index);
    }
    const BoneboxCharacter *c() const { return handle_.get(); }

private:
    explicit Character(detail::Handle<BoneboxCharacter> handle) : handle_(std::move(handle)) {}
    detail::Handle<BoneboxCharacter> handle_;
};

namespace detail {

inline std::vector<std::uint8_t> take_bytes(Handle<BoneboxBytes> bytes) {
    const std::uint8_t *data = bonebox_bytes_data(bytes.get());
    return {data, data + bonebox_bytes_length(bytes.get())};
}

inline std::vector<const BoneboxCharacter *> list_of(Span<const Character *const> characters) {
    std::vector<const BoneboxCharacter *> list;
    for (const Character *character : characters) {
        list.push_back(character->c());
    }
    return list;
}

} // namespace detail

/// A weight from 0 to 1 for each joint of one character, by which a pose layer affects that joint. A mask must stay valid
/// until the function that poses with it has returned.
class JointMask {
public:
    /// `weights[j]` belongs to joint `j`.
    JointMask(const Character &character, Span<const float> weights)
        : JointMask(
              detail::make<BoneboxJointMask>(bonebox_joint_mask_new, character.c(), weights.data(), weights.size())) {}
    /// Weight 1 for a joint and all its descendants, and weight 0 for the other joints.
    static JointMask below(const Character &character, std::uint16_t joint) {
        return JointMask(detail::make<BoneboxJointMask>(bonebox_joint_mask_below, character.c(), joint));
    }
    const BoneboxJointMask *c() const { return handle_.get(); }

private:
    explicit JointMask(detail::Handle<BoneboxJointMask> handle) : handle_(std::move(handle)) {}
    detail::Handle<BoneboxJointMask> handle_;
};

/// A layer that moves the pose of the layers before it toward the clip's pose.
inline PoseLayer blend(std::uint32_t clip, float seconds, float weight = 1, const JointMask *mask = nullptr) {
    return {clip, seconds, weight, BONEBOX_LAYER_MODE_BLEND, mask ? mask->c() : nullptr};
}

/// A layer that adds the difference between the clip's pose and its first pose to the pose of the layers before it.
inline PoseLayer add(std::uint32_t clip, float seconds, float weight = 1, const JointMask *mask = nullptr) {
    return {clip, seconds, weight, BONEBOX_LAYER_MODE_ADD, mask ? mask->c() : nullptr};
}

/// A posed character that is not in a world.
class Pose {
public:
    Pose() : handle_(detail::make<BoneboxPose>(bonebox_pose_new)) {}

    void from_rest(const Character &character, const Matrix &world_from_model) {
        detail::call(bonebox_pose_from_rest, c(), character.c(), &world_from_model);
    }
    /// Poses the character by a clip; `seconds` is the time on the clip's own clock.
    void from_clip(const Character &character, const Matrix &world_from_model, std::uint32_t clip, float seconds) {
        detail::call(bonebox_pose_from_clip, c(), character.c(), &world_from_model, clip, seconds);
    }
    /// Poses the character by clips in layers: each layer changes the pose of the layers before it, and the first layer
    /// changes the rest pose.
    void from_layers(const Character &character, const Matrix &world_from_model, Span<const PoseLayer> layers) {
        detail::call(bonebox_pose_from_layers, c(), character.c(), &world_from_model, layers.data(), layers.size());
    }
    /// Poses the character by matrices in model space, one for each joint in the order of the skeleton.
    void from_model(const Character &character, const Matrix &world_from_model, Span<const Matrix> model_from_joint) {
        detail::call(bonebox_pose_from_model, c(), character.c(), &world_from_model, model_from_joint.data(),
                     model_from_joint.size());
    }
    /// Takes away the hitboxes, as a pose that fails does.
    void clear() { detail::call(bonebox_pose_clear, c()); }
    /// Poses the character by matrices in world space, one for each joint in the order of the skeleton.
    void from_world(const Character &character, Span<const Matrix> world_from_joint) {
        detail::call(bonebox_pose_from_world, c(), character.c(), world_from_joint.data(), world_from_joint.size());
    }
    void track_joints(Span<const std::uint16_t> joints) {
        detail::call(bonebox_pose_track_joints, c(), joints.data(), joints.size());
    }
    Matrix joint_matrix(std::uint16_t joint) const {
        return detail::get<Matrix>(bonebox_pose_joint_matrix, c(), joint);
    }
    bool is_posed() const { return bonebox_pose_is_posed(c()); }
    Bounds bounds() const { return detail::get<Bounds>(bonebox_pose_bounds, c()); }
    void hitboxes(std::vector<PosedHitbox> &hitboxes) const { detail::fill(hitboxes, bonebox_pose_hitboxes, c()); }
    /// Starts or stops keeping the skin, from the next pose on. Exact queries need the skin.
    void track_skin(bool is_tracked = true) { detail::call(bonebox_pose_track_skin, c(), is_tracked); }
    /// Sets the weights of all morph targets of the tracked skin, from the next pose on. Hitboxes do not follow them.
    void set_morph_weights(const Character &character, const std::vector<float> &weights) {
        detail::call(bonebox_pose_set_morph_weights, c(), character.c(), weights.data(), weights.size());
    }
    /// Finds the first point of the skin that a ray hits.
    std::optional<SkinRayHit> exact_ray(const BoneboxRay &ray) {
        return detail::find<SkinRayHit>(bonebox_pose_exact_ray, c(), &ray);
    }
    /// Finds the joints whose skin a shape touches.
    void exact_shape_overlaps(const Shape &shape, std::vector<SkinShapeOverlap> &overlaps) {
        detail::fill(overlaps, bonebox_pose_exact_shape_overlaps, c(), &shape);
    }
    /// Returns true if a point is inside the skin.
    bool skin_contains(Vec3 point) { return detail::get<bool>(bonebox_pose_skin_contains, c(), point); }
    BoneboxPose *c() { return handle_.get(); }
    const BoneboxPose *c() const { return handle_.get(); }

private:
    detail::Handle<BoneboxPose> handle_;
};

/// Returns true if any hitbox of `a` overlaps any hitbox of `b`.
inline bool overlaps(const Pose &a, const Pose &b) { return detail::get<bool>(bonebox_overlaps, a.c(), b.c()); }

/// Finds the pairs of joints whose hitboxes overlap, sorted by joint of `a`, then by joint of `b`.
inline void overlapping_joints(const Pose &a, const Pose &b, std::vector<JointPair> &pairs) {
    detail::fill(pairs, bonebox_overlapping_joints, a.c(), b.c());
}

/// Finds the pairs of hitboxes that overlap, sorted by hitbox of `a`, then by hitbox of `b`.
inline void overlapping_boxes(const Pose &a, const Pose &b, std::vector<BoxPair> &pairs) {
    detail::fill(pairs, bonebox_overlapping_boxes, a.c(), b.c());
}

/// Finds the contacts of all hitboxes that overlap: depth, direction and points.
inline void contacts(const Pose &a, const Pose &b, std::vector<Contact> &contacts) {
    detail::fill(contacts, bonebox_contacts, a.c(), b.c());
}

/// Finds the nearest two hitboxes that are at most `max_distance` world units apart.
inline std::optional<ClosestHitboxes> distance(const Pose &a, const Pose &b,
                                               float max_distance = std::numeric_limits<float>::infinity()) {
    return detail::find<ClosestHitboxes>(bonebox_distance, a.c(), b.c(), max_distance);
}

/// Finds the pairs of joints whose skins touch, each with a point and two triangles, sorted by joint of `a`, then by
/// joint of `b`. Both poses must track their skins and be different objects.
inline void exact_overlap_all(Pose &a, Pose &b, std::vector<SkinOverlap> &overlaps,
                              SkinCandidates candidates = BONEBOX_SKIN_CANDIDATES_BOUNDS) {
    detail::fill(overlaps, bonebox_exact_overlap_all, a.c(), b.c(), candidates);
}

/// Finds one pair of joints whose skins touch.
inline std::optional<SkinOverlap> exact_overlap(Pose &a, Pose &b,
                                                SkinCandidates candidates = BONEBOX_SKIN_CANDIDATES_BOUNDS) {
    return detail::find<SkinOverlap>(bonebox_exact_overlap, a.c(), b.c(), candidates);
}

/// Finds the nearest points of two skins that are at most `max_distance` world units apart.
inline std::optional<SkinDistance> exact_distance(Pose &a, Pose &b,
                                                  float max_distance = std::numeric_limits<float>::infinity()) {
    return detail::find<SkinDistance>(bonebox_exact_distance, a.c(), b.c(), max_distance);
}

/// Finds the first hitbox of one character that a moving shape hits, and the contact, while the character moves from one
/// pose to another. `from` and `to` must have the same kind. Pass the same pose twice for a character that stands still.
inline std::optional<std::pair<CastHit, CastContact>> cast_shape(const Shape &from, const Shape &to,
                                                                 const Pose &pose_from, const Pose &pose_to,
                                                                 float relative_tolerance = 0) {
    return detail::find_cast<CastHit>(bonebox_cast_shape, &from, &to, pose_from.c(), pose_to.c(), relative_tolerance);
}

/// Finds all hitboxes of one character that a moving shape hits, the earliest first; see `cast_shape`.
inline void cast_shape_all(const Shape &from, const Shape &to, const Pose &pose_from, const Pose &pose_to,
                           std::vector<CastHit> &hits, float relative_tolerance = 0) {
    detail::fill(hits, bonebox_cast_shape_all, &from, &to, pose_from.c(), pose_to.c(), relative_tolerance);
}

/// Returns true if a moving shape hits any hitbox of one character; see `cast_shape`.
inline bool cast_shape_any(const Shape &from, const Shape &to, const Pose &pose_from, const Pose &pose_to,
                           float relative_tolerance = 0) {
    return detail::get<bool>(bonebox_cast_shape_any, &from, &to, pose_from.c(), pose_to.c(), relative_tolerance);
}

/// Computes the contact of a hit that `cast_shape_all` found, from the same shapes and poses.
inline CastContact cast_contact(const Shape &from, const Shape &to, const Pose &pose_from, const Pose &pose_to,
                                const CastHit &hit) {
    return detail::get<CastContact>(bonebox_cast_contact, &from, &to, pose_from.c(), pose_to.c(), &hit);
}

/// Conditions on the bodies and hitboxes that a query may find. The filter and its lists must stay valid
/// until the query has returned.
class Filter {
public:
    Filter() : filter_{} {}
    Filter &exclude(Span<const BodyId> bodies) {
        filter_.exclude = bodies.data();
        filter_.exclude_count = bodies.size();
        return *this;
    }
    Filter &tags(Span<const char *const> tags) {
        filter_.tags = tags.data();
        filter_.tag_count = tags.size();
        return *this;
    }
    Filter &team(std::uint32_t team) {
        filter_.team = team;
        filter_.has_team = true;
        return *this;
    }
    /// A sum of the numbers `BONEBOX_ROLE_...`; by default the query finds only `BONEBOX_ROLE_HURT`.
    Filter &roles(unsigned roles) {
        filter_.roles = static_cast<std::uint8_t>(roles);
        return *this;
    }
    Filter &layers(std::uint32_t memberships, std::uint32_t mask) {
        filter_.memberships = memberships;
        filter_.mask = mask;
        filter_.has_layers = true;
        return *this;
    }
    /// Finds only hitboxes for which `predicate(body, hitbox)` is true. The predicate must stay valid until
    /// the query has returned, and must not throw.
    template <class F> Filter &predicate(F &predicate) {
        filter_.user = &predicate;
        filter_.predicate = [](std::uint64_t body, std::uint16_t hitbox, void *user) -> bool {
            return (*static_cast<F *>(user))(body, hitbox);
        };
        return *this;
    }
    const BoneboxFilter *c() const { return &filter_; }

private:
    BoneboxFilter filter_;
};

/// Bodies that can be asked about: those of a `World`, or those of a `PastWorld`.
class Bodies {
public:
    void get_pose(BodyId body, Pose &pose) const { detail::call(bonebox_world_get_pose, c(), body, pose.c()); }
    void hitboxes(BodyId body, std::vector<PosedHitbox> &hitboxes) const {
        detail::fill(hitboxes, bonebox_world_hitboxes, c(), body);
    }
    void bodies(std::vector<BodyId> &bodies) const { detail::fill(bodies, bonebox_world_bodies, c()); }
    /// Finds the first hitbox that a ray hits.
    std::optional<BodyRayHit> cast_ray(const BoneboxRay &ray, const Filter &filter = {}) const {
        return detail::find<BodyRayHit>(bonebox_world_cast_ray, c(), &ray, filter.c());
    }
    /// Finds all hitboxes that a ray hits, the nearest first.
    void cast_ray_all(const BoneboxRay &ray, std::vector<BodyRayHit> &hits, const Filter &filter = {}) const {
        detail::fill(hits, bonebox_world_cast_ray_all, c(), &ray, filter.c());
    }
    /// Returns true if a ray hits any hitbox.
    bool cast_ray_any(const BoneboxRay &ray, const Filter &filter = {}) const {
        return detail::get<bool>(bonebox_world_cast_ray_any, c(), &ray, filter.c());
    }
    /// Casts many rays, each with its own filter: `answers[i]` belongs to `queries[i]`. For many rays, this is faster
    /// than as many calls of `cast_ray`.
    void cast_rays(Span<const RayQuery> queries, std::vector<RayAnswer> &answers) const {
        answers.resize(queries.size());
        BoneboxError error;
        if (bonebox_world_cast_rays(c(), queries.data(), queries.size(), answers.data(), &error) != BONEBOX_RESULT_OK) {
            answers.clear();
            throw Error(error);
        }
    }
    /// Finds all hitboxes that a shape overlaps, sorted by body, then by hitbox.
    void overlapping_boxes(const Shape &shape, std::vector<BodyShapeOverlap> &overlaps,
                           const Filter &filter = {}) const {
        detail::fill(overlaps, bonebox_world_overlapping_boxes, c(), &shape, filter.c());
    }
    /// Returns true if a shape overlaps any hitbox.
    bool overlaps_shape(const Shape &shape, const Filter &filter = {}) const {
        return detail::get<bool>(bonebox_world_overlaps_shape, c(), &shape, filter.c());
    }
    /// Finds the first hitbox that a shape hits on its way from one place to another, and the contact. `from` and `to` must
    /// have the same kind.
    std::optional<std::pair<BodyCastHit, CastContact>>
    cast_shape(const Shape &from, const Shape &to, const Filter &filter = {}, float relative_tolerance = 0) const {
        return detail::find_cast<BodyCastHit>(bonebox_world_cast_shape, c(), &from, &to, relative_tolerance,
                                              filter.c());
    }
    /// Finds all hitboxes that a shape hits on its way from one place to another, the earliest first.
    void cast_shape_all(const Shape &from, const Shape &to, std::vector<BodyCastHit> &hits, const Filter &filter = {},
                        float relative_tolerance = 0) const {
        detail::fill(hits, bonebox_world_cast_shape_all, c(), &from, &to, relative_tolerance, filter.c());
    }
    /// Returns true if a shape hits any hitbox on its way from one place to another.
    bool cast_shape_any(const Shape &from, const Shape &to, const Filter &filter = {},
                        float relative_tolerance = 0) const {
        return detail::get<bool>(bonebox_world_cast_shape_any, c(), &from, &to, relative_tolerance, filter.c());
    }
    const BoneboxWorld *c() const { return handle_.get(); }

protected:
    explicit Bodies(detail::Handle<const BoneboxWorld> handle) : handle_(std::move(handle)) {}
    detail::Handle<const BoneboxWorld> handle_;
};

/// A world of many bodies: touches between them, and queries.
class World : public Bodies {
public:
    World() : Bodies(detail::make<BoneboxWorld>(bonebox_world_new)) {}

    /// Copies the state of another world into this one, for example to roll back to it later. Reuses the
    /// memory of this world.
    void copy_from(const World &other) { detail::call(bonebox_world_copy, other.c(), c()); }
    void insert(BodyId body, const Character &character,
                const BodySettings &settings = bonebox_body_settings_default()) {
        detail::call(bonebox_world_insert, c(), body, character.c(), &settings);
    }
    void remove(BodyId body) { detail::call(bonebox_world_remove, c(), body); }
    void set_settings(BodyId body, const BodySettings &settings) {
        detail::call(bonebox_world_set_settings, c(), body, &settings);
    }
    void set_box_layers(BodyId body, const BoxSet &boxes, std::uint32_t memberships, std::uint32_t mask) {
        detail::call(bonebox_world_set_box_layers, c(), body, boxes.c(), memberships, mask);
    }
    void clear_box_layers(BodyId body, const BoxSet &boxes) {
        detail::call(bonebox_world_clear_box_layers, c(), body, boxes.c());
    }
    void set_boxes_enabled(BodyId body, const BoxSet &boxes, bool enabled) {
        detail::call(bonebox_world_set_boxes_enabled, c(), body, boxes.c(), enabled);
    }
    void track_joints(BodyId body, Span<const char *const> names) {
        detail::call(bonebox_world_track_joints, c(), body, names.data(), names.size());
    }
    Matrix joint_matrix(BodyId body, const char *name) const {
        return detail::get<Matrix>(bonebox_world_joint_matrix, c(), body, name);
    }
    /// Poses a body by its rest pose. If this or any other function that poses a body throws, the body has no hitboxes
    /// until it is posed again.
    void pose_from_rest(BodyId body, const Matrix &world_from_model) {
        detail::call(bonebox_world_pose_from_rest, c(), body, &world_from_model);
    }
    /// Poses bodies by clips. If a pose is refused, applies the poses after it, then throws the error of the
    /// first refused pose.
    void pose_from_clips(Span<const ClipPose> poses) {
        detail::call(bonebox_world_pose_from_clips, c(), poses.data(), poses.size());
    }
    /// Poses bodies by layers. If a pose is refused, applies the poses after it, then throws the error of the first
    /// refused pose.
    void pose_from_layers(Span<const LayerPose> poses) {
        detail::call(bonebox_world_pose_from_layers, c(), poses.data(), poses.size());
    }
    void pose_from_layers(BodyId body, const Matrix &world_from_model, Span<const PoseLayer> layers) {
        const LayerPose pose{body, world_from_model, layers.data(), layers.size()};
        pose_from_layers(Span<const LayerPose>(&pose, 1));
    }
    void pose_from_model(BodyId body, const Matrix &world_from_model, Span<const Matrix> model_from_joint) {
        detail::call(bonebox_world_pose_from_model, c(), body, &world_from_model, model_from_joint.data(),
                     model_from_joint.size());
    }
    void pose_from_world(BodyId body, Span<const Matrix> world_from_joint) {
        detail::call(bonebox_world_pose_from_world, c(), body, world_from_joint.data(), world_from_joint.size());
    }
    void set_pose(BodyId body, const Pose &pose) { detail::call(bonebox_world_set_pose, c(), body, pose.c()); }
    /// Takes away the hitboxes of a body until it is posed again, as a pose that fails does.
    void clear_pose(BodyId body) { detail::call(bonebox_world_clear_pose, c(), body); }
    void start_motion() { detail::call(bonebox_world_start_motion, c()); }
    void reset_motion(BodyId body) { detail::call(bonebox_world_reset_motion, c(), body); }
    void update() { detail::call(bonebox_world_update, c()); }
    void unposed_bodies(std::vector<BodyId> &bodies) const { detail::fill(bodies, bonebox_world_unposed_bodies, c()); }
    void touches(std::vector<Touch> &touches) const { detail::fill(touches, bonebox_world_touches, c()); }
    void events(std::vector<TouchEvent> &events) const { detail::fill(events, bonebox_world_events, c()); }
    std::optional<Contact> contact(const Touch &touch) const {
        return detail::find<Contact>(bonebox_world_contact, c(), &touch);
    }
    /// Starts or stops keeping the skin of a body, from its next pose on. Exact queries need the skin.
    void track_skin(BodyId body, bool is_tracked = true) {
        detail::call(bonebox_world_track_skin, c(), body, is_tracked);
    }
    /// Sets the weights of all morph targets of a body's tracked skin, from its next pose on. Hitboxes do not follow them.
    void set_morph_weights(BodyId body, const std::vector<float> &weights) {
        detail::call(bonebox_world_set_morph_weights, c(), body, weights.data(), weights.size());
    }
    /// Finds the joints of different bodies whose skins touch, in the present poses.
    void exact_touches(std::vector<SkinTouch> &touches, const Filter &filter = {}) {
        detail::fill(touches, bonebox_world_exact_touches, c(), filter.c());
    }
    /// Finds the first point of any body's skin that a ray hits.
    std::optional<BodySkinRayHit> exact_ray(const BoneboxRay &ray, const Filter &filter = {}) {
        return detail::find<BodySkinRayHit>(bonebox_world_exact_ray, c(), &ray, filter.c());
    }
    /// Finds the joints of bodies whose skin a shape touches.
    void exact_shape_overlaps(const Shape &shape, std::vector<BodySkinShapeOverlap> &overlaps,
                              const Filter &filter = {}) {
        detail::fill(overlaps, bonebox_world_exact_shape_overlaps, c(), &shape, filter.c());
    }
    /// Finds the nearest points of the skins of two bodies that are at most `max_distance` world units apart.
    std::optional<SkinDistance> exact_distance(BodyId body_a, BodyId body_b,
                                               float max_distance = std::numeric_limits<float>::infinity()) {
        return detail::find<SkinDistance>(bonebox_world_exact_distance, c(), body_a, body_b, max_distance);
    }
    /// Finds the bodies whose skin contains a point.
    void bodies_containing(Vec3 point, std::vector<BodyId> &bodies, const Filter &filter = {}) {
        detail::fill(bodies, bonebox_world_bodies_containing, c(), point, filter.c());
    }
    /// Finds the first hit between hitboxes of different bodies while the bodies move from pose to pose.
    std::optional<BodySweepHit> sweep(const Filter &filter = {}, float relative_tolerance = 0) const {
        return detail::find<BodySweepHit>(bonebox_world_sweep, c(), relative_tolerance, filter.c());
    }
    /// Finds all hitboxes of different bodies that hit each other while the bodies move from pose to pose.
    void sweep_all(std::vector<BodySweepHit> &hits, const Filter &filter = {}, float relative_tolerance = 0) const {
        detail::fill(hits, bonebox_world_sweep_all, c(), relative_tolerance, filter.c());
    }
    /// Returns true if hitboxes of any two bodies hit each other while the bodies move from pose to pose.
    bool sweep_any(const Filter &filter = {}, float relative_tolerance = 0) const {
        return detail::get<bool>(bonebox_world_sweep_any, c(), relative_tolerance, filter.c());
    }
    /// Keeps the matrices of bodies that are posed with matrices from now on, which a history needs.
    void keep_joints(bool are_kept = true) { detail::call(bonebox_world_keep_joints, c(), are_kept); }
    /// Bytes from which `restore` makes the same world again.
    std::vector<std::uint8_t> save() const {
        return detail::take_bytes(detail::make<BoneboxBytes>(bonebox_world_save, c()));
    }
    /// Replaces this world by a saved one. Any bytes are safe to pass. `characters` has the characters of the world.
    void restore(Span<const std::uint8_t> bytes, Span<const Character *const> characters) {
        const auto list = detail::list_of(characters);
        detail::call(bonebox_world_restore, c(), bytes.data(), bytes.size(), list.data(), list.size());
    }
    using Bodies::c;
    BoneboxWorld *c() { return const_cast<BoneboxWorld *>(handle_.get()); }
};

/// The world of a moment in the past, as a client saw it: it answers the questions of `Bodies` and never changes.
class PastWorld : public Bodies {
public:
    /// The relation of a body's hitboxes to what was recorded; nothing if the body was not in the world, or had no pose.
    std::optional<MomentKind> kind(BodyId body) const { return detail::find<MomentKind>(bonebox_past_kind, c(), body); }
    /// The moment at which a body is shown.
    Moment moment(BodyId body) const { return detail::get<Moment>(bonebox_past_moment, c(), body); }
    /// The numbers of bodies that were not shown so far, by reason.
    Refused refused() const { return detail::get<Refused>(bonebox_past_refused, c()); }

private:
    friend class History;
    explicit PastWorld(detail::Handle<const BoneboxWorld> handle) : Bodies(std::move(handle)) {}
};

/// The last ticks of a world.
class History {
public:
    /// Keeps the last `ticks` ticks, at least 2. `tick_seconds` is the time from one tick to the next.
    explicit History(std::size_t ticks = 64, double tick_seconds = 1.0 / 64)
        : handle_(detail::make<BoneboxHistory>(bonebox_history_new, ticks, tick_seconds)) {}
    History(const History &other) : handle_(detail::make<BoneboxHistory>(bonebox_history_clone, other.c())) {}
    History(History &&) = default;
    History &operator=(const History &other) { return *this = History(other); }
    History &operator=(History &&) = default;

    /// A history from the bytes of `save`. Any bytes are safe to pass. `characters` has the characters of the history.
    static History restore(Span<const std::uint8_t> bytes, Span<const Character *const> characters) {
        const auto list = detail::list_of(characters);
        return History(detail::make<BoneboxHistory>(bonebox_history_restore, bytes.data(), bytes.size(), list.data(),
                                                    list.size()));
    }
    std::vector<std::uint8_t> save() const {
        return detail::take_bytes(detail::make<BoneboxBytes>(bonebox_history_save, c()));
    }
    /// Records the present poses, characters and settings of all bodies as those of a tick.
    Recorded record(std::uint64_t tick, const World &world) {
        return detail::get<Recorded>(bonebox_history_record, c(), tick, world.c());
    }
    /// Marks a body that is teleported, or respawns, before the next tick that is recorded.
    void cut(BodyId body) { detail::call(bonebox_history_cut, c(), body); }
    /// Forgets all ticks after this one.
    void drop_after(std::uint64_t tick) { detail::call(bonebox_history_drop_after, c(), tick); }
    HistoryTicks ticks() const { return detail::get<HistoryTicks>(bonebox_history_ticks, c()); }
    /// A number that is equal for histories with the same ticks.
    std::uint64_t checksum() const { return detail::get<std::uint64_t>(bonebox_history_checksum, c()); }
    std::optional<std::uint64_t> checksum_of(std::uint64_t tick) const {
        return detail::find<std::uint64_t>(bonebox_history_checksum_of, c(), tick);
    }
    /// The first tick and body about which two histories differ.
    std::optional<HistoryDifference> first_difference(const History &other) const {
        return detail::find<HistoryDifference>(bonebox_history_first_difference, c(), other.c());
    }
    /// The world of a moment in the past. `own` has bodies that the client shows at moments of their own.
    PastWorld at(Moment moment, const RewindRules &rules = bonebox_rewind_rules_default(),
                 Span<const BodyMoment> own = {}) const {
        return PastWorld(
            detail::make<const BoneboxWorld>(bonebox_history_at, c(), moment, own.data(), own.size(), &rules));
    }
    /// Explains a shot that was meant for the body `target`. If `json` is not null, it gets the explanation as a line of JSON.
    Explanation explain(Moment moment, const BoneboxRay &ray, BodyId target, const Filter &filter = {},
                        const RewindRules &rules = bonebox_rewind_rules_default(), std::string *json = nullptr) const {
        Explanation explanation{};
        BoneboxBytes *line = nullptr;
        detail::call(bonebox_history_explain, c(), moment, &ray, filter.c(), target, &rules, &explanation,
                     json ? &line : nullptr);
        if (json) {
            const auto bytes = detail::take_bytes(detail::Handle<BoneboxBytes>(line));
            json->assign(bytes.begin(), bytes.end());
        }
        return explanation;
    }
    BoneboxHistory *c() { return handle_.get(); }
    const BoneboxHistory *c() const { return handle_.get(); }

private:
    explicit History(detail::Handle<BoneboxHistory> handle) : handle_(std::move(handle)) {}
    detail::Handle<BoneboxHistory> handle_;
};

/// The running swings of all bodies, and what they have struck. A copy is the whole state, for a rollback.
class Strikes {
public:
    Strikes() : handle_(detail::make<BoneboxStrikes>(bonebox_strikes_new)) {}
    Strikes(const Strikes &other) : handle_(detail::make<BoneboxStrikes>(bonebox_strikes_clone, other.c())) {}
    Strikes(Strikes &&) = default;
    Strikes &operator=(const Strikes &other) { return *this = Strikes(other); }
    Strikes &operator=(Strikes &&) = default;

    void begin(const Swing &swing) { detail::call(bonebox_strikes_begin, c(), &swing); }
    /// Returns true if the swing ran.
    bool end(BodyId attacker, std::uint32_t instance) {
        return detail::get<bool>(bonebox_strikes_end, c(), attacker, instance);
    }
    void end_all(BodyId attacker) { detail::call(bonebox_strikes_end_all, c(), attacker); }
    void set_speed(BodyId attacker, std::uint32_t instance, float speed) {
        detail::call(bonebox_strikes_set_speed, c(), attacker, instance, speed);
    }
    /// Freezes the swings of two bodies for so many ticks.
    void hit_stop(BodyId a, BodyId b, std::uint64_t ticks) { detail::call(bonebox_strikes_hit_stop, c(), a, b, ticks); }
    bool is_frozen(BodyId body) const { return detail::get<bool>(bonebox_strikes_is_frozen, c(), body); }
    /// Gives a body a weapon; without attacks, it strikes in all attacks of its holder.
    void equip(BodyId body, std::uint32_t number, const Weapon &weapon, Span<const std::uint32_t> attacks = {}) {
        detail::call(bonebox_strikes_equip, c(), body, number, &weapon, attacks.data(), attacks.size());
    }
    /// Returns true if the body had the weapon.
    bool unequip(BodyId body, std::uint32_t number) {
        return detail::get<bool>(bonebox_strikes_unequip, c(), body, number);
    }
    /// Advances all swings from one recorded tick to a later one. `seen` has attackers that strike what their clients saw, and
    /// `own` bodies that these clients drew at moments of their own.
    void advance(const History &history, std::uint64_t from, std::uint64_t to,
                 const StrikeRules &rules = bonebox_strike_rules_default(), Span<const Seen> seen = {},
                 Span<const SeenBody> own = {}) {
        detail::call(bonebox_strikes_advance, c(), history.c(), from, to, &rules, seen.data(), seen.size(), own.data(),
                     own.size());
    }
    /// The strikes of the last advance, sorted by time.
    void found(std::vector<Strike> &strikes) const { detail::fill(strikes, bonebox_strikes_found, c()); }
    /// Returns true if two states have the same swings, hit stops and weapons.
    bool operator==(const Strikes &other) const { return detail::get<bool>(bonebox_strikes_equal, c(), other.c()); }
    BoneboxStrikes *c() { return handle_.get(); }
    const BoneboxStrikes *c() const { return handle_.get(); }

private:
    detail::Handle<BoneboxStrikes> handle_;
};

/// The rigid bodies of a character and their constraints, for a physics engine; poses to places of bodies, and back. Any
/// number of threads may read it, and it may outlive its character.
class Ragdoll {
public:
    /// `scale` is the uniform scale with which the character is placed in the world.
    explicit Ragdoll(const Character &character, float scale = 1)
        : handle_(detail::make<BoneboxRagdoll>(bonebox_ragdoll_new, character.c(), scale)) {}

    /// The number of bodies; parents come before their children.
    std::size_t size() const { return bonebox_ragdoll_body_count(c()); }
    RagdollBody body(std::uint16_t index) const { return detail::get<RagdollBody>(bonebox_ragdoll_body, c(), index); }
    /// The body that moves with a joint; nothing if the joint has no body of its own.
    std::optional<std::uint16_t> body_of_joint(std::uint16_t joint) const {
        return detail::find<std::uint16_t>(bonebox_ragdoll_body_of_joint, c(), joint);
    }
    /// The shapes of a body, in the space of the body.
    void shapes(std::uint16_t body, std::vector<RagdollShape> &shapes) const {
        detail::fill(shapes, bonebox_ragdoll_shapes, c(), body);
    }
    /// The vertices of a hull along the shape's own axes, from its center. Other shapes have none.
    void hull_vertices(std::uint16_t body, std::uint16_t shape, std::vector<Vec3> &vertices) const {
        detail::fill(vertices, bonebox_ragdoll_hull_vertices, c(), body, shape);
    }
    /// The pairs of bodies that never collide, sorted.
    void no_collision(std::vector<RagdollPair> &pairs) const { detail::fill(pairs, bonebox_ragdoll_no_collision, c()); }
    /// The places of all bodies in a pose. For matrices in world space, `world_from_model` is the identity.
    void places(const Matrix &world_from_model, Span<const Matrix> model_from_joint,
                std::vector<RagdollPlace> &places) const {
        detail::fill(places, bonebox_ragdoll_places, c(), &world_from_model, model_from_joint.data(),
                     model_from_joint.size());
    }
    /// The velocities of all bodies from their places at two moments that are `seconds` apart.
    void velocities(Span<const RagdollPlace> before, Span<const RagdollPlace> now, float seconds,
                    std::vector<RagdollVelocity> &velocities) const {
        detail::fill(velocities, bonebox_ragdoll_velocities, c(), before.data(), before.size(), now.data(), now.size(),
                     seconds);
    }
    /// The matrices of all joints from the places of the bodies. Joints without a body follow the joint above with their matrix
    /// in `parent_from_joint`, one for each joint; without it, with that of the rest pose.
    void world_from_joints(Span<const RagdollPlace> places, std::vector<Matrix> &matrices,
                           Span<const Matrix> parent_from_joint = {}) const {
        detail::fill(matrices, bonebox_ragdoll_world_from_joints, c(), places.data(), places.size(),
                     parent_from_joint.data(), parent_from_joint.size());
    }
    const BoneboxRagdoll *c() const { return handle_.get(); }

private:
    detail::Handle<BoneboxRagdoll> handle_;
};

} // namespace bonebox

#endif
