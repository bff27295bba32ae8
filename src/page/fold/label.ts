/** The words and shapes that views use to say how work stands. */
/** How something stands: a word, a shape, and a tone that says how urgent it is. */
export interface Label {
  readonly word: string;
  readonly shape: StandingShape;
  readonly tone: 'plain' | 'good' | 'warn' | 'bad' | 'live';
}

export type StandingShape =
  | 'proved'
  /** Proved, except for a part of the work. */
  | 'part'
  /** Something was checked. */
  | 'done'
  /** A turn or a call, which says nothing about how the work stands. */
  | 'step'
  /** Reported as done, but not checked. */
  | 'unchecked'
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
 * Why a command failed. `failed`: tests ran and failed; `absent`: what it was to run was missing; `unknown`: it ended
 * with an exit code, and nothing says why.
 */
export type Red = 'failed' | 'absent' | 'unknown';
