/**
 * The changes of a run as one set: withheld, they are outside the folder and kept; applied, they are in it.
 * 1. The contents of both sides are durable in the blobs before the first file is swapped.
 * 2. Every file is complete at every instant, and its record follows its durable swap.
 * 3. After a kill at any point, the next start finishes the set first.
 * 4. A file that has the content of neither side, or cannot be written, is left alone and named.
 */
import { eachOf, type Records } from '../evidence/reading.ts';
import { defined } from '../lib/defined.ts';
import { storageError } from '../lib/files/durable-files.ts';
import type { Interruptible } from '../lib/interruptible.ts';
import type { FileChange } from '../schema/actions.ts';
import type { FolderChange, LeftAlone, SwapSide } from '../schema/journal/swap.ts';
import type { JournalRecord, RecordOf } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { allFiles } from '../workspace/before-images/all-files.ts';
import { contentReader } from '../workspace/before-images/packs.ts';
import { infoOf, readBytes } from '../workspace/files.ts';
import { type Aim, type BringPlace, bringing } from './bring.ts';
import { currentPlaceOf, foldersAbove, placeOfFile } from './folders.ts';
import { type UndoFile, type UndoPlan, undoPlanner } from './plan.ts';
import type { UndoRecord } from './remnants.ts';
import { blobOf, MAX_SAVED_BYTES, type UndoStep } from './step.ts';
import { stepsTogether } from './together.ts';

type Started = RecordOf<'swap_started'>;

type SwapSet = Omit<Started, 'type' | 'files' | 'more'> & {
  readonly files: readonly FileChange[];
  /** Files of a set that can no longer be read. */
  readonly lost?: LeftAlone[];
};

export interface SwapDeps extends BringPlace {
  state(): Pick<RunState, 'swap'>;
  /** The `swap_started` record at this offset of the journal; `null` if it is damaged. */
  readStarted(offset: number): Started | null;
  /** Durable when it returns. */
  append(record: JournalRecord): void;
}

/**
 * Takes the run's changes out of the folder if it changed, moved or removed existing files. A run that only
 * created files keeps them; the set is then empty. Throws what `undoing` throws.
 * @param records all records of the run
 */
export function* withholding(records: Records, deps: SwapDeps): Interruptible<void> {
  const plan = yield* planSinceAccepted(records, deps);
  // A lost part of the journal may have named further files, so all files stay as they are.
  if (plan === null) return yield* swapTo({ to: 'before', files: [] }, deps);
  const contents = { ...deps, readBlob: contentReader(plan.manifests, deps.readBlob) };
  const files: FileChange[] = [];
  const left: LeftAlone[] = [];
  const { steps } = yield* stepsTogether(plan.files, contents);
  for (const file of plan.files) {
    yield;
    const step = steps.get(file.path);
    const found = step === undefined ? null : storeBoth(file, step, contents);
    if (found !== null && 'why' in found) left.push(found);
    else if (found !== null) files.push(found);
  }
  const isNeeded = files.some(({ before }) => before !== null);
  const set = isNeeded ? { files, folders: foldersIn(plan, files, deps), left } : { files: [] };
  yield* swapTo({ to: 'before', ...set }, deps);
}

/** Brings the last set back. @param accepted a person wants it, so it is not withheld again */
export function* bringingIn(deps: SwapDeps, accepted: boolean): Interruptible<void> {
  const set = setOf(deps);
  if (set === null) return;
  const { files, folders, lost } = set;
  const accepts = accepted ? { accepted: true as const } : {};
  yield* swapTo({ to: 'run', files, ...defined({ folders, left: lost }), ...accepts }, deps);
}

export function* finishing(deps: SwapDeps): Interruptible<void> {
  const { swap } = deps.state();
  const set = setOf(deps);
  if (swap === undefined || set === null || swap.isFinished) return;
  try {
    yield* bringing(aimOf(set, swap.to), new Set(swap.done), deps, ({ path, hash, skipped }) =>
      deps.append({ type: 'file_swapped', path, hash, skipped }),
    );
    deps.append({ type: 'swap_finished' });
  } catch (error) {
    throw storageError(error, `swapping files in ${deps.workspace}`);
  }
}

/** The set of the last swap with all its files; `null` before the first. */
export function setOf({
  state,
  readStarted,
  readBlob,
}: Pick<SwapDeps, 'state' | 'readStarted' | 'readBlob'>): SwapSet | null {
  const { swap } = state();
  if (swap === undefined) return null;
  const started = readStarted(swap.offset);
  if (started === null) {
    const why = 'what the run made of it cannot be read any more';
    return { to: swap.to, files: [], lost: swap.done.map((path) => ({ path, why })) };
  }
  return { ...started, files: allFiles(started, readBlob) };
}

/** The set that is outside the folder, as its last swap left it; `null`: none. */
export function withheldSetIn(records: readonly UndoRecord[]): Started | null {
  const last = records.findLast((record) => record.type === 'swap_started');
  const isFinished = records.findLast(isOfSwap)?.type === 'swap_finished';
  const isOut = isFinished && last?.type === 'swap_started' && last.to === 'before';
  return isOut && last.files.length > 0 ? last : null;
}

const isOfSwap = ({ type }: UndoRecord): boolean =>
  type === 'swap_started' || type === 'swap_finished';

/** How many files the record itself lists. */
const INLINE = 200;

