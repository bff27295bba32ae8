/** Where conversations are kept, which ones exist, and which one a name means. */

import { conversationPorts } from '../context-manager/open-or-create.ts';
import { CONVERSATION_FORMAT, RUN_FORMAT } from '../context-manager/run-format.ts';
import {
  isRealFolder,
  type Layout,
  layoutIn,
  layoutOf,
  refuseUnusable,
} from '../journal/layout.ts';
import { readState } from '../journal/read-journal.ts';
import { refuseWhenLost } from '../journal/removed/lost-journal.ts';
import { isRunNumber, type NumberedRun } from '../journal/runs/run-numbers.ts';
import { listJournalledRuns, summarize } from '../journal/runs/runs.ts';
import { readSnapshot } from '../journal/snapshot.ts';
import { tracesOfLost } from '../journal/traces.ts';
import { misuse, orOnRefusal, refusalOf, type TardigradeError } from '../lib/errors.ts';
import { basename, join } from '../lib/files/absolute-paths.ts';
import { fileKindAt, withStorageErrors } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { ConversationState } from '../schema/state.ts';

/** A conversation of a folder as `agent sessions` lists it. */
export interface SessionListing extends NumberedRun {
  readonly name: string | null;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
  readonly records: number;
  /** `cleared`: it continues in another one. */
  readonly status: 'open' | 'cleared' | 'damaged';
  /** The session began as a single message from a command line. */
  readonly isOnce?: true;
}

export const layoutOfSession = (workspace: string, id: string): Layout =>
  layoutIn(join(layoutOf(workspace).sessions, id));

/** Every session of a folder, the last used first. Reads only both ends of each journal. */
export function listStoredSessions(fs: FileSystem, workspace: string): readonly SessionListing[] {
  const { sessions, root } = layoutOf(workspace);
  refuseUnusable(fs, { root });
  refuseUnusable(fs, { root: sessions });
  return withStorageErrors(`reading ${sessions}`, () => {
    if (fileKindAt(fs, sessions) !== 'directory') return [];
    return fs
      .readdir(sessions)
      .flatMap((id) => listed(fs, layoutIn(join(sessions, id))) ?? [])
      .sort((one, other) => other.lastAt - one.lastAt || (one.id < other.id ? -1 : 1));
  });
}

/** The sessions for a person's list: a single message from a command line is left out until somebody continues it. */
export const shownSessions = (fs: FileSystem, workspace: string): readonly SessionListing[] =>
  listStoredSessions(fs, workspace).filter((one) => !isOneMessage(fs, workspace, one));

/** True if nobody has continued a single message; an unreadable session may have been continued. */
export function isOneMessage(fs: FileSystem, workspace: string, one: SessionListing): boolean {
  if (!one.isOnce) return false;
  const read = () => readSession(fs, workspace, one.id)?.chat.messages ?? 0;
  return orOnRefusal(read, () => Number.POSITIVE_INFINITY) <= 1;
}

function listed(fs: FileSystem, layout: Layout): SessionListing | null {
  const { root, history } = layout;
  if (!isRealFolder(fs, root)) return null;
  const found = summarize({ fs, format: CONVERSATION_FORMAT }, history, false);
  if (found === null) return lostSessionIn(fs, layout);
  const { number, startedAt, lastAt, records, ended, goal } = found;
  // A journal below another session's name does not count.
  const isStray = found.problem === '' && found.id !== basename(root);
  const problem = isStray ? 'it lies in the folder of another session' : found.problem;
  return {
    id: basename(root),
    name: goal === '' ? null : goal,
    number,
    startedAt,
    lastAt,
    records,
    problem,
    status: problem !== '' ? 'damaged' : ended === 'cleared' ? 'cleared' : 'open',
    ...(found.isOnce ? { isOnce: true } : {}),
  };
}

/** A session whose journal is gone keeps its name if the snapshot has it, which anyone may have written. */
function lostSessionIn(fs: FileSystem, layout: Layout): SessionListing | null {
  if (tracesOfLost(fs, layout).length === 0) return null;
  const reading = readSnapshot<Unchecked | null>(fs, layout);
  const state = reading.kind === 'ok' ? reading.snapshot.state : null;
  const { name, number } = state?.chat ?? {};
  const startedAt = Number.isSafeInteger(state?.startedAt) ? Number(state?.startedAt) : 0;
  return {
    id: basename(layout.root),
    name: typeof name === 'string' ? name : null,
    number: isRunNumber(number) ? number : null,
    startedAt,
    lastAt: startedAt,
    records: 0,
    problem: 'its journal is missing',
    status: 'damaged',
  };
}

interface Unchecked {
  readonly chat?: { readonly name?: unknown; readonly number?: unknown } | null;
  readonly startedAt?: unknown;
}

/** Everything with a number here: runs and sessions are counted together. */
export const numberedIn = (fs: FileSystem, workspace: string): readonly NumberedRun[] => [
  ...listJournalledRuns({ fs, layout: layoutOf(workspace), format: RUN_FORMAT }),
  ...listStoredSessions(fs, workspace),
];

/** The session with a name, else with a number or an id; `null` if there is none. */
export function sessionNamed(all: readonly SessionListing[], name: string): SessionListing | null {
  const open = all.filter(({ status }) => status !== 'cleared');
  return (
    open.find((one) => one.name === name) ??
    all.find((one) => one.number !== null && String(one.number) === name) ??
    all.find((one) => one.id === name) ??
    null
  );
}

/** The id of the session with a name, number or id. Throws E_USAGE if there is none. */
export function idOfSession(fs: FileSystem, workspace: string, name: string): string {
  const found = sessionNamed(listStoredSessions(fs, workspace), name);
  if (found === null) throw noSuchSession(name);
  return found.id;
}

/** The last one used that was not cleared. */
export const lastSession = (all: readonly SessionListing[]): SessionListing | null =>
  all.find(({ status }) => status === 'open') ?? null;

/** A session from its journal; takes no lock and writes nothing. Throws the error of opening it. */
export function readSession(
  fs: FileSystem,
  workspace: string,
  id: string,
): ConversationState | null {
  const layout = layoutOfSession(workspace, id);
  const read = readState(conversationPorts({ fs, layout, clock: { now: () => 0 } }));
  if (read === null) refuseWhenLost(fs, layout);
  return read?.state ?? null;
}

/** The error of opening it; `null` if it can continue. */
export const damageOf = (
  fs: FileSystem,
  workspace: string,
  { id }: Pick<SessionListing, 'id'>,
): TardigradeError | null => refusalOf(() => readSession(fs, workspace, id));

/** Like `listStoredSessions`, but reads each as opening it would, so damage in its middle counts, too. */
export const checkedSessions = (fs: FileSystem, workspace: string): readonly SessionListing[] =>
  shownSessions(fs, workspace).map((one) => {
    const damage = one.problem === '' ? damageOf(fs, workspace, one) : null;
    return damage === null ? one : { ...one, problem: damage.message, status: 'damaged' };
  });

export const noSuchSession = (name: string): TardigradeError =>
  misuse(`There is no session ${name} here.`, 'See what there is', {
    command: ['sessions'],
  });
