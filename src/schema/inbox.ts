/** Longest line that is taken, in characters, and how many may wait for the model. */
export const MAX_LINE = 8000;
export const MAX_WAITING = 20;

/** What became of a line. */
export type Taken = 'kept' | 'empty' | 'too_long' | 'too_many' | 'failed';

/** Where the lines come from that a person says to a run while it works. */
export interface Inbox {
  /** @returns what ends the listening */
  listen(take: (line: string) => Taken): () => void;
}