function* swapTo(set: Omit<SwapSet, 'lost'>, deps: SwapDeps): Interruptible<void> {
  const rest = set.files.slice(INLINE);
  const list = rest.length === 0 ? null : deps.storeBlob(Buffer.from(JSON.stringify(rest)));
  deps.append({
    type: 'swap_started',
    ...set,
    files: set.files.slice(0, INLINE),
    ...(list === null ? {} : { more: { blob: list, count: rest.length } }),
  });
  yield* finishing(deps);
}

/** Leaves out changes that a person has accepted; `null` if the journal is incomplete. */
function* planSinceAccepted(
  records: Records,
  { readBlob }: SwapDeps,
): Interruptible<UndoPlan | null> {
  let planner = undoPlanner(readBlob);
  let accepted = false;
  let isWhole = true;
  yield* eachOf(records, (record) => {
    if (record.type === 'swap_started') accepted = record.accepted === true;
    if (record.type === 'swap_finished' && accepted) {
      const kept = planner.plan().manifests;
      planner = undoPlanner(readBlob);
      // The lists of kept contents stay valid.
      for (const manifest of kept) planner.take({ ...KEPT, manifest });
    }
    planner.take(record);
    isWhole &&= record.type !== 'bytes_unreadable' && record.type !== 'bytes_set_aside';
  });
  return isWhole ? planner.plan() : null;
}

const KEPT = { type: 'files_kept', optional: true, files: 0, bytes: 0 } as const;

/** Stores both contents of one file in the blobs; `null` if the file is unchanged. */
function storeBoth(
  file: UndoFile,
  step: UndoStep,
  deps: BringPlace,
): FileChange | LeftAlone | null {
  const { path } = file;
  const leave = (why: string): LeftAlone => ({ path, why });
  if (step.do === 'nothing') return null;
  // A write that no outcome confirms and the disk does not show did not happen.
  if (step.do === 'leave')
    return file.writes.some(({ isCertain }) => isCertain) ? leave(step.why) : null;
  const { hash: before, current: after, mode } = step;
  const place = placeOfFile(path, deps);
  const info = place === null ? null : infoOf(deps.fs, place);
  if (before !== null && !isKept(blobOf(before, deps), before, deps))
    return leave('what it held before is not kept any more');
  if (info !== null && info.size > MAX_SAVED_BYTES) return leave('it is too large to be kept');
  if (place !== null && after !== null && !isKept(readBytes(deps.fs, place), after, deps))
    return leave('it was changed since');
  // If a file's mode is unknown, the file stays as it is.
  const knowsMode = before === null || mode !== undefined;
  const modeAfter = after !== null && knowsMode ? info?.mode : undefined;
  return { path, before, after, ...defined({ mode, modeAfter }) };
}

const isKept = (
  bytes: Uint8Array | null,
  hash: string,
  { storeBlob }: Pick<BringPlace, 'storeBlob'>,
): boolean => bytes !== null && storeBlob(bytes) === hash;

function foldersIn(
  { folders, foldersGone }: UndoPlan,
  files: readonly FileChange[],
  deps: SwapDeps,
): FolderChange[] {
  const made = folders.flatMap((path): FolderChange[] => {
    const place = currentPlaceOf(path, deps);
    const info = place === null ? null : infoOf(deps.fs, place);
    return info?.kind === 'directory' ? [{ path, became: 'made', mode: info.mode }] : [];
  });
  const gone = new Map(foldersGone.map(({ path, mode }) => [path, mode]));
  for (const { path, after } of files)
    for (const folder of after === null ? missingFolders(path, deps) : [])
      if (!gone.has(folder)) gone.set(folder, USUAL_MODE);
  const removed = [...gone].map(([path, mode]) => ({ path, became: 'removed' as const, mode }));
  return [...made, ...removed.sort((one, other) => one.path.length - other.path.length)];
}

/** The mode for folders whose own mode is unknown because they were removed with their files. */
const USUAL_MODE = 0o755;

/** Folders above a file that were removed with it, or have another name or a file in their place; outermost first. */
const missingFolders = (path: string, deps: SwapDeps): readonly string[] =>
  foldersAbove(path).filter((folder) => {
    const place = currentPlaceOf(folder, deps);
    return place === null || infoOf(deps.fs, place)?.kind !== 'directory';
  });

/**
 * Created folders are listed innermost first, removed ones outermost first; for the other side the order is
 * reversed.
 */
function aimOf({ files, folders = [] }: SwapSet, to: SwapSide): Aim {
  const those = (how: FolderChange['became']) => folders.filter(({ became }) => became === how);
  const [made, removed] = [those('made'), those('removed')];
  const names = (list: readonly FolderChange[]) => list.map(({ path }) => path);
  if (to === 'before')
    return { files: files.map(writeOf), folders: names(made), foldersGone: removed };
  return {
    files: files.map((file) => writeOf(invertedOf(file))),
    folders: names(removed).toReversed(),
    foldersGone: made.toReversed(),
  };
}

const writeOf = ({ path, before, after, mode, modeAfter }: FileChange): UndoFile => ({
  path,
  writes: [{ before, after, mode, setsMode: mode !== modeAfter, isCertain: true, by: 'tool' }],
});

const invertedOf = ({ path, before, after, mode, modeAfter }: FileChange): FileChange => ({
  path,
  before: after,
  after: before,
  ...defined({ mode: modeAfter, modeAfter: mode }),
});
