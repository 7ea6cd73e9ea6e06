// The surface of a character: in clay, red outside the hitboxes, transparent, or in its own materials.

import * as THREE from 'three';
import { floats, integers, words } from '../data/packed';
import type { AttachmentData, MeshData, Model } from '../data/types';
import { affine } from './affine';
import type { Costume } from './costume';
import { withCreasedNormals } from './creasedGeometry';
import type { PlacedHitbox } from './hitboxes';
import { OutsidePaint, OWNER } from './outside';
import { shaded } from './shading';

export const SURFACE_STYLES = ['textured', 'clay', 'outside', 'ghost', 'off'] as const;
export type SurfaceStyle = (typeof SURFACE_STYLES)[number];

const CLAY = '#d9d6d2';

const clay = shaded({ color: new THREE.Color(CLAY), side: THREE.DoubleSide });
/** The transparent materials by their colors. */
const ghosts = new Map<string, THREE.Material>();

function ghost(tint: string): THREE.Material {
  const material = ghosts.get(tint) ?? shaded({ color: new THREE.Color(tint), side: THREE.DoubleSide, transparent: true, opacity: 0.35 });
  ghosts.set(tint, material);
  return material;
}

export class Surface {
  /** One object for each mesh and attachment of the model, in that order. */
  readonly meshes: THREE.Mesh[];
  private readonly paint = new OutsidePaint();
  private readonly outside = shaded({ color: new THREE.Color(CLAY), side: THREE.DoubleSide, extra: this.paint.shader });
  private costume: THREE.Mesh[] = [];
  private style: SurfaceStyle = 'clay';
  private tint: string = CLAY;

  /** `bones` are the joints by number, at rest in `root`. */
  constructor(
    private readonly model: Model,
    private readonly bones: THREE.Bone[],
    private readonly root: THREE.Object3D,
  ) {
    this.meshes = [
      ...model.meshes.map((data) => this.addSkinned(data, geometryOf(data))),
      ...model.attachments.map((data) => this.addAttachment(data, geometryOf(data))),
    ];
  }

  /** Shows the character's own materials. */
  dress(costume: Costume): void {
    const all = [...this.model.meshes, ...this.model.attachments];
    this.costume = all.flatMap((data, index) =>
      (costume.get(data.node) ?? []).map(({ geometry, material }) => {
        const mesh =
          index < this.model.meshes.length
            ? this.addSkinned(data as MeshData, geometry)
            : this.addAttachment(data as AttachmentData, geometry);
        mesh.material = material;
        return mesh;
      }),
    );
    this.show(this.style, this.tint);
  }

  /** `tint` is the color of a transparent skin. */
  show(style: SurfaceStyle, tint: string = CLAY): void {
    [this.style, this.tint] = [style, tint];
    const dressed = style === 'textured' && this.costume.length > 0;
    for (const mesh of this.costume) mesh.visible = dressed;
    const material = style === 'outside' ? this.outside : style === 'ghost' ? ghost(tint) : clay;
    for (const mesh of this.meshes) {
      mesh.visible = style !== 'off' && !dressed;
      mesh.material = material;
    }
  }

  /** Passes the posed hitboxes to the shader, if skin outside of them is painted. `boxes` returns null if no skin is to be painted. */
  update(boxes: () => PlacedHitbox[] | null): void {
    this.paint.update(this.style === 'outside' ? boxes() : null);
  }

  dispose(): void {
    this.outside.dispose();
    this.paint.dispose();
    for (const mesh of [...this.meshes, ...this.costume]) if (mesh instanceof THREE.SkinnedMesh) mesh.skeleton.dispose();
  }

  private addSkinned(data: MeshData, geometry: THREE.BufferGeometry): THREE.Mesh {
    const mesh = new THREE.SkinnedMesh(geometry, clay);
    const binds = floats(data.binds);
    const inverses = data.joints.map((_, slot) => affine(binds.subarray(12 * slot, 12 * slot + 12)));
    mesh.bind(new THREE.Skeleton(data.joints.map((joint) => this.bones[joint]!), inverses), new THREE.Matrix4());
    mesh.frustumCulled = false;
    this.root.add(mesh);
    return mesh;
  }

  private addAttachment(data: AttachmentData, geometry: THREE.BufferGeometry): THREE.Mesh {
    const mesh = new THREE.Mesh(geometry, clay);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(affine(data.matrix));
    mesh.frustumCulled = false;
    this.bones[data.joint]!.add(mesh);
    return mesh;
  }
}

/** The geometries of each model; all its actors share them. */
const geometries = new WeakMap<object, THREE.BufferGeometry>();

function geometryOf(data: MeshData | AttachmentData): THREE.BufferGeometry {
  const known = geometries.get(data);
  if (known) return known;
  const geometry = makeGeometry(data);
  geometries.set(data, geometry);
  return geometry;
}

function makeGeometry(data: MeshData | AttachmentData): THREE.BufferGeometry {
  const positions = floats(data.positions);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
  geometry.setIndex(new THREE.BufferAttribute(integers(data.triangles), 1));
  const owners = new Float32Array(positions.length / 3);
  if ('slots' in data) {
    const slots = words(data.slots);
    geometry.setAttribute('skinIndex', new THREE.BufferAttribute(slots, 4));
    geometry.setAttribute('skinWeight', new THREE.BufferAttribute(floats(data.weights), 4));
    // The first influence is the strongest.
    owners.forEach((_, vertex) => (owners[vertex] = data.joints[slots[4 * vertex]!] ?? 0));
  } else {
    owners.fill(data.joint);
  }
  geometry.setAttribute(OWNER, new THREE.BufferAttribute(owners, 1));
  return withCreasedNormals(geometry);
}

/** Frees the memory of the graphics card for a model that no actor shows any more. */
export function forget(model: Model): void {
  for (const data of [...model.meshes, ...model.attachments]) {
    geometries.get(data)?.dispose();
    geometries.delete(data);
  }
}
