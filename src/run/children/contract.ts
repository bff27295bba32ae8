/** The ports for working on a subtask as a run of its own. */
import type { RunPorts } from '../../round/run-ports.ts';
import type { RunState } from '../../schema/state.ts';
import type { RunRequest } from '../options.ts';
import type { RunResult } from '../result.ts';

/** A run that this process holds; see `OwnedRun` in `agent.ts`. */
export interface OpenChild {
  readonly result: RunResult | null;
  takeStep(): Promise<RunResult | null>;
  state(): RunState;
  close(): Promise<void>;
}

export interface ChildPort {
  readonly request: RunRequest;
  /** Opens the child like any run. Throws what that throws. */
  open(request: RunRequest): Promise<OpenChild>;
  /** Tells whether the caller wants the run back. Each child then finishes its current step and takes no other. */
  isDue(): boolean;
}

export type ParentRun = RunPorts;
