/* Failures as C meets them: failures runa.bonebox */

#include <bonebox.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed = 0;

static void expect(const char *what, BoneboxResult found, BoneboxResult expected, const BoneboxError *error,
                   const char *part) {
    if (found != expected) {
        fprintf(stderr, "%s: result %d, expected %d\n", what, (int)found, (int)expected);
        failed = 1;
    } else if (part && !strstr(error->message, part)) {
        fprintf(stderr, "%s: %s does not say %s\n", what, error->message, part);
        failed = 1;
    } else if (part && strlen(error->message) != error->message_length) {
        fprintf(stderr, "%s: the length of the message is wrong\n", what);
        failed = 1;
    }
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: failures A.bonebox\n");
        return 2;
    }
    fseek(file, 0, SEEK_END);
    const size_t length = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(length);
    if (!bytes || fread(bytes, 1, length, file) != length) {
        return 2;
    }
    fclose(file);

    BoneboxError error;
    BoneboxCharacter *character = NULL;
    expect("half a file", bonebox_character_load(bytes, length / 2, &character, &error), BONEBOX_RESULT_BAD_FILE, &error, "");
    expect("no bytes", bonebox_character_load(NULL, 3, &character, &error), BONEBOX_RESULT_NULL_POINTER, &error, "bytes");
    expect("nowhere to go", bonebox_character_load(bytes, length, NULL, NULL), BONEBOX_RESULT_NULL_POINTER, NULL, NULL);
    /* A file with one byte changed is refused, wherever the byte lies. */
    for (size_t at = 0; at < length; at += 1 + length / 400) {
        bytes[at] ^= 0x55;
        expect("a changed byte", bonebox_character_load(bytes, length, &character, &error), BONEBOX_RESULT_BAD_FILE, &error, "");
        bytes[at] ^= 0x55;
    }
    if (character) {
        fprintf(stderr, "a failure wrote its output\n");
        return 1;
    }
    expect("a good file", bonebox_character_load(bytes, length, &character, &error), BONEBOX_RESULT_OK, NULL, NULL);
    free(bytes);

    uint16_t joint;
    expect("a wrong name", bonebox_character_find_joint(character, "no such joint", &joint, &error),
           BONEBOX_RESULT_NOT_FOUND, &error, "no such joint");
    BoneboxPose *pose;
    expect("a pose", bonebox_pose_new(&pose, &error), BONEBOX_RESULT_OK, NULL, NULL);
    const BoneboxMatrix here = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    expect("a time that is not a number", bonebox_pose_from_clip(pose, character, &here, 0, NAN, &error),
           BONEBOX_RESULT_POSE_REFUSED, &error, "not a number");
    expect("too few matrices", bonebox_pose_from_model(pose, character, &here, &here, 1, &error),
           BONEBOX_RESULT_POSE_REFUSED, &error, "joint matrices");
    BoneboxPosedHitbox box;
    size_t count = 99;
    expect("no pose", bonebox_pose_hitboxes(pose, &box, 1, &count, &error), BONEBOX_RESULT_OK, NULL, NULL);
    if (count != 0) {
        fprintf(stderr, "hitboxes without a pose\n");
        failed = 1;
    }
    expect("the rest pose", bonebox_pose_from_rest(pose, character, &here, &error), BONEBOX_RESULT_OK, NULL, NULL);
    expect("a small buffer", bonebox_pose_hitboxes(pose, &box, 1, &count, &error), BONEBOX_RESULT_BUFFER_TOO_SMALL,
           &error, "room for 1");
    if (count != bonebox_character_hitbox_count(character) || box.hitbox != 0) {
        fprintf(stderr, "the small buffer was not filled\n");
        failed = 1;
    }

    BoneboxWorld *world;
    expect("a world", bonebox_world_new(&world, &error), BONEBOX_RESULT_OK, NULL, NULL);
    expect("a body that is not there", bonebox_world_pose_from_rest(world, 5, &here, &error), BONEBOX_RESULT_NO_BODY,
           &error, "body 5");
    expect("a body", bonebox_world_insert(world, 5, character, NULL, &error), BONEBOX_RESULT_OK, NULL, NULL);
    expect("a body twice", bonebox_world_insert(world, 5, character, NULL, &error), BONEBOX_RESULT_BODY_EXISTS, &error,
           "body 5");
    const BoneboxRay ray = {{0, 0, 0}, {0, 0, 0}, 1};
    bool found;
    BoneboxBodyRayHit hit;
    expect("a ray without a direction", bonebox_world_cast_ray(world, &ray, NULL, &found, &hit, &error),
           BONEBOX_RESULT_INVALID_ARGUMENT, &error, "ray");

    bonebox_world_free(world);
    bonebox_pose_free(pose);
    bonebox_character_free(character);
    bonebox_world_free(NULL);
    if (bonebox_world_update(NULL, NULL) != BONEBOX_RESULT_NULL_POINTER) {
        failed = 1;
    }
    return failed;
}
