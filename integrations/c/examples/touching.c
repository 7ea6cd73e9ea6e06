/* Prints the joints of two characters that touch each other. Usage: touching runa.bonebox bruno.bonebox */

#include <bonebox.h>

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the message of a failure. */
static void check(BoneboxResult result, const BoneboxError *error) {
    if (result != BONEBOX_RESULT_OK) {
        fprintf(stderr, "touching: %s\n", error->message);
        exit(1);
    }
}

static BoneboxCharacter *load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "touching: cannot open %s\n", path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(length ? length : 1);
    if (!bytes || fread(bytes, 1, length, file) != length) {
        fprintf(stderr, "touching: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    BoneboxError error;
    BoneboxCharacter *character;
    check(bonebox_character_load(bytes, length, &character, &error), &error);
    free(bytes);
    return character;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: touching A.bonebox B.bonebox\n");
        return 2;
    }
    BoneboxError error;
    BoneboxCharacter *runa = load(argv[1]), *bruno = load(argv[2]);
    BoneboxPose *a, *b;
    check(bonebox_pose_new(&a, &error), &error);
    check(bonebox_pose_new(&b, &error), &error);
    check(bonebox_pose_track_skin(a, true, &error), &error);
    check(bonebox_pose_track_skin(b, true, &error), &error);

    /* Every tick: the joint matrices of your engine (bonebox_pose_from_model), or a baked clip at a time. */
    const BoneboxMatrix here = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    const BoneboxMatrix opposite = {{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0.8f, 1}};
    uint32_t jab;
    check(bonebox_character_find_clip(runa, "jab", &jab, &error), &error);
    check(bonebox_pose_from_clip(a, runa, &here, jab, 0.3f, &error), &error);
    check(bonebox_pose_from_rest(b, bruno, &opposite, &error), &error);

    BoneboxJointPair pairs[256];
    size_t count;
    check(bonebox_overlapping_joints(a, b, pairs, 256, &count, &error), &error);
    for (size_t i = 0; i < count; i++) {
        BoneboxJoint joint_a, joint_b;
        check(bonebox_character_joint(runa, pairs[i].joint_a, &joint_a, &error), &error);
        check(bonebox_character_joint(bruno, pairs[i].joint_b, &joint_b, &error), &error);
        printf("%s touches %s\n", joint_a.name.data, joint_b.name.data);
    }

    /* Characters that were baked with their skin also answer exactly. */
    if (bonebox_character_has_skin(runa) && bonebox_character_has_skin(bruno)) {
        BoneboxSkinOverlap skins[256];
        check(bonebox_exact_overlap_all(a, b, BONEBOX_SKIN_CANDIDATES_BOUNDS, skins, 256, &count, &error), &error);
        for (size_t i = 0; i < count; i++) {
            BoneboxJoint joint_a, joint_b;
            check(bonebox_character_joint(runa, skins[i].joint_a, &joint_a, &error), &error);
            check(bonebox_character_joint(bruno, skins[i].joint_b, &joint_b, &error), &error);
            printf("the skins of %s and %s share the point %.3f, %.3f, %.3f\n", joint_a.name.data, joint_b.name.data,
                   skins[i].point.x, skins[i].point.y, skins[i].point.z);
        }
    }

    bonebox_pose_free(a);
    bonebox_pose_free(b);
    bonebox_character_free(runa);
    bonebox_character_free(bruno);
    return 0;
}
