// Poses a character with the skeleton of a three.js `SkinnedMesh`, and draws its hitboxes as lines. three.d.ts explains each function.
//
// The caller passes three.js, so that this package neither depends on it nor loads a second copy.

import { BoneboxError } from './bonebox.js';

/** The corners of the twelve edges of a box: bits 0, 1 and 2 of a corner choose its side along the three axes. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

/** Binds a character to the bones below an object, by the names of the joints. */
export class SkeletonPose {
  #bones;
  #matrices;

  constructor(THREE, character, root) {
    this.character = character;
    const byName = new Map();
    // three.js replaces spaces and some signs in names; bones keep their place in the file's order.
    root.traverse((object) => {
      const name = object.userData?.name ?? object.name;
      if (!byName.has(name)) byName.set(name, object);
    });
    const clean = (name) => THREE.PropertyBinding.sanitizeNodeName(name);
    this.#bones = character.joints.map(({ name }) => byName.get(name) ?? byName.get(clean(name)));
    const missing = character.joints.filter((_, joint) => this.#bones[joint] === undefined).map(({ name }) => name);
    if (missing.length > 0) {
      throw new BoneboxError('NOT_FOUND', `the object has no bones with the names ${missing.slice(0, 5).join(', ')} (${missing.length} in all); pass the root of the model that was baked`);
    }
    this.#matrices = new Float32Array(16 * this.#bones.length);
  }

  /** `worldFromJoint` of each joint. Call `updateMatrixWorld` of the root first. */
  matrices() {
    this.#bones.forEach((bone, joint) => this.#matrices.set(bone.matrixWorld.elements, 16 * joint));
    return this.#matrices;
  }

  /** Poses `pose` as the bones are now. */
  update(pose) {
    return pose.fromWorld(this.character, this.matrices());
  }
}

/** Makes an object that draws hitboxes as lines in world space. Add it to the scene itself, and to no other object. */
export function hitboxLines(THREE, { color = 0x2da44e } = {}) {
  const geometry = new THREE.BufferGeometry();
  const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color }));
  lines.frustumCulled = false;
  lines.name = 'hitboxes';
  let room = 0;
  /** Draws the hitboxes of a pose or of a body: `pose.hitboxes`, `world.hitboxes(body)`. */
  lines.show = (hitboxes) => {
    const count = hitboxes.hitbox.length;
    if (count > room) {
      room = count;
      geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * EDGES.length * room), 3));
    }
    if (room === 0) return;
    const position = geometry.getAttribute('position');
    linePositions(hitboxes, position.array);
    position.needsUpdate = true;
    geometry.setDrawRange(0, EDGES.length * count);
  };
  return lines;
}

/** Writes the ends of the twelve edges of each hitbox: 72 numbers for each. */
export function linePositions({ hitbox, center, halfExtents, axes }, out = new Float32Array(72 * hitbox.length)) {
  for (let i = 0; i < hitbox.length; i++) {
    EDGES.forEach((corner, end) => {
      for (let c = 0; c < 3; c++) {
        let at = center[3 * i + c];
        for (let axis = 0; axis < 3; axis++) at += (corner & (1 << axis) ? 1 : -1) * halfExtents[3 * i + axis] * axes[9 * i + 3 * axis + c];
        out[72 * i + 3 * end + c] = at;
      }
    });
  }
  return out;
}
