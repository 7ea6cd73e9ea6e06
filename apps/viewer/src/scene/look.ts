// The look of a hitbox, and what all shaders of hitboxes share.

import type * as THREE from 'three';

/** The look of one hitbox. */
export interface BoxLook {
  color: THREE.Color;
  /** Opacities from 0 to 1. A hitbox whose opacities are both 0 is not drawn. */
  faces: number;
  edges: number;
  /** True if the hitbox is drawn over everything that hides it. */
  over: boolean;
}

/** Edges are a little darker than faces. */
export const EDGE_SHADE = 0.85;

/** Paints a pixel with the color that the vertex shader hands on. */
export const FRAGMENT = `
varying vec4 vColor;
void main() {
  gl_FragColor = vColor;
}`;
