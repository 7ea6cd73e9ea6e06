// Bodies, colliders and joints stand in three.js where the bake has them, from an export alone: at most 1e-5 of the character's
// height away. The scale of a node cancels that of the joint above, so sizes are meters.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Matrix3, Matrix4, Quaternion, REVISION, Vector3 } from 'three';
import { ragdolls, readJson } from './manifest.js';
import { load } from './scene.js';

const TOLERANCE = 1e-5;

const EXTENSION = { 'omi-ragdoll': 'OMI_physics_body', 'khr-ragdoll': 'KHR_physics_rigid_bodies' };

const vector = (list) => new Vector3(...list);
const turn = (list) => new Quaternion(...list).normalize();
const place = (position, rotation) => new Matrix4().compose(vector(position), turn(rotation), new Vector3(1, 1, 1));

/** What an export says of a node, by one of its extensions. */
const physics = (node, extension) => node.userData.gltfExtensions?.[extension];

/** The joint of a node, in either extension. */
const jointOf = (node) => physics(node, 'OMI_physics_joint') ?? physics(node, 'KHR_physics_rigid_bodies')?.joint;

function* above(node) {
  for (let one = node; one; one = one.parent) yield one;
}

/**
 * The rotation and the even scale of a node; the scale is negative if the node is mirrored. Some sources have a little skew, so the
 * rotation comes from the axes x and y, as in a bake.
 */
function turnAndScale(matrix) {
  const scale = Math.cbrt(matrix.determinant());
  const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
  matrix.extractBasis(x, y, z);
  x.divideScalar(scale).normalize();
  y.divideScalar(scale).addScaledVector(x, -x.dot(y)).normalize();
  z.crossVectors(x, y);
  return [new Matrix3().setFromMatrix4(new Matrix4().makeBasis(x, y, z)), scale];
}

function inertiaOf(axes, moments) {
  const diagonal = new Matrix3().set(moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2]);
  return axes.clone().multiply(diagonal).multiply(axes.clone().transpose());
}

/** Half of the size of the box around a simple shape. */
function half(shape) {
  const { size, radius, radiusTop, height } = shape[shape.type];
  if (size) return size.map((full) => full / 2);
  return radius === undefined ? [radiusTop, height / 2 + radiusTop, radiusTop] : [radius, radius, radius];
}

const mean = (points) => points.reduce((sum, point) => sum.add(point), new Vector3()).divideScalar(points.length);

