// three-vrm reads the capsules. Each capsule has the direction, the center and the volume of its box.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VRMSpringBoneCollider, VRMSpringBoneLoaderPlugin } from '@pixiv/three-vrm-springbone';
import { Vector3 } from 'three';
import { characters, readJson } from './manifest.js';
import { load } from './scene.js';

const TOLERANCE = 1e-4;

/** Whether a node turns, moves and scales, no more: a capsule under uneven scale is none. */
function isEven(node) {
  const columns = [0, 1, 2].map((column) => new Vector3().setFromMatrixColumn(node.matrixWorld, column));
  const lengths = columns.map((column) => column.length());
  return Math.max(...lengths) - Math.min(...lengths) <= TOLERANCE * Math.max(...lengths);
}

/** Centre, and the edges from the longest to the shortest, of a box given by its corners. */
function measure(corners) {
  const [first, x, y, , z] = corners.map((corner) => new Vector3(...corner));
  const edges = [x, y, z].map((corner) => corner.clone().sub(first)).sort((a, b) => b.length() - a.length());
  return { center: first.clone().add(new Vector3(...corners[7])).divideScalar(2), edges };
}

function compare(capsule, corners, height) {
  const { center, edges } = measure(corners);
  const [long, middle, short] = edges.map((edge) => edge.length());
  const axis = capsule.tail.clone().sub(capsule.head);
  const off = capsule.head.clone().add(capsule.tail).divideScalar(2).distanceTo(center);
  assert.ok(off <= TOLERANCE * height, `its center is off by ${off / height} of the height`);
  const volume = Math.PI * capsule.radius ** 2 * (axis.length() + (4 / 3) * capsule.radius);
  const wanted = long * middle * short;
  assert.ok(Math.abs(volume - wanted) <= 1e-3 * wanted + 1e-12 * height ** 3, `its volume is ${volume}, not ${wanted}`);
  if (axis.length() > 0.01 * height && long > 1.01 * middle) {
    const cosine = Math.abs(axis.dot(edges[0])) / (axis.length() * long);
    assert.ok(cosine > 1 - 1e-4, `the cosine of its angle to the box is ${cosine}`);
  }
}

test('capsules in three-vrm', async (t) => {
  let [compared, uneven] = [0, 0];
  for (const { name, source, files, expected: path } of characters) {
    await t.test(name, async () => {
      const expected = readJson(path);
      const scene = await load(files.vrm, source, [(parser) => new VRMSpringBoneLoaderPlugin(parser)]);
      const joints = await scene.nodes();
      scene.pose(null, 0);
      const [rest] = expected.poses;
      const { colliders } = scene.json.extensions.VRMC_springBone;
      const ours = colliders.filter(({ extras }) => extras?.bonebox);
      assert.equal(ours.length, rest.boxes.length, 'each box has a capsule');
      const next = new Map();
      for (const { node, extras } of ours) {
        const joint = joints[node];
        const read = joint.children.filter((child) => child instanceof VRMSpringBoneCollider);
        const { shape } = read[next.get(joint) ?? 0];
        next.set(joint, (next.get(joint) ?? 0) + 1);
        if (!isEven(joint)) {
          uneven++;
          continue;
        }
        const [head, tail] = [shape.offset, shape.tail].map((end) => end.clone().applyMatrix4(joint.matrixWorld));
        compare({ head, tail, radius: shape.radius }, rest.boxes[extras.bonebox.box].corners, expected.height);
        compared++;
      }
    });
  }
  t.diagnostic(`${compared} capsules compared, ${uneven} below joints with a non-uniform scale not compared`);
});
