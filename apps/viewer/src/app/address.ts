// What is looked at, in the page's address: a reload or a sent link shows the same.

/** Pairs of words behind the `#`; a key that is not there has its default. */
export type Address = Record<string, string>;

/** Least time between two writings of the address, in milliseconds: browsers allow a hundred of them in thirty seconds. */
const PAUSE = 350;

export function readAddress(): Address {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

export class AddressWriter {
  private isWaiting = false;

  constructor(private readonly current: () => Address) {}

  /** Something changed: it is in the address soon. */
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
