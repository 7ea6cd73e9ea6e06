// The C++ header: objects that free themselves, exceptions, lists that grow, and exact answers:
// cpp runa.bonebox runa-with-its-skin-and-a-ragdoll.bonebox

#include <bonebox.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

static void require(bool holds, const char *what) {
    if (!holds) {
        std::fprintf(stderr, "cpp: not so: %s\n", what);
        std::exit(1);
    }
}

template <class F> static BoneboxResult result_of(F &&function) {
    try {
        function();
    } catch (const bonebox::Error &error) {
        require(error.what()[0] != 0, "an error has a message");
        return error.result();
    }
    return BONEBOX_RESULT_OK;
}

static bonebox::Character load(const char *path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    return bonebox::Character::load(bytes);
}

/// Two characters side by side, nearer and nearer.
static void exact_answers(const bonebox::Character &plain, const bonebox::Character &skinned) {
    require(!plain.has_skin() && plain.skin_mesh_count() == 0, "no skin");
    require(skinned.has_skin() && skinned.skin_mesh(0).triangle_count > 10000, "a skin and its mesh");
    bonebox::Pose a, b;
    a.track_skin();
    require(skinned.morph_target_count() == 0, "no morph targets");
    a.set_morph_weights(skinned, {});
    require(result_of([&] { a.set_morph_weights(skinned, {0.5f}); }) == BONEBOX_RESULT_INVALID_ARGUMENT, "one weight too many");
    b.track_skin();
    a.from_rest(skinned, bonebox::identity());
    b.from_rest(skinned, bonebox::translation(0.1f, 0, 0));
    std::vector<bonebox::SkinOverlap> overlaps, of_hitboxes;
    bonebox::exact_overlap_all(a, b, overlaps);
    bonebox::exact_overlap_all(a, b, of_hitboxes, BONEBOX_SKIN_CANDIDATES_HITBOXES);
    require(!overlaps.empty() && of_hitboxes.size() <= overlaps.size(), "skins touch");
    require(bonebox::exact_overlap(a, b).has_value(), "a first touch");
    b.from_rest(skinned, bonebox::translation(9, 0, 0));
    bonebox::exact_overlap_all(a, b, overlaps);
    require(overlaps.empty() && !bonebox::exact_overlap(a, b), "far skins do not touch");
    const BoneboxRay ray{{0, 1, 5}, {0, 0, -1}, 10};
    const auto hit = a.exact_ray(ray);
    require(hit && hit->front && hit->normal.z > 0 && !a.exact_ray({{0, 9, 5}, {0, 0, -1}, 10}), "rays at the skin");
    require(result_of([&] { bonebox::exact_overlap_all(a, a, overlaps); }) == BONEBOX_RESULT_INVALID_ARGUMENT, "one pose twice");
    require(bonebox::exact_distance(a, b) && !bonebox::exact_distance(a, b, 1), "distances of skins");
    std::vector<bonebox::SkinShapeOverlap> touched;
    a.exact_shape_overlaps(bonebox::sphere(hit->point, 0.01f), touched);
    require(touched.size() == 1 && touched[0].joint == hit->joint, "a sphere at the skin");
    require(!a.skin_contains({0, 9, 0}) && !a.skin_contains({9, 1, 0}), "points outside");
    a.from_rest(plain, bonebox::identity());
    require(result_of([&] { a.exact_ray(ray); }) == BONEBOX_RESULT_NO_SKIN, "a character without its skin");

    bonebox::World world;
    for (const bonebox::BodyId body : {1, 2}) {
        world.insert(body, skinned);
        world.track_skin(body);
        world.pose_from_rest(body, bonebox::translation(0.1f * static_cast<float>(body), 0, 0));
    }
    world.update();
    std::vector<bonebox::SkinTouch> touches;
    world.exact_touches(touches);
    require(!touches.empty() && touches[0].body_a == 1 && touches[0].body_b == 2, "skins of bodies touch");
    const bonebox::BodyId own[] = {1};
    const bonebox::Filter others = bonebox::Filter().exclude(own);
    world.exact_touches(touches, others);
    require(touches.empty(), "a body is left out");
    const auto at_second = world.exact_ray({{0.2f, 1, 5}, {0, 0, -1}, 10}, others);
    require(at_second && at_second->body == 2, "a ray at the skin of a body");
    std::vector<bonebox::BodySkinShapeOverlap> at_shape;
    world.exact_shape_overlaps(bonebox::sphere(at_second->point, 0.001f), at_shape, others);
    require(at_shape.size() == 1 && at_shape[0].body == 2, "a sphere at the skin of a body");
    require(world.exact_distance(1, 2)->distance == 0, "skins that touch have no distance");
    std::vector<bonebox::BodyId> bodies;
    const auto &hit_point = at_second->point;
    world.bodies_containing({hit_point.x, hit_point.y, hit_point.z - 0.01f}, bodies, others);
    require(bodies.size() == 1 && bodies[0] == 2, "a point below the skin");
    require(result_of([&] { world.track_skin(3); }) == BONEBOX_RESULT_NO_BODY, "no such body");
}

