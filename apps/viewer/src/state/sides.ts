// Names of joints: the joint on the other side of the body, and the joint with the most similar name.

/** The words for the two sides. A word counts where a name says it on its own: `arm_l`, `LeftArm`, `hand.R`, `left-foot`. */
const SIDES: [left: string, right: string][] = [
  ['left', 'right'],
  ['Left', 'Right'],
  ['LEFT', 'RIGHT'],
  ['l', 'r'],
  ['L', 'R'],
  ['左', '右'],
];

/** Returns the same name on the other side; `null` if the name says no side. */
export function mirroredName(name: string): string | null {
  for (const sides of SIDES) {
    for (const [from, to] of [sides, [sides[1], sides[0]]] as const) {
      const found = pattern(from).exec(name);
      if (found) return name.slice(0, found.index) + to + name.slice(found.index + from.length);
    }
  }
  return null;
}

/** One letter must stand between separators or ends; a word may also begin a part of the name in camel case. */
function pattern(word: string): RegExp {
  if (/[^\w]/.test(word)) return new RegExp(word);
  if (word.length === 1) return new RegExp(`(?<=^|[^A-Za-z0-9])${word}(?=$|[^A-Za-z0-9])`);
  const isLower = word === word.toLowerCase();
  const isUpper = word === word.toUpperCase();
  return new RegExp(`(?<=^|[^A-Za-z]${isLower || isUpper ? '' : '|[a-z]'})${word}(?=$|[^A-Za-z]${isUpper ? '' : '|[A-Z]'})`);
}

/** Returns the name with the fewest changed letters; `null` without names. Names that begin alike go first among equals. */
export function nearestName(name: string, names: readonly string[]): string | null {
  let best: { name: string; changes: number } | null = null;
  for (const other of names) {
    const changes = distance(name.toLowerCase(), other.toLowerCase());
    if (!best || changes < best.changes) best = { name: other, changes };
  }
  return best?.name ?? null;
}

/** The number of letters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
