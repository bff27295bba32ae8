// What the guided driver alone keeps in the state: content asked for apart, and repairs; pure.
import { own, withEntries } from '../../lib/own.ts';
import { CUT_OFF } from '../../prompts/remarks.ts';
import { traitsOf } from '../../schema/driver.ts';
import type { ContentRequest } from '../../schema/guided-state.ts';
import { subtasksOf } from '../../schema/plan.ts';
import type { ActiveSubtask, RunState } from '../../schema/state.ts';
import { type Finished, isGood, writesFile } from './finished.ts';
import { headOf } from './text.ts';

export const CONTENT_TRIES = 3;
const FAULTS_KEPT = 6;

type Guided = Pick<RunState, 'guided'>;

/** @param contentRequest `null`: no content is asked for any more */
export const wanting = ({ guided }: Guided, contentRequest: ContentRequest | null): Guided => ({
  guided: guided.contentRequest === contentRequest ? guided : { ...guided, contentRequest },
});

export const freshContent = (file: string): ContentRequest => ({
  file,
  tries: 0,
  faults: [],
  withoutCurrentContent: false,
});

/** A content answer that cannot be used counts as a try for its file. */
export const afterUnusable = (wanted: ContentRequest, error: string): ContentRequest => ({
  ...wanted,
  tries: wanted.tries + 1,
  faults: [error || CUT_OFF.content],
});

/** Content stays wanted until a version without problems is written, or patience ends. */
export function contentAfter(state: RunState, record: Finished): ContentRequest | null {
  const wanted = state.guided.contentRequest;
  if (!wanted || !writesFile(record)) return wanted;
  const tries = wanted.tries + 1;
  // Written the same without being shown: asked a third time, a model breaks what is right.
  if (isCopy(state, record))
    return wanted.withoutCurrentContent || tries >= CONTENT_TRIES
      ? null
      : { ...withoutCandidates(wanted), tries, faults: [], withoutCurrentContent: true };
  const problems = [
    ...(isVainEdit(state, record) ? [SAME] : []),
    ...(record.facts.files ?? []).flatMap((facts) => facts.problems),
  ];
  if (record.status === 'ok' && problems.length === 0) return null;
  const found = record.status === 'ok' ? problems : [headOf(record.result, 200)];
  return tries < CONTENT_TRIES ? withFaults({ ...withoutCandidates(wanted), tries }, found) : null;
}

/** Earlier faults stay: a model that mends one of them brings another one back. */
export const withFaults = (wanted: ContentRequest, found: readonly string[]): ContentRequest => ({
  ...wanted,
  faults: [...new Set([...found, ...wanted.faults])].slice(0, FAULTS_KEPT),
});

/** What is written now was chosen from them. */
function withoutCandidates({
  candidates: _chosen,
  trials: _tried,
  ...wanted
}: ContentRequest): ContentRequest {
  return wanted;
}

const SAME = 'it is the same as before: something must change';

/** A step that was planned to change a file, and brings it as it is; twice: it may be right as it is. */
const isVainEdit = ({ round, active, plan, guided }: RunState, { facts }: Finished): boolean =>
  round?.origin === 'planned' &&
  guided.contentRequest?.tries === 0 &&
  facts.changed === false &&
  (plan ? subtasksOf(plan) : []).some(
    ({ id, step }) => id === active?.id && step?.does === 'edits_files',
  );

/** A repair that repairs nothing: what is in the file already, or was before, written again. */
const isCopy = (state: RunState, record: Finished): boolean =>
  state.round?.origin === 'repair' &&
  writesFile(record) &&
  (record.status === 'blocked' ||
    isVainLine(state, record) ||
    (record.status === 'ok' && (record.facts.changed === false || wasTried(state, record.hashes))));

/** A line that is not in its file, or the same line once more; or a function that came back. */
const isVainLine = ({ guided }: RunState, { does, status }: Finished): boolean =>
  does === 'edits_files' &&
  guided.contentRequest?.withoutCurrentContent !== false &&
  status === 'error';

/** A content that a file had before in this subtask. */
export const wasTried = ({ active }: RunState, hashes: Finished['hashes']): boolean =>
  Object.entries(hashes).some(
    ([path, hash]) => hash !== null && active?.tried?.[path]?.includes(hash),
  );

const CONTENTS_KEPT = 8;

/** What a file held before its first change here was tried as well. */
function triedAfter(
  { files }: RunState,
  { tried }: ActiveSubtask,
  record: Finished,
): Pick<ActiveSubtask, 'tried'> {
  if (!writesFile(record) || record.status !== 'ok') return {};
  const after = Object.entries(record.hashes).map(([path, hash]): [string, readonly string[]] => {
    const before = own(files, path)?.hash;
    const held = own(tried ?? {}, path) ?? (before ? [before] : []);
    return [
      path,
      hash === null || held.includes(hash) ? held : [...held, hash].slice(-CONTENTS_KEPT),
    ];
  });
  return { tried: withEntries(tried ?? {}, after) };
}

/** What an action of the active subtask means for its repairs and for a check that failed before. */
export function mendedBy(
  state: RunState,
  active: ActiveSubtask,
  record: Finished,
  target: string,
): Partial<ActiveSubtask> {
  const { claim, unchangedAfterRepair } = active;
  const isUntouched = isCopy(state, record);
  const isMended =
    traitsOf(state.settings).mendsByItself && !isUntouched && isRepairEnd(state, record);
  const isGivenUp = isUntouched && contentAfter(state, record) === null;
  return {
    claim: isMended && claim && !claim.isOpen ? { ...claim, isOpen: true, checks: [] } : claim,
    repairs: repairsAfter(state, active, record),
    ...triedAfter(state, active, record),
    ...(isUntouched ? { sameAgain: onceMore(active, target) } : {}),
    unchangedAfterRepair: isGivenUp
      ? [...new Set([...unchangedAfterRepair, target])]
      : unchangedAfterRepair.filter((file) => !isMended || file !== target),
  };
}

const onceMore = ({ sameAgain }: ActiveSubtask, file: string) => ({
  ...sameAgain,
  [file]: (sameAgain?.[file] ?? 0) + 1,
});

/** A file was rewritten to the end of its tries, or a command now ends well. */
const isRepairEnd = (state: RunState, record: Finished): boolean =>
  writesFile(record)
    ? record.status === 'ok' && contentAfter(state, record) === null
    : isGood(record);

function repairsAfter(
  state: RunState,
  active: ActiveSubtask,
  record: Finished,
): ActiveSubtask['repairs'] {
  const isRepair = state.round?.origin === 'repair' && writesFile(record);
  if (!isRepair || !isRepairEnd(state, record)) return active.repairs;
  const repaired = Object.keys(record.hashes);
  return Object.fromEntries([
    ...Object.entries(active.repairs),
    ...repaired.map((file): [string, number] => [file, (active.repairs[file] ?? 0) + 1]),
  ]);
}

/** Fewer failing tests than ever are progress: every file may be mended again. */
export function countFailing(
  active: ActiveSubtask,
  { failingTests }: Finished['facts'],
): ActiveSubtask {
  if (failingTests === undefined) return active;
  const { fewestFailing } = active;
  if (fewestFailing === null) return { ...active, fewestFailing: failingTests };
  return failingTests < fewestFailing
    ? { ...active, fewestFailing: failingTests, repairs: {}, unchangedAfterRepair: [] }
    : active;
}
