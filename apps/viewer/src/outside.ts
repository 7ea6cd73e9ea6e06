// Paints the surface red where it is in no box, by asking every box at every pixel.

import * as THREE from 'three';

/** A pixel this share of a box outside it is inside: what graphics cards make of f32. */
const TOLERANCE = 0.0005;

export class OutsidePaint {
  private rows = texture(1);
  private readonly uniforms = {
    boxRows: { value: this.rows },
    boxCount: { value: 0 },
    outsideColor: { value: new THREE.Color(0xff1f3a) },
  };

  /** Teaches a material to paint. */
  constructor(material: THREE.MeshStandardMaterial) {
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec3 vWorldPoint;')
        .replace('#include <project_vertex>', '#include <project_vertex>\nvWorldPoint = (modelMatrix * vec4(transformed, 1.0)).xyz;');
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${DECLARATIONS}`)
        .replace('#include <color_fragment>', `#include <color_fragment>\n${PAINT}`);
    };
  }

  /** Takes the boxes as they stand now: world from a cube with half extents of 1. None is painted where `boxes` is null. */
  update(boxes: THREE.Matrix4[] | null): void {
    this.uniforms.boxCount.value = boxes?.length ?? 0;
    if (!boxes) return;
    if (this.rows.image.height < boxes.length) {
      this.rows.dispose();
      this.rows = this.uniforms.boxRows.value = texture(boxes.length);
    }
    const data = this.rows.image.data as Float32Array;
    const inverse = new THREE.Matrix4();
    boxes.forEach((matrix, box) => {
      const e = inverse.copy(matrix).invert().elements;
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) data[(3 * box + row) * 4 + column] = e[4 * column + row]!;
      }
    });
    this.rows.needsUpdate = true;
  }

  dispose(): void {
    this.rows.dispose();
  }
}

/** Three rows a box. */
function texture(boxes: number): THREE.DataTexture {
  return new THREE.DataTexture(new Float32Array(12 * boxes), 3, boxes, THREE.RGBAFormat, THREE.FloatType);
}

const DECLARATIONS = `
uniform highp sampler2D boxRows;
uniform int boxCount;
uniform vec3 outsideColor;
varying vec3 vWorldPoint;
bool isInBox(int box) {
  vec4 point = vec4(vWorldPoint, 1.0);
  vec3 at = vec3(
    dot(texelFetch(boxRows, ivec2(0, box), 0), point),
    dot(texelFetch(boxRows, ivec2(1, box), 0), point),
    dot(texelFetch(boxRows, ivec2(2, box), 0), point));
  return all(lessThanEqual(abs(at), vec3(1.0 + ${TOLERANCE})));
}`;

const PAINT = `
if (boxCount > 0) {
  bool inside = false;
  for (int box = 0; box < boxCount && !inside; box++) inside = isInBox(box);
  if (!inside) diffuseColor.rgb = outsideColor;
}`;