/// Bodies that walk in circles, and what a client draws of them between two ticks.
class Game {
public:
    explicit Game(const bonebox::Character &character)
        : clip_(character.find_clip("walk")), start_(character.clip(clip_).start), seconds_(character.clip(clip_).seconds) {}

    void draw(bonebox::World &world, bonebox::BodyId body, bonebox::Moment moment) const {
        const float tick = static_cast<float>(moment.tick), share = moment.fraction, id = static_cast<float>(body);
        const auto angle = [&](float tick) { return 0.02f * tick + id; };
        const auto time = [&](float tick) { return std::fmod(tick / 64 + 0.3f * id, seconds_); };
        const auto mixed = [&](float a, float b) { return a + (b - a) * share; };
        const float x = 3 * mixed(std::cos(angle(tick)), std::cos(angle(tick + 1))) + 2 * id;
        const float z = 3 * mixed(std::sin(angle(tick)), std::sin(angle(tick + 1)));
        const float next = time(tick + 1) + (time(tick + 1) < time(tick) ? seconds_ : 0); // the clip began again
        const float seconds = start_ + std::fmod(mixed(time(tick), next), seconds_);
        const bonebox::ClipPose pose{body, bonebox::translation(x, 0, z), clip_, seconds};
        world.pose_from_clips(bonebox::Span<const bonebox::ClipPose>(&pose, 1));
    }

private:
    std::uint32_t clip_;
    float start_, seconds_;
};

