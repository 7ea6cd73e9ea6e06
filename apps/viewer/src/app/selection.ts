// Which joint is selected, and the hitboxes of which joints are not drawn. Joints are numbers.

export class Selection {
  joint: number | null = null;
  hidden: ReadonlySet<number> = new Set();

  /** Selects nothing and hides nothing. */
  clear(): void {
    this.joint = null;
    this.hidden = new Set();
  }

  /** Selects a joint; the selected one again, or `null`, selects nothing. */
  toggle(joint: number | null): void {
    this.joint = joint === this.joint ? null : joint;
  }

  /** Hides the selected joint's hitboxes, or shows them again; with nothing selected, hides nothing any more. */
  hide(): void {
    const hidden = new Set(this.joint === null ? [] : this.hidden);
    if (this.joint !== null && !hidden.delete(this.joint)) hidden.add(this.joint);
    this.hidden = hidden;
  }

  /** Hides the hitboxes of all of `count` joints but those of the selected one; again, hides nothing any more. */
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
