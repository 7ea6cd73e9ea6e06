// The parts of the page that show its state.

export type Notice = '' | 'progress' | 'empty' | 'error' | 'lost';

export interface Screen {
  /** Called after any change. */
  update(): void;
  /** Called after a change of the time alone. */
  updateTime(): void;
  /** Scrolls to the selected row. */
  reveal(): void;
  /** Shows a message over the picture; an empty `text` removes it. A message of progress also shows the seconds since its start. */
  say(kind: Notice, text: string): void;
}

/** A screen that shows nothing, until the page is built. */
export const NO_SCREEN: Screen = { update: () => {}, updateTime: () => {}, reveal: () => {}, say: () => {} };
