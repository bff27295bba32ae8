import type { Lesson, Lessons } from '../../src/llm/models/lessons.ts';

/** Kept for the runs of one test; `at` is when the standing clock stands still. */
export function lessonsInMemory(at = 1_700_000_000_000): Lessons {
  const kept = new Map<string, Lesson>();
  return {
    of: (key) => kept.get(key) ?? null,
    learn: (key, learnt) => void kept.set(key, { ...kept.get(key), ...learnt, at }),
  };
}