/// Players with latency shoot at what they see, and the server answers at the moment that they saw. The fourth player draws
/// one body later than the others.
static void rewinding(const bonebox::Character &runa) {
    constexpr bonebox::BodyId BODIES = 12;
    const Game game(runa);
    bonebox::World world, picture;
    for (bonebox::BodyId body = 0; body < BODIES; ++body) {
        world.insert(body, runa);
        picture.insert(body, runa);
    }
    bonebox::History history;
    const auto answer = [](const bonebox::Bodies &bodies, const BoneboxRay &ray, bonebox::BodyId shooter) {
        const bonebox::BodyId own[] = {shooter};
        const auto hit = bodies.cast_ray(ray, bonebox::Filter().exclude(own));
        return hit ? std::optional(std::pair(hit->body, hit->hitbox)) : std::nullopt;
    };
    int shots = 0, right_without = 0;
    std::vector<bonebox::PosedHitbox> boxes;
    for (std::uint64_t tick = 0; tick < 200; ++tick) {
        for (bonebox::BodyId body = 0; body < BODIES; ++body) {
            game.draw(world, body, {tick, 0});
        }
        require(history.record(tick, world).bodies == BODIES, "all bodies are recorded");
        for (bonebox::BodyId player = 0; tick >= 20 && player < 4; ++player) {
            // The shot arrives now; the player saw the world some ticks ago.
            const bonebox::Moment moment{tick - 3 - 3 * player, static_cast<float>((tick * 7 + player * 3) % 16) / 16};
            const bonebox::BodyId target = 4 + tick % 8;
            const bonebox::Moment of_target = player == 3 ? bonebox::Moment{moment.tick + 2, 0.25f} : moment;
            for (bonebox::BodyId body = 0; body < BODIES; ++body) {
                game.draw(picture, body, body == target ? of_target : moment);
            }
            picture.hitboxes(target, boxes);
            const bonebox::Vec3 to = boxes[tick % boxes.size()].center, from{2 * static_cast<float>(player), 1.6f, -6};
            const BoneboxRay ray{from, {to.x - from.x, to.y - from.y, to.z - from.z}, 100};
            const auto seen = answer(picture, ray, player);
            const bonebox::BodyMoment own[] = {{target, of_target}};
            const bonebox::PastWorld then = history.at(moment, bonebox_rewind_rules_default(), own);
            require(seen && answer(then, ray, player) == seen, "the server finds what the player saw");
            require(then.kind(target).has_value() && then.moment(target).tick == of_target.tick, "a moment of its own");
            right_without += answer(world, ray, player) == seen;
            ++shots;
        }
    }
    require(shots == 720 && right_without * 2 < shots, "without rewind, most answers are wrong");

    const bonebox::Character *const characters[] = {&runa};
    const std::vector<std::uint8_t> saved = history.save(), saved_world = world.save();
    bonebox::History restored = bonebox::History::restore(saved, characters), other = restored;
    require(restored.checksum() == history.checksum() && !restored.first_difference(history), "a restored history");
    other.record(200, picture);
    other.drop_after(150);
    require(other.ticks().newest == 150 && !other.checksum_of(151) && restored.ticks().newest == 199, "a copy of a history");
    picture.restore(saved_world, characters);
    require(picture.save() == saved_world, "a restored world");
    const std::vector<std::uint8_t> garbage(100, 7);
    require(result_of([&] { bonebox::History::restore(garbage, characters); }) == BONEBOX_RESULT_BAD_FILE, "garbage");
    require(result_of([&] { picture.restore(garbage, characters); }) == BONEBOX_RESULT_BAD_FILE, "garbage");
    require(result_of([&] { history.at({5, std::nanf("")}); }) == BONEBOX_RESULT_INVALID_ARGUMENT, "not a number");
    require(result_of([&] { history.record(5, world); }) == BONEBOX_RESULT_INVALID_ARGUMENT, "ticks out of order");
    std::string line;
    bonebox::RewindRules rules = bonebox_rewind_rules_default();
    const auto why = history.explain({198, 0}, {{0, 40, 0}, {1, 0, 0}, 9}, 3, {}, rules, &line);
    require(why.verdict == BONEBOX_VERDICT_MISSED && line.rfind("{\"target\":3", 0) == 0, "an explanation");
    rules.may_ask = [](std::uint64_t body, void *) { return body != 3; };
    const bonebox::PastWorld then = history.at({190, 0.5f}, rules);
    require(result_of([&] { then.hitboxes(3, boxes); }) == BONEBOX_RESULT_NO_BODY, "a hidden body");
    require(then.refused().not_allowed == 1, "hidden bodies are counted");
    history.cut(2);
    world.keep_joints();
}

static bonebox::Vec3 center(const bonebox::Pose &pose, std::uint16_t joint) {
    std::vector<bonebox::PosedHitbox> hitboxes;
    pose.hitboxes(hitboxes);
    for (const bonebox::PosedHitbox &hitbox : hitboxes) {
        if (hitbox.joint == joint) {
            return hitbox.center;
        }
    }
    return {0, 0, 0};
}

