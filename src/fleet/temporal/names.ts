/** What the two sides of a fleet on Temporal call things. A change of a name leaves behind what is under way. */
import type { FleetAnswer, FleetRequest, Slice } from '../contract.ts';
import type { Cause, Kept } from '../workflow.ts';

export const TASK_QUEUE = 'tardigrade';
/** The export of the file that the workflow is in. */
export const WORKFLOW = 'tardigrade';
export const RESUME = 'resume';
export const ANSWER = 'answer';

/** Whose names those of runs may not meet. */
export const workflowIdOf = (run: string): string => `tardigrade-${run}`;

/** What an execution begins with. */
export interface Begun {
  readonly wish: FleetRequest;
  readonly kept: Kept | null;
  readonly causes: readonly Cause[];
}

/** What is seen of a run without asking any worker. */
export interface Memo {
  readonly wish: FleetRequest;
  readonly kept: Kept | null;
}

export interface Activities {
  advance(request: FleetRequest): Promise<Slice>;
  answer(request: FleetRequest, answer: FleetAnswer): Promise<string | null>;
}

/** A worker that was silent for so long is dead. */
export const SILENT_MS = 4000;
/** How often it says that it lives, and hears that a run is cancelled. */
export const HEARTBEAT_MS = 800;
