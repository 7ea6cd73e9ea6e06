// The run time of bonebox: poses the hitboxes of baked characters, and says what they touch. bonebox.d.ts explains each function.

import { BoneboxError, instantiate } from './wasm.js';
import {
  BODY_CAST_HIT, BODY_RAY_HIT, BODY_SHAPE_OVERLAP, BODY_SKIN_RAY_HIT, BODY_SWEEP_HIT, BOUNDS, BOX_PAIR, CLIP, CLIP_POSE_BYTES, CLOSEST, CONTACT,
  FILTER_BYTES, HITBOX, JOINT, MATRIX_BYTES, POSED_HITBOX, RAY_ANSWER_BYTES, RAY_BYTES, RAY_QUERY_BYTES, SETTINGS_BYTES, SHAPE_BYTES, SKIN_DISTANCE,
  SKIN_OVERLAP, SKIN_RAY_HIT, SKIN_TOUCH, SWEEP_HIT, TOUCH, TOUCH_EVENT,
} from './layouts.js';

export { BoneboxError };

let wasm = null;
let loading = null;

/** Loads the WebAssembly file. Later calls return the same promise. */
export function init(source) {
  loading ??= instantiate(source ?? new URL('./bonebox.wasm', import.meta.url)).then(
    (loaded) => {
      wasm = loaded;
    },
    (error) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

function loaded() {
  if (wasm === null) throw new BoneboxError('NOT_FOUND', 'bonebox is not loaded; call `await init()` first');
  return wasm;
}

const IDENTITY = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
const NULL = 0;
const PHASES = ['started', 'persisted', 'ended'];
/** The memory for one answer of any kind. */
const ANSWER_BYTES = 256;

/** An object in the memory of WebAssembly. */
class Handle {
  #at;
  #free;
  #name;

  constructor(name, at, free) {
    this.#name = name;
    this.#at = at;
    this.#free = free;
  }

  /** The address of the object. */
  get at() {
    if (this.#at === NULL) throw new BoneboxError('INVALID_HANDLE', `this ${this.#name} was freed`);
    return this.#at;
  }

  free() {
    if (this.#at === NULL) return;
    const at = this.#at;
    this.#at = NULL;
    loaded().run(this.#free, at);
  }
}

if (Symbol.dispose) Handle.prototype[Symbol.dispose] = Handle.prototype.free;

/** Calls a function that hands an object over, and returns its address. */
function made(name, ...parameters) {
  const out = loaded().scratch(ANSWER_BYTES);
  wasm.call(name, ...parameters, out);
  return wasm.view.getUint32(out, true);
}

/** Calls a function that writes one value. */
function value(read, name, ...parameters) {
  const out = loaded().scratch(ANSWER_BYTES);
  wasm.call(name, ...parameters, out);
  return read(wasm.view, out);
}

/** Calls a function that writes whether there is an answer, and the answer. */
function found(struct, name, ...parameters) {
  const out = loaded().scratch(ANSWER_BYTES);
  wasm.call(name, ...parameters, out, out + 8);
  return wasm.view.getUint8(out) === 0 ? null : struct.read(wasm.view, out + 8);
}

/** The number of elements that the last list of a function had. The next call has room for twice as many. */
const rooms = new Map();

/** Calls a function that writes a list, and calls `use` with the address and the length of the list. */
function list(size, use, name, ...parameters) {
  loaded();
  for (let room = rooms.get(name) ?? 64; ; ) {
    const at = wasm.scratch(8 + size * room);
    // The list may be longer than its room. The memory is kept, so the next call finds the room that this one needed.
    const result = wasm.run(name, ...parameters, at + 8, room, at, wasm.error);
    const count = wasm.view.getUint32(at, true);
    if (result === 0) return use(at + 8, count);
    if (result !== 10) return wasm.fail(result);
    room = 2 * count;
    rooms.set(name, room);
  }
}

/** The list as objects. */
function objects(struct, name, ...parameters) {
  const all = (at, count) => Array.from({ length: count }, (_, i) => struct.read(wasm.view, at + i * struct.size));
  return list(struct.size, all, name, ...parameters);
}

function isTrue(view, at) {
  return view.getUint8(at) !== 0;
}

function index(view, at) {
  return view.getUint16(at, true);
}

function bodyId(body) {
  if (!Number.isSafeInteger(body) || body < 0) throw new TypeError(`a body is a whole number from 0 to 2^53 - 1, and not ${body}`);
  return BigInt(body);
}

function floatsOf(numbers, count, name) {
  if (numbers.length !== count) throw new TypeError(`${name} must have ${count} numbers, and not ${numbers.length}`);
  return numbers instanceof Float32Array ? numbers : Float32Array.from(numbers);
}

/** Matrices with 16 numbers each, column by column. */
function matrices(numbers, name) {
  if (numbers.length % 16 !== 0) throw new TypeError(`${name} must have 16 numbers for each joint, and not ${numbers.length} numbers`);
  return numbers instanceof Float32Array ? numbers : Float32Array.from(numbers);
}

function withMatrix(matrix, use) {
  return loaded().with(floatsOf(matrix ?? IDENTITY, 16, 'a matrix'), (at) => use(at));
}

/** A baked character: its skeleton, its clips and its hitboxes. */
export class Character extends Handle {
  constructor(bytes) {
    super('character', loaded().with(bytes, (at, length) => made('bonebox_character_load', at, length)), 'bonebox_character_free');
  }

  get name() {
    const text = (view, at) => wasm.text(view.getUint32(at, true), view.getUint32(at + 4, true));
    return value(text, 'bonebox_character_name', this.at);
  }

  get jointCount() {
    return loaded().run('bonebox_character_joint_count', this.at);
  }

  get hitboxCount() {
    return loaded().run('bonebox_character_hitbox_count', this.at);
  }

  get hasSkin() {
    return loaded().run('bonebox_character_has_skin', this.at) !== 0;
  }

  get joints() {
    return this.#all(this.jointCount, 'bonebox_character_joint', JOINT).map(({ name, parent }) => ({ name, parent: parent < 0 ? null : parent }));
  }

  get clips() {
    return this.#all(loaded().run('bonebox_character_clip_count', this.at), 'bonebox_character_clip', CLIP);
  }

  get hitboxes() {
    return Array.from({ length: this.hitboxCount }, (_, hitbox) => {
      const read = (view, at) => {
        const { joint, tagCount, jointName, jointNameLength, center, halfExtents, orientation } = HITBOX.read(view, at);
        return { joint, jointName: wasm.text(jointName, jointNameLength), tagCount, center, halfExtents, orientation };
      };
      const { tagCount, ...rest } = value(read, 'bonebox_character_hitbox', this.at, hitbox);
      const text = (view, at) => wasm.text(view.getUint32(at, true), view.getUint32(at + 4, true));
      const tag = (_, number) => value(text, 'bonebox_character_hitbox_tag', this.at, hitbox, number);
      return { ...rest, tags: Array.from({ length: tagCount }, tag) };
    });
  }

  #all(count, name, struct) {
    const named = (view, at) => {
      const { name: text, nameLength, ...rest } = struct.read(view, at);
      return { name: wasm.text(text, nameLength), ...rest };
    };
    return Array.from({ length: count }, (_, number) => value(named, name, this.at, number));
  }

  findJoint(name) {
    return loaded().withText(name, (text) => value(index, 'bonebox_character_find_joint', this.at, text));
  }

  findClip(name) {
    return loaded().withText(name, (text) => value((view, at) => view.getUint32(at, true), 'bonebox_character_find_clip', this.at, text));
  }

  clipTime(clip, elapsed, loops = true) {
    return value((view, at) => view.getFloat32(at, true), 'bonebox_character_clip_time', this.at, clip, Number(loops), elapsed);
  }

  /** The hitboxes with a tag. */
  boxesWithTag(tag) {
    return new BoxSet(loaded().withText(tag, (text) => made('bonebox_box_set_with_tag', this.at, text)));
  }
}

/** Some of a character's hitboxes. */
export class BoxSet extends Handle {
  constructor(at) {
    super('set of hitboxes', at, 'bonebox_box_set_free');
  }
}

/** A character in a pose. */
export class Pose extends Handle {
  constructor() {
    super('pose', made('bonebox_pose_new'), 'bonebox_pose_free');
  }

  fromRest(character, worldFromModel) {
    withMatrix(worldFromModel, (place) => wasm.call('bonebox_pose_from_rest', this.at, character.at, place));
    return this;
  }

  fromClip(character, clip, seconds, worldFromModel) {
    withMatrix(worldFromModel, (place) => wasm.call('bonebox_pose_from_clip', this.at, character.at, place, clip, seconds));
    return this;
  }

  fromModel(character, modelFromJoint, worldFromModel) {
    const joints = matrices(modelFromJoint, 'modelFromJoint');
    const pose = (place) => loaded().with(joints, (at) => wasm.call('bonebox_pose_from_model', this.at, character.at, place, at, joints.length / 16));
    withMatrix(worldFromModel, pose);
    return this;
  }

  fromWorld(character, worldFromJoint) {
    const joints = matrices(worldFromJoint, 'worldFromJoint');
    loaded().with(joints, (at) => wasm.call('bonebox_pose_from_world', this.at, character.at, at, joints.length / 16));
    return this;
  }

  get hitboxes() {
    return posedHitboxes('bonebox_pose_hitboxes', this.at);
  }

  get bounds() {
    return value(BOUNDS.read, 'bonebox_pose_bounds', this.at);
  }

  trackSkin(isTracked = true) {
    loaded().call('bonebox_pose_track_skin', this.at, Number(isTracked));
  }

  exactRay(origin, direction, maxTime = Infinity) {
    return withRay({ origin, direction, maxTime }, (ray) => skinHit(found(SKIN_RAY_HIT, 'bonebox_pose_exact_ray', this.at, ray)));
  }

  skinContains(point) {
    return loaded().with(floatsOf(point, 3, 'a point'), (at) => value(isTrue, 'bonebox_pose_skin_contains', this.at, at));
  }
}

/** Hitboxes in typed arrays. */
function posedHitboxes(name, ...parameters) {
  const read = (at, count) => {
    const all = {
      hitbox: new Uint16Array(count), joint: new Uint16Array(count), center: new Float32Array(3 * count), halfExtents: new Float32Array(3 * count),
      axes: new Float32Array(9 * count),
    };
    const { size, offsets } = POSED_HITBOX;
    const words = new Uint16Array(wasm.bytes.buffer);
    const numbers = new Float32Array(wasm.bytes.buffer);
    for (let i = 0, one = at; i < count; i++, one += size) {
      all.hitbox[i] = words[one >> 1];
      all.joint[i] = words[(one >> 1) + 1];
      const from = (field) => (one + offsets[field]) >> 2;
      all.center.set(numbers.subarray(from('center'), from('center') + 3), 3 * i);
      all.halfExtents.set(numbers.subarray(from('halfExtents'), from('halfExtents') + 3), 3 * i);
      all.axes.set(numbers.subarray(from('x'), from('x') + 9), 9 * i);
    }
    return all;
  };
  return list(POSED_HITBOX.size, read, name, ...parameters);
}

function skinHit(hit) {
  if (hit === null) return null;
  const { hasTextureCoordinate, textureCoordinate, ...rest } = hit;
  return { ...rest, textureCoordinate: hasTextureCoordinate ? textureCoordinate : null };
}

export function overlaps(a, b) {
  return value(isTrue, 'bonebox_overlaps', a.at, b.at);
}

export function overlappingJoints(a, b) {
  const pairs = (at, count) => new Uint16Array(wasm.bytes.buffer, at, 2 * count).slice();
  return list(4, pairs, 'bonebox_overlapping_joints', a.at, b.at);
}

export function overlappingBoxes(a, b) {
  return objects(BOX_PAIR, 'bonebox_overlapping_boxes', a.at, b.at);
}

export function contacts(a, b) {
  return objects(CONTACT, 'bonebox_contacts', a.at, b.at);
}

export function distance(a, b, maxDistance = Infinity) {
  return found(CLOSEST, 'bonebox_distance', a.at, b.at, maxDistance);
}

export function sweepAll(aFrom, aTo, bFrom, bTo, relativeTolerance = 1e-3) {
  return objects(SWEEP_HIT, 'bonebox_sweep_all', aFrom.at, aTo.at, bFrom.at, bTo.at, relativeTolerance);
}

export function exactOverlaps(a, b) {
  return objects(SKIN_OVERLAP, 'bonebox_exact_overlap_all', a.at, b.at, 0);
}

export function exactDistance(a, b, maxDistance = Infinity) {
  return found(SKIN_DISTANCE, 'bonebox_exact_distance', a.at, b.at, maxDistance);
}

/** Writes a ray: origin, direction, largest time. */
function rayInto(view, at, { origin, direction, maxTime }) {
  floatsOf(origin, 3, 'origin').forEach((number, i) => view.setFloat32(at + 4 * i, number, true));
  floatsOf(direction, 3, 'direction').forEach((number, i) => view.setFloat32(at + 12 + 4 * i, number, true));
  view.setFloat32(at + 24, maxTime, true);
}

function withRay(ray, use) {
  const block = new DataView(new ArrayBuffer(RAY_BYTES));
  rayInto(block, 0, ray);
  return loaded().with(block, (at) => use(at));
}

/** Calls `use` with the address of a filter, or with NULL if there is no filter. */
function withFilter(filter, use) {
  if (!filter) return use(NULL);
  const { exclude = [], tags = [], memberships = 0, mask = 0, team } = filter;
  const tagBytes = new TextEncoder().encode(tags.map((tag) => `${tag}\0`).join(''));
  // The struct, the excluded bodies, the addresses of the tags and the tags themselves.
  const bodies = FILTER_BYTES;
  const addresses = bodies + 8 * exclude.length;
  const texts = addresses + 4 * tags.length;
  const bytes = new Uint8Array(texts + tagBytes.length);
  bytes.set(tagBytes, texts);
  return loaded().with(bytes, (at) => {
    const { view } = wasm;
    exclude.forEach((body, i) => view.setBigUint64(at + bodies + 8 * i, bodyId(body), true));
    let text = at + texts;
    tags.forEach((tag, i) => {
      view.setUint32(at + addresses + 4 * i, text, true);
      text += new TextEncoder().encode(tag).length + 1;
    });
    [at + bodies, exclude.length, at + addresses, tags.length, memberships, mask, team ?? 0].forEach((word, i) => view.setUint32(at + 4 * i, word, true));
    view.setUint8(at + 28, Number(filter.memberships !== undefined || filter.mask !== undefined));
    view.setUint8(at + 29, Number(team !== undefined));
    return use(at);
  });
}

const SHAPES = ['sphere', 'capsule', 'box'];

function withShape(shape, use) {
  const kind = SHAPES.findIndex((name) => shape[name] !== undefined);
  if (kind < 0) throw new TypeError('a shape is { sphere }, { capsule } or { box }');
  const words = new Float32Array(SHAPE_BYTES / 4);
  const put = (at, numbers, name, count = 3) => words.set(floatsOf(numbers, count, name), at);
  // A rotation must have length 1 even in the boxes of other shapes.
  words[17] = 1;
  if (shape.sphere) {
    words[1] = shape.sphere.radius;
    put(2, shape.sphere.center, 'center');
    put(5, shape.sphere.center, 'center');
  } else if (shape.capsule) {
    words[1] = shape.capsule.radius;
    put(2, shape.capsule.start, 'start');
    put(5, shape.capsule.end, 'end');
  } else {
    put(8, shape.box.center, 'center');
    put(11, shape.box.halfExtents, 'halfExtents');
    put(14, shape.box.orientation ?? [0, 0, 0, 1], 'orientation', 4);
  }
  new Uint32Array(words.buffer)[0] = kind;
  return loaded().with(words, (at) => use(at));
}

/** Bodies that move, and what they touch from tick to tick. */
export class World extends Handle {
  constructor() {
    super('world', made('bonebox_world_new'), 'bonebox_world_free');
  }

  insert(body, character, settings = {}) {
    const block = settingsBlock(settings);
    loaded().with(block, (at) => wasm.call('bonebox_world_insert', this.at, bodyId(body), character.at, at));
  }

  remove(body) {
    loaded().call('bonebox_world_remove', this.at, bodyId(body));
  }

  get bodies() {
    const ids = (at, count) => Array.from({ length: count }, (_, i) => Number(wasm.view.getBigUint64(at + 8 * i, true)));
    return list(8, ids, 'bonebox_world_bodies', this.at);
  }

  poseFromRest(body, worldFromModel) {
    withMatrix(worldFromModel, (place) => wasm.call('bonebox_world_pose_from_rest', this.at, bodyId(body), place));
  }

  poseFromClips(poses) {
    const block = new DataView(new ArrayBuffer(CLIP_POSE_BYTES * poses.length));
    poses.forEach(({ body, clip, seconds, worldFromModel }, i) => {
      const at = i * CLIP_POSE_BYTES;
      block.setBigUint64(at, bodyId(body), true);
      const place = floatsOf(worldFromModel ?? IDENTITY, 16, 'worldFromModel');
      place.forEach((number, j) => block.setFloat32(at + 8 + 4 * j, number, true));
      block.setUint32(at + 8 + MATRIX_BYTES, clip, true);
      block.setFloat32(at + 12 + MATRIX_BYTES, seconds, true);
    });
    loaded().with(block, (at) => wasm.call('bonebox_world_pose_from_clips', this.at, at, poses.length));
  }

  poseFromModel(body, modelFromJoint, worldFromModel) {
    const joints = matrices(modelFromJoint, 'modelFromJoint');
    const pose = (place) =>
      wasm.with(joints, (at) => wasm.call('bonebox_world_pose_from_model', this.at, bodyId(body), place, at, joints.length / 16));
    withMatrix(worldFromModel, pose);
  }

  poseFromWorld(body, worldFromJoint) {
    const joints = matrices(worldFromJoint, 'worldFromJoint');
    loaded().with(joints, (at) => wasm.call('bonebox_world_pose_from_world', this.at, bodyId(body), at, joints.length / 16));
  }

  setPose(body, pose) {
    loaded().call('bonebox_world_set_pose', this.at, bodyId(body), pose.at);
  }

  getPose(body) {
    const pose = new Pose();
    loaded().call('bonebox_world_get_pose', this.at, bodyId(body), pose.at);
    return pose;
  }

  setBoxLayers(body, boxes, memberships, mask) {
    loaded().call('bonebox_world_set_box_layers', this.at, bodyId(body), boxes.at, memberships, mask);
  }

  setBoxesEnabled(body, boxes, isEnabled) {
    loaded().call('bonebox_world_set_boxes_enabled', this.at, bodyId(body), boxes.at, Number(isEnabled));
  }

  trackSkin(body, isTracked = true) {
    loaded().call('bonebox_world_track_skin', this.at, bodyId(body), Number(isTracked));
  }

  startMotion() {
    loaded().call('bonebox_world_start_motion', this.at);
  }

  update() {
    loaded().call('bonebox_world_update', this.at);
  }

  hitboxes(body) {
    return posedHitboxes('bonebox_world_hitboxes', this.at, bodyId(body));
  }

  get events() {
    return objects(TOUCH_EVENT, 'bonebox_world_events', this.at).map((event) => ({ ...event, phase: PHASES[event.phase] }));
  }

  get touches() {
    return objects(TOUCH, 'bonebox_world_touches', this.at);
  }

  castRay(origin, direction, { maxTime = Infinity, ...filter } = {}) {
    return this.#cast({ origin, direction, maxTime }, filter, (ray, at) => found(BODY_RAY_HIT, 'bonebox_world_cast_ray', this.at, ray, at));
  }

  castRayAll(origin, direction, { maxTime = Infinity, ...filter } = {}) {
    return this.#cast({ origin, direction, maxTime }, filter, (ray, at) => objects(BODY_RAY_HIT, 'bonebox_world_cast_ray_all', this.at, ray, at));
  }

  castRayAny(origin, direction, { maxTime = Infinity, ...filter } = {}) {
    return this.#cast({ origin, direction, maxTime }, filter, (ray, at) => value(isTrue, 'bonebox_world_cast_ray_any', this.at, ray, at));
  }

  #cast(ray, filter, use) {
    return withRay(ray, (at) => withFilter(Object.keys(filter).length > 0 ? filter : null, (filterAt) => use(at, filterAt)));
  }

  castRays(rays, filter) {
    if (rays.length % 7 !== 0) throw new TypeError(`rays must have 7 numbers each, and not ${rays.length} numbers in all`);
    const count = rays.length / 7;
    return withFilter(filter, (filterAt) => {
      const block = new DataView(new ArrayBuffer(RAY_QUERY_BYTES * count));
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < 7; j++) block.setFloat32(i * RAY_QUERY_BYTES + 4 * j, rays[7 * i + j], true);
        block.setUint32(i * RAY_QUERY_BYTES + RAY_BYTES, filterAt, true);
      }
      return loaded().with(block, (at) => {
        const answers = wasm.scratch(RAY_ANSWER_BYTES * count);
        wasm.call('bonebox_world_cast_rays', this.at, at, count, answers);
        return rayAnswers(answers, count);
      });
    });
  }

  overlappingBoxes(shape, filter) {
    const ask = (at) => withFilter(filter, (filterAt) => objects(BODY_SHAPE_OVERLAP, 'bonebox_world_overlapping_boxes', this.at, at, filterAt));
    return withShape(shape, ask);
  }

  castShapeAll(from, to, relativeTolerance = 1e-3, filter) {
    const ask = (a, b) =>
      withFilter(filter, (filterAt) => objects(BODY_CAST_HIT, 'bonebox_world_cast_shape_all', this.at, a, b, relativeTolerance, filterAt));
    return withShape(from, (a) => withShape(to, (b) => ask(a, b)));
  }

  sweep(relativeTolerance = 1e-3, filter) {
    return withFilter(filter, (filterAt) => found(BODY_SWEEP_HIT, 'bonebox_world_sweep', this.at, relativeTolerance, filterAt));
  }

  exactTouches(filter) {
    return withFilter(filter, (filterAt) => objects(SKIN_TOUCH, 'bonebox_world_exact_touches', this.at, filterAt));
  }

  exactRay(origin, direction, { maxTime = Infinity, ...filter } = {}) {
    const ask = (ray, at) => skinHit(found(BODY_SKIN_RAY_HIT, 'bonebox_world_exact_ray', this.at, ray, at));
    return this.#cast({ origin, direction, maxTime }, filter, ask);
  }
}

function settingsBlock({ memberships, mask, team, selfTouches, continuous }) {
  const at = loaded().scratch(ANSWER_BYTES);
  wasm.run('bonebox_body_settings_default', at);
  const block = new DataView(wasm.bytes.slice(at, at + SETTINGS_BYTES).buffer);
  if (memberships !== undefined) block.setUint32(0, memberships, true);
  if (mask !== undefined) block.setUint32(4, mask, true);
  if (team !== undefined) block.setUint32(8, team, true);
  if (team !== undefined) block.setUint8(12, 1);
  if (selfTouches !== undefined) block.setUint8(13, Number(selfTouches));
  if (continuous !== undefined) block.setUint8(14, Number(continuous));
  return block;
}

function rayAnswers(at, count) {
  const all = {
    found: new Uint8Array(count), body: new Float64Array(count), hitbox: new Uint16Array(count), joint: new Uint16Array(count),
    entry: new Float32Array(count), exit: new Float32Array(count), point: new Float32Array(3 * count), normal: new Float32Array(3 * count),
  };
  const { view } = wasm;
  for (let i = 0; i < count; i++) {
    const one = at + i * RAY_ANSWER_BYTES;
    if (view.getUint8(one + BODY_RAY_HIT.size) === 0) continue;
    const hit = BODY_RAY_HIT.read(view, one);
    all.found[i] = 1;
    for (const field of ['body', 'hitbox', 'joint', 'entry', 'exit']) all[field][i] = hit[field];
    all.point.set(hit.point, 3 * i);
    all.normal.set(hit.normal, 3 * i);
  }
  return all;
}

/** The size of the memory of WebAssembly, in bytes. It never shrinks. */
export function memoryBytes() {
  return loaded().bytes.length;
}
