/** The most characters of a line that is accepted, and the most lines that may wait for the model. */
export const MAX_LINE = 8000;
export const MAX_WAITING_LINES = 20;

/** What happened to a line. */
export type LineTaken = 'kept' | 'empty' | 'too_long' | 'too_many' | 'failed';

/** Supplies the lines that a person sends to a run while it works. */
export interface Inbox {
  /** @returns a function that stops listening */
  listen(take: (line: string) => LineTaken): () => void;
}
