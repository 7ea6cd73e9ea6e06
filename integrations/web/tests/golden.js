// The scene of crates/runtime/tests/golden.rs: 200 bodies, every kind of question, and the sums of all answers. It runs in Node and in
// browsers, and must give the sums of the golden file to the last bit.

const f = Math.fround;
const MASK = (1n << 64n) - 1n;
const BODIES = 200;
const TOLERANCE = f(1e-3);
const KINDS = ['events', 'contacts', 'rays', 'shapes', 'distances', 'sweeps', 'weapons'];

/** The random numbers of the golden scenes (Knuth's MMIX generator). */
class Random {
  constructor(state) {
    this.state = state & MASK;
  }

  share() {
    this.state = (this.state * 6364136223846793005n + 1442695040888963407n) & MASK;
    return f(Number(this.state >> 40n) / 2 ** 24);
  }

  vector() {
    return [f(this.share() - 0.5), f(this.share() - 0.5), f(this.share() - 0.5)];
  }

  spot() {
    return [f(this.share() * 14), f(f(0.2) + f(this.share() * 1.5)), f(this.share() * 14)];
  }

  turn() {
    return unit(...this.vector(), 1);
  }
}

function unit(x, y, z, w) {
  const length = f(Math.sqrt(f(f(f(x * x) + f(z * z)) + f(f(y * y) + f(w * w)))));
  return [f(x / length), f(y / length), f(z / length), f(w / length)];
}

function normalized([x, y, z]) {
  const scale = f(1 / f(Math.sqrt(f(f(f(x * x) + f(y * y)) + f(z * z)))));
  return [f(x * scale), f(y * scale), f(z * scale)];
}

/** The matrix of a rotation about y and a translation, and the time of the clip. */
function place(body, tick) {
  const random = new Random((BigInt(body) * 0x9e3779b97f4a7c15n) & MASK ^ 0x12345678n);
  const x = f(random.share() * 14);
  const z = f(random.share() * 14);
  const turn = f(f(random.share() * 2) - 1);
  const phase = random.share();
  const time = f(tick / 60);
  const [, qy, , qw] = unit(0, f(turn + f(f(0.2) * time)), 0, 1);
  const y2 = f(qy + qy);
  const yy = f(qy * y2);
  const wy = f(qw * y2);
  const step = [f(time * f(phase - 0.5)), 0, f(time * f(turn * 0.5))];
  const matrix = [f(1 - yy), 0, -wy, 0, 0, 1, 0, 0, wy, 0, f(1 - yy), 0, f(x + step[0]), step[1], f(z + step[2]), 1];
  const moment = f(phase + time);
  return [matrix, f(moment - Math.trunc(moment))];
}

/** FNV-1a over the words of the answers, and the number of answers. */
class Sum {
  // The 64 bits as four 16-bit parts, the lowest first, because BigInts are slow.
  parts = [0x2325, 0x8422, 0x9ce4, 0xcbf2];
  count = 0;

  byte(byte) {
    const [a, b, c, d] = [this.parts[0] ^ byte, this.parts[1], this.parts[2], this.parts[3]];
    // Times 0x100_0000_01B3 = 2^40 + 0x1B3.
    let carry = a * 0x1b3;
    const low = carry & 0xffff;
    carry = Math.floor(carry / 65536) + b * 0x1b3;
    const second = carry & 0xffff;
    carry = Math.floor(carry / 65536) + c * 0x1b3 + ((a & 0xff) << 8);
    const third = carry & 0xffff;
    carry = Math.floor(carry / 65536) + d * 0x1b3 + (a >> 8) + ((b & 0xff) << 8);
    this.parts = [low, second, third, carry & 0xffff];
  }

  /** Adds the bytes of a word of 64 bits, given as two halves, the lower half first. */
  words(low, high) {
    for (const word of [low, high]) for (let shift = 0; shift < 32; shift += 8) this.byte((word >>> shift) & 0xff);
  }

  number(number) {
    BITS.setFloat32(0, number, true);
    this.words(BITS.getUint32(0, true), 0);
  }

  vector(vector) {
    for (const number of vector) this.number(number);
  }

  get text() {
    return [...this.parts].reverse().map((part) => part.toString(16).padStart(4, '0')).join('');
  }
}

const BITS = new DataView(new ArrayBuffer(4));