/// Layers, masks, a character with some of its hitboxes, and bounds over a span of a clip.
static void layers_and_limits(const bonebox::Character &runa) {
    const std::uint32_t jab = runa.find_clip("jab"), idle = runa.find_clip("idle");
    const std::uint16_t hand = runa.find_joint("hand_l"), foot = runa.find_joint("foot_l");
    const bonebox::JointMask upper = bonebox::JointMask::below(runa, runa.find_joint("spine_01"));
    const std::vector<float> zeros(runa.joint_count());
    const bonebox::JointMask nothing(runa, zeros);
    bonebox::Pose still, layered;
    still.from_clip(runa, bonebox::identity(), idle, 0.2f);
    const bonebox::PoseLayer layers[] = {bonebox::blend(idle, 0.2f), bonebox::blend(jab, 0.3f, 1, &upper),
                                         bonebox::add(jab, 0.3f, 1, &nothing)};
    layered.from_layers(runa, bonebox::identity(), layers);
    require(center(layered, hand).z > center(still, hand).z + 0.2f, "the upper body jabs");
    require(center(layered, foot).z == center(still, foot).z, "the mask leaves the feet alone");
    const bonebox::PoseLayer added[] = {bonebox::blend(idle, 0.2f), bonebox::add(jab, 0.3f)};
    layered.from_layers(runa, bonebox::identity(), added);
    require(center(layered, hand).y > center(still, hand).y + 0.3f, "an added jab");
    require(result_of([&] { bonebox::JointMask(runa, bonebox::Span<const float>(zeros.data(), 1)); }) ==
                BONEBOX_RESULT_INVALID_ARGUMENT,
            "too few weights");

    const bonebox::Character far = runa.with_only_boxes("runa, far away", runa.boxes_with_tag("head"));
    require(far.name() == "runa, far away" && far.hitbox_count() == runa.boxes_with_tag("head").size(), "fewer hitboxes");

    bonebox::World world;
    world.insert(1, runa);
    world.insert(2, far);
    const bonebox::LayerPose poses[] = {{1, bonebox::identity(), layers, 3}, {2, bonebox::translation(0, 0, -2), layers, 1}};
    world.pose_from_layers(poses);
    world.pose_from_layers(1, bonebox::identity(), layers);
    world.get_pose(1, still);
    layered.from_layers(runa, bonebox::identity(), layers);
    require(center(still, hand).z == center(layered, hand).z, "a body in the same pose");
    const auto ball = [](float z) { return bonebox::sphere({0, 1.1f, z}, 0.2f); };
    const auto stone = world.cast_shape(ball(5), ball(-5));
    require(stone && stone->first.body == 1 && stone->second.point.z > 0, "a stone");
    std::vector<bonebox::BodyCastHit> hits;
    world.cast_shape_all(ball(5), ball(-5), hits);
    require(!hits.empty() && hits[0].time == stone->first.time, "all hits of a stone");
    std::vector<bonebox::CastHit> of_pose;
    bonebox::cast_shape_all(ball(5), ball(-5), layered, layered, of_pose);
    require(!of_pose.empty() && of_pose[0].time == hits[0].time && of_pose[0].hitbox == hits[0].hitbox, "one character");
    const auto contact = bonebox::cast_contact(ball(5), ball(-5), layered, layered, of_pose[0]);
    require(contact.point.z == stone->second.point.z, "the same contact");
    const auto first = bonebox::cast_shape(ball(5), ball(-5), layered, layered);
    require(first && first->first.time == of_pose[0].time && first->second.point.z == contact.point.z, "its first hit");
    require(world.cast_shape_any(ball(5), ball(-5)) && bonebox::cast_shape_any(ball(5), ball(-5), layered, layered), "any hit");
    require(!world.cast_shape_any(ball(5), ball(4)) && !bonebox::cast_shape_any(ball(5), ball(4), layered, layered), "no hit");
    const auto staff = [](float z) { return bonebox::capsule({-1, 1.1f, z}, {1, 1.1f, z}, 0.05f); };
    const auto plank = [](float z) { return bonebox::box({{0, 1.1f, z}, {1, 0.05f, 0.05f}, {0, 0, 0, 1}}); };
    require(world.cast_shape(staff(5), staff(-5)) && world.cast_shape(plank(5), plank(-5)), "other shapes");
    require(result_of([&] { world.cast_shape_all(staff(5), plank(5), hits); }) == BONEBOX_RESULT_INVALID_ARGUMENT, "two kinds");

    const bonebox::Bounds bounds = bonebox::transformed(runa.bounds_over(jab, BONEBOX_LOOP_MODE_LOOP, 0, 0.5f), bonebox::translation(3, 0, 0));
    layered.from_clip(runa, bonebox::translation(3, 0, 0), jab, runa.clip_time(jab, BONEBOX_LOOP_MODE_LOOP, 0.3f));
    require(bounds.min.x <= layered.bounds().min.x && bounds.max.z >= layered.bounds().max.z, "bounds over a span");
}

