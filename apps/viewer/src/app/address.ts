// Keeps the state of the page in its address, so that a reload or a link shows the same.

/** The pairs of words after the `#` of the address. A key that is missing has its default. */
export type Address = Record<string, string>;

/** Least time between two changes of the address, in milliseconds: browsers allow a hundred changes in thirty seconds. */
const PAUSE = 350;

export function readAddress(): Address {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

export class AddressWriter {
  private isWaiting = false;

  constructor(private readonly current: () => Address) {}

  /** Writes the state to the address soon; call this after a change. */
  changed(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    setTimeout(() => this.write(), PAUSE);
  }

  private write(): void {
    this.isWaiting = false;
    history.replaceState(null, '', `#${new URLSearchParams(this.current())}`);
  }
}