/** Runs the scene for some ticks and returns the lines of the golden file. */
export function goldenScene(bonebox, figure, ticks) {
  const character = new bonebox.Character(figure);
  const world = new bonebox.World();
  const hands = character.boxesWithTag('hand');
  for (let id = 0; id < BODIES; id++) {
    world.insert(id, character, { team: id % 5 === 0 ? 1 : undefined, selfTouches: id % 7 === 0 });
    if (id % 3 === 0) world.setBoxLayers(id, hands, 2, 1);
  }
  const sums = KINDS.map(() => new Sum());
  const random = new Random(99n);
  const lines = [];
  for (let tick = 0; tick < ticks; tick++) {
    if (tick % 8 === 7) world.startMotion();
    const poses = Array.from({ length: BODIES }, (_, body) => {
      const [worldFromModel, seconds] = place(body, tick);
      return { body, clip: 1, seconds, worldFromModel };
    });
    world.poseFromClips(poses);
    world.update();
    ask(bonebox, sums, world, character, random);
    if ((tick + 1) % 40 === 0) {
      const columns = KINDS.map((kind, i) => `  ${kind} ${String(sums[i].count).padStart(7)} ${sums[i].text}`);
      lines.push(`${String(tick + 1).padStart(4)}${columns.join('')}`);
    }
  }
  [hands, world, character].forEach((object) => object.free());
  return lines;
}

function ask(bonebox, [events, contactSums, rays, shapes, distances, sweeps, weapons], world, character, random) {
  const phases = ['started', 'persisted', 'ended'];
  for (const { bodyA, bodyB, jointA, jointB, phase } of world.events) {
    for (const word of [bodyA, bodyB, jointA, jointB, phases.indexOf(phase)]) events.words(word, 0);
    events.count++;
  }
  const pairs = [];
  for (const { bodyA, bodyB } of world.touches) {
    const last = pairs.at(-1);
    if (!last || last[0] !== bodyA || last[1] !== bodyB) pairs.push([bodyA, bodyB]);
  }
  const withPoses = (make, use) => {
    const poses = make();
    const answer = use(...poses);
    poses.forEach((pose) => pose.free());
    return answer;
  };
  for (const [a, b] of pairs.filter(([a, b]) => (a + b) % 16 === 0)) {
    for (const contact of withPoses(() => [world.getPose(a), world.getPose(b)], bonebox.contacts)) {
      contactSums.words(contact.boxA * 65536 + contact.boxB, 0);
      contactSums.number(contact.depth);
      contactSums.vector(contact.direction);
      contact.points.forEach((point) => contactSums.vector(point));
      contactSums.count++;
    }
  }
  for (let i = 0; i < 4; i++) {
    const [origin, direction] = [random.spot(), normalized(random.vector())];
    const hit = ({ body, hitbox, entry, exit, normal }) => {
      rays.words(body * 65536 + hitbox, 0);
      rays.vector([entry, exit, ...normal]);
      rays.count++;
    };
    world.castRayAll(origin, direction, { maxTime: 6 }).forEach(hit);
    const first = world.castRay(origin, direction, { maxTime: 6 });
    if (first) hit(first);
    if (world.castRayAny(origin, direction, { maxTime: 6 }) !== (first !== null)) throw new Error('castRayAny and castRay differ');
  }
  const ball = { sphere: { center: random.spot(), radius: f(0.6) } };
  const staff = { capsule: { start: random.spot(), end: random.spot(), radius: f(0.1) } };
  for (const { body, hitbox } of [...world.overlappingBoxes(ball), ...world.overlappingBoxes(staff)]) {
    shapes.words(body * 65536 + hitbox, 0);
    shapes.count++;
  }
  const blade = () => {
    const [center, orientation] = [random.spot(), random.turn()];
    return { box: { center, halfExtents: [f(0.03), f(0.6), f(0.05)], orientation } };
  };
  const [from, to] = [blade(), blade()];
  for (const { body, hitbox, time, direction } of world.castShapeAll(from, to, TOLERANCE)) {
    weapons.words(body * 65536 + hitbox, 0);
    weapons.vector([time, ...direction]);
    weapons.count++;
  }
  for (let i = 0; i < 2; i++) {
    const [a, b] = [0, 0].map(() => Math.trunc(f(random.share() * BODIES)));
    const nearest = withPoses(() => [world.getPose(a), world.getPose(b)], (one, two) => bonebox.distance(one, two, 5));
    if (nearest === null) continue;
    distances.words(nearest.jointA * 65536 + nearest.jointB, 0);
    distances.vector([nearest.distance, ...nearest.pointA, ...nearest.pointB]);
    distances.count++;
  }
  const swept = ({ jointA, jointB, time, direction }) => {
    sweeps.words(jointA * 65536 + jointB, 0);
    sweeps.vector([time, ...direction]);
    sweeps.count++;
  };
  // The share is drawn even if there is no pair.
  const pair = pairs[Math.trunc(f(random.share() * pairs.length))];
  if (pair) {
    const both = pair.flatMap((body) => {
      const [worldFromModel, time] = place(body, Math.trunc(f(random.share() * 600)));
      return [world.getPose(body), new bonebox.Pose().fromClip(character, 1, time, worldFromModel)];
    });
    withPoses(() => both, (a, aNext, b, bNext) => bonebox.sweepAll(a, aNext, b, bNext, TOLERANCE)).forEach(swept);
  }
  const first = world.sweep(TOLERANCE);
  if (first) {
    sweeps.words(first.bodyB, first.bodyA);
    swept(first);
  }
}