/// A pose that fails leaves no hitboxes.
static void failed_poses(const bonebox::Character &character) {
    const bonebox::Matrix here = bonebox::identity();
    bonebox::Matrix projective = here;
    projective.m[3] = 1;
    const std::vector<bonebox::Matrix> joints(character.joint_count(), projective);
    bonebox::Pose pose;
    const bonebox::Pose unposed;
    bonebox::World world;
    world.insert(1, character);
    std::vector<bonebox::PosedHitbox> hitboxes;
    const auto leaves_none = [&](auto &&fail, const char *what) {
        pose.from_rest(character, here);
        world.pose_from_rest(1, here);
        require(result_of(fail) != BONEBOX_RESULT_OK, what);
        world.hitboxes(1, hitboxes);
        require(!pose.is_posed() || hitboxes.empty(), what);
    };
    leaves_none([&] { pose.from_rest(character, projective); }, "a place");
    leaves_none([&] { pose.from_clip(character, here, 999, 0); }, "a clip");
    leaves_none([&] { pose.from_layers(character, here, {{bonebox::blend(999, 0)}}); }, "a layer");
    leaves_none([&] { pose.from_model(character, here, joints); }, "matrices in model space");
    leaves_none([&] { pose.from_world(character, {}); }, "a number of matrices");
    leaves_none([&] { world.get_pose(9, pose); }, "a body that does not exist");
    leaves_none([&] { world.pose_from_rest(1, projective); }, "the place of a body");
    leaves_none([&] { world.pose_from_clips({{{1, projective, 0, 0}}}); }, "the place of a clip");
    leaves_none([&] { world.pose_from_layers(1, here, {{bonebox::blend(999, 0)}}); }, "a layer of a body");
    leaves_none([&] { world.pose_from_model(1, here, {}); }, "a number of matrices of a body");
    leaves_none([&] { world.pose_from_world(1, joints); }, "matrices of a body");
    leaves_none([&] { world.set_pose(1, unposed); }, "a copy of no pose");
    pose.from_rest(character, here);
    pose.clear();
    world.pose_from_rest(1, here);
    world.clear_pose(1);
    world.hitboxes(1, hitboxes);
    require(!pose.is_posed() && hitboxes.empty(), "poses that were cleared");
    std::vector<bonebox::RayAnswer> answers(3);
    const bonebox::RayQuery no_direction{};
    const auto cast = [&] { world.cast_rays(bonebox::Span<const bonebox::RayQuery>(&no_direction, 1), answers); };
    require(result_of(cast) == BONEBOX_RESULT_INVALID_ARGUMENT && answers.empty(), "no answers after a failure");
}

