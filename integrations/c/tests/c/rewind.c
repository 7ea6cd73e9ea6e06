/* Players with latency shoot at what they see, and the server answers at the moment that they saw:
 * rewind runa.bonebox */

#include <bonebox.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 12, PLAYERS = 4, TICKS = 400, FLYING = 64 };
static const double TICK = 1.0 / 64;

static BoneboxError error;

static void check(BoneboxResult result, const char *what) {
    if (result != BONEBOX_RESULT_OK) {
        fprintf(stderr, "%s: %s\n", what, error.message);
        exit(1);
    }
}

static void require(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "rewind: not so: %s\n", what);
        exit(1);
    }
}

static float share(void) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 16777216.0f;
}

/* What the server sends about a body in each tick. */
typedef struct {
    float x, z, yaw, seconds;
    uint64_t life; /* changes when the body is teleported */
} Snapshot;

static uint32_t walk;
static BoneboxClip clip;

static Snapshot snapshot(uint64_t body, uint64_t tick) {
    const float turned = 0.02f * (float)tick + (float)body;
    const float elapsed = (float)tick / 64 + 0.3f * (float)body;
    const uint64_t life = body % 4 == 0 ? tick / 25 : 0;
    return (Snapshot){3 * cosf(turned) + 2 * (float)body + 4 * (float)(life % 2), 3 * sinf(turned), -turned,
                      clip.start + fmodf(elapsed, clip.seconds), life};
}

/* A body between two snapshots, as a game draws it. */
static BoneboxClipPose between(uint64_t body, uint64_t tick, float fraction) {
    const Snapshot a = snapshot(body, tick);
    Snapshot b = snapshot(body, tick + 1);
    if (b.life != a.life) {
        b = a;
    }
    float way = b.seconds - a.seconds;
    if (way < -0.5f * clip.seconds) { /* the clip began again */
        way += clip.seconds;
    }
    float seconds = a.seconds + way * fraction;
    if (seconds > clip.start + clip.seconds) {
        seconds -= clip.seconds;
    }
    const float yaw = a.yaw + (b.yaw - a.yaw) * fraction, c = cosf(yaw), s = sinf(yaw);
    const float x = a.x + (b.x - a.x) * fraction, z = a.z + (b.z - a.z) * fraction;
    return (BoneboxClipPose){body, {{c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, x, 0, z, 1}}, walk, seconds};
}

static void draw(BoneboxWorld *world, uint64_t tick, float fraction) {
    BoneboxClipPose poses[BODIES];
    for (uint64_t body = 0; body < BODIES; ++body) {
        poses[body] = between(body, tick, fraction);
    }
    check(bonebox_world_pose_from_clips(world, poses, BODIES, &error), "poses");
}

typedef struct {
    bool found;
    uint64_t body;
    uint16_t hitbox;
} Answer;

static Answer shoot(const BoneboxWorld *world, const BoneboxRay *ray, uint64_t shooter) {
    const BoneboxFilter filter = {.exclude = &shooter, .exclude_count = 1};
    BoneboxBodyRayHit hit = {0};
    bool found;
    check(bonebox_world_cast_ray(world, ray, &filter, &found, &hit, &error), "a ray");
    return (Answer){found, hit.body, hit.hitbox};
}

static bool same(Answer a, Answer b) {
    return a.found == b.found && (!a.found || (a.body == b.body && a.hitbox == b.hitbox));
}

