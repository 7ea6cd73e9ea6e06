// A server's tick: layers, events, a sword, a shot that ignores the shooter, a blade, a stone, and a state to roll back
// to. Usage: arena runa.bonebox bruno.bonebox

#include <bonebox.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

static bonebox::Character load(const char *path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::runtime_error(std::string("cannot open ") + path);
    }
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    return bonebox::Character::load(bytes);
}

// A sword of 60 cm that begins at the joint of the hand and lies along the joint's y axis.
static bonebox::Shape sword_in(const bonebox::Matrix &hand) {
    const float *m = hand.m; // its columns are the x, y and z axes and the origin, four numbers each
    const bonebox::Vec3 hilt{m[12], m[13], m[14]};
    return bonebox::capsule(hilt, {hilt.x + 0.6f * m[4], hilt.y + 0.6f * m[5], hilt.z + 0.6f * m[6]}, 0.02f);
}

static int run(const char *first, const char *second) {
    constexpr bonebox::BodyId RUNA = 10, BRUNO = 20;
    const bonebox::Character runa = load(first), bruno = load(second);
    const std::uint32_t jab = runa.find_clip("jab"), idle = runa.find_clip("idle");
    const bonebox::JointMask upper_body = bonebox::JointMask::below(runa, runa.find_joint("spine_01"));

    bonebox::World world, yesterday;
    bonebox::History history;
    bonebox::BodySettings settings = bonebox_body_settings_default();
    settings.continuous = true;
    world.insert(RUNA, runa, settings);
    world.insert(BRUNO, bruno, settings);
    const char *const hand[] = {"hand_l"};
    world.track_joints(RUNA, hand);
    const bonebox::Matrix opposite{{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0.8f, 1}};
    world.pose_from_rest(BRUNO, opposite);

    const bonebox::BodyId own[] = {RUNA};
    std::vector<bonebox::BodyCastHit> hits;
    std::optional<bonebox::Shape> last_sword; // the sword in the last tick; reset it when a swing begins
    std::set<bonebox::BodyId> struck;         // the bodies that this swing has hit; clear it when a swing begins
    std::vector<bonebox::TouchEvent> events; // keeps its memory from tick to tick
    for (int tick = 0; tick < 21; ++tick) {
        yesterday.copy_from(world);
        const float seconds = static_cast<float>(tick) / 30;
        const bonebox::PoseLayer layers[] = {bonebox::blend(jab, seconds), bonebox::add(idle, seconds, 0.5f, &upper_body)};
        world.pose_from_layers(RUNA, bonebox::identity(), layers);
        world.update();
        world.events(events);
        for (const bonebox::TouchEvent &event : events) {
            if (event.phase == BONEBOX_TOUCH_PHASE_PERSISTED) {
                continue;
            }
            const bool started = event.phase == BONEBOX_TOUCH_PHASE_STARTED;
            const auto a = runa.joint_name(event.touch.joint_a), b = bruno.joint_name(event.touch.joint_b);
            std::printf("tick %2d  %.*s %s %.*s\n", tick, static_cast<int>(a.size()), a.data(),
                        started ? "touches" : "leaves", static_cast<int>(b.size()), b.data());
        }

        // The sword on its way from its place in the last tick to its place now.
        const bonebox::Shape sword = sword_in(world.joint_matrix(RUNA, "hand_l"));
        if (last_sword) {
            world.cast_shape_all(*last_sword, sword, hits, bonebox::Filter().exclude(own));
            for (const bonebox::BodyCastHit &hit : hits) {
                if (struck.insert(hit.body).second) { // once for each swing
                    std::printf("tick %2d  the sword hits body %d\n", tick, static_cast<int>(hit.body));
                }
            }
        }
        last_sword = sword;
        history.record(static_cast<std::uint64_t>(tick), world);
    }

    // A shot from the fist, which can hit every body except the shooter.
    const bonebox::Matrix fist = world.joint_matrix(RUNA, "hand_l");
    const BoneboxRay ray{{fist.m[12], fist.m[13], fist.m[14]}, {0, 0, 1}, 100}; // origin, direction, range
    if (const auto hit = world.cast_ray(ray, bonebox::Filter().exclude(own))) {
        const auto joint = bruno.joint_name(hit->joint);
        std::printf("the shot hits body %d at %.*s\n", static_cast<int>(hit->body), static_cast<int>(joint.size()),
                    joint.data());
    }

    // The same shot at the moment that the shooter saw.
    const bonebox::PastWorld then = history.at({19, 0.5f}); // a tick that the client sent, and the share of the way to the next
    const auto seen = then.cast_ray(ray, bonebox::Filter().exclude(own));
    std::printf("at tick 19.5, the shot %s\n", seen ? "hits" : "misses");

    // A blade that passes through both bodies within the tick.
    const auto blade = [](float z) {
        return bonebox::box({{0, 1.2f, z}, {0.4f, 0.02f, 0.05f}, {0, 0, 0, 1}});
    };
    if (const auto hit = world.cast_shape(blade(5), blade(-5))) {
        std::printf("the blade hits body %d first\n", static_cast<int>(hit->first.body));
    }

    // A thrown stone, the size of a fist.
    const bonebox::Shape from = bonebox::sphere({0, 1.2f, 5}, 0.05f), to = bonebox::sphere({0, 1.0f, -5}, 0.05f);
    if (const auto hit = world.cast_shape(from, to, bonebox::Filter().exclude(own))) {
        const auto joint = bruno.joint_name(hit->first.joint);
        std::printf("the stone hits body %d at %.*s\n", static_cast<int>(hit->first.body), static_cast<int>(joint.size()),
                    joint.data());
    }
    world.copy_from(yesterday);
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: arena A.bonebox B.bonebox\n");
        return 2;
    }
    try {
        return run(argv[1], argv[2]);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "arena: %s\n", error.what());
        return 1;
    }
}
