// The part of the state that only the guided driver uses: content requests and repairs. Pure.
import { CUT_OFF } from '../../../prompts/remarks.ts';
import { traitsOf } from '../../../schema/driver.ts';
import type { ActiveSubtask, RunState } from '../../../schema/state.ts';
import {
  type ContentRequest,
  INEFFECTIVE_REPAIR,
} from '../../../schema/state-parts/guided-state.ts';
import { textHead } from '../messages/text.ts';
import { type Finished, isGood, writesFile } from './finished.ts';

export const CONTENT_TRIES = 3;
const FAULTS_KEPT = 6;

type Guided = Pick<RunState, 'guided'>;

/** @param contentRequest `null`: content is no longer requested */
export const withContentRequest = (
  { guided }: Guided,
  contentRequest: ContentRequest | null,
): Guided => ({
  guided: guided.contentRequest === contentRequest ? guided : { ...guided, contentRequest },
});

export const freshContent = (file: string): ContentRequest => ({ file, tries: 0, faults: [] });

/** An unusable content answer counts as a try for its file. */
export const afterUnusable = (wanted: ContentRequest, error: string): ContentRequest => ({
  ...wanted,
  tries: wanted.tries + 1,
  faults: [error || CUT_OFF.content],
});

/** Content stays requested until a version without problems is written, or patience ends. */
export function contentAfter(state: RunState, record: Finished): ContentRequest | null {
  const wanted = state.guided.contentRequest;
  if (!wanted || !writesFile(record)) return wanted;
  const problems = (record.facts.files ?? []).flatMap((facts) => facts.problems);
  if (record.status === 'ok' && problems.length === 0) return null;
  const { candidates: _chosen, trials: _tried, ...others } = wanted;
  const found = record.status === 'ok' ? problems : [textHead(record.result, 200)];
  const tries = wanted.tries + 1;
  return tries < CONTENT_TRIES ? withFaults({ ...others, tries }, found) : null;
}

/** Earlier faults stay listed: a model that repairs one often brings another one back. */
export const withFaults = (wanted: ContentRequest, found: readonly string[]): ContentRequest => ({
  ...wanted,
  faults: [...new Set([...found, ...wanted.faults])].slice(0, FAULTS_KEPT),
});

/** Updates repairs and an earlier failed check after an action of the active subtask. */
export function repairsAfter(
  state: RunState,
  { claim, repairs }: ActiveSubtask,
  record: Finished,
): Pick<ActiveSubtask, 'claim' | 'repairs'> {
  const isWrite = writesFile(record);
  const isEnd = isWrite ? contentAfter(state, record) === null : isGood(record);
  const isVain = isWrite && (record.status !== 'ok' || record.facts.changed === false);
  const isMended = traitsOf(state.settings).mendsByItself && isEnd && !isVain;
  const isCounted = isWrite && isEnd && state.round?.origin === 'repair';
  const counted = Object.keys(record.hashes).map((file): [string, number] => [
    file,
    isVain ? INEFFECTIVE_REPAIR : (repairs[file] ?? 0) + 1,
  ]);
  return {
    claim: isMended && claim && !claim.isOpen ? { ...claim, isOpen: true, checks: [] } : claim,
    repairs: isCounted ? { ...repairs, ...Object.fromEntries(counted) } : repairs,
  };
}
