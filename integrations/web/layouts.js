// The structs of the C library in the memory of WebAssembly, as in integrations/c/include/bonebox.h.

const GET = {
  u8: (view, at) => view.getUint8(at),
  bool: (view, at) => view.getUint8(at) !== 0,
  u16: (view, at) => view.getUint16(at, true),
  u32: (view, at) => view.getUint32(at, true),
  i32: (view, at) => view.getInt32(at, true),
  f32: (view, at) => view.getFloat32(at, true),
  body: (view, at) => Number(view.getBigUint64(at, true)),
  vec2: (view, at) => floats(view, at, 2),
  vec3: (view, at) => floats(view, at, 3),
  quat: (view, at) => floats(view, at, 4),
};

const SIZE = { u8: 1, bool: 1, u16: 2, u32: 4, i32: 4, f32: 4, body: 8, vec2: 8, vec3: 12, quat: 16 };
const ALIGNMENT = { u8: 1, bool: 1, u16: 2, body: 8 };

function floats(view, at, count) {
  return Array.from({ length: count }, (_, i) => view.getFloat32(at + 4 * i, true));
}

/** A struct by its fields in their order, with the padding of C. */
function struct(fields) {
  let size = 0;
  let alignment = 1;
  const places = Object.entries(fields).map(([name, type]) => {
    const own = ALIGNMENT[type] ?? 4;
    alignment = Math.max(alignment, own);
    const at = Math.ceil(size / own) * own;
    size = at + SIZE[type];
    return [name, GET[type], at];
  });
  const offsets = Object.fromEntries(places.map(([name, , at]) => [name, at]));
  const read = (view, at) => Object.fromEntries(places.map(([name, get, offset]) => [name, get(view, at + offset)]));
  return { size: Math.ceil(size / alignment) * alignment, offsets, read };
}

export const JOINT = struct({ name: 'u32', nameLength: 'u32', parent: 'i32' });
export const HITBOX = struct({ joint: 'u16', role: 'u8', tagCount: 'u32', jointName: 'u32', jointNameLength: 'u32', center: 'vec3', halfExtents: 'vec3', orientation: 'quat' });
export const CLIP = struct({ name: 'u32', nameLength: 'u32', start: 'f32', seconds: 'f32' });
export const POSED_HITBOX = struct({ hitbox: 'u16', joint: 'u16', center: 'vec3', halfExtents: 'vec3', x: 'vec3', y: 'vec3', z: 'vec3' });
export const BOUNDS = struct({ min: 'vec3', max: 'vec3' });
export const BOX_PAIR = struct({ boxA: 'u16', boxB: 'u16', jointA: 'u16', jointB: 'u16' });
export const CLOSEST = struct({ boxA: 'u16', boxB: 'u16', jointA: 'u16', jointB: 'u16', distance: 'f32', pointA: 'vec3', pointB: 'vec3' });
export const SWEEP_HIT = struct({ boxA: 'u16', boxB: 'u16', jointA: 'u16', jointB: 'u16', time: 'f32', direction: 'vec3' });
export const TOUCH = struct({ bodyA: 'body', bodyB: 'body', boxA: 'u16', boxB: 'u16', jointA: 'u16', jointB: 'u16' });
export const TOUCH_EVENT = struct({ bodyA: 'body', bodyB: 'body', boxA: 'u16', boxB: 'u16', jointA: 'u16', jointB: 'u16', phase: 'u32' });
export const BODY_RAY_HIT = struct({ body: 'body', hitbox: 'u16', joint: 'u16', startsInside: 'bool', entry: 'f32', exit: 'f32', point: 'vec3', normal: 'vec3' });
export const BODY_SHAPE_OVERLAP = struct({ body: 'body', hitbox: 'u16', joint: 'u16' });
export const BODY_CAST_HIT = struct({ body: 'body', hitbox: 'u16', joint: 'u16', time: 'f32', direction: 'vec3' });
export const BODY_SWEEP_HIT = struct({ bodyA: 'body', bodyB: 'body', boxA: 'u16', boxB: 'u16', jointA: 'u16', jointB: 'u16', time: 'f32', direction: 'vec3' });
export const SKIN_OVERLAP = struct({ jointA: 'u16', jointB: 'u16', sourceTriangleA: 'u32', sourceTriangleB: 'u32', point: 'vec3' });
export const SKIN_DISTANCE = struct({ jointA: 'u16', jointB: 'u16', sourceTriangleA: 'u32', sourceTriangleB: 'u32', distance: 'f32', pointA: 'vec3', pointB: 'vec3' });
export const SKIN_TOUCH = struct({ bodyA: 'body', bodyB: 'body', jointA: 'u16', jointB: 'u16', sourceTriangleA: 'u32', sourceTriangleB: 'u32', point: 'vec3' });
const SKIN_HIT = { joint: 'u16', front: 'bool', hasTextureCoordinate: 'bool', sourceTriangle: 'u32', barycentric: 'vec3', time: 'f32', point: 'vec3', normal: 'vec3', shadingNormal: 'vec3', textureCoordinate: 'vec2' };
export const SKIN_RAY_HIT = struct(SKIN_HIT);
export const BODY_SKIN_RAY_HIT = struct({ body: 'body', ...SKIN_HIT });

/** A contact has up to nine points, of which `pointCount` are valid. */
const CONTACT_HEAD = struct({ boxA: 'u16', boxB: 'u16', jointA: 'u16', jointB: 'u16', depth: 'f32', direction: 'vec3', center: 'vec3', pointCount: 'u32' });
const MOST_CONTACT_POINTS = 9;
export const CONTACT = {
  size: CONTACT_HEAD.size + 12 * MOST_CONTACT_POINTS,
  read(view, at) {
    const { pointCount, ...contact } = CONTACT_HEAD.read(view, at);
    const points = Array.from({ length: pointCount }, (_, i) => floats(view, at + CONTACT_HEAD.size + 12 * i, 3));
    return { ...contact, points };
  },
};

export const MATRIX_BYTES = 64;
export const RAY_BYTES = 28;
/** A ray and the address of a filter. */
export const RAY_QUERY_BYTES = 32;
/** A hit, and whether there is one; a struct with a body has a size that is a multiple of 8. */
export const RAY_ANSWER_BYTES = BODY_RAY_HIT.size + 8;
export const CLIP_POSE_BYTES = 80;
export const SETTINGS_BYTES = 16;
export const FILTER_BYTES = 40;
export const SHAPE_BYTES = 72;
