/** What a fleet is to us, and what an adapter of a durable engine calls. Nothing here knows an engine. */
import * as z from 'zod';
import { RunId } from '../schema/journal/origin.ts';

/** What is asked of a fleet. It goes through the engine, which keeps and shows it: no key is in it. */
export const FleetRequest = z.object({
  /** The run has this name however often it is submitted. */
  run: RunId,
  /** Absolute, the same for every worker; with a home, where it was submitted from. */
  workspace: z.string().min(1),
  /** The run lies in the repository that its workers know, and each brings it to its own disk. Left out: they share a volume. */
  home: z.literal('git').optional(),
  goal: z.string().min(1),
  /** Words of the command line behind the goal. */
  words: z.array(z.string()),
  /** Whose turn it is goes round among tenants. */
  tenant: z.string().min(1).max(100),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** By the key of the tenant: whoever can write to the engine cannot begin a run with somebody else's money. */
  mac: z.string(),
});
export type FleetRequest = z.infer<typeof FleetRequest>;

/** What a person said to one call. */
export const FleetAnswer = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  allowed: z.boolean(),
  why: z.string().max(4000),
  mac: z.string(),
});
export type FleetAnswer = z.infer<typeof FleetAnswer>;

export interface FleetQuestion {
  readonly id: string;
  readonly tool: string;
  readonly target: string;
}

/**
 * How a slice came to its end: a few bytes, since the journal has the rest. The workflow branches on `is` and
 * on nothing else, so code may change while a run is under way.
 */
export type Slice = { readonly seq: number } & (
  | { readonly is: 'going_on' }
  | { readonly is: 'ended'; readonly ending: string; readonly exitCode: number }
  /** For a person. */
  | { readonly is: 'waiting'; readonly questions: readonly FleetQuestion[] }
  /** Without a time: until a person resumes it. */
  | {
      readonly is: 'pausing';
      readonly why: string;
      readonly detail: string;
      readonly retryAfterMs?: number;
    }
  /** Somebody else holds it, or nobody has a hand free; without a time it is tried soon. */
  | { readonly is: 'busy'; readonly why: string; readonly retryAfterMs?: number }
);

/** What an adapter calls. A worker holds a run between two slices as long as nobody says otherwise. */
export interface Slices {
  /**
   * Goes on with the run until a turn or an action is finished, at most some seconds. Throws only where nothing
   * could be done here and now; the engine then tries again, here or elsewhere.
   * @param signal aborted once the engine does not wait for it any more: it ends soon, and the run is given up
   */
  advance(request: FleetRequest, signal: AbortSignal): Promise<Slice>;
  /** Leaves what a person said for the run; why that cannot be, `null`: it is done. */
  answer(request: FleetRequest, answer: FleetAnswer): Promise<string | null>;
  /** Pauses it, as Ctrl+C does: a command is ended, and its outcome recorded. */
  pause(run: string): Promise<void>;
  /** Journal and lock are free when it resolves. */
  release(run: string): Promise<void>;
  /** Milliseconds until another run of a tenant may come; 0: now. Left out: at any time. */
  room?(tenant: string): number;
}

/** Where a run stands, as its engine has it. */
export interface Standing {
  readonly request: FleetRequest;
  /** `null`: it has not begun. */
  readonly slice: Slice | null;
  /** A person does not want it to go on by itself. */
  readonly isStopped: boolean;
}

/** What a person does with a fleet. */
export interface DurableEngine {
  /** Idempotent by the name of the run. */
  submit(request: FleetRequest): Promise<void>;
  /** Milliseconds until the workers can queue it; 0: now, or it is there already. Left out: nobody can tell. */
  room?(request: FleetRequest): Promise<number>;
  /** `null`: nobody has submitted it. */
  standing(run: string): Promise<Standing | null>;
  /** Why it does not count; `null`: it does. */
  answer(run: string, answer: FleetAnswer): Promise<string | null>;
  resume(run: string): Promise<void>;
  cancel(run: string): Promise<void>;
}
