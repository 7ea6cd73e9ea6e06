// Loads an export with three.js and poses its nodes by its clips. It loads no picture and decodes no Draco stream, because
// boxes need neither.

import * as THREE from 'three';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { beside, read } from './manifest.js';

// three.js needs these objects of a browser.
globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};

const withoutPictures = () => ({ name: 'WITHOUT_PICTURES', loadTexture: async () => new THREE.Texture() });

const withoutDraco = {
  preload() {},
  async decodeDracoFile(_buffer, done) {
    const geometry = new THREE.BufferGeometry();
    for (const [name, size] of [['position', 3], ['skinIndex', 4], ['skinWeight', 4]]) {
      geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(size), size));
    }
    done(geometry);
  },
};

/** The loaded file; `plugins` are plugins of three.js. */
export async function load(file, source, plugins = []) {
  const manager = new THREE.LoadingManager();
  manager.setURLModifier((url) => {
    if (/^(data|blob):/.test(url)) return url;
    return `data:application/octet-stream;base64,${Buffer.from(beside(source, url)).toString('base64')}`;
  });
  const loader = new GLTFLoader(manager).setMeshoptDecoder(MeshoptDecoder).setDRACOLoader(withoutDraco);
  for (const plugin of [withoutPictures, ...plugins]) loader.register(plugin);
  const bytes = read(file);
  const loaded = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
  return new Scene(loaded);
}

export class Scene {
  constructor(loaded) {
    this.loaded = loaded;
    this.json = loaded.parser.json;
  }

  /** Every node of the file, by number. Those outside the scene are put into it, so that clips reach them too. */
  async nodes() {
    const nodes = await this.loaded.parser.getDependencies('node');
    const tops = new Set(nodes.map(top));
    for (const node of tops) if (node !== top(this.loaded.scene)) this.loaded.scene.add(node);
    return nodes;
  }

  /** Poses all nodes: at rest, or by the animation of that number at a time of its own time line. */
  pose(animation, time) {
    this.mixer ??= new THREE.AnimationMixer(this.loaded.scene);
    this.mixer.stopAllAction();
    if (animation !== null) {
      const action = this.mixer.clipAction(this.loaded.animations[animation]);
      action.reset().setLoop(THREE.LoopOnce).clampWhenFinished = true;
      action.play();
      this.mixer.setTime(time);
    }
    // Some files have rotations with three digits. glTF requires unit length, but three.js does not normalize them.
    this.loaded.scene.traverse((node) => node.quaternion.normalize());
    this.loaded.scene.updateMatrixWorld(true);
  }

  /** The indices of the animations that move one of these nodes, which are the clips of `bonebox`. */
  clips(joints) {
    const known = new Set(joints);
    const moves = ({ target: { node, path } }) =>
      known.has(node) && path !== 'weights' && !this.json.nodes[node].matrix;
    const animations = (this.json.animations ?? []).map(({ channels }, index) => channels.some(moves) && index);
    return animations.filter((index) => index !== false);
  }
}

function top(node) {
  while (node.parent) node = node.parent;
  return node;
}
