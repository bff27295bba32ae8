/**
 * Queries about the runs and conversations of a folder. Nothing here but `undo` and `applyRun` takes a lock or changes
 * anything.
 */

import { notify } from '../../lib/callback.ts';
import type { Machine } from '../../run/machine.ts';
import { realWorkspace } from '../../run/open.ts';
import type { KnownNames } from '../../run/start/common-options.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import type { Stamped } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import { checkedSessions, idOfSession, type SessionListing } from '../../sessions/places.ts';
import { type TranscriptLine, transcriptOf } from '../../sessions/transcripts/export.ts';
import type { FileDifference } from '../../undo/differences.ts';
import type { UndoReport } from '../../undo/report.ts';
import type { LockOwner, ProviderListing, RunListing } from '../engine-port.ts';
import { apply as applyIn } from '../journals/apply.ts';
import type { ApplyReport } from '../journals/apply-contract.ts';
import { listingOf, lockOwner, readRun } from '../journals/journal.ts';
import { beliefIn } from '../journals/origin.ts';
import { type RunStatusKind, statusOf } from '../journals/run-status.ts';
import { changesOf, undoChanges as undoIn } from '../journals/undo.ts';
import { listModels } from '../models/list-models.ts';
import { checkQuery, requireWorkspace } from './checked-call.ts';
import { hostPlace } from './host-place.ts';
import { acceptFor, machineOf, originKeyIn, type ProviderAccounts, type Where } from './place.ts';
import { replayed } from './replay.ts';

const OF_A_FOLDER: KnownNames<FolderOptions> = { workspace: true, machine: true };
const OF_RUNS: KnownNames<Omit<Where, 'run'>> = { ...OF_A_FOLDER, journal: true, originKey: true };
const OF_A_RUN: KnownNames<Where> = { ...OF_RUNS, run: true };
const OF_A_FILE: KnownNames<FileOptions> = { ...OF_A_RUN, file: true };
const OF_APPLYING: KnownNames<ApplyOptions> = { ...OF_A_RUN, forceUnlock: true, onRecord: true };
const OF_UNDOING: KnownNames<UndoOptions> = { ...OF_APPLYING, file: true };
const OF_A_TRANSCRIPT: KnownNames<TranscriptOptions> = { ...OF_A_FOLDER, session: true };
const OF_MODELS: KnownNames<ModelsOptions> = { providers: true, signal: true };

/**
 * The machine of a call that names its folder. Throws E_USAGE for an unknown option, such as a misspelt
 * `file` of an undo, and E_WORKSPACE if there is no such folder.
 */
function machineFor(
  called: string,
  where: Where,
  known: { readonly [name: string]: true } = OF_A_RUN,
): Machine {
  checkQuery(called, where, known);
  requireWorkspace(where);
  const machine = machineOf(where);
  realWorkspace(where.workspace, machine);
  return machine;
}

/** Where a run stands, from its journal alone. */
export interface RunStatus {
  readonly standing: RunStatusKind;
  /** `foreign`: the given key did not sign it, so it is shown but not acted on. */
  readonly origin: 'own' | 'foreign';
  /** The process that works on the run, or worked on it last. */
  readonly owner: LockOwner | null;
  readonly state: RunState;
}

/** Where a run stands, from its journal alone; `null` if there is none. */
export async function status(where: Where): Promise<RunStatus | null> {
  const machine = machineFor('status', where);
  const { workspace, run } = where;
  const reading = originKeyIn(where);
  const belief =
    reading === null
      ? { kind: 'own' as const, state: readRun(machine, workspace, run) }
      : beliefIn(machine, reading, workspace, run);
  if (belief.kind === 'none' || belief.state === null) return null;
  const { kind: origin, state } = belief;
  const isCurrent =
    run === undefined ||
    listingOf(machine, workspace).some((one) => one.isCurrent && one.id === run);
  const owner = isCurrent ? lockOwner(machine, workspace) : null;
  return { standing: statusOf(state, owner), origin, owner, state };
}

