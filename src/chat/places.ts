/** Where conversations lie, which there are, and which one a name means. */
import { basename, join } from 'node:path';
import { RUN_FORMAT } from '../context-manager/run-format.ts';
import { listRuns, summarize } from '../journal/goals.ts';
import { type Layout, layoutIn, layoutOf, refuseUnusable } from '../journal/layout.ts';
import { readState } from '../journal/read-journal.ts';
import type { Numbered } from '../journal/run-numbers.ts';
import { kindOf, storageError } from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { ChatState } from '../schema/chat-state.ts';
import { CHAT_FOLD, CHAT_FORMAT } from './chat-format.ts';

export interface SessionListing extends Numbered {
  readonly name: string | null;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
  readonly records: number;
  /** `cleared`: it goes on in another. */
  readonly status: 'open' | 'cleared' | 'damaged';
}

export const layoutOfSession = (workspace: string, id: string): Layout =>
  layoutIn(join(layoutOf(workspace).sessions, id));

/** Every session of a folder, the one used last first. Reads only both ends of each journal. */
export function listSessions(fs: FileSystem, workspace: string): readonly SessionListing[] {
  const { sessions, root } = layoutOf(workspace);
  refuseUnusable(fs, { root });
  refuseUnusable(fs, { root: sessions });
  try {
    if (kindOf(fs, sessions) !== 'directory') return [];
    return fs
      .readdir(sessions)
      .flatMap((id) => listed(fs, layoutIn(join(sessions, id))) ?? [])
      .sort((one, other) => other.lastAt - one.lastAt || (one.id < other.id ? -1 : 1));
  } catch (error) {
    throw storageError(error, `reading ${sessions}`);
  }
}

function listed(fs: FileSystem, { root, history }: Layout): SessionListing | null {
  if (kindOf(fs, root) !== 'directory') return null;
  const found = summarize({ fs, format: CHAT_FORMAT }, history, false);
  if (found === null) return null;
  const { number, startedAt, lastAt, records, ended, goal } = found;
  // A journal that lies under another session's name is nobody's.
  const isStray = found.problem === '' && found.id !== basename(root);
  const problem = isStray ? 'it lies in the folder of another session' : found.problem;
  return {
    id: basename(root),
    name: goal === '' ? null : goal,
    ...{ number, startedAt, lastAt, records, problem },
    status: problem !== '' ? 'damaged' : ended === 'cleared' ? 'cleared' : 'open',
  };
}

/** All that have a number here: runs and sessions count together. */
export const numberedIn = (fs: FileSystem, workspace: string): readonly Numbered[] => [
  ...listRuns({ fs, layout: layoutOf(workspace), format: RUN_FORMAT }),
  ...listSessions(fs, workspace),
];

/** The session of a name, else of a number or an id; `null` where there is none. */
export function sessionNamed(all: readonly SessionListing[], name: string): SessionListing | null {
  const open = all.filter(({ status }) => status !== 'cleared');
  return (
    open.find((one) => one.name === name) ??
    all.find((one) => one.number !== null && String(one.number) === name) ??
    all.find((one) => one.id === name) ??
    null
  );
}

/** The one that was used last and is not put away. */
export const lastSession = (all: readonly SessionListing[]): SessionListing | null =>
  all.find(({ status }) => status === 'open') ?? null;

/** A session as its journal tells it; takes no lock and writes nothing. Throws E_JOURNAL_CORRUPT. */
export function readSession(fs: FileSystem, workspace: string, id: string): ChatState | null {
  const layout = layoutOfSession(workspace, id);
  const ports = { fs, layout, clock: { now: () => 0 }, format: CHAT_FORMAT, fold: CHAT_FOLD };
  return readState(ports)?.state ?? null;
}

export const noSuchSession = (name: string): TardigradeError =>
  new TardigradeError(
    'E_USAGE',
    `There is no session ${name} here.`,
    'See what there is: agent sessions',
  );
