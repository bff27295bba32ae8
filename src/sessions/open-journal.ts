/** Opens the journal of a conversation that continues or begins, under a lock of its own. */
import { conversationPorts } from '../context-manager/open-or-create.ts';
import {
  isRealFolder,
  type Layout,
  layoutIn,
  layoutOf,
  prepareLayout,
  sweepTemporaries,
} from '../journal/layout.ts';
import type { Lock } from '../journal/lock/contract.ts';
import { inspectLock } from '../journal/lock/inspect-lock.ts';
import { acquireLock } from '../journal/lock/lock.ts';
import { createJournal, type OpenedJournal, openingJournal } from '../journal/recover.ts';
import { nextNumber, sweepNumber } from '../journal/runs/run-numbers.ts';
import { defined } from '../lib/defined.ts';
import { TardigradeError } from '../lib/errors.ts';
import { join } from '../lib/files/absolute-paths.ts';
import {
  fileKindAt,
  makeDirectory,
  syncDirectory,
  withStorageErrors,
} from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { InterruptibleRunner } from '../lib/interruptible.ts';
import { sha256 } from '../lib/sha256.ts';
import { VERSION } from '../lib/version.ts';
import { type ChatContext, chatContext } from '../round/chat/context.ts';
import { beforeImageCopiesFor, heldUnder, type Opened } from '../run/open.ts';
import type { RunRequest } from '../run/options.ts';
import type { SessionEmit } from '../schema/events/events.ts';
import { CONVERSATION } from '../schema/journal/upgrade.ts';
import { FORMAT_VERSION, type JournalRecord, type RecordOf } from '../schema/records.ts';
import type { ConversationState } from '../schema/state.ts';
import { acceptOwnConversation } from './chat-origin.ts';
import {
  lastSession,
  layoutOfSession,
  listStoredSessions,
  noSuchSession,
  numberedIn,
  type SessionListing,
  sessionNamed,
  shownSessions,
} from './places.ts';
import { sweepOnce } from './sweep-once.ts';

export interface SessionSelection {
  /** The caller's name or number for it; left out: a new conversation without a name, or the last one. */
  readonly name: string | null;
  /** True: the name is matched exactly, and never as a number. */
  readonly isKey?: boolean;
  readonly mustBeThere: boolean;
  /** True: without a name, the last one used. */
  readonly goOn: boolean;
  /** For a new conversation: it is a single message from a command line. */
  readonly isOnce?: true;
  /** The one that the new one replaces. */
  readonly before?: string;
  /**
   * The id of the conversation, the same however often it is begun; the name then does not decide which one
   * is meant.
   */
  readonly id?: string;
}

/** Where a journal is kept: below the workspace, or in memory without any file. */
export interface JournalPlace {
  readonly fs: FileSystem;
  /** Absolute; laid out like a workspace. */
  readonly folder: string;
  readonly isMemory: boolean;
}

interface ConversationOpening
  extends Pick<RunRequest, 'machine' | 'origin' | 'forceUnlock' | 'backupFolder'>,
    Partial<Pick<RunRequest, 'redactor'>> {
  readonly place: JournalPlace;
  /** The folder of the work: absolute real path. */
  readonly workspace: string;
  readonly emit: SessionEmit;
  readonly runInterruptibly: InterruptibleRunner;
}

/**
 * Opens the selected conversation, or a new one, under its lock. Throws E_USAGE, E_LOCKED, E_FOREIGN, E_WORKSPACE and
 * the errors of opening a journal.
 */
export async function openConversation(
  at: ConversationOpening,
  request: SessionSelection,
): Promise<Opened<ChatContext>> {
  const { place, machine } = at;
  const { fs, folder } = place;
  const state = layoutOf(folder);
  prepareLayout(fs, state);
  makeSessions(fs, state);
  sweepKilled(at, state);
  if (!place.isMemory) sweepOnce({ ...machine, fs, folder });
  const all = listStoredSessions(fs, folder);
  const id = selectedSession(fs, folder, all, request);
  if (id !== null) return openedUnder(at, id, null);
  const number = nextNumber({ fs, layout: state }, numberedIn(fs, folder));
  const named = { ...request, ...defined({ id: request.id ?? idOfKey(all, request) }) };
  const first = openingOf(named, machine.clock.now(), number);
  return openedUnder(at, first.run, first);
}

/**
 * Removes the leftovers of conversations that were killed while they began: nobody opens their folders again.
 * A conversation that is just beginning holds its lock.
 */
function sweepKilled(
  { place: { fs }, machine: { identity } }: ConversationOpening,
  state: Layout,
): void {
  withStorageErrors(`looking through ${state.sessions}`, () => {
    sweepNumber(fs, state);
    for (const id of fs.readdir(state.sessions)) {
      const layout = layoutIn(join(state.sessions, id));
      if (!isRealFolder(fs, layout.root) || fileKindAt(fs, layout.history) !== null) continue;
      const lock = inspectLock({ fs, identity, directory: layout.lock });
      if (lock !== null && !lock.isAlive) sweepTemporaries(fs, layout);
    }
  });
}

