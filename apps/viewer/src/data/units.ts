// Numbers with their units. Models are in meters (glTF 2.0, section 3.4).

import type { Hitbox } from './baked';
import type { Bake } from './types';

/** Writes a share from 0 to 1 in percent, as the table of `bonebox bake` does. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Writes a length, given in meters, in a suitable unit. */
export function length(meters: number): string {
  const size = Math.abs(meters);
  if (size === 0) return '0 m';
  if (size < 0.01) return `${digits(1000 * meters)} mm`;
  if (size < 1) return `${digits(100 * meters)} cm`;
  return size < 1000 ? `${digits(meters)} m` : `${digits(meters / 1000)} km`;
}

/** Writes three lengths, given in meters, in the unit that suits the largest. */
export function extents(meters: readonly number[]): string {
  const largest = Math.max(...meters.map(Math.abs));
  const [factor, unit] = largest < 0.01 ? [1000, 'mm'] : largest < 1 ? [100, 'cm'] : [1, 'm'];
  return `${meters.map((x) => digits(factor * x)).join(' × ')} ${unit}`;
}

/** Writes the full extents of a hitbox as it stands in the world, after its shape if that is not a box. */
export function shapeAndSize({ bake, sizes }: Bake, hitbox: Hitbox): string {
  const { shape } = hitbox;
  const size = extents(sizes[bake.boxes.indexOf(hitbox)] ?? []);
  return shape === undefined || shape === 'box' ? size : `${shape}, ${size}`;
}

/** Writes a volume, given in cubic meters, in a suitable unit. */
export function volume(cubicMeters: number): string {
  return cubicMeters > 0 && cubicMeters < 0.1 ? `${digits(1000 * cubicMeters)} l` : `${digits(cubicMeters)} m³`;
}

/** Writes a mass, given in kilograms, in a suitable unit. */
export function mass(kilograms: number): string {
  return kilograms < 1 ? `${digits(1000 * kilograms)} g` : `${digits(kilograms)} kg`;
}

/** Writes an angle, given in radians, in whole degrees. */
export function degrees(radians: number): string {
  return `${Math.round((180 / Math.PI) * radians)}°`;
}

/** Writes a number with three significant digits. */
function digits(number: number): string {
  return String(Number(number.toPrecision(3)));
}