typedef struct {
    double arrival;
    BoneboxMoment moment;
    uint64_t shooter;
    BoneboxRay ray;
    Answer seen;
} Shot;

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: rewind A.bonebox\n");
        return 2;
    }
    static uint8_t bytes[1 << 24];
    const size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    BoneboxCharacter *runa;
    check(bonebox_character_load(bytes, length, &runa, &error), "the character");
    check(bonebox_character_find_clip(runa, "walk", &walk, &error), "the clip");
    check(bonebox_character_clip(runa, walk, &clip, &error), "the clip");

    BoneboxWorld *world, *picture;
    check(bonebox_world_new(&world, &error), "a world");
    check(bonebox_world_new(&picture, &error), "a picture");
    for (uint64_t body = 0; body < BODIES; ++body) {
        check(bonebox_world_insert(world, body, runa, NULL, &error), "a body");
        check(bonebox_world_insert(picture, body, runa, NULL, &error), "a body");
    }
    BoneboxHistory *history;
    check(bonebox_history_new(64, TICK, &history, &error), "a history");

    Shot flying[FLYING];
    size_t flights = 0;
    int shots = 0, hits = 0, right_without = 0, cut = 0;
    for (uint64_t tick = 0; tick < TICKS; ++tick) {
        /* The server: shots that arrived are answered at the moment that the player saw. */
        const double now = (double)tick * TICK;
        for (size_t index = 0; index < flights;) {
            const Shot shot = flying[index];
            if (shot.arrival > now) {
                ++index;
                continue;
            }
            flying[index] = flying[--flights];
            const BoneboxWorld *then;
            check(bonebox_history_at(history, shot.moment, NULL, 0, NULL, &then, &error), "a moment");
            const Answer found = shoot(then, &shot.ray, shot.shooter);
            require(same(found, shot.seen), "the server finds what the player saw");
            bool is_there;
            BoneboxMomentKind kind;
            check(bonebox_past_kind(then, shot.seen.body, &is_there, &kind, &error), "a kind");
            require(is_there && kind != BONEBOX_MOMENT_KIND_CLAMPED_TO_MAX_BACK, "a moment that the rules allow");
            bonebox_world_free(then);
            ++shots;
            hits += shot.seen.found;
            cut += kind == BONEBOX_MOMENT_KIND_CUT;
            right_without += same(shoot(world, &shot.ray, shot.shooter), shot.seen);
        }
        for (uint64_t body = 0; body < BODIES; ++body) {
            if (tick > 0 && snapshot(body, tick).life != snapshot(body, tick - 1).life) {
                check(bonebox_history_cut(history, body, &error), "a cut");
            }
        }
        draw(world, tick, 0);
        BoneboxRecorded recorded;
        check(bonebox_history_record(history, tick, world, &recorded, &error), "a tick");
        require(recorded.bodies == BODIES && recorded.without_recipe == 0, "all bodies are recorded");

        /* The players: each draws behind its newest snapshot, and shoots at a hitbox that it sees. */
        for (int player = 0; player < PLAYERS; ++player) {
            const double one_way = 0.010 + 0.025 * player, frame = now + share() * TICK;
            const double drawn = (frame - one_way) / TICK - 2;
            const float chance = share();
            if (drawn < 0 || chance < 0.5f || flights == FLYING) {
                continue;
            }
            const BoneboxMoment moment = {(uint64_t)drawn, (float)(drawn - floor(drawn))};
            draw(picture, moment.tick, moment.fraction);
            const uint64_t shooter = (uint64_t)player, target = (shooter + 1 + (uint64_t)(share() * 11)) % BODIES;
            BoneboxPosedHitbox boxes[64];
            size_t count;
            check(bonebox_world_hitboxes(picture, target, boxes, 64, &count, &error), "hitboxes");
            const BoneboxVec3 to = boxes[(size_t)(share() * (float)count)].center;
            const Snapshot at = snapshot(shooter, moment.tick);
            const BoneboxVec3 eyes = {at.x, 1.6f, at.z};
            const BoneboxRay ray = {eyes, {to.x - eyes.x, to.y - eyes.y, to.z - eyes.z}, 100};
            flying[flights++] = (Shot){frame + one_way, moment, shooter, ray, shoot(picture, &ray, shooter)};
        }
    }
    printf("%d shots, %d hits: all right with rewind, %d without, %d at a body that was teleported\n", shots, hits,
           right_without, cut);
    require(shots > 500 && hits * 10 > shots * 9 && cut > 0 && right_without * 2 < shots, "the numbers of shots");

    /* A second server goes on from the bytes of the first. */
    BoneboxBytes *saved;
    check(bonebox_history_save(history, &saved, &error), "saving");
    const BoneboxCharacter *characters[] = {runa};
    BoneboxHistory *restored;
    check(bonebox_history_restore(bonebox_bytes_data(saved), bonebox_bytes_length(saved), characters, 1, &restored, &error),
          "restoring");
    uint64_t sums[2];
    check(bonebox_history_checksum(history, &sums[0], &error), "a sum");
    check(bonebox_history_checksum(restored, &sums[1], &error), "a sum");
    require(sums[0] == sums[1], "a restored history has the same sum");
    require(bonebox_history_restore((const uint8_t *)"garbage", 7, characters, 1, &restored, &error) ==
                BONEBOX_RESULT_BAD_FILE,
            "garbage is refused");
    bonebox_bytes_free(saved);
    bonebox_history_free(restored);

    BoneboxExplanation why;
    const BoneboxRay past_it = {{0, 40, 0}, {1, 0, 0}, INFINITY};
    BoneboxBytes *line;
    check(bonebox_history_explain(history, (BoneboxMoment){TICKS - 5, 0.5f}, &past_it, NULL, 3, NULL, &why, &line, &error),
          "an explanation");
    require(why.verdict == BONEBOX_VERDICT_MISSED && why.has_nearest && why.distance > 37, "the ray passes above");
    require(!strncmp((const char *)bonebox_bytes_data(line), "{\"target\":3,", 12), "a line of JSON");
    bonebox_bytes_free(line);

    bonebox_history_free(history);
    bonebox_world_free(world);
    bonebox_world_free(picture);
    bonebox_character_free(runa);
    return 0;
}
