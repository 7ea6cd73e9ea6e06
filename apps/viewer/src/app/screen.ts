// What shows the state of the page.

export type Notice = '' | 'progress' | 'empty' | 'error' | 'lost';

export interface Screen {
  /** Something changed. */
  update(): void;
  /** The time changed, and nothing else. */
  updateTime(): void;
  /** Brings the selected row into sight. */
  reveal(): void;
  /** Words over the picture; none where `text` is empty. Those of a progress are followed by the seconds that pass. */
  say(kind: Notice, text: string): void;
}

/** Until the page is put together. */
export const NO_SCREEN: Screen = { update: () => {}, updateTime: () => {}, reveal: () => {}, say: () => {} };
