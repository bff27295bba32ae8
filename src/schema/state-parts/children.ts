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
}
