/** Programs that outlive the call that started them, until the run ends them. */
import * as z from 'zod';
import { ProcessPlace } from '../actions.ts';
import { recordSchema } from '../record-schema.ts';

/**
 * `exited`: by itself. `crash`: left by a run that was cut off. `lost`: the same, but it is unknown whether it
 * is gone, or it could not be ended.
 */
export const BackgroundEnd = z.enum(['exited', 'stopped', 'proof', 'run', 'crash', 'lost']);
export type BackgroundEnd = z.infer<typeof BackgroundEnd>;

/** Written before the program begins, so that a later start finds what a crash left. */
const BACKGROUND_STARTED = recordSchema('background_started', {
  /** The id that the model uses for it. */
  id: z.string(),
  /** The beginning of its command line. */
  cmd: z.string(),
  pid: z.number().int(),
  startTime: z.string(),
  place: ProcessPlace,
});

const BACKGROUND_ENDED = recordSchema('background_ended', {
  id: z.string(),
  how: BackgroundEnd,
  /** `null` if a signal ended it; left out if nobody saw the end. */
  exitCode: z.number().int().nullable().optional(),
});

type Started = z.infer<typeof BACKGROUND_STARTED>;

export const BACKGROUND_RECORDS = [BACKGROUND_STARTED, BACKGROUND_ENDED] as const;

export interface Background {
  /** How many were started. */
  readonly count: number;
  readonly running: { readonly [id: string]: Omit<Started, 'type' | 'id'> };
  /** Ended by the run; the model does not know it yet. */
  readonly unreported: readonly {
    readonly id: string;
    readonly cmd: string;
    readonly how: BackgroundEnd;
  }[];
}

export const NO_BACKGROUND: Background = { count: 0, running: {}, unreported: [] };