/// Runa jabs another one who stands in front of her, once. A copy of the swings finds the same.
static void striking(const bonebox::Character &runa) {
    bonebox::World world;
    world.insert(1, runa);
    world.insert(2, runa);
    bonebox::History history(64, 1.0 / 60);
    const std::uint32_t jab = runa.find_clip("jab"), idle = runa.find_clip("idle");
    const BoneboxMatrix facing{{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0.7f, 1}};
    for (std::uint64_t tick = 0; tick < 30; ++tick) {
        const bonebox::ClipPose poses[] = {{1, bonebox::translation(0, 0, 0), jab, static_cast<float>(tick) / 60},
                                           {2, facing, idle, 0}};
        world.pose_from_clips(poses);
        history.record(tick, world);
    }
    bonebox::Strikes strikes;
    strikes.begin({1, 7, jab, 0, 1, false});
    bonebox::Strikes copy = strikes;
    std::vector<bonebox::Strike> found, again;
    strikes.advance(history, 0, 29);
    strikes.found(found);
    require(found.size() == 1 && found[0].target == 2 && found[0].instance == 7, "the jab strikes once");
    require(found[0].outcome == BONEBOX_OUTCOME_HIT && !found[0].has_attacker_weapon, "a hit");
    require(!(copy == strikes), "another state");
    copy.advance(history, 0, 29);
    copy.found(again);
    require(copy == strikes && again.size() == 1 && again[0].seconds == found[0].seconds, "the same strike");
    strikes.equip(1, 3, {bonebox::translation(0, 0, 0), {0.1f, 0.1f, 0.1f}, 0, 0});
    require(strikes.unequip(1, 3) && !strikes.unequip(1, 3), "a weapon");
    strikes.hit_stop(1, 2, 3);
    require(strikes.is_frozen(2) && !strikes.is_frozen(3), "hit stop");
    require(result_of([&] { strikes.advance(history, 0, 99); }) == BONEBOX_RESULT_INVALID_ARGUMENT, "no such tick");
    require(result_of([&] { strikes.set_speed(1, 9, 1); }) == BONEBOX_RESULT_NOT_FOUND, "no such swing");
}

/// Bodies of a ragdoll, and a pose that becomes places of bodies and comes back.
static void falling(const bonebox::Character &plain, const bonebox::Character &limp) {
    require(!plain.has_ragdoll() && limp.has_ragdoll(), "a ragdoll");
    require(result_of([&] { bonebox::Ragdoll none(plain); }) == BONEBOX_RESULT_NOT_FOUND, "no ragdoll");
    require(result_of([&] { bonebox::Ragdoll none(limp, -1); }) == BONEBOX_RESULT_INVALID_ARGUMENT, "no such scale");
    const bonebox::Ragdoll ragdoll(limp), large(limp, 2);
    std::vector<bonebox::RagdollShape> shapes;
    std::vector<bonebox::Vec3> vertices;
    std::vector<bonebox::RagdollPair> pairs;
    float mass = 0;
    for (std::uint16_t index = 0; index < ragdoll.size(); ++index) {
        const bonebox::RagdollBody body = ragdoll.body(index);
        require(body.parent < index && ragdoll.body_of_joint(body.joint) == index, "bodies and their joints");
        require(index == 0 ? body.parent == -1 : body.limits.x > 0 && body.damping > 0, "constraints");
        ragdoll.shapes(index, shapes);
        require(!shapes.empty() && shapes.size() == body.shape_count, "shapes");
        ragdoll.hull_vertices(index, 0, vertices);
        require(shapes[0].kind == BONEBOX_RAGDOLL_SHAPE_KIND_BOX && vertices.empty(), "boxes have no vertices of a hull");
        mass += body.mass;
        require(std::abs(large.body(index).mass / body.mass - 8) < 1e-3f, "a scaled ragdoll");
    }
    require(ragdoll.size() > 10 && std::abs(mass - 75) < 0.01f, "a person of 75 kg");
    ragdoll.no_collision(pairs);
    require(pairs.size() >= ragdoll.size() - 1 && pairs[0].body_a < pairs[0].body_b, "pairs");

    std::vector<std::uint16_t> all;
    for (std::size_t joint = 0; joint < limp.joint_count(); ++joint) {
        all.push_back(static_cast<std::uint16_t>(joint));
    }
    bonebox::Pose pose, again;
    pose.track_joints(all);
    pose.from_rest(limp, bonebox::translation(1, 2, 3));
    std::vector<bonebox::Matrix> matrices, back;
    for (const std::uint16_t joint : all) {
        matrices.push_back(pose.joint_matrix(joint));
    }
    std::vector<bonebox::RagdollPlace> places;
    ragdoll.places(bonebox::identity(), matrices, places);
    ragdoll.world_from_joints(places, back);
    for (std::size_t joint = 0; joint < all.size(); ++joint) {
        for (int entry = 0; entry < 16; ++entry) {
            require(std::abs(matrices[joint].m[entry] - back[joint].m[entry]) < 1e-4f, "the same pose");
        }
    }
    again.from_world(limp, back);
    const std::uint16_t head = limp.find_joint("head");
    require(std::abs(center(pose, head).y - center(again, head).y) < 1e-4f, "the same hitboxes");
    std::vector<bonebox::RagdollPlace> moved = places;
    for (bonebox::RagdollPlace &place : moved) {
        place.position.y += 0.5f;
    }
    std::vector<bonebox::RagdollVelocity> velocities;
    ragdoll.velocities(places, moved, 0.25f, velocities);
    require(velocities.size() == places.size() && std::abs(velocities[3].linear.y - 2) < 1e-4f, "2 m/s");
    ragdoll.world_from_joints(places, matrices, back);
    require(matrices.size() == back.size() && matrices[0].m[13] != back[0].m[13], "local matrices are used");
    const auto too_few = [&] { ragdoll.world_from_joints(bonebox::Span<const bonebox::RagdollPlace>(places.data(), 1), back); };
    require(result_of(too_few) == BONEBOX_RESULT_POSE_REFUSED && back.empty(), "too few places");
}

