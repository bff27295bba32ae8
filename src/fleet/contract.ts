/** What a fleet does for us, and what the adapter of a durable engine calls. Nothing here knows an engine. */
import * as z from 'zod';
import { RunId } from '../schema/journal/origin.ts';
import type { PermissionRequest } from '../schema/journal/permissions.ts';

/** What is submitted to a fleet. The engine stores and shows it, so it contains no key. */
export const FleetRequest = z.object({
  /** The run has this name however often it is submitted. */
  run: RunId,
  /** Absolute and the same for every worker; with a home, the folder it was submitted from. */
  workspace: z.string().min(1),
  /**
   * The run lies in the repository that its workers know, and each copies it to its own disk. Left out: workers share a
   * volume.
   */
  home: z.literal('git').optional(),
  goal: z.string().min(1),
  /** Words of the command line behind the goal. */
  words: z.array(z.string()),
  /** Tenants take turns. */
  tenant: z.string().min(1).max(100),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Made with the tenant's key: somebody who can write to the engine cannot begin a run at another's expense. */
  mac: z.string(),
});
export type FleetRequest = z.infer<typeof FleetRequest>;

export const FleetAnswer = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  allowed: z.boolean(),
  why: z.string().max(4000),
  mac: z.string(),
});
export type FleetAnswer = z.infer<typeof FleetAnswer>;

export type FleetQuestion = Pick<PermissionRequest, 'id' | 'tool' | 'target'>;

/**
 * How a slice ended: a few bytes, since the journal has the rest. The workflow branches only on `is`, so the code may
 * change while a run is in progress.
 */
export type Slice = { readonly seq: number } & (
  | { readonly is: 'going_on' }
  | { readonly is: 'ended'; readonly ending: string; readonly exitCode: number }
  /** Waits for a person. */
  | { readonly is: 'waiting'; readonly questions: readonly FleetQuestion[] }
  /** Without a time: until a person resumes it. */
  | {
      readonly is: 'pausing';
      readonly why: string;
      readonly detail: string;
      readonly retryAfterMs?: number;
    }
  /** Another worker holds it, or no worker has capacity; without a time it is tried again soon. */
  | { readonly is: 'busy'; readonly why: string; readonly retryAfterMs?: number }
);

/** What an adapter calls. A worker holds a run between two slices until it is told to release it. */
export interface Slices {
  /**
   * Continues the run until a turn or an action is finished, for some seconds at most. Throws only if nothing could be
   * done here and now; the engine then tries again, here or elsewhere.
   * @param signal aborted once the engine no longer waits: the slice ends soon, and the run is released
   */
  advance(request: FleetRequest, signal: AbortSignal): Promise<Slice>;
  /** Leaves a person's answer for the run. Returns why that is impossible; `null`: it is done. */
  answer(request: FleetRequest, answer: FleetAnswer): Promise<string | null>;
  /** Pauses it as Ctrl+C does: a command is ended, and its outcome recorded. */
  pause(run: string): Promise<void>;
  /** Journal and lock are free when it resolves. */
  release(run: string): Promise<void>;
  /** Milliseconds until another run of a tenant may be submitted; 0: now. Left out: at any time. */
  room?(tenant: string): number;
}

/** Where a run stands, according to its engine. */
export interface FleetStanding {
  readonly request: FleetRequest;
  /** `null`: it has not begun. */
  readonly slice: Slice | null;
  /** A person stopped it, so it does not continue by itself. */
  readonly isStopped: boolean;
}

/** What a person does with a fleet. */
export interface DurableEngine {
  /** Idempotent by the name of the run. */
  submit(request: FleetRequest): Promise<void>;
  /** Milliseconds until the workers can queue it; 0: now, or it is queued already. Left out: unknown. */
  room?(request: FleetRequest): Promise<number>;
  /** `null`: nobody has submitted it. */
  standing(run: string): Promise<FleetStanding | null>;
  /** Returns why the answer does not count; `null`: it counts. */
  answer(run: string, answer: FleetAnswer): Promise<string | null>;
  resume(run: string): Promise<void>;
  cancel(run: string): Promise<void>;
}
