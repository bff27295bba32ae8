/** The names that both sides of a fleet on Temporal share. Renaming one abandons runs in progress. */
import type { FleetAnswer, FleetRequest, Slice } from '../contract.ts';
import type { Cause, StoredStanding } from '../workflow.ts';

export const TASK_QUEUE = 'tardigrade';
export const WORKFLOW = 'tardigrade';
export const RESUME = 'resume';
export const ANSWER = 'answer';

/** A prefix keeps the ids apart from those of other workflows. */
export const workflowIdOf = (run: string): string => `tardigrade-${run}`;

/** The input of an execution. */
export interface Begun {
  readonly wish: FleetRequest;
  readonly kept: StoredStanding | null;
  readonly causes: readonly Cause[];
}

/** What can be read of a run without asking any worker. */
export interface Memo {
  readonly wish: FleetRequest;
  readonly kept: StoredStanding | null;
}

export interface Activities {
  advance(request: FleetRequest): Promise<Slice>;
  answer(request: FleetRequest, answer: FleetAnswer): Promise<string | null>;
}

/** A worker that was silent for so long is dead. */
export const WORKER_SILENT_MS = 4000;
/** How often an activity sends a heartbeat, and learns that a run is cancelled. */
export const HEARTBEAT_MS = 800;
