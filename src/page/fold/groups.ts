/** How runs and conversations are grouped in a list. Pure. */
import { canGoOn, isAtWork } from './words.ts';

export const GROUPS = ['Waits for you', 'Working', 'Queued', 'Stopped', 'Ready', 'Ended'] as const;

type Group = (typeof GROUPS)[number];

/** The groups of work that needs nothing. */
export const AT_REST: ReadonlySet<Group> = new Set(['Ready', 'Ended']);

/** @param standing of a run or a conversation */
export function groupOf(standing: string): Group {
  if (standing === 'waiting') return 'Waits for you';
  if (standing === 'queued') return 'Queued';
  if (standing === 'idle') return 'Ready';
  if (isAtWork(standing) || standing === 'working') return 'Working';
  const isStopped = canGoOn(standing) || standing === 'damaged' || standing === 'undoing';
  return isStopped ? 'Stopped' : 'Ended';
}
