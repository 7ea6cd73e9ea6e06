// Numbers with their units. Models are in meters (glTF 2.0, section 3.4).

/** A share of the whole as a percentage, as in the table of `bonebox bake`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** A length in meters, with the unit that suits it. */
export function length(meters: number): string {
  const size = Math.abs(meters);
  if (size === 0) return '0 m';
  if (size < 0.01) return `${digits(1000 * meters)} mm`;
  if (size < 1) return `${digits(100 * meters)} cm`;
  return size < 1000 ? `${digits(meters)} m` : `${digits(meters / 1000)} km`;
}

/** Three lengths in meters, in the unit that suits the largest. */
export function extents(meters: readonly number[]): string {
  const largest = Math.max(...meters.map(Math.abs));
  const [factor, unit] = largest < 0.01 ? [1000, 'mm'] : largest < 1 ? [100, 'cm'] : [1, 'm'];
  return `${meters.map((x) => digits(factor * x)).join(' × ')} ${unit}`;
}

/** A volume in cubic meters, in the unit that suits it. */
export function volume(cubicMeters: number): string {
  return cubicMeters > 0 && cubicMeters < 0.1 ? `${digits(1000 * cubicMeters)} l` : `${digits(cubicMeters)} m³`;
}

/** Three digits that count. */
function digits(number: number): string {
  return String(Number(number.toPrecision(3)));
}
