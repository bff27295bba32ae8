import type { ChildPause } from '../journal/children.ts';
import type { Usage } from '../model/turn.ts';
import type { Cost } from './run-facts.ts';

/** A subtask that is a run of its own, as the parent knows it. */
export interface Child {
  readonly subtask: string;
  /** The id of its run. */
  readonly run: string;
  /** The offset of the record that began it. */
  readonly offset: number;
  /** `left`: nothing was taken from it, and its subtask is done in the parent. */
  readonly is: 'running' | 'ended' | 'joined' | 'left';
  readonly status?: 'completed' | 'unverified';
  readonly summary: string;
  /** Why the child cannot continue; left out when it can. */
  readonly paused?: ChildPause;
  readonly used: ChildUse;
  /** The child's rounds before a person last resumed the parent run. */
  readonly roundsBefore: number;
  /** The files that were taken from the child. */
  readonly files: readonly string[];
  /** The model knows the result. */
  readonly isTold: boolean;
}

/** What the child used from its beginning to its last rest or its end. */
export interface ChildUse {
  readonly turns: number;
  readonly rounds: number;
  readonly workedMs: number;
  readonly usage: Usage;
  readonly cost?: Cost;
}

/** Set in a run that is itself such a subtask. */
export interface AsChild {
  readonly subtask: string;
  /** The seq of the record after which it is a run of its own. */
  readonly seq: number;
  /** Turns that were taken before it. */
  readonly turns: number;
}

/** The turns of the run and of its children. */
export const turnsIn = ({
  counters,
  children = [],
}: {
  readonly counters: { readonly turns: number };
  readonly children?: readonly Child[];
}): number => children.reduce((sum, { used }) => sum + used.turns, counters.turns);
