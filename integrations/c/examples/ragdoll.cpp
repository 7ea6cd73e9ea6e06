// A character that falls: the bodies and constraints of its file in the terms of a physics engine, and the pose that comes
// back. Bake the character with `ragdoll = true`. Usage: ragdoll runa.bonebox

#include <bonebox.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

using bonebox::Quat;
using bonebox::Vec3;

static Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
static Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static Vec3 operator*(float s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
static Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

static Vec3 rotated(Quat q, Vec3 v) {
    const Vec3 axis{q.x, q.y, q.z}, turned = 2 * cross(axis, v);
    return v + q.w * turned + cross(axis, turned);
}

// The fields of Jolt's SwingTwistConstraintSettings in the space EConstraintSpace::LocalToBodyCOM, with ESwingType::Pyramid:
// the twist is about x, the plane axis is z, and the angles in the plane and normal to it are the swings about y and z.
struct SwingTwist {
    Vec3 position1, twist_axis1, plane_axis1, position2, twist_axis2, plane_axis2;
    float twist_min_angle, twist_max_angle, plane_half_cone_angle, normal_half_cone_angle;
};

static SwingTwist swing_twist(const bonebox::RagdollBody &parent, const bonebox::RagdollBody &body) {
    const Vec3 x{1, 0, 0}, z{0, 0, 1};
    SwingTwist joint{};
    joint.position1 = body.anchor - parent.center_of_mass;
    joint.position2 = Vec3{0, 0, 0} - body.center_of_mass;
    joint.twist_axis1 = rotated(body.parent_from_frame, x);
    joint.plane_axis1 = rotated(body.parent_from_frame, z);
    joint.twist_axis2 = rotated(body.body_from_frame, x);
    joint.plane_axis2 = rotated(body.body_from_frame, z);
    joint.twist_min_angle = -body.limits.x;
    joint.twist_max_angle = body.limits.x;
    joint.plane_half_cone_angle = body.limits.y;
    joint.normal_half_cone_angle = body.limits.z;
    return joint;
}

static int run(const char *path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const bonebox::Character character = bonebox::Character::load(bytes);
    const bonebox::Ragdoll ragdoll(character);

    // Once: make the bodies and their constraints.
    std::vector<bonebox::RagdollBody> bodies;
    std::vector<bonebox::RagdollShape> shapes;
    float mass = 0;
    for (std::uint16_t index = 0; index < ragdoll.size(); ++index) {
        bodies.push_back(ragdoll.body(index));
        ragdoll.shapes(index, shapes); // a compound shape, in the space of the body
        mass += bodies[index].mass;
    }
    std::vector<SwingTwist> joints;
    for (const bonebox::RagdollBody &body : bodies) {
        if (body.parent >= 0) {
            joints.push_back(swing_twist(bodies[static_cast<std::size_t>(body.parent)], body));
        }
    }
    std::printf("%zu bodies of %.1f kg, %zu constraints\n", bodies.size(), static_cast<double>(mass), joints.size());

    // At the hit: the places in the last two poses of the animation give the places and the velocities of the bodies.
    const float tick = 1.0f / 60;
    const std::uint32_t clip = character.find_clip("walk");
    std::vector<std::uint16_t> all(character.joint_count());
    for (std::size_t joint = 0; joint < all.size(); ++joint) {
        all[joint] = static_cast<std::uint16_t>(joint);
    }
    bonebox::Pose pose;
    pose.track_joints(all);
    std::vector<bonebox::Matrix> matrices(all.size());
    std::vector<bonebox::RagdollPlace> before, places;
    const auto places_at = [&](float seconds, std::vector<bonebox::RagdollPlace> &out) {
        pose.from_clip(character, bonebox::translation(0, 1, 0), clip, seconds);
        for (const std::uint16_t joint : all) {
            matrices[joint] = pose.joint_matrix(joint);
        }
        ragdoll.places(bonebox::identity(), matrices, out);
    };
    places_at(0.3f, before);
    places_at(0.3f + tick, places);
    std::vector<bonebox::RagdollVelocity> velocities;
    ragdoll.velocities(before, places, tick, velocities);

    // In every tick: the engine moves the bodies (here they only fall freely, without turning), and the pose follows.
    for (int step = 0; step < 20; ++step) {
        for (std::size_t body = 0; body < bodies.size(); ++body) {
            velocities[body].linear.y -= 9.81f * tick;
            places[body].position = places[body].position + tick * velocities[body].linear;
        }
        ragdoll.world_from_joints(places, matrices);
        pose.from_world(character, matrices);
    }
    const auto head = ragdoll.body_of_joint(character.find_joint("head"));
    if (head) {
        const double fallen = static_cast<double>(before[*head].position.y - places[*head].position.y);
        std::printf("the head fell %.1f m; its hitboxes are at a height of %.1f m to %.1f m\n", fallen,
                    static_cast<double>(pose.bounds().min.y), static_cast<double>(pose.bounds().max.y));
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: ragdoll runa.bonebox\n");
        return 2;
    }
    try {
        return run(argv[1]);
    } catch (const bonebox::Error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
