// One shader for all surfaces. It computes light at vertices, so that a machine without a graphics card plays clips smoothly.

import * as THREE from 'three';

/** The parameters of the shader; all are optional. */
export interface Shading {
  /** The color without light; it is multiplied by the texture and the colors of vertices. */
  color?: THREE.Color;
  /** The texture. Its colors are in sRGB and used as they are stored. */
  map?: THREE.Texture | null;
  vertexColors?: boolean;
  /** The opacity, from 0 to 1. */
  opacity?: number;
  transparent?: boolean;
  /** Pixels with less opacity are not drawn; 0 draws all. */
  alphaTest?: number;
  side?: THREE.Side;
  /** The light that the surface emits. */
  emissive?: THREE.Color;
  /** True if the surface ignores light. */
  unlit?: boolean;
  /** Additional declarations and statements of the shaders, with their uniforms. */
  extra?: { vertexDeclarations: string; vertex: string; fragmentDeclarations: string; fragment: string; uniforms: Record<string, THREE.IUniform> };
}

export function shaded(shading: Shading): THREE.ShaderMaterial {
  const { extra, map = null, side = THREE.FrontSide, opacity = 1, transparent = false } = shading;
  const uniforms = {
    baseColor: { value: shading.color ?? new THREE.Color(1, 1, 1) },
    emissive: { value: shading.emissive ?? new THREE.Color(0, 0, 0) },
    map: { value: map },
    mapTransform: { value: new THREE.Matrix3() },
    opacity: { value: opacity },
    alphaTest: { value: shading.alphaTest ?? 0 },
    ...extra?.uniforms,
  };
  if (map) {
    map.updateMatrix();
    uniforms.mapTransform.value.copy(map.matrix);
  }
  const defines: Record<string, string> = {};
  if (map) defines['HAS_MAP'] = '';
  if (side === THREE.DoubleSide) defines['BOTH_SIDES'] = '';
  if (shading.unlit) defines['UNLIT'] = '';
  return new THREE.ShaderMaterial({
    uniforms,
    defines,
    side,
    transparent,
    depthWrite: !transparent,
    vertexColors: shading.vertexColors ?? false,
    vertexShader: VERTEX.replace('//DECLARATIONS', extra?.vertexDeclarations ?? '').replace('//STATEMENTS', extra?.vertex ?? ''),
    fragmentShader: FRAGMENT.replace('//DECLARATIONS', extra?.fragmentDeclarations ?? '').replace('//STATEMENTS', extra?.fragment ?? ''),
  });
}

// The product of two linear colors, converted to sRGB, is about the product of the two colors in sRGB. So the light is
// converted to sRGB at vertices, and pixels only multiply.
const VERTEX = `
#include <common>
#include <skinning_pars_vertex>
//DECLARATIONS
uniform vec3 baseColor;
uniform vec3 emissive;
varying vec3 vLight;
#ifdef BOTH_SIDES
varying vec3 vBackLight;
#endif
#ifdef HAS_MAP
uniform mat3 mapTransform;
varying vec2 vMap;
#endif
vec3 toSrgb(vec3 linear) {
  return mix(1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055, 12.92 * linear, vec3(lessThanEqual(linear, vec3(0.0031308))));
}
vec3 lightOn(vec3 normal, vec3 base) {
#ifdef UNLIT
  return toSrgb(base);
#else
  float key = max(dot(normal, vec3(-0.3586, 0.7171, 0.5976)), 0.0);
  float fill = max(dot(normal, vec3(0.9370, 0.1562, 0.3123)), 0.0);
  vec3 sky = mix(vec3(0.323, 0.296, 0.262), vec3(1.0), 0.5 + 0.5 * normal.y);
  return toSrgb(emissive + base * (2.2 * key + 0.7 * fill * vec3(0.738, 0.807, 1.0) + 1.1 * sky) / 3.14159);
#endif
}
void main() {
  #include <beginnormal_vertex>
  #include <skinbase_vertex>
  #include <skinnormal_vertex>
  #include <begin_vertex>
  #include <skinning_vertex>
  #include <project_vertex>
  vec3 worldNormal = normalize(mat3(modelMatrix) * objectNormal);
  vec3 base = baseColor;
#if defined(USE_COLOR) || defined(USE_COLOR_ALPHA)
  base *= color.rgb;
#endif
  vLight = lightOn(worldNormal, base);
#ifdef BOTH_SIDES
  vBackLight = lightOn(-worldNormal, base);
#endif
#ifdef HAS_MAP
  vMap = (mapTransform * vec3(uv, 1.0)).xy;
#endif
  //STATEMENTS
}`;

const FRAGMENT = `
//DECLARATIONS
uniform float opacity;
uniform float alphaTest;
varying vec3 vLight;
#ifdef BOTH_SIDES
varying vec3 vBackLight;
#endif
#ifdef HAS_MAP
uniform sampler2D map;
varying vec2 vMap;
#endif
void main() {
#ifdef BOTH_SIDES
  vec4 color = vec4(gl_FrontFacing ? vLight : vBackLight, opacity);
#else
  vec4 color = vec4(vLight, opacity);
#endif
#ifdef HAS_MAP
  color *= texture2D(map, vMap);
#endif
  if (color.a < alphaTest) discard;
  //STATEMENTS
  gl_FragColor = color;
}`;
