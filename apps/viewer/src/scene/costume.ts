// Reads a character's own materials and textures from its file.

import * as THREE from 'three';
import { GLTFLoader, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import type { AssetFile } from '../data/source';
import type { Model } from '../data/types';
import { withCreasedNormals } from './creasedGeometry';
import { shaded } from './shading';
import { neighborsTogether } from './triangleOrder';

/** The geometry and the material of one primitive of a mesh. */
export interface Cloth {
  geometry: THREE.BufferGeometry;
  material: THREE.ShaderMaterial;
}

/** The primitives of meshes by the number of the node that has the mesh. */
export type Costume = Map<number, Cloth[]>;

/** Reads materials, textures and texture coordinates. Throws if the page cannot read the form of the file. */
export async function readCostume(file: AssetFile, model: Model): Promise<Costume> {
  const manager = new THREE.LoadingManager();
  manager.setURLModifier((url) => (/^(blob|data):/.test(url) ? url : file.addressOf(url)));
  const loader = new GLTFLoader(manager);
  const parsers: GLTFParser[] = [];
  loader.register((parser) => {
    parsers.push(parser);
    // Clips come from the server.
    parser.json.animations = [];
    return { name: 'bonebox' };
  });
  await loader.parseAsync(file.bytes, '');
  const parser = parsers[0]!;
  const costume: Costume = new Map();
  for (const { node } of [...model.meshes, ...model.attachments]) {
    const object: THREE.Object3D = await parser.getDependency('node', node);
    costume.set(node, primitivesOf(parser, object).map(clothOf));
  }
  return costume;
}

export function disposeCostume(costume: Costume): void {
  for (const { geometry, material } of [...costume.values()].flat()) {
    geometry.dispose();
    (material.uniforms['map']?.value as THREE.Texture | null)?.dispose();
    material.dispose();
  }
}

/** Returns the primitives of a node. A mesh with one primitive is the node's own object; a mesh with several is a group beside the node's children. */
function primitivesOf(parser: GLTFParser, object: THREE.Object3D): THREE.Mesh[] {
  const isPrimitive = (child: THREE.Object3D) => (parser.associations.get(child) as { nodes?: number } | undefined)?.nodes === undefined;
  return [object, ...object.children.filter(isPrimitive)].filter((each): each is THREE.Mesh => each instanceof THREE.Mesh);
}

function clothOf(mesh: THREE.Mesh): Cloth {
  const source = mesh.material as THREE.MeshStandardMaterial;
  const map = source.map ?? null;
  const bare = new THREE.BufferGeometry();
  const texture = map && map.channel > 0 ? `uv${map.channel}` : 'uv';
  const kept: [string, string][] = [['position', 'position'], ['normal', 'normal'], [texture, 'uv'], ['color', 'color'], ['skinIndex', 'skinIndex'], ['skinWeight', 'skinWeight']];
  for (const [from, to] of kept) {
    const attribute = mesh.geometry.getAttribute(from);
    if (attribute) bare.setAttribute(to, attribute);
  }
  bare.setIndex(mesh.geometry.index);
  const geometry = bare.getAttribute('normal') ? bare : withCreasedNormals(bare);
  if (geometry === bare && bare.index) {
    bare.setIndex(new THREE.BufferAttribute(neighborsTogether(bare.index.array, bare.getAttribute('position').count), 1));
  }
  // The shader multiplies colors in sRGB, as the file stores them.
  if (map) map.colorSpace = THREE.NoColorSpace;
  const material = shaded({
    color: source.color,
    map: bare.getAttribute('uv') ? map : null,
    vertexColors: source.vertexColors,
    opacity: source.opacity,
    transparent: source.transparent,
    alphaTest: source.alphaTest,
    side: source.side,
    unlit: source instanceof THREE.MeshBasicMaterial,
    ...(source.emissive ? { emissive: source.emissive.clone().multiplyScalar(source.emissiveMap ? 0 : source.emissiveIntensity) } : {}),
  });
  return { geometry, material };
}
