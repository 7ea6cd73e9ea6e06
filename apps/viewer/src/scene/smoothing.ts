// Smooth edges: always for a still picture, and for a moving picture if the machine is fast enough.

import * as THREE from 'three';

/** The number of samples for each pixel. */
const SAMPLES = 4;

/** If the time between frames of a moving picture is longer than this, in milliseconds, it has no smooth edges. */
const SLOW = 24;

/** The number of frames that are measured before this decision. */
const ENOUGH = 4;

/** Frames with less time than this between them, in milliseconds, are a moving picture. */
const MOVING = 200;

/** A part of the canvas, in CSS pixels from its left and its top. */
export interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

export class Smoothing {
  private readonly target = new THREE.WebGLRenderTarget(1, 1, { samples: SAMPLES, depthBuffer: true });
  private readonly copy: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private readonly flat = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
  private last = 0;
  private slow = 0;
  private frames = 0;
  /** True if moving pictures have no smooth edges, which cost SAMPLES times the work at every pixel. */
  private spared = false;
  /** True if the picture on the canvas has no smooth edges yet. */
  private rough = false;

  constructor(private readonly renderer: THREE.WebGLRenderer) {
    const material = new THREE.ShaderMaterial({
      uniforms: { picture: { value: this.target.texture } },
      vertexShader: 'varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
      fragmentShader: 'uniform sampler2D picture; varying vec2 at; void main() { gl_FragColor = texture2D(picture, at); }',
      depthTest: false,
      depthWrite: false,
      blending: THREE.NoBlending,
    });
    this.copy = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
    this.copy.frustumCulled = false;
  }

  /** Returns whether a picture without smooth edges has been still for long enough to be drawn again with them. */
  isDue(now: number): boolean {
    return this.rough && now - this.last > MOVING;
  }

  /** Returns whether the picture on the canvas has smooth edges. */
  get isDone(): boolean {
    return !this.rough;
  }

  /**
   * Draws each part of the canvas by `paint`, with smooth edges where there is time for it. `playing` says that another
   * picture follows, however late.
   */
  draw(now: number, playing: boolean, parts: Part[], paint: (index: number) => void): void {
    const elapsed = now - this.last;
    const moving = playing || elapsed < MOVING;
    this.watch(elapsed, moving);
    this.last = now;
    this.rough = moving && this.spared;
    this.renderer.setScissorTest(true);
    const { y: whole } = this.renderer.getSize(new THREE.Vector2());
    parts.forEach((part, index) => {
      if (!this.rough) this.paintSmooth(part, () => paint(index));
      const { left, top, width, height } = part;
      this.renderer.setViewport(left, whole - top - height, width, height);
      this.renderer.setScissor(left, whole - top - height, width, height);
      if (this.rough) paint(index);
      else this.renderer.render(this.copy, this.flat);
    });
  }

  private paintSmooth({ width, height }: Part, paint: () => void): void {
    const ratio = this.renderer.getPixelRatio();
    this.target.setSize(Math.floor(width * ratio), Math.floor(height * ratio));
    this.renderer.setRenderTarget(this.target);
    paint();
    this.renderer.setRenderTarget(null);
  }

  private watch(elapsed: number, moving: boolean): void {
    if (moving) {
      this.frames++;
      if (elapsed > SLOW) this.slow++;
      if (this.frames < ENOUGH) return;
      if (this.slow > ENOUGH / 2) this.spared = true;
    }
    this.frames = this.slow = 0;
  }
}
