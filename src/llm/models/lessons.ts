/** What runs have learnt of a model, so that the next one begins right. */
import * as z from 'zod';

/** Left out: nothing was learnt of it. */
export const Lesson = z.object({
  /** When, in milliseconds. */
  at: z.number(),
  /** Its tool calls come in forms that cannot be used. */
  callsUnusable: z.literal(true).optional(),
  /** Its server lets it answer outside a schema. */
  leavesSchema: z.literal(true).optional(),
  /** It took no image where it was sent one. */
  takesNoImages: z.literal(true).optional(),
  /** Tokens that it really had, fewer than it was asked for with. */
  window: z.number().int().positive().optional(),
});
export type Lesson = z.infer<typeof Lesson>;

/** What a run has learnt of a model, without the day. */
export type Learnt = Omit<Lesson, 'at'>;

/** Where lessons are kept. Neither of its functions ever throws: a lesson is worth no run. */
export interface Lessons {
  of(key: string): Lesson | null;
  learn(key: string, learnt: Learnt): void;
}

/** For a run that keeps nothing beside its journal. */
export const NO_LESSONS: Lessons = { of: () => null, learn: () => undefined };

export interface LearntModel {
  readonly provider: string;
  readonly model: string;
  readonly digest: string | null;
  readonly baseUrl?: string | undefined;
}

/** By its weights, wherever they run; where nobody tells those apart, by who serves it as what. */
export const lessonKey = ({ provider, model, digest, baseUrl = '' }: LearntModel): string =>
  digest ?? [provider, baseUrl, model].join(' ');

/** For people: `2026-11-22`. */
export const dayOf = ({ at }: Pick<Lesson, 'at'>): string =>
  new Date(at).toISOString().slice(0, 10);
