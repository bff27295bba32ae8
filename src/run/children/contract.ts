/** What it takes to have a subtask done as a run of its own. */
import type { Run } from '../../round/run.ts';
import type { RunState } from '../../schema/state.ts';
import type { RunRequest } from '../options.ts';
import type { RunResult } from '../result.ts';

/** A run that this process holds, as its life is told in `agent.ts`. */
export interface OpenChild {
  readonly result: RunResult | null;
  takeStep(): Promise<RunResult | null>;
  state(): RunState;
  close(): Promise<void>;
}

export interface ChildPort {
  /** What the run that begins it was asked for. */
  readonly request: RunRequest;
  /** Opens it as any run. Throws what that throws. */
  open(request: RunRequest): Promise<OpenChild>;
}

export type ParentRun = Run;
