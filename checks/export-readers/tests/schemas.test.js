// Everything that an export adds to a file follows the extensions: it matches their schemas, and its indices exist.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import { characters, gltf, ragdolls, read, readJson } from './manifest.js';

const EXTENSIONS = {
  omi: ['OMI_physics_shape', 'OMI_physics_body'],
  khr: ['KHR_implicit_shapes', 'KHR_physics_rigid_bodies'],
  vrm: ['VRMC_springBone'],
  wire: [],
  'omi-ragdoll': ['OMI_physics_shape', 'OMI_physics_body', 'OMI_physics_joint'],
  'khr-ragdoll': ['KHR_implicit_shapes', 'KHR_physics_rigid_bodies'],
};

const ajv = new Ajv({ allErrors: true });
for (const name of new Set(Object.values(EXTENSIONS).flat())) {
  ajv.addSchema(readJson(new URL(`../schemas/${name}.json`, import.meta.url)));
}

function obeys(value, extension, part) {
  const validate = ajv.getSchema(`${extension}#/$defs/${part}`);
  assert.ok(validate(value), `${extension}, ${part}: ${ajv.errorsText(validate.errors)}`);
}

/** Which of our extensions the source has already: its own parts need not look like ours. */
const known = (json, name) => json.extensionsUsed?.includes(name) ?? false;

const within = (index, list, what) => assert.ok(index < list.length, `${what} ${index} of ${list.length}`);

const CHECKS = {
  omi(json) {
    const { OMI_physics_shape: { shapes }, OMI_physics_body: { collisionFilters } } = json.extensions;
    for (const { OMI_physics_body: { trigger } } of extended(json, 'OMI_physics_body')) {
      within(trigger.shape, shapes, 'shape');
      within(trigger.collisionFilter, collisionFilters, 'filter');
    }
  },
  khr(json) {
    const { KHR_implicit_shapes: { shapes }, KHR_physics_rigid_bodies: { collisionFilters } } = json.extensions;
    for (const { KHR_physics_rigid_bodies: { trigger } } of extended(json, 'KHR_physics_rigid_bodies')) {
      within(trigger.geometry.shape, shapes, 'shape');
      within(trigger.collisionFilter, collisionFilters, 'filter');
    }
  },
  vrm(json) {
    const { colliders, colliderGroups } = json.extensions.VRMC_springBone;
    for (const { node } of colliders) within(node, json.nodes, 'node');
    for (const group of colliderGroups) for (const index of group.colliders) within(index, colliders, 'collider');
  },
  wire() {},
  'omi-ragdoll'(json) {
    const { OMI_physics_shape, OMI_physics_body, OMI_physics_joint } = json.extensions;
    for (const { OMI_physics_body: { collider } } of extended(json, 'OMI_physics_body')) {
      if (!collider) continue;
      within(collider.shape, OMI_physics_shape.shapes, 'shape');
      if ('collisionFilter' in collider) within(collider.collisionFilter, OMI_physics_body.collisionFilters, 'filter');
    }
    if (!OMI_physics_joint) return;
    for (const { OMI_physics_joint: { joint, connectedNode } } of extended(json, 'OMI_physics_joint')) {
      within(joint, OMI_physics_joint.physicsJoints, 'joint');
      within(connectedNode, json.nodes, 'node');
    }
  },
  'khr-ragdoll'(json) {
    const { KHR_implicit_shapes, KHR_physics_rigid_bodies: { collisionFilters, physicsJoints } } = json.extensions;
    for (const { KHR_physics_rigid_bodies: { collider, joint } } of extended(json, 'KHR_physics_rigid_bodies')) {
      if (collider) {
        const { shape, node } = collider.geometry;
        if (shape === undefined) within(node, json.nodes, 'node');
        else within(shape, KHR_implicit_shapes.shapes, 'shape');
        if ('collisionFilter' in collider) within(collider.collisionFilter, collisionFilters, 'filter');
      }
      if (joint) {
        within(joint.joint, physicsJoints, 'joint');
        within(joint.connectedNode, json.nodes, 'node');
      }
    }
  },
};

function extended(json, extension) {
  const extensions = json.nodes.map((node) => node.extensions).filter((extensions) => extensions?.[extension]);
  assert.ok(extensions.length > 0, `a node has ${extension}`);
  for (const each of extensions) obeys(each[extension], extension, 'node');
  return extensions;
}

test('schemas of the extensions', async (t) => {
  for (const { name, source, files } of [...characters, ...ragdolls]) {
    await t.test(name, () => {
      const before = gltf(read(source));
      for (const [form, allowed] of Object.entries(EXTENSIONS).filter(([form]) => files[form])) {
        const json = gltf(read(files[form]));
        assert.deepEqual(json.extensionsRequired, before.extensionsRequired, `${form}: the export requires no more extensions`);
        // A ragdoll of one body has no joint, and one of hulls no implicit shape.
        const optional = form.endsWith('ragdoll') ? ['OMI_physics_joint', 'KHR_implicit_shapes'] : [];
        const extensions = allowed.filter((one) => !optional.includes(one) || json.extensions[one]);
        assert.deepEqual(json.extensionsUsed ?? [], [...new Set([...(before.extensionsUsed ?? []), ...extensions])]);
        for (const extension of extensions.filter((extension) => !known(before, extension))) {
          obeys(json.extensions[extension], extension, 'document');
        }
        CHECKS[form](json);
      }
    });
  }
});

test('the schemas refuse wrong objects', () => {
  const box = (size) => ({ shapes: [{ type: 'box', box: { size } }] });
  obeys(box([1, 2, 3]), 'OMI_physics_shape', 'document');
  for (const wrong of [{}, { shapes: [] }, box([1, 2]), box([1, 0, 3]), { shapes: [{ type: 'box' }] }]) {
    assert.throws(() => obeys(wrong, 'OMI_physics_shape', 'document'));
  }
  obeys({ trigger: { geometry: { shape: 0 }, collisionFilter: 0 } }, 'KHR_physics_rigid_bodies', 'node');
  for (const wrong of [{ trigger: { shape: 0, collisionFilter: 0 } }, { trigger: { geometry: { shape: -1 } } }]) {
    assert.throws(() => obeys(wrong, 'KHR_physics_rigid_bodies', 'node'));
  }
  const limit = { angularAxes: [0], min: -1, max: 1 };
  obeys({ physicsJoints: [{ limits: [limit] }] }, 'OMI_physics_joint', 'document');
  const drive = { type: 'angular', mode: 'force', axis: 0, damping: 1 };
  for (const wrong of [{}, { limits: [{ ...limit, min: 1 }] }, { limits: [limit], drives: [drive] }]) {
    assert.throws(() => obeys({ physicsJoints: [wrong] }, 'OMI_physics_joint', 'document'));
  }
});
