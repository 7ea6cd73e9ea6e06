// The look of a hitbox, and what all shaders of hitboxes share.

import * as THREE from 'three';

/** The look of one hitbox. */
export interface BoxLook {
  color: THREE.Color;
  /** Opacities from 0 to 1. A hitbox whose opacities are both 0 is not drawn. */
  faces: number;
  edges: number;
  /** True if the hitbox is drawn over everything that hides it. */
  over: boolean;
}

/** Returns the color of a part of a hitbox, in sRGB. Edges are a little darker than faces. */
export function colorOf({ color }: BoxLook, part: 'faces' | 'edges'): THREE.Color {
  return color.clone().multiplyScalar(part === 'edges' ? 0.85 : 1).convertLinearToSRGB();
}

/** Paints a pixel with the color that the vertex shader hands on. */
const FRAGMENT = `
varying vec4 vColor;
void main() {
  gl_FragColor = vColor;
}`;

export type Overlay = (THREE.Mesh | THREE.LineSegments) & { material: THREE.ShaderMaterial };

/** Returns the object of one draw call: the faces or the edges of hitboxes, drawn over everything or where nothing hides them. */
export function overlay(geometry: THREE.BufferGeometry, vertexShader: string, part: 'faces' | 'edges', over: boolean): Overlay {
  const material = new THREE.ShaderMaterial({ vertexShader, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, depthTest: !over });
  const object = part === 'faces' ? new THREE.Mesh(geometry, material) : new THREE.LineSegments(geometry, material);
  object.frustumCulled = false;
  object.renderOrder = part === 'faces' ? 1 : 2;
  return object;
}