function makeSessions(fs: FileSystem, state: Layout): void {
  withStorageErrors(`preparing ${state.sessions}`, () => {
    if (makeDirectory(fs, state.sessions)) syncDirectory(fs, state.root);
  });
}

function selectedSession(
  fs: FileSystem,
  folder: string,
  all: readonly SessionListing[],
  request: SessionSelection,
): string | null {
  const { name, isKey, mustBeThere, goOn: wantsLast, before } = request;
  if (before !== undefined) return null;
  if (request.id !== undefined) return all.find(({ id }) => id === request.id)?.id ?? null;
  if (isKey) return all.find((one) => one.status !== 'cleared' && one.name === name)?.id ?? null;
  if (name !== null) {
    const found = sessionNamed(all, name);
    if (found === null && mustBeThere) throw noSuchSession(name);
    return found?.id ?? null;
  }
  return wantsLast ? (lastSession(shownSessions(fs, folder))?.id ?? null) : null;
}

/** The id for a key: the same in every process that begins this key now, so that they meet at one lock. */
function idOfKey(
  all: readonly SessionListing[],
  { name, isKey, before }: SessionSelection,
): string | undefined {
  if (!isKey || before !== undefined) return undefined;
  for (let count = 0; ; count += 1) {
    const id = shortHash(['key', name, count]);
    if (!all.some((one) => one.id === id)) return id;
  }
}

const shortHash = (parts: readonly unknown[]): string => sha256(JSON.stringify(parts)).slice(0, 16);

function openingOf(
  { name, before, isOnce, id }: SessionSelection,
  startedAt: number,
  number: number,
): RecordOf<'run_opened'> {
  // Each number is given only once, so the id is unique.
  const run = id ?? shortHash([name, startedAt, number]);
  return {
    type: 'run_opened',
    format: FORMAT_VERSION,
    run,
    number,
    startedAt,
    goal: name ?? '',
    goalHash: CONVERSATION,
    version: VERSION,
    conversation: defined({ name: name ?? undefined, before, once: isOnce }),
  };
}

/** @param beginning the first record of a new conversation; `null`: the conversation exists */
async function openedUnder(
  at: ConversationOpening,
  id: string,
  beginning: RecordOf<'run_opened'> | null,
): Promise<Opened<ChatContext>> {
  const { place, machine, workspace, origin, redactor, emit } = at;
  const layout = layoutOfSession(place.folder, id);
  prepareLayout(place.fs, layout);
  const lock = locked(at, layout, String(beginning?.number ?? id));
  // While this process waited for the lock, another one may have begun the same conversation.
  const first = fileKindAt(place.fs, layout.history) === null ? beginning : null;
  let opened: OpenedJournal<ConversationState, JournalRecord> | null = null;
  try {
    opened = await journalOf(at, layout, first);
    if (opened === null) throw noSuchSession(id);
    const backupFolder = place.isMemory ? null : at.backupFolder;
    const beforeImageCopies = beforeImageCopiesFor({ backupFolder, machine }, workspace, layout);
    const ports = { fs: place.fs, layout, clock: machine.clock, origin, emit, beforeImageCopies };
    const context = chatContext(opened, { ...ports, ...defined({ redactor }) });
    return heldUnder(lock, { context, workspace, layout, isResumed: first === null });
  } catch (error) {
    opened?.journal.close();
    lock.release();
    throw error;
  }
}

async function journalOf(
  { place: { fs }, machine: { clock }, origin, runInterruptibly }: ConversationOpening,
  layout: Layout,
  first: RecordOf<'run_opened'> | null,
): Promise<OpenedJournal<ConversationState, JournalRecord> | null> {
  const ports = conversationPorts({ fs, layout, clock });
  return first === null
    ? runInterruptibly(openingJournal({ ...ports, accept: acceptOwnConversation(origin) }))
    : createJournal(ports, origin.sign(first, first.run));
}

/** Nobody else can see a journal in memory. */
const NO_OTHERS: Lock = {
  isHeld: () => true,
  isTaken: () => false,
  renew: () => {},
  isLate: () => false,
  takeToken: (journalled) => journalled + 1,
  release: () => {},
};

function locked(
  { place, machine, forceUnlock }: ConversationOpening,
  layout: Layout,
  name: string,
): Lock {
  if (place.isMemory) return NO_OTHERS;
  const { identity, clock } = machine;
  try {
    const ports = { fs: place.fs, directory: layout.lock, identity, clock };
    return acquireLock(ports, { force: forceUnlock });
  } catch (error) {
    if (!(error instanceof TardigradeError) || error.code !== 'E_LOCKED') throw error;
    throw new TardigradeError(
      'E_LOCKED',
      `The session ${name} is already open. ${error.message}`,
      'Continue there, or begin another session.',
      { cause: error },
    );
  }
}
