// The boxes that three.js poses, from an export alone, equal those of the run time: corners differ by at most 1e-4 of the
// character's height, at rest and in every clip. If a joint's matrix has a non-uniform scale, a box becomes a
// parallelepiped. Then three.js must show that parallelepiped, and the run time's box must contain it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REVISION, Vector3 } from 'three';
import { characters, readJson } from './manifest.js';
import { load } from './scene.js';

const TOLERANCE = 1e-4;

const SIGNS = Array.from({ length: 8 }, (_, k) => [0, 1, 2].map((axis) => ((k >> axis) & 1 ? 1 : -1)));

/** Half the size of a node's shape in a form, in the node's own space. */
const HALF_SIZE = {
  omi: (json, node) => {
    const { shape } = node.userData.gltfExtensions.OMI_physics_body.trigger;
    return json.extensions.OMI_physics_shape.shapes[shape].box.size.map((full) => full / 2);
  },
  khr: (json, node) => {
    const { shape } = node.userData.gltfExtensions.KHR_physics_rigid_bodies.trigger.geometry;
    return json.extensions.KHR_implicit_shapes.shapes[shape].box.size.map((full) => full / 2);
  },
  wire: (_json, node) => {
    node.geometry.computeBoundingBox();
    return node.geometry.boundingBox.max.toArray();
  },
};

const worldCorners = (node, half) =>
  SIGNS.map((sign) => new Vector3(...sign.map((s, axis) => s * half[axis])).applyMatrix4(node.matrixWorld).toArray());

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

const farthest = (from, to) => Math.max(...from.map((a) => Math.min(...to.map((b) => distance(a, b)))));

/** The farthest that a corner of one is from all corners of the other: the same box may number them otherwise. */
const difference = (a, b) => Math.max(farthest(a, b), farthest(b, a));

/** The largest distance of any of `points` outside the box with these corners, along the box's axes. */
function outside(points, corners) {
  const center = corners[0].map((x, axis) => (x + corners[7][axis]) / 2);
  let worst = 0;
  for (const bit of [1, 2, 4]) {
    const edge = corners[bit].map((x, axis) => x - corners[0][axis]);
    const length = Math.hypot(...edge);
    if (length === 0) continue;
    for (const point of points) {
      const along = point.reduce((sum, x, axis) => sum + (x - center[axis]) * (edge[axis] / length), 0);
      worst = Math.max(worst, Math.abs(along) - length / 2);
    }
  }
  return worst;
}

test(`three.js ${REVISION}`, async (t) => {
  const total = { poses: 0, boxes: 0, skew: 0, worst: 0, where: '' };
  for (const { name, source, files, expected: path } of characters) {
    await t.test(name, async () => {
      const expected = readJson(path);
      for (const [form, halfSize] of Object.entries(HALF_SIZE)) {
        const scene = await load(files[form], source);
        const all = await scene.nodes();
        const boxes = all.filter((node) => node.userData.bonebox).sort((a, b) => order(a) - order(b));
        assert.equal(boxes.length, expected.nodes.length, 'each box has a node');
        boxes.forEach((box, k) => assert.equal(box.parent, all[expected.nodes[k]], 'the box is below its joint'));
        const halves = boxes.map((box) => halfSize(scene.json, box));
        const clips = scene.clips(expected.joints);
        assert.equal(clips.length, expected.clips.length, 'the export has all clips');
        for (const pose of expected.poses) {
          scene.pose(pose.clip === null ? null : clips[pose.clip], pose.time);
          total.poses++;
          for (const [k, { corners, image }] of pose.boxes.entries()) {
            const found = worldCorners(boxes[k], halves[k]);
            const place = () => `${form}, ${boxes[k].name}, clip ${expected.clips[pose.clip]} at ${pose.time} s`;
            const off = difference(found, image ?? corners) / expected.height;
            assert.ok(off <= TOLERANCE, `${place()}: off by ${off} of the height`);
            total.boxes++;
            if (off > total.worst) [total.worst, total.where] = [off, `${name}, ${place()}`];
            if (!image) continue;
            // Under a non-uniform scale the shape is no longer a box, and the run time's box contains the shape that engines show.
            total.skew++;
            const out = outside(found, corners) / expected.height;
            assert.ok(out <= TOLERANCE, `${place()}: ${out} of the height outside the run time's box`);
          }
        }
      }
    });
  }
  t.diagnostic(`${total.boxes} boxes in ${total.poses} poses, ${total.skew} of them skew`);
  t.diagnostic(`farthest corner: ${total.worst.toExponential(1)} of the height (${total.where})`);
});

const order = (node) => node.userData.bonebox.box;
