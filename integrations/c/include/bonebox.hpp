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
inline Matrix translation(float x, float y, float z) { return Matrix{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}}; }

/// A sphere.
inline Shape sphere(Vec3 center, float radius) { return bonebox_shape_sphere(center, radius); }

/// A capsule; `start` and `end` are the centers of its two half spheres.
inline Shape capsule(Vec3 start, Vec3 end, float radius) { return bonebox_shape_capsule(start, end, radius); }

/// A box.
inline Shape box(const OrientedBox &oriented_box) { return bonebox_shape_box(oriented_box); }

namespace detail {

/// Calls a function of bonebox.h whose last argument is the error, and throws if it fails.
template <class F> void call(F &&function) {
    BoneboxError error;
    if (function(&error) != BONEBOX_RESULT_OK) {
        throw Error(error);
    }
}

/// Calls a function that writes a bool before the error, and returns the bool.
template <class F> bool ask(F &&function) {
    bool answer = false;
    call([&](BoneboxError *error) { return function(&answer, error); });
    return answer;
}

/// Calls a function that writes an answer and a bool that is true if there is an answer.
template <class T, class F> std::optional<T> find(F &&function) {
    T answer{};
    const bool found = ask([&](bool *is_found, BoneboxError *error) { return function(is_found, &answer, error); });
    return found ? std::optional<T>(answer) : std::nullopt;
}

/// Calls a function that writes a list; the vector grows until it holds the whole list.
template <class T, class F> void fill(std::vector<T> &list, F &&function) {
    list.resize(list.capacity());
    for (;;) {
        BoneboxError error;
        std::size_t count = 0;
        const BoneboxResult result = function(list.data(), list.size(), &count, &error);
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
    void operator()(BoneboxWorld *world) const { bonebox_world_free(world); }
};

template <class T> using Handle = std::unique_ptr<T, Free>;

/// Calls a function that makes an object.
template <class T, class F> Handle<T> make(F &&function) {
    T *made = nullptr;
    call([&](BoneboxError *error) { return function(&made, error); });
    return Handle<T>(made);
}

} // namespace detail

/// Transforms bounds from model space to world space. The result contains the transformed box.
inline Bounds transformed(const Bounds &model_bounds, const Matrix &world_from_model) {
    Bounds bounds{};
    detail::call([&](BoneboxError *error) {
        return bonebox_bounds_transformed(&model_bounds, &world_from_model, &bounds, error);
    });
    return bounds;
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
    BoxSet complement() const {
        return BoxSet(detail::make<BoneboxBoxSet>(
            [&](BoneboxBoxSet **set, BoneboxError *error) { return bonebox_box_set_complement(handle_.get(), set, error); }));
    }
    /// The hitboxes that are in this set or in `other`, which must belong to the same character.
    BoxSet united_with(const BoxSet &other) const {
        return BoxSet(detail::make<BoneboxBoxSet>([&](BoneboxBoxSet **set, BoneboxError *error) {
            return bonebox_box_set_union(handle_.get(), other.handle_.get(), set, error);
        }));
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
        return Character(detail::make<BoneboxCharacter>([&](BoneboxCharacter **character, BoneboxError *error) {
            return bonebox_character_load(static_cast<const std::uint8_t *>(bytes), length, character, error);
        }));
    }
    template <class Bytes> static Character load(const Bytes &bytes) {
        static_assert(sizeof(*bytes.data()) == 1, "bytes are expected");
        return load(bytes.data(), bytes.size());
    }

    std::string_view name() const {
        return detail::view(get<BoneboxString>(
            [&](BoneboxString *name, BoneboxError *error) { return bonebox_character_name(c(), name, error); }));
    }
    std::size_t joint_count() const { return bonebox_character_joint_count(c()); }
    std::size_t hitbox_count() const { return bonebox_character_hitbox_count(c()); }
    std::size_t clip_count() const { return bonebox_character_clip_count(c()); }
    BoneboxJoint joint(std::uint16_t index) const {
        return get<BoneboxJoint>(
            [&](BoneboxJoint *joint, BoneboxError *error) { return bonebox_character_joint(c(), index, joint, error); });
    }
    std::string_view joint_name(std::uint16_t index) const { return detail::view(joint(index).name); }
    BoneboxHitbox hitbox(std::uint16_t index) const {
        return get<BoneboxHitbox>([&](BoneboxHitbox *hitbox, BoneboxError *error) {
            return bonebox_character_hitbox(c(), index, hitbox, error);
        });
    }
    bool has_tag(std::uint16_t hitbox, const char *tag) const {
        return get<bool>([&](bool *has_tag, BoneboxError *error) {
            return bonebox_character_hitbox_has_tag(c(), hitbox, tag, has_tag, error);
        });
    }
    std::vector<std::string_view> tags(std::uint16_t hitbox) const {
        std::vector<std::string_view> tags;
        for (std::uint32_t index = 0, count = this->hitbox(hitbox).tag_count; index < count; ++index) {
            tags.push_back(detail::view(get<BoneboxString>([&](BoneboxString *tag, BoneboxError *error) {
                return bonebox_character_hitbox_tag(c(), hitbox, index, tag, error);
            })));
        }
        return tags;
    }
    BoneboxClip clip(std::uint32_t index) const {
        return get<BoneboxClip>(
            [&](BoneboxClip *clip, BoneboxError *error) { return bonebox_character_clip(c(), index, clip, error); });
    }
    std::uint32_t find_clip(const char *name) const {
        return get<std::uint32_t>([&](std::uint32_t *index, BoneboxError *error) {
            return bonebox_character_find_clip(c(), name, index, error);
        });
    }
    std::uint16_t find_joint(const char *name) const {
        return get<std::uint16_t>([&](std::uint16_t *index, BoneboxError *error) {
            return bonebox_character_find_joint(c(), name, index, error);
        });
    }
    BoxSet all_boxes() const {
        return BoxSet(detail::make<BoneboxBoxSet>(
            [&](BoneboxBoxSet **set, BoneboxError *error) { return bonebox_box_set_all(c(), set, error); }));
    }
    BoxSet boxes_with_tag(const char *tag) const {
        return BoxSet(detail::make<BoneboxBoxSet>(
            [&](BoneboxBoxSet **set, BoneboxError *error) { return bonebox_box_set_with_tag(c(), tag, set, error); }));
    }
    BoxSet boxes_of_joint(std::uint16_t joint) const {
        return BoxSet(detail::make<BoneboxBoxSet>(
            [&](BoneboxBoxSet **set, BoneboxError *error) { return bonebox_box_set_of_joint(c(), joint, set, error); }));
    }
    /// A character that has only the hitboxes of a set of this character, with the same skeleton and the same clips:
    /// for bodies that are far away, or for queries that need only heads.
    Character with_only_boxes(const char *name, const BoxSet &boxes) const {
        return Character(detail::make<BoneboxCharacter>([&](BoneboxCharacter **limited, BoneboxError *error) {
            return bonebox_character_with_only_boxes(c(), name, boxes.c(), limited, error);
        }));
    }
    /// The time on a clip's own clock when `elapsed` seconds have passed since the clip was started.
    float clip_time(std::uint32_t clip, LoopMode loop_mode, double elapsed) const {
        return get<float>([&](float *seconds, BoneboxError *error) {
            return bonebox_character_clip_time(c(), clip, loop_mode, elapsed, seconds, error);
        });
    }
    /// Bounds, in model space, of all hitboxes from `elapsed` to `elapsed + duration` seconds after the clip was started.
    Bounds bounds_over(std::uint32_t clip, LoopMode loop_mode, double elapsed, double duration) const {
        return get<Bounds>([&](Bounds *bounds, BoneboxError *error) {
            return bonebox_character_bounds_over(c(), clip, loop_mode, elapsed, duration, bounds, error);
        });
    }
    /// True if the character was baked with its skin, which exact queries need.
    bool has_skin() const { return bonebox_character_has_skin(c()); }
    /// The number of meshes of the character's skin; see `BoneboxSkinMesh`.
    std::size_t skin_mesh_count() const { return bonebox_character_skin_mesh_count(c()); }
    BoneboxSkinMesh skin_mesh(std::uint32_t index) const {
        return get<BoneboxSkinMesh>([&](BoneboxSkinMesh *mesh, BoneboxError *error) {
            return bonebox_character_skin_mesh(c(), index, mesh, error);
        });
    }
    const BoneboxCharacter *c() const { return handle_.get(); }

private:
    explicit Character(detail::Handle<BoneboxCharacter> handle) : handle_(std::move(handle)) {}
    template <class T, class F> static T get(F &&function) {
        T value{};
        detail::call([&](BoneboxError *error) { return function(&value, error); });
        return value;
    }
    detail::Handle<BoneboxCharacter> handle_;
};

/// A weight from 0 to 1 for each joint of one character, by which a pose layer affects that joint. A mask must stay valid
/// until the function that poses with it has returned.
class JointMask {
public:
    /// `weights[j]` belongs to joint `j`.
    JointMask(const Character &character, Span<const float> weights)
        : JointMask(detail::make<BoneboxJointMask>([&](BoneboxJointMask **mask, BoneboxError *error) {
              return bonebox_joint_mask_new(character.c(), weights.data(), weights.size(), mask, error);
          })) {}
    /// Weight 1 for a joint and all its descendants, and weight 0 for the other joints.
    static JointMask below(const Character &character, std::uint16_t joint) {
        return JointMask(detail::make<BoneboxJointMask>([&](BoneboxJointMask **mask, BoneboxError *error) {
            return bonebox_joint_mask_below(character.c(), joint, mask, error);
        }));
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
    Pose()
        : handle_(detail::make<BoneboxPose>(
              [](BoneboxPose **pose, BoneboxError *error) { return bonebox_pose_new(pose, error); })) {}

    void from_rest(const Character &character, const Matrix &world_from_model) {
        detail::call([&](BoneboxError *error) {
            return bonebox_pose_from_rest(c(), character.c(), &world_from_model, error);
        });
    }
    /// Poses the character by a clip; `seconds` is the time on the clip's own clock.
    void from_clip(const Character &character, const Matrix &world_from_model, std::uint32_t clip, float seconds) {
        detail::call([&](BoneboxError *error) {
            return bonebox_pose_from_clip(c(), character.c(), &world_from_model, clip, seconds, error);
        });
    }
    /// Poses the character by clips in layers: each layer changes the pose of the layers before it, and the first layer
    /// changes the rest pose.
    void from_layers(const Character &character, const Matrix &world_from_model, Span<const PoseLayer> layers) {
        detail::call([&](BoneboxError *error) {
            return bonebox_pose_from_layers(c(), character.c(), &world_from_model, layers.data(), layers.size(), error);
        });
    }
    /// Poses the character by matrices in model space, one for each joint in the order of the skeleton.
    void from_model(const Character &character, const Matrix &world_from_model, Span<const Matrix> model_from_joint) {
        detail::call([&](BoneboxError *error) {
            return bonebox_pose_from_model(c(), character.c(), &world_from_model, model_from_joint.data(),
                                           model_from_joint.size(), error);
        });
    }
    /// Takes away the hitboxes, as a pose that fails does.
    void clear() {
        detail::call([&](BoneboxError *error) { return bonebox_pose_clear(c(), error); });
    }
    /// Poses the character by matrices in world space, one for each joint in the order of the skeleton.
    void from_world(const Character &character, Span<const Matrix> world_from_joint) {
        detail::call([&](BoneboxError *error) {
            return bonebox_pose_from_world(c(), character.c(), world_from_joint.data(), world_from_joint.size(), error);
        });
    }
    void track_joints(Span<const std::uint16_t> joints) {
        detail::call([&](BoneboxError *error) {
            return bonebox_pose_track_joints(c(), joints.data(), joints.size(), error);
        });
    }
    Matrix joint_matrix(std::uint16_t joint) const {
        Matrix matrix{};
        detail::call([&](BoneboxError *error) { return bonebox_pose_joint_matrix(c(), joint, &matrix, error); });
        return matrix;
    }
    bool is_posed() const { return bonebox_pose_is_posed(c()); }
    Bounds bounds() const {
        Bounds bounds{};
        detail::call([&](BoneboxError *error) { return bonebox_pose_bounds(c(), &bounds, error); });
        return bounds;
    }
    void hitboxes(std::vector<PosedHitbox> &hitboxes) const {
        detail::fill(hitboxes, [&](PosedHitbox *out, std::size_t capacity, std::size_t *count, BoneboxError *error) {
            return bonebox_pose_hitboxes(c(), out, capacity, count, error);
        });
    }
    /// Starts or stops keeping the skin, from the next pose on. Exact queries need the skin.
    void track_skin(bool is_tracked = true) {
        detail::call([&](BoneboxError *error) { return bonebox_pose_track_skin(c(), is_tracked, error); });
    }
    /// Finds the first point of the skin that a ray hits.
    std::optional<SkinRayHit> exact_ray(const BoneboxRay &ray) {
        return detail::find<SkinRayHit>([&](bool *found, SkinRayHit *hit, BoneboxError *error) {
            return bonebox_pose_exact_ray(c(), &ray, found, hit, error);
        });
    }
    /// Finds the joints whose skin a shape touches.
    void exact_shape_overlaps(const Shape &shape, std::vector<SkinShapeOverlap> &overlaps) {
        detail::fill(overlaps, [&](SkinShapeOverlap *out, std::size_t capacity, std::size_t *count, BoneboxError *error) {
            return bonebox_pose_exact_shape_overlaps(c(), &shape, out, capacity, count, error);
        });
    }
    /// Returns true if a point is inside the skin.
    bool skin_contains(Vec3 point) {
        return detail::ask([&](bool *contains, BoneboxError *error) {
            return bonebox_pose_skin_contains(c(), point, contains, error);
        });
    }
    BoneboxPose *c() { return handle_.get(); }
    const BoneboxPose *c() const { return handle_.get(); }

private:
    detail::Handle<BoneboxPose> handle_;
};

/// Returns true if any hitbox of `a` overlaps any hitbox of `b`.
inline bool overlaps(const Pose &a, const Pose &b) {
    return detail::ask([&](bool *overlaps, BoneboxError *error) {
        return bonebox_overlaps(a.c(), b.c(), overlaps, error);
    });
}

/// Finds the pairs of joints whose hitboxes overlap, sorted by joint of `a`, then by joint of `b`.
inline void overlapping_joints(const Pose &a, const Pose &b, std::vector<JointPair> &pairs) {
    detail::fill(pairs, [&](JointPair *out, std::size_t capacity, std::size_t *count, BoneboxError *error) {
        return bonebox_overlapping_joints(a.c(), b.c(), out, capacity, count, error);
    });
}

/// Finds the pairs of hitboxes that overlap, sorted by hitbox of `a`, then by hitbox of `b`.
inline void overlapping_boxes(const Pose &a, const Pose &b, std::vector<BoxPair> &pairs) {
    detail::fill(pairs, [&](BoxPair *out, std::size_t capacity, std::size_t *count, BoneboxError *error) {
        return bonebox_overlapping_boxes(a.c(), b.c(), out, capacity, count, error);
    });
}

/// Finds the contacts of all hitboxes that overlap: depth, direction and points.
inline void contacts(const Pose &a, const Pose &b, std::vector<Contact> &contacts) {
    detail::fill(contacts, [&](Contact *out, std::size_t capacity, std::size_t *count, BoneboxError *error) {
        return bonebox_contacts(a.c(), b.c(), out, capacity, count, error);
    });
}

/// Finds the nearest two hitboxes that are at most `max_distance` world units apart.
inline std::optional<ClosestHitboxes> distance(const Pose &a, const Pose &b,
                                       float max_distance = std::numeric_limits<float>::infinity()) {
    return detail::find<ClosestHitboxes>([&](bool *found, ClosestHitboxes *closest, BoneboxError *error) {
        return bonebox_distance(a.c(), b.c(), max_distance, found, closest, error);
    });
}

/// Finds the pairs of joints whose skins touch, each with a point and two triangles, sorted by joint of `a`, then by
/// joint of `b`. Both poses must track their skins and be different objects.
inline void exact_overlap_all(Pose &a, Pose &b, std::vector<SkinOverlap> &overlaps,
                              SkinCandidates candidates = BONEBOX_SKIN_CANDIDATES_BOUNDS) {
    detail::fill(overlaps, [&](SkinOverlap *out, std::size_t capacity, std::size_t *count, BoneboxError *error) {
        return bonebox_exact_overlap_all(a.c(), b.c(), candidates, out, capacity, count, error);
    });
}

/// Finds one pair of joints whose skins touch.
inline std::optional<SkinOverlap> exact_overlap(Pose &a, Pose &b,
                                                SkinCandidates candidates = BONEBOX_SKIN_CANDIDATES_BOUNDS) {
    return detail::find<SkinOverlap>([&](bool *found, SkinOverlap *overlap, BoneboxError *error) {
        return bonebox_exact_overlap(a.c(), b.c(), candidates, found, overlap, error);
    });
}

/// Finds the nearest points of two skins that are at most `max_distance` world units apart.
inline std::optional<SkinDistance> exact_distance(Pose &a, Pose &b,
                                                  float max_distance = std::numeric_limits<float>::infinity()) {
    return detail::find<SkinDistance>([&](bool *found, SkinDistance *nearest, BoneboxError *error) {
        return bonebox_exact_distance(a.c(), b.c(), max_distance, found, nearest, error);
    });
}

/// Finds the first hitbox of one character that a moving shape hits, and the contact, while the character moves from one
/// pose to another. `from` and `to` must have the same kind. Pass the same pose twice for a character that stands still.
inline std::optional<std::pair<CastHit, CastContact>> cast_shape(const Shape &from, const Shape &to,
                                                                     const Pose &pose_from, const Pose &pose_to,
                                                                     float relative_tolerance = 0) {
    return detail::find<std::pair<CastHit, CastContact>>([&](bool *found, auto *hit, BoneboxError *error) {
        return bonebox_cast_shape(&from, &to, pose_from.c(), pose_to.c(), relative_tolerance, found, &hit->first,
                                  &hit->second, error);
    });
}

/// Finds all hitboxes of one character that a moving shape hits, the earliest first; see `cast_shape`.
inline void cast_shape_all(const Shape &from, const Shape &to, const Pose &pose_from, const Pose &pose_to,
                           std::vector<CastHit> &hits, float relative_tolerance = 0) {
    detail::fill(hits, [&](CastHit *out, std::size_t capacity, std::size_t *count, BoneboxError *error) {
        return bonebox_cast_shape_all(&from, &to, pose_from.c(), pose_to.c(), relative_tolerance, out, capacity, count,
                                      error);
    });
}

/// Returns true if a moving shape hits any hitbox of one character; see `cast_shape`.
inline bool cast_shape_any(const Shape &from, const Shape &to, const Pose &pose_from, const Pose &pose_to,
                           float relative_tolerance = 0) {
    return detail::ask([&](bool *any, BoneboxError *error) {
        return bonebox_cast_shape_any(&from, &to, pose_from.c(), pose_to.c(), relative_tolerance, any, error);
    });
}

/// Computes the contact of a hit that `cast_shape_all` found, from the same shapes and poses.
inline CastContact cast_contact(const Shape &from, const Shape &to, const Pose &pose_from, const Pose &pose_to,
                                const CastHit &hit) {
    CastContact contact{};
    detail::call([&](BoneboxError *error) {
        return bonebox_cast_contact(&from, &to, pose_from.c(), pose_to.c(), &hit, &contact, error);
    });
    return contact;
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

/// A world of many bodies: touches between them, and queries.
class World {
public:
    World()
        : handle_(detail::make<BoneboxWorld>(
              [](BoneboxWorld **world, BoneboxError *error) { return bonebox_world_new(world, error); })) {}

    /// Copies the state of another world into this one, for example to roll back to it later. Reuses the
    /// memory of this world.
    void copy_from(const World &other) {
        detail::call([&](BoneboxError *error) { return bonebox_world_copy(other.c(), c(), error); });
    }
    void insert(BodyId body, const Character &character, const BodySettings &settings = bonebox_body_settings_default()) {
        detail::call([&](BoneboxError *error) {
            return bonebox_world_insert(c(), body, character.c(), &settings, error);
        });
    }
    void remove(BodyId body) {
        detail::call([&](BoneboxError *error) { return bonebox_world_remove(c(), body, error); });
    }
    void set_settings(BodyId body, const BodySettings &settings) {
        detail::call([&](BoneboxError *error) { return bonebox_world_set_settings(c(), body, &settings, error); });
    }
    void set_box_layers(BodyId body, const BoxSet &boxes, std::uint32_t memberships, std::uint32_t mask) {
        detail::call([&](BoneboxError *error) {
            return bonebox_world_set_box_layers(c(), body, boxes.c(), memberships, mask, error);
        });
    }
    void clear_box_layers(BodyId body, const BoxSet &boxes) {
        detail::call([&](BoneboxError *error) { return bonebox_world_clear_box_layers(c(), body, boxes.c(), error); });
    }
    void set_boxes_enabled(BodyId body, const BoxSet &boxes, bool enabled) {
        detail::call([&](BoneboxError *error) { return bonebox_world_set_boxes_enabled(c(), body, boxes.c(), enabled, error); });
    }
    void track_joints(BodyId body, Span<const char *const> names) {
        detail::call([&](BoneboxError *error) {
            return bonebox_world_track_joints(c(), body, names.data(), names.size(), error);
        });
    }
    Matrix joint_matrix(BodyId body, const char *name) const {
        Matrix matrix{};
        detail::call([&](BoneboxError *error) { return bonebox_world_joint_matrix(c(), body, name, &matrix, error); });
        return matrix;
    }
    /// Poses a body by its rest pose. If this or any other function that poses a body throws, the body has no hitboxes
    /// until it is posed again.
    void pose_from_rest(BodyId body, const Matrix &world_from_model) {
        detail::call([&](BoneboxError *error) {
            return bonebox_world_pose_from_rest(c(), body, &world_from_model, error);
        });
    }
    /// Poses bodies by clips. If a pose is refused, applies the poses after it, then throws the error of the
    /// first refused pose.
    void pose_from_clips(Span<const ClipPose> poses) {
        detail::call([&](BoneboxError *error) {
            return bonebox_world_pose_from_clips(c(), poses.data(), poses.size(), error);
        });
    }
    /// Poses bodies by layers. If a pose is refused, applies the poses after it, then throws the error of the first
    /// refused pose.
    void pose_from_layers(Span<const LayerPose> poses) {
        detail::call([&](BoneboxError *error) {
            return bonebox_world_pose_from_layers(c(), poses.data(), poses.size(), error);
        });
    }
    void pose_from_layers(BodyId body, const Matrix &world_from_model, Span<const PoseLayer> layers) {
        const LayerPose pose{body, world_from_model, layers.data(), layers.size()};
        pose_from_layers(Span<const LayerPose>(&pose, 1));
    }
    void pose_from_model(BodyId body, const Matrix &world_from_model, Span<const Matrix> model_from_joint) {
        detail::call([&](BoneboxError *error) {
            return bonebox_world_pose_from_model(c(), body, &world_from_model, model_from_joint.data(),
                                                 model_from_joint.size(), error);
        });
    }
    void pose_from_world(BodyId body, Span<const Matrix> world_from_joint) {
        detail::call([&](BoneboxError *error) {
            return bonebox_world_pose_from_world(c(), body, world_from_joint.data(), world_from_joint.size(), error);
        });
    }
    void set_pose(BodyId body, const Pose &pose) {
        detail::call([&](BoneboxError *error) { return bonebox_world_set_pose(c(), body, pose.c(), error); });
    }
    /// Takes away the hitboxes of a body until it is posed again, as a pose that fails does.
    void clear_pose(BodyId body) {
        detail::call([&](BoneboxError *error) { return bonebox_world_clear_pose(c(), body, error); });
    }
    void get_pose(BodyId body, Pose &pose) const {
        detail::call([&](BoneboxError *error) { return bonebox_world_get_pose(c(), body, pose.c(), error); });
    }
    void hitboxes(BodyId body, std::vector<PosedHitbox> &hitboxes) const {
        fill(hitboxes, bonebox_world_hitboxes, body);
    }
    void start_motion() {
        detail::call([&](BoneboxError *error) { return bonebox_world_start_motion(c(), error); });
    }
    void reset_motion(BodyId body) {
        detail::call([&](BoneboxError *error) { return bonebox_world_reset_motion(c(), body, error); });
    }
    void update() {
        detail::call([&](BoneboxError *error) { return bonebox_world_update(c(), error); });
    }
    void bodies(std::vector<BodyId> &bodies) const { fill(bodies, bonebox_world_bodies); }
    void unposed_bodies(std::vector<BodyId> &bodies) const { fill(bodies, bonebox_world_unposed_bodies); }
    void touches(std::vector<Touch> &touches) const { fill(touches, bonebox_world_touches); }
    void events(std::vector<TouchEvent> &events) const { fill(events, bonebox_world_events); }
    std::optional<Contact> contact(const Touch &touch) const {
        return detail::find<Contact>([&](bool *found, Contact *contact, BoneboxError *error) {
            return bonebox_world_contact(c(), &touch, found, contact, error);
        });
    }

    /// Finds the first hitbox that a ray hits.
    std::optional<BodyRayHit> cast_ray(const BoneboxRay &ray, const Filter &filter = {}) const {
        return detail::find<BodyRayHit>([&](bool *found, BodyRayHit *hit, BoneboxError *error) {
            return bonebox_world_cast_ray(c(), &ray, filter.c(), found, hit, error);
        });
    }
    /// Finds all hitboxes that a ray hits, the nearest first.
    void cast_ray_all(const BoneboxRay &ray, std::vector<BodyRayHit> &hits, const Filter &filter = {}) const {
        fill(hits, bonebox_world_cast_ray_all, &ray, filter.c());
    }
    /// Returns true if a ray hits any hitbox.
    bool cast_ray_any(const BoneboxRay &ray, const Filter &filter = {}) const {
        return detail::ask([&](bool *any, BoneboxError *error) {
            return bonebox_world_cast_ray_any(c(), &ray, filter.c(), any, error);
        });
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
    /// Starts or stops keeping the skin of a body, from its next pose on. Exact queries need the skin.
    void track_skin(BodyId body, bool is_tracked = true) {
        detail::call([&](BoneboxError *error) { return bonebox_world_track_skin(c(), body, is_tracked, error); });
    }
    /// Finds the joints of different bodies whose skins touch, in the present poses.
    void exact_touches(std::vector<SkinTouch> &touches, const Filter &filter = {}) {
        detail::fill(touches, [&](SkinTouch *out, std::size_t capacity, std::size_t *count, BoneboxError *error) {
            return bonebox_world_exact_touches(c(), filter.c(), out, capacity, count, error);
        });
    }
    /// Finds the first point of any body's skin that a ray hits.
    std::optional<BodySkinRayHit> exact_ray(const BoneboxRay &ray, const Filter &filter = {}) {
        return detail::find<BodySkinRayHit>([&](bool *found, BodySkinRayHit *hit, BoneboxError *error) {
            return bonebox_world_exact_ray(c(), &ray, filter.c(), found, hit, error);
        });
    }
    /// Finds the joints of bodies whose skin a shape touches.
    void exact_shape_overlaps(const Shape &shape, std::vector<BodySkinShapeOverlap> &overlaps, const Filter &filter = {}) {
        detail::fill(overlaps, [&](BodySkinShapeOverlap *out, std::size_t capacity, std::size_t *count, BoneboxError *error) {
            return bonebox_world_exact_shape_overlaps(c(), &shape, filter.c(), out, capacity, count, error);
        });
    }
    /// Finds the nearest points of the skins of two bodies that are at most `max_distance` world units apart.
    std::optional<SkinDistance> exact_distance(BodyId body_a, BodyId body_b,
                                               float max_distance = std::numeric_limits<float>::infinity()) {
        return detail::find<SkinDistance>([&](bool *found, SkinDistance *nearest, BoneboxError *error) {
            return bonebox_world_exact_distance(c(), body_a, body_b, max_distance, found, nearest, error);
        });
    }
    /// Finds the bodies whose skin contains a point.
    void bodies_containing(Vec3 point, std::vector<BodyId> &bodies, const Filter &filter = {}) {
        detail::fill(bodies, [&](BodyId *out, std::size_t capacity, std::size_t *count, BoneboxError *error) {
            return bonebox_world_bodies_containing(c(), point, filter.c(), out, capacity, count, error);
        });
    }
    /// Finds all hitboxes that a shape overlaps, sorted by body, then by hitbox.
    void overlapping_boxes(const Shape &shape, std::vector<BodyShapeOverlap> &overlaps, const Filter &filter = {}) const {
        fill(overlaps, bonebox_world_overlapping_boxes, &shape, filter.c());
    }
    /// Returns true if a shape overlaps any hitbox.
    bool overlaps_shape(const Shape &shape, const Filter &filter = {}) const {
        return detail::ask([&](bool *overlaps, BoneboxError *error) {
            return bonebox_world_overlaps_shape(c(), &shape, filter.c(), overlaps, error);
        });
    }
    /// Finds the first hitbox that a shape hits on its way from one place to another, and the contact. `from` and `to` must
    /// have the same kind.
    std::optional<std::pair<BodyCastHit, CastContact>> cast_shape(const Shape &from, const Shape &to, const Filter &filter = {},
                                                              float relative_tolerance = 0) const {
        return detail::find<std::pair<BodyCastHit, CastContact>>([&](bool *found, auto *hit, BoneboxError *error) {
            return bonebox_world_cast_shape(c(), &from, &to, relative_tolerance, filter.c(), found, &hit->first,
                                            &hit->second, error);
        });
    }
    /// Finds all hitboxes that a shape hits on its way from one place to another, the earliest first.
    void cast_shape_all(const Shape &from, const Shape &to, std::vector<BodyCastHit> &hits, const Filter &filter = {},
                        float relative_tolerance = 0) const {
        fill(hits, bonebox_world_cast_shape_all, &from, &to, relative_tolerance, filter.c());
    }
    /// Returns true if a shape hits any hitbox on its way from one place to another.
    bool cast_shape_any(const Shape &from, const Shape &to, const Filter &filter = {}, float relative_tolerance = 0) const {
        return detail::ask([&](bool *any, BoneboxError *error) {
            return bonebox_world_cast_shape_any(c(), &from, &to, relative_tolerance, filter.c(), any, error);
        });
    }
    /// Finds the first hit between hitboxes of different bodies while the bodies move from pose to pose.
    std::optional<BodySweepHit> sweep(const Filter &filter = {}, float relative_tolerance = 0) const {
        return detail::find<BodySweepHit>([&](bool *found, BodySweepHit *hit, BoneboxError *error) {
            return bonebox_world_sweep(c(), relative_tolerance, filter.c(), found, hit, error);
        });
    }
    /// Finds all hitboxes of different bodies that hit each other while the bodies move from pose to pose.
    void sweep_all(std::vector<BodySweepHit> &hits, const Filter &filter = {}, float relative_tolerance = 0) const {
        fill(hits, bonebox_world_sweep_all, relative_tolerance, filter.c());
    }
    /// Returns true if hitboxes of any two bodies hit each other while the bodies move from pose to pose.
    bool sweep_any(const Filter &filter = {}, float relative_tolerance = 0) const {
        return detail::ask([&](bool *any, BoneboxError *error) {
            return bonebox_world_sweep_any(c(), relative_tolerance, filter.c(), any, error);
        });
    }
    BoneboxWorld *c() { return handle_.get(); }
    const BoneboxWorld *c() const { return handle_.get(); }

private:
    /// Calls a function of a world with its arguments, followed by the list.
    template <class T, class F, class... Arguments>
    void fill(std::vector<T> &list, F function, Arguments... arguments) const {
        detail::fill(list, [&](T *out, std::size_t capacity, std::size_t *count, BoneboxError *error) {
            return function(c(), arguments..., out, capacity, count, error);
        });
    }
    detail::Handle<BoneboxWorld> handle_;
};

} // namespace bonebox

#endif
