// Sampling of clips: the same rules as crates/skeleton/src/clip.rs, glTF 2.0 section 3.11.

import { floats } from './packed';
import type { ClipData, Interpolation, Property } from './types';

interface Channel {
  joint: number;
  property: Property;
  interpolation: Interpolation;
  times: Float32Array;
  values: Float32Array;
}

/** Receives the value of a property of a joint: three numbers, or four for a rotation. */
export type Write = (joint: number, property: Property, value: number[]) => void;

export class Clip {
  readonly name: string;
  readonly start: number;
  readonly seconds: number;
  /** The seconds from frame to frame, guessed from the keys. */
  readonly frame: number;
  private readonly channels: Channel[];

  constructor(data: ClipData) {
    this.name = data.name;
    this.start = data.start;
    this.seconds = data.seconds;
    const timelines = data.timelines.map(floats);
    this.frame = frameOf(timelines);
    this.channels = data.channels.map(({ joint, property, interpolation, timeline, values }) => {
      const times = timelines[timeline] ?? new Float32Array([0]);
      return { joint, property, interpolation, times, values: floats(values) };
    });
  }

  /** Samples the clip `elapsed` seconds after its start; the clip repeats. */
  sampleLooped(elapsed: number, write: Write): void {
    const within = this.seconds > 0 ? elapsed - Math.floor(elapsed / this.seconds) * this.seconds : 0;
    this.sample(this.start + within, write);
  }

  sample(time: number, write: Write): void {
    for (const channel of this.channels) write(channel.joint, channel.property, value(channel, time));
  }
}

/** The shortest time between two keys, if it may be a frame; otherwise a frame of 60 a second. */
function frameOf(timelines: Float32Array[]): number {
  let least = Infinity;
  for (const times of timelines) for (let i = 1; i < times.length; i++) least = Math.min(least, times[i]! - times[i - 1]!);
  const rate = Math.round(1 / least);
  return rate >= 10 && rate <= 240 ? 1 / rate : 1 / 60;
}

function value(channel: Channel, time: number): number[] {
  const { times, interpolation } = channel;
  const width = channel.property === 'rotation' ? 4 : 3;
  const stored = (index: number) => Array.from(channel.values.subarray(index * width, (index + 1) * width));
  let after = 0;
  while (after < times.length && times[after]! <= time) after++;
  const key = Math.max(after - 1, 0);
  const between = after > 0 && after < times.length;
  const seconds = between ? times[after]! - times[key]! : 0;
  const s = between ? (time - times[key]!) / seconds : 0;
  let result: number[];
  if (interpolation === 'cubic') {
    result = s > 0 ? hermite(key, s, seconds, stored) : stored(3 * key + 1);
  } else if (interpolation === 'linear' && s > 0) {
    const [a, b] = [stored(key), stored(key + 1)];
    if (width === 4) return slerp(a, b, s);
    result = a.map((x, i) => x + s * (b[i]! - x));
  } else {
    result = stored(key);
  }
  return width === 4 ? normalized(result) : result;
}

function hermite(key: number, s: number, seconds: number, stored: (index: number) => number[]): number[] {
  const [a, outTangent, inTangent, b] = [1, 2, 3, 4].map((offset) => stored(3 * key + offset)) as [number[], number[], number[], number[]];
  const [s2, s3] = [s * s, s * s * s];
  return a.map(
    (value, i) =>
      (2 * s3 - 3 * s2 + 1) * value +
      seconds * (s3 - 2 * s2 + s) * outTangent[i]! +
      (3 * s2 - 2 * s3) * b[i]! +
      seconds * (s3 - s2) * inTangent[i]!,
  );
}

function normalized(q: number[]): number[] {
  const length = Math.hypot(...q);
  return length > 0 && Number.isFinite(length) ? q.map((x) => x / length) : [0, 0, 0, 1];
}

/** Interpolates along the shorter great arc. */
function slerp(a: number[], b: number[], s: number): number[] {
  let cosine = a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  const sign = cosine < 0 ? -1 : 1;
  cosine *= sign;
  const sineSquared = 1 - cosine * cosine;
  let [from, to] = [1 - s, s];
  if (sineSquared > 1e-12) {
    const sine = Math.sqrt(sineSquared);
    const angle = Math.atan2(sine, cosine);
    [from, to] = [Math.sin((1 - s) * angle) / sine, Math.sin(s * angle) / sine];
  }
  return normalized(a.map((x, i) => from * x + to * sign * b[i]!));
}
