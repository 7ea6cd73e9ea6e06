// The selected joint, and the joints whose hitboxes are hidden. Joints are numbers.

export class Selection {
  joint: number | null = null;
  hidden: ReadonlySet<number> = new Set();

  /** Selects nothing and hides nothing. */
  clear(): void {
    this.joint = null;
    this.hidden = new Set();
  }

  /** Selects a joint. The selected joint again, or `null`, clears the selection. */
  toggle(joint: number | null): void {
    this.joint = joint === this.joint ? null : joint;
  }

  /** Hides the selected joint's hitboxes, or shows them again. Without a selection, shows all hitboxes. */
  hide(): void {
    const hidden = new Set(this.joint === null ? [] : this.hidden);
    if (this.joint !== null && !hidden.delete(this.joint)) hidden.add(this.joint);
    this.hidden = hidden;
  }

  /** Hides the hitboxes of all of `count` joints except the selected joint. The second call shows all hitboxes again. */
  isolate(count: number): void {
    if (this.joint === null) return;
    const others = [...Array(count).keys()].filter((joint) => joint !== this.joint);
    const isAlone = others.every((joint) => this.hidden.has(joint)) && !this.hidden.has(this.joint);
    this.hidden = new Set(isAlone ? [] : others);
  }

  showAll(): void {
    this.hidden = new Set();
  }
}
