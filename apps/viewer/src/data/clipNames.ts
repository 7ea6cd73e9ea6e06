// Names of clips as menus show them.

/** Longer names are cut in the middle: their ends tell them apart as often as their beginnings. */
const MOST = 32;

/** A common prefix of at least this many letters is left out. */
const LEAST = 6;

/** Returns the names without the prefix that all of them have, up to a separator; long names are cut in the middle. */
export function clipTitles(names: readonly string[]): string[] {
  const prefix = commonPrefix(names);
  return names.map((name) => shortened(name.slice(prefix.length)));
}

function commonPrefix(names: readonly string[]): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return '';
  let same = 0;
  while (same < first.length && others.every((other) => other[same] === first[same])) same++;
  // The prefix ends with a separator, and leaves something of each name.
  while (same > 0 && (!/[|/:._\s-]/.test(first[same - 1]!) || names.some((name) => name.length <= same))) same--;
  return same >= LEAST ? first.slice(0, same) : '';
}

function shortened(name: string): string {
  if (name.length <= MOST) return name;
  const half = Math.floor((MOST - 1) / 2);
  return `${name.slice(0, half)}…${name.slice(-half)}`;
}
