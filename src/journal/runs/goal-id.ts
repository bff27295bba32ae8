/** Ids of goals and runs. Pure, and the same on every machine. */
import { join } from '../../lib/files/absolute-paths.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { Layout } from '../layout.ts';

/** Equal for the same goal however it was typed: trimmed and in one Unicode form. */
export const hashGoal = (goal: string): string => sha256(plainGoal(goal));

export const isSameGoal = (one: string, other: string): boolean =>
  plainGoal(one) === plainGoal(other);

const plainGoal = (goal: string): string => goal.trim().normalize('NFC');

export const deriveRunId = (goalHash: string, startedAt: number): string =>
  sha256(`${goalHash}:${startedAt}`).slice(0, 16);

export const journalOfRun = (layout: Layout, run: string): string =>
  join(layout.runs, `${run}.jsonl`);
