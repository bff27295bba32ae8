/** A subtask that is a run of its own, as the run that began it knows it. */
export interface Child {
  readonly subtask: string;
  /** The id of its run. */
  readonly run: string;
  /** Of the record that began it. */
  readonly offset: number;
  /** `left`: nothing of it was taken, and its subtask is done in the run that began it. */
  readonly is: 'running' | 'ended' | 'joined' | 'left';
  readonly status?: 'completed' | 'unverified';
  readonly summary: string;
  /** Of its model, once it has ended. */
  readonly turns: number;
  /** What was taken of it. */
  readonly files: readonly string[];
  /** The model knows what came of it. */
  readonly isTold: boolean;
}

/** Of a run that is such a subtask. */
export interface AsChild {
  readonly subtask: string;
  /** Of the record behind which it is a run of its own. */
  readonly seq: number;
  /** Turns that were taken before it. */
  readonly turns: number;
}

/** Of the run and of its subtasks that were runs of their own. */
export const turnsIn = ({
  counters,
  children = [],
}: {
  readonly counters: { readonly turns: number };
  readonly children?: readonly Child[];
}): number => children.reduce((sum, { turns }) => sum + turns, counters.turns);
