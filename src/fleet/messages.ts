/** Messages between a worker and the processes in which its runs are open. */
import type { FleetAnswer, FleetRequest, Slice } from './contract.ts';

/** To a process. Each but the last two gets an answer with its id. */
export type Order =
  | { readonly do: 'advance'; readonly id: number; readonly request: FleetRequest }
  | {
      readonly do: 'answer';
      readonly id: number;
      readonly request: FleetRequest;
      readonly answer: FleetAnswer;
    }
  | { readonly do: 'pause' | 'release'; readonly id: number; readonly run: string }
  /** Nobody waits for the report with this id any more. */
  | { readonly do: 'leave'; readonly id: number }
  /** The worker is alive. */
  | { readonly do: 'beat' };

/** From a process. */
export type Report =
  | { readonly id: number; readonly slice: Slice }
  /** The answer's error if it cannot be given, else nothing. */
  | { readonly id: number; readonly done: string | null }
  | { readonly id: number; readonly failed: { readonly code: string; readonly message: string } }
  /** The process is alive. */
  | { readonly beat: true };

export const BEAT_MS = 1000;
/** Two thirds of a lease, when its owner gives up: a side that hears nothing for this long considers the other dead. */
export const SILENT_MS = 10_000;
export const LEASE_MS = 15_000;

/** Why a slice must end soon: another worker already waits for its run. */
export const ORPHANED = 'the worker is gone';

/** A process with open runs, as its worker sees it. */
export interface RunProcess {
  send(order: Order): void;
  end(): void;
}

export interface ProcessListener {
  report(report: Report): void;
  exited(): void;
}