int main(int argc, char **argv) {
    if (argc != 3) {
        return 2;
    }
    bonebox::Character character = load(argv[1]);
    const bonebox::Character moved = std::move(character);
    require(moved.name() == "runa" && moved.joint_count() == 53, "the character");
    require(moved.joint_name(moved.find_joint("hand_l")) == "hand_l", "names of joints");
    require(moved.clip(moved.find_clip("jab")).seconds > 0, "clips");
    failed_poses(moved);
    const bonebox::BoxSet hand = moved.boxes_of_joint(moved.find_joint("hand_l"));
    require(hand.size() + hand.complement().size() == moved.hitbox_count(), "complements");
    require(hand.united_with(hand.complement()).size() == moved.all_boxes().size(), "unions");
    for (std::uint16_t index = 0; index < moved.hitbox_count(); ++index) {
        require(moved.tags(index).size() == moved.hitbox(index).tag_count, "tags");
        for (const auto tag : moved.tags(index)) {
            require(moved.has_tag(index, std::string(tag).c_str()), "a tag that is listed is there");
            require(moved.boxes_with_tag(std::string(tag).c_str()).contains(index), "the set of a tag");
        }
    }
    require(result_of([&] { bonebox::Character::load(std::string("no file")); }) == BONEBOX_RESULT_BAD_FILE, "bad bytes");
    require(result_of([&] { moved.find_clip("no such clip"); }) == BONEBOX_RESULT_NOT_FOUND, "no such clip");

    bonebox::Pose a, b;
    require(!a.is_posed(), "no pose yet");
    require(result_of([&] { a.bounds(); }) == BONEBOX_RESULT_POSE_REFUSED, "no bounds yet");
    a.from_rest(moved, bonebox::identity());
    b.from_rest(moved, bonebox::translation(0.1f, 0, 0));
    require(a.is_posed() && bonebox::overlaps(a, b), "two of them stand in one place");
    std::vector<bonebox::BoxPair> pairs;
    std::vector<bonebox::JointPair> joints;
    std::vector<bonebox::Contact> contacts;
    bonebox::overlapping_boxes(a, b, pairs);
    bonebox::overlapping_joints(a, b, joints);
    bonebox::contacts(a, b, contacts);
    require(pairs.size() == contacts.size() && joints.size() <= pairs.size() && !joints.empty(), "pairs");
    require(bonebox::distance(a, b)->distance == 0 && !bonebox::distance(a, b, -1), "distances");

    bonebox::World world, saved;
    for (bonebox::BodyId body = 0; body < 40; ++body) {
        world.insert(body, moved);
        world.pose_from_rest(body, bonebox::translation(static_cast<float>(body), 0, 0));
    }
    world.update();
    std::vector<bonebox::BodyId> bodies;
    world.bodies(bodies);
    require(bodies.size() == 40 && bodies.back() == 39, "a list that grows");
    world.unposed_bodies(bodies);
    require(bodies.empty(), "a list that shrinks");
    std::vector<bonebox::BodyShapeOverlap> found;
    world.overlapping_boxes(bonebox::sphere({20, 1, 0}, 1.5f), found);
    const std::size_t all = found.size();
    const bonebox::BodyId own[] = {20};
    world.overlapping_boxes(bonebox::sphere({20, 1, 0}, 1.5f), found, bonebox::Filter().exclude(own));
    require(!found.empty() && found.size() < all, "a body is left out");
    std::size_t asked = 0;
    const auto none = [&asked](bonebox::BodyId, std::uint16_t) { return ++asked == 0; };
    auto predicate = none;
    world.overlapping_boxes(bonebox::capsule({20, 1, 0}, {21, 1, 0}, 0.5f), found, bonebox::Filter().predicate(predicate));
    require(found.empty() && asked > 0, "a function decides");
    const bonebox::Shape block = bonebox::box({{20, 1, 0}, {1, 1, 1}, {0, 0, 0, 1}});
    world.overlapping_boxes(block, found);
    require(!found.empty() && world.overlaps_shape(block), "a box");
    require(!world.overlaps_shape(bonebox::sphere({20, 99, 0}, 1)), "a ball in the sky");
    std::vector<bonebox::BodyRayHit> hits;
    const BoneboxRay ray{{-5, 1, 0}, {1, 0, 0}, 30};
    world.cast_ray_all(ray, hits);
    require(!hits.empty() && hits.front().body == world.cast_ray(ray)->body && world.cast_ray_any(ray), "rays");
    require(!world.cast_ray_any({{0, 99, 0}, {1, 0, 0}, 30}), "a ray in the sky");
    const bonebox::BodyId first[] = {0};
    const bonebox::Filter not_first = bonebox::Filter().exclude(first);
    const bonebox::RayQuery queries[] = {{ray, nullptr}, {ray, not_first.c()}, {{{0, 99, 0}, {1, 0, 0}, 30}, nullptr}};
    std::vector<bonebox::RayAnswer> answers;
    world.cast_rays(queries, answers);
    require(answers[0].found && answers[0].hit.body == 0 && answers[1].hit.body == 1 && !answers[2].found, "many rays");
    saved.copy_from(world);
    world.set_boxes_enabled(0, moved.all_boxes(), false);
    require(world.cast_ray(ray)->body == 1 && saved.cast_ray(ray)->body == 0, "a copy keeps its state");
    require(result_of([&] { world.insert(0, moved); }) == BONEBOX_RESULT_BODY_EXISTS, "a body twice");
    std::vector<bonebox::PosedHitbox> hitboxes;
    world.hitboxes(3, hitboxes);
    require(hitboxes.size() == moved.hitbox_count(), "hitboxes of a body");
    layers_and_limits(moved);
    rewinding(moved);
    striking(moved);
    exact_answers(moved, load(argv[2]));
    falling(moved, load(argv[2]));
#if defined(__cpp_lib_expected)
    require(bonebox::attempt([&] { return moved.find_clip("jab"); }).value() == moved.find_clip("jab"), "expected");
    require(bonebox::attempt([&] { world.remove(99); }).error().result() == BONEBOX_RESULT_NO_BODY, "unexpected");
#endif
    return 0;
}
