/** What words and marks are made of. */
/** What a person is told of where work stands: a word, a shape, and how much it wants of them. */
export interface Said {
  readonly word: string;
  readonly shape: Shape;
  readonly tone: 'plain' | 'good' | 'warn' | 'bad' | 'live';
}

export type Shape =
  | 'proved'
  /** Proved, but for a part of the work. */
  | 'part'
  /** Something was checked. */
  | 'done'
  /** A turn or a call, which says nothing by itself of how the work stands. */
  | 'step'
  /** It is done, as far as anybody says; nothing checked it. */
  | 'told'
  | 'working'
  | 'waiting'
  | 'paused'
  | 'killed'
  | 'failed'
  | 'unsure'
  | 'open'
  | 'undone'
  | 'tray'
  | 'list'
  | 'plus'
  | 'pulse'
  | 'look';

/**
 * Why a command failed. `failed`: tests ran and failed; `absent`: what it was to run was not there; `unknown`: it ended
 * with an exit code, and nothing tells of what.
 */
export type Red = 'failed' | 'absent' | 'unknown';

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