/** What a run has done so far, as the events of its records: `for await (const event of history({ workspace }))`. */
export async function* history(where: Where): AsyncGenerator<StreamEvent> {
  yield* replayed(where, machineFor('history', where));
}

/** Every run of a folder, the newest first. */
export async function listRuns(where: Omit<Where, 'run'>): Promise<readonly RunListing[]> {
  return listingOf(machineFor('listRuns', where, OF_RUNS), where.workspace);
}

/** What a run changed, file by file, with the content before and now. */
export async function* diff(where: FileOptions): AsyncGenerator<FileDifference> {
  const machine = machineFor('diff', where, OF_A_FILE);
  const { workspace, run, file } = where;
  yield* changesOf(machine, workspace, { run, file }) ?? [];
}

/** The run to look at, or one of its files. */
export interface FileOptions extends Where {
  /** A single file, relative to the workspace, with `/` between folders. */
  readonly file?: string;
}

/** The run to undo, or one of its files. */
export interface UndoOptions extends FileOptions {
  /** True takes over a lock whose owner cannot be seen from here. */
  readonly forceUnlock?: boolean;
  /** Called for every record once it is durable. */
  readonly onRecord?: (record: Stamped) => void;
}

/** Restores what a run changed, or one of its files. Throws E_LOCKED, E_FOREIGN, E_USAGE if there is none. */
export async function undo(request: UndoOptions): Promise<UndoReport> {
  const machine = machineFor('undo', request, OF_UNDOING);
  const { workspace, run, file, forceUnlock = false } = request;
  const onRecord = notify(request.onRecord, () => {});
  const asked = { workspace, run, file, forceUnlock, onRecord };
  return undoIn(machine, asked, acceptFor(request, machine));
}

/** The run whose withheld changes to apply. */
export type ApplyOptions = Omit<UndoOptions, 'file'>;

/** Applies the withheld changes of a run as one set. Throws E_LOCKED, E_FOREIGN, E_USAGE if there is none. */
export async function applyRun(request: ApplyOptions): Promise<ApplyReport> {
  const machine = machineFor('applyRun', request, OF_APPLYING);
  const { workspace, run, forceUnlock = false } = request;
  const onRecord = notify(request.onRecord, () => {});
  return applyIn(machine, { workspace, run, forceUnlock, onRecord }, acceptFor(request, machine));
}

/** Keys and addresses of the providers to ask for their models. */
export interface ModelsOptions {
  /** Keys and addresses; a provider that has neither is asked at its usual address. */
  readonly providers?: ProviderAccounts;
  readonly signal?: AbortSignal;
}

/** What can be used from here, by provider; an unreachable one says what is missing. */
export async function models(request: ModelsOptions = {}): Promise<readonly ProviderListing[]> {
  checkQuery('models', request, OF_MODELS);
  const { providers, signal = new AbortController().signal } = request;
  const place = hostPlace({ workspace: '.' }, machineOf({}), providers);
  return listModels({ host: null, baseUrl: null, signal }, place);
}

type FolderOptions = Pick<Where, 'workspace' | 'machine'>;

/** Every listed conversation of a folder, the last used first; a damaged one is marked as such. */
export async function listSessions(where: FolderOptions): Promise<readonly SessionListing[]> {
  return checkedSessions(machineFor('listSessions', where, OF_A_FOLDER).fs, where.workspace);
}

/** The conversation to read, by its name or number. */
export interface TranscriptOptions extends FolderOptions {
  /** The session's name, number or id. */
  readonly session: string;
}

/** What was said in a conversation, also what a summary replaced. Throws E_USAGE, E_JOURNAL_CORRUPT. */
export async function* transcript(request: TranscriptOptions): AsyncGenerator<TranscriptLine> {
  const { fs } = machineFor('transcript', request, OF_A_TRANSCRIPT);
  const { workspace, session } = request;
  yield* transcriptOf(fs, workspace, idOfSession(fs, workspace, session));
}