test(`ragdolls in three.js ${REVISION}`, async (t) => {
  const total = { bodies: 0, joints: 0, colliders: 0, uneven: 0, worst: 0, where: '' };
  for (const { name, source, files, corners, height, nodes: numbers, warnings } of ragdolls) {
    await t.test(name, async () => {
      const bake = readJson(files.bake);
      const uneven = warnings.some((warning) => warning.includes('unevenly'));
      for (const [form, extension] of Object.entries(EXTENSION)) {
        const scene = await load(files[form], source);
        const all = await scene.nodes();
        scene.pose(null, 0);
        const near = (found, expected, what) => {
          const off = found.distanceTo(expected) / height;
          assert.ok(off <= TOLERANCE || uneven, `${form}, ${what}: off by ${off} of the height`);
          if (!uneven && off > total.worst) [total.worst, total.where] = [off, `${name}, ${form}, ${what}`];
        };
        const nodes = numbers.map((number) => all[number]);
        const moved = all.filter((node) => physics(node, extension)?.motion);
        assert.deepEqual(new Set(moved), new Set(nodes), 'each body has the node of its joint');
        const bodyOf = (node) => {
          for (const one of above(node)) if (nodes.includes(one)) return nodes.indexOf(one);
          return -1;
        };
        for (const [index, body] of bake.bodies.entries()) {
          const what = `body ${body.joint}`;
          const { motion } = physics(nodes[index], extension);
          assert.ok(motion.isKinematic === true || motion.type === 'kinematic', `${what} is not kinematic`);
          assert.ok(Math.abs(motion.mass - body.mass) <= TOLERANCE * body.mass, `${what}, mass`);
          near(new Vector3().setFromMatrixPosition(nodes[index].matrixWorld), vector(body.position), what);
          const rest = place(body.position, body.rotation);
          const [axes, scale] = turnAndScale(nodes[index].matrixWorld);
          // OMI has the center in meters, and KHR in the space of the node.
          const center = vector(motion.centerOfMass).multiplyScalar(form === 'omi-ragdoll' ? 1 / scale : 1);
          near(center.applyMatrix4(nodes[index].matrixWorld), vector(body.center_of_mass).applyMatrix4(rest), `${what}, center`);
          total.bodies++;
          if (uneven) continue;
          const orientation = new Matrix4().makeRotationFromQuaternion(turn(motion.inertiaOrientation));
          const found = inertiaOf(axes.multiply(new Matrix3().setFromMatrix4(orientation)), motion.inertiaDiagonal);
          const [xx, yy, zz, xy, xz, yz] = body.inertia;
          const turned = new Matrix3().setFromMatrix4(rest);
          const tensor = new Matrix3().set(xx, xy, xz, xy, yy, yz, xz, yz, zz);
          const expected = turned.clone().multiply(tensor).multiply(turned.transpose());
          const off = Math.max(...found.elements.map((entry, at) => Math.abs(entry - expected.elements[at]))) / Math.max(xx, yy, zz);
          assert.ok(off <= TOLERANCE, `${what}: the inertia is off by ${off}`);
        }
        const hitboxes = bake.bodies.map(() => []);
        for (const node of all.filter((node) => physics(node, extension)?.collider)) {
          const { box } = node.userData.bonebox;
          const { collider } = physics(node, extension);
          hitboxes[bodyOf(node)].push(box);
          total.colliders++;
          if (uneven) {
            total.uneven++;
            continue;
          }
          const expected = corners[box].map(vector);
          const index = (collider.geometry ?? collider).shape;
          const shapes = scene.json.extensions[form === 'omi-ragdoll' ? 'OMI_physics_shape' : 'KHR_implicit_shapes']?.shapes;
          const shape = index === undefined ? { type: 'convex' } : shapes[index];
          near(new Vector3().setFromMatrixPosition(node.matrixWorld), mean(expected), `hitbox ${box}`);
          if (shape.type === 'convex') continue;
          const size = half(shape);
          for (let at = 0; at < 8; at++) {
            const corner = vector(size.map((one, axis) => ((at >> axis) & 1 ? one : -one))).applyMatrix4(node.matrixWorld);
            // A box around a capsule may be rolled about it, and one around a sphere turned.
            if (shape.type === 'box') {
              const nearest = expected.reduce((a, b) => (a.distanceTo(corner) < b.distanceTo(corner) ? a : b));
              near(corner, nearest, `hitbox ${box}`);
            } else {
              const distance = mean(expected).distanceTo(expected[0]);
              const found = corner.distanceTo(mean(expected));
              assert.ok(Math.abs(found - distance) <= TOLERANCE * height, `hitbox ${box}: ${found}, not ${distance}`);
            }
          }
        }
        assert.deepEqual(hitboxes.map((boxes) => boxes.sort((a, b) => a - b)), bake.bodies.map(({ boxes }) => boxes));
        const held = bake.bodies.map(({ constraint }, index) => ({ constraint, index })).filter(({ constraint }) => constraint);
        const joints = all.filter(jointOf).sort((a, b) => jointOf(a).joint - jointOf(b).joint);
        assert.equal(joints.length, held.length, 'each constraint has a joint');
        for (const [number, { constraint, index }] of held.entries()) {
          const connected = all[jointOf(joints[number]).connectedNode];
          const what = `joint of ${bake.bodies[index].joint}`;
          assert.deepEqual([bodyOf(joints[number]), bodyOf(connected)], [constraint.parent, index], what);
          const parent = bake.bodies[constraint.parent];
          const ends = [
            [joints[number], parent, place(constraint.anchor, constraint.parent_from_frame)],
            [connected, bake.bodies[index], place([0, 0, 0], constraint.body_from_frame)],
          ];
          for (const [node, body, frame] of ends) {
            const expected = place(body.position, body.rotation).multiply(frame);
            // Points a tenth of the height along the axes show a turn, too.
            for (const at of [[0, 0, 0], [height / 10, 0, 0], [0, height / 10, 0], [0, 0, height / 10]]) {
              if (uneven && at.some((entry) => entry !== 0)) continue;
              near(vector(at).applyMatrix4(node.matrixWorld), vector(at).applyMatrix4(expected), what);
            }
          }
          total.joints++;
        }
      }
    });
  }
  t.diagnostic(`${total.bodies} bodies, ${total.joints} joints, ${total.colliders} colliders, ${total.uneven} of them on uneven scale`);
  t.diagnostic(`farthest: ${total.worst.toExponential(1)} of the height (${total.where})`);
});
