/** Lessons that runs have learnt about a model, so that the next run begins in the right way. */
import * as z from 'zod';

/** What was learnt about a model; a field that is left out was not learnt. */
export const Lesson = z.object({
  /** When the lesson was learnt, in milliseconds since 1970. */
  at: z.number(),
  /** The model's tool calls arrive in unusable forms. */
  callsUnusable: z.literal(true).optional(),
  /** The model's server lets it answer outside a schema. */
  leavesSchema: z.literal(true).optional(),
  /** The model accepted no image when it was sent one. */
  takesNoImages: z.literal(true).optional(),
  /** The window in tokens that it really had, smaller than the one requested. */
  window: z.number().int().positive().optional(),
});
export type Lesson = z.infer<typeof Lesson>;

/** What a run has learnt about a model, without the time. */
export type Learnt = Omit<Lesson, 'at'>;

/** Where lessons are stored. Neither function ever throws: a lesson must not end a run. */
export interface Lessons {
  of(key: string): Lesson | null;
  learn(key: string, learnt: Learnt): void;
}

/** For a run that stores nothing besides its journal. */
export const NO_LESSONS: Lessons = { of: () => null, learn: () => undefined };

export interface LearntModel {
  readonly provider: string;
  readonly model: string;
  readonly digest: string | null;
  readonly baseUrl?: string | undefined;
}

/** Identified by its weights, wherever they run; if unknown, by the server and the name there. */
export const lessonKey = ({ provider, model, digest, baseUrl = '' }: LearntModel): string =>
  digest ?? [provider, baseUrl, model].join(' ');

/** For people: `2026-11-22`. */
export const dayOf = ({ at }: Pick<Lesson, 'at'>): string =>
  new Date(at).toISOString().slice(0, 10);
