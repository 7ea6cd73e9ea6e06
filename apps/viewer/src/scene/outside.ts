// Paints the surface red where it is in no hitbox, by testing all hitboxes at every pixel.

import * as THREE from 'three';
import type { PlacedHitbox } from './hitboxes';
import type { Shading } from './shading';

/** The tolerance of the test, as a share of a half extent, because graphics cards compute in `f32`. */
const TOLERANCE = 0.0005;

/** The attribute of a geometry that holds the joint with the largest weight for each vertex. */
export const OWNER = 'owner';

export class OutsidePaint {
  private rows = texture(1);
  private readonly uniforms = {
    boxRows: { value: this.rows },
    boxCount: { value: 0 },
    /** The number of rows before the planes of hulls. */
    ownerCount: { value: 0 },
    /** The color of the skin outside, in sRGB. */
    outsideColor: { value: new THREE.Vector3(1, 0.12, 0.23) },
  };

  /** The shader parts for a material of geometries with the attribute `OWNER`. */
  readonly shader: NonNullable<Shading['extra']> = {
    vertexDeclarations: VERTEX_DECLARATIONS,
    vertex: VERTEX,
    fragmentDeclarations: DECLARATIONS,
    fragment: PAINT,
    uniforms: this.uniforms,
  };

  /**
   * Stores the present positions of the hitboxes, in ascending order of joints. If `boxes` is null, no skin is painted.
   */
  update(boxes: PlacedHitbox[] | null): void {
    this.uniforms.boxCount.value = boxes?.length ?? 0;
    if (!boxes) return;
    const firstPlanes = Math.max(boxes.length, (boxes.at(-1)?.joint ?? 0) + 1);
    const planeRows = ({ hull }: PlacedHitbox) => Math.ceil((hull?.planes.length ?? 0) / (4 * WIDTH));
    this.uniforms.ownerCount.value = firstPlanes;
    const height = firstPlanes + boxes.reduce((sum, box) => sum + planeRows(box), 0);
    if (this.rows.image.height < height) {
      this.rows.dispose();
      this.rows = this.uniforms.boxRows.value = texture(height);
    }
    const data = this.rows.image.data as Float32Array;
    data.fill(0);
    const inverse = new THREE.Matrix4();
    let nextPlanes = firstPlanes;
    boxes.forEach((placed, box) => {
      const { joint, straight, hull, worldFromCube } = placed;
      const e = inverse.copy(worldFromCube).invert().elements;
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) data[(WIDTH * box + row) * 4 + column] = e[4 * column + row]!;
      }
      data[(WIDTH * box + 3) * 4 + 2] = straight ?? -1;
      if (hull) {
        data[(WIDTH * box + 3) * 4 + 2] = -1 - nextPlanes;
        data[(WIDTH * box + 3) * 4 + 3] = hull.planes.length / 4;
        data.set(hull.planes, WIDTH * nextPlanes * 4);
        nextPlanes += planeRows(placed);
      }
      const own = (WIDTH * joint + 3) * 4;
      if (data[own + 1] === 0) data[own] = box;
      data[own + 1]!++;
    });
    this.rows.needsUpdate = true;
  }

  dispose(): void {
    this.rows.dispose();
  }
}

/**
 * The number of texels in a row. The first three texels of row `b` describe box `b`; the fourth texel of row `j` holds joint `j`'s
 * first box, its number of boxes, the straight share of box `j` (-1 for a box, and -1 - r for a hull whose planes start in row r), and
 * the number of the hull's planes.
 */
const WIDTH = 4;

function texture(height: number): THREE.DataTexture {
  return new THREE.DataTexture(new Float32Array(4 * WIDTH * height), WIDTH, height, THREE.RGBAFormat, THREE.FloatType);
}

const VERTEX_DECLARATIONS = `
attribute float ${OWNER};
uniform highp sampler2D boxRows;
uniform int boxCount;
uniform int ownerCount;
varying vec3 vWorldPoint;
flat varying ivec2 vOwnBoxes;`;

const VERTEX = `
vWorldPoint = (modelMatrix * vec4(transformed, 1.0)).xyz;
vOwnBoxes = ivec2(0);
if (boxCount > 0 && int(${OWNER}) < ownerCount) {
  vOwnBoxes = ivec2(texelFetch(boxRows, ivec2(3, int(${OWNER})), 0).xy);
}`;

const DECLARATIONS = `
uniform highp sampler2D boxRows;
uniform int boxCount;
uniform vec3 outsideColor;
varying vec3 vWorldPoint;
flat varying ivec2 vOwnBoxes;
bool isInBox(int box) {
  vec4 point = vec4(vWorldPoint, 1.0);
  vec3 at = vec3(
    dot(texelFetch(boxRows, ivec2(0, box), 0), point),
    dot(texelFetch(boxRows, ivec2(1, box), 0), point),
    dot(texelFetch(boxRows, ivec2(2, box), 0), point));
  vec2 shape = texelFetch(boxRows, ivec2(3, box), 0).zw;
  float straight = shape.x;
  if (straight < -1.5) {
    int first = int(-1.0 - straight);
    for (int plane = 0; plane < int(shape.y); plane++) {
      vec4 face = texelFetch(boxRows, ivec2(plane % ${WIDTH}, first + plane / ${WIDTH}), 0);
      if (dot(face.xyz, at) > face.w + ${TOLERANCE}) return false;
    }
    return true;
  }
  if (straight < 0.0) return all(lessThanEqual(abs(at), vec3(1.0 + ${TOLERANCE})));
  // In units of half extent y the shape is round.
  float radius = 1.0 - straight;
  return length(vec3(at.x * radius, max(abs(at.y) - straight, 0.0), at.z * radius)) <= radius * (1.0 + ${TOLERANCE});
}`;

// The boxes of the vertex's own joint hold nearly every pixel, so the other boxes are tested only for the remaining pixels.
const PAINT = `
if (boxCount > 0) {
  bool inside = false;
  for (int box = vOwnBoxes.x; box < vOwnBoxes.x + vOwnBoxes.y && !inside; box++) inside = isInBox(box);
  for (int box = 0; box < boxCount && !inside; box++) inside = isInBox(box);
  if (!inside) color.rgb = outsideColor * min(1.0, 0.35 + color.g);
}`;
