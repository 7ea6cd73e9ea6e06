// Materials for lines and other objects without light.

import * as THREE from 'three';

/** Settings of materials that are drawn over everything. */
export const OVER = { depthTest: false, depthWrite: false, transparent: true };

/** A material that writes its color unchanged. Like all shaders of the page, it works in sRGB. */
export function plain(color: THREE.ColorRepresentation, settings: THREE.ShaderMaterialParameters = {}): THREE.ShaderMaterial {
  const srgb = new THREE.Color(color).convertLinearToSRGB();
  return new THREE.ShaderMaterial({
    uniforms: { color: { value: srgb } },
    vertexShader: 'void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: 'uniform vec3 color; void main() { gl_FragColor = vec4(color, 1.0); }',
    ...settings,
  });
}

/** The same for points, as squares with sides of `size` pixels. */
export function dots(color: THREE.ColorRepresentation, size: number, settings: THREE.ShaderMaterialParameters = {}): THREE.ShaderMaterial {
  const material = plain(color, settings);
  material.vertexShader = material.vertexShader.replace('}', `gl_PointSize = ${size.toFixed(1)}; }`);
  return material;
}
