/** What a worker and the processes that its runs are open in say to each other. */
import type { FleetAnswer, FleetRequest, Slice } from './contract.ts';

/** To a process. Each but the last two is answered under its id. */
export type Order =
  | { readonly do: 'advance'; readonly id: number; readonly request: FleetRequest }
  | {
      readonly do: 'answer';
      readonly id: number;
      readonly request: FleetRequest;
      readonly answer: FleetAnswer;
    }
  | { readonly do: 'pause' | 'release'; readonly id: number; readonly run: string }
  /** Nobody waits for that one any more. */
  | { readonly do: 'leave'; readonly id: number }
  /** The worker lives. */
  | { readonly do: 'beat' };

/** From a process. */
export type Report =
  | { readonly id: number; readonly slice: Slice }
  /** Of an answer why it cannot be, else nothing. */
  | { readonly id: number; readonly done: string | null }
  | { readonly id: number; readonly failed: { readonly code: string; readonly message: string } }
  /** The process lives. */
  | { readonly beat: true };

export const BEAT_MS = 1000;
/** Two thirds of a lease, as its owner gives up: whoever hears nothing for that long takes the other for dead. */
export const SILENT_MS = 10_000;
export const LEASE_MS = 15_000;

/** Why a slice is to end soon: another worker waits for its run already. */
export const ORPHANED = 'the worker is gone';

/** A process that runs are open in, as its worker sees it. */
export interface RunProcess {
  send(order: Order): void;
  /** Ends it and all that it has started. */
  end(): void;
}

export interface ProcessListener {
  report(report: Report): void;
  /** It is gone. */
  exited(): void;
}
