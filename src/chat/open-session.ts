/** Opens a conversation, or begins one: under a lock of its own, with a model, settled. */

import { isDeepStrictEqual } from 'node:util';
import { lockGone } from '../journal/lock/contract.ts';
import { takeBuilds } from '../languages/allowed-commands.ts';
import { TardigradeError } from '../lib/errors.ts';
import { pausesOf } from '../lib/pieces.ts';
import { chooseModel } from '../run/choose-model.ts';
import { takeLease } from '../run/lease.ts';
import { realWorkspace } from '../run/open.ts';
import { withOwnTools } from '../run/servers/own-tools.ts';
import {
  NO_SERVERS,
  type Servers,
  type ServersOf,
  serversFor,
  windowOf,
} from '../run/servers/start-servers.ts';
import { lookForWall, rememberWall } from '../run/wall.ts';
import { watchState } from '../run/watch-state.ts';
import type { SessionEmit, SessionEvent } from '../schema/events.ts';
import { keptCopiesOf } from '../undo/kept-copies.ts';
import type { KeptCopies } from '../workspace/kept/copies.ts';
import { assemble } from './assemble.ts';
import { type ChatContext, chatContext, closeChat } from './chat-context.ts';
import type { LiveSession } from './live-session.ts';
import { type OpenedSession, openSessionJournal } from './open-journal.ts';
import { readSessionOptions, type SessionOptions, type SessionRequest } from './options.ts';
import { resumeSession } from './resume.ts';
import { Session } from './session.ts';
import { configure } from './settings.ts';
import { takeOver } from './take-over.ts';

/**
 * A session is open until it is closed: `openSession({ workspace, provider, model })`. Throws
 * `TardigradeError` (E_USAGE, E_WORKSPACE, E_LOCKED where it is open elsewhere, E_FOREIGN,
 * E_JOURNAL_CORRUPT, E_TOO_NEW, E_DISK_FULL, E_IO) and `ProviderError` where the model cannot even be
 * described; nothing that was recorded is lost.
 */
export const openSession = async (options: SessionOptions): Promise<Session> =>
  opening(readSessionOptions(options));

/** The session that takes the place of another: it begins empty, and remembers which was before. */
export const openInPlaceOf = async (before: Session, options: SessionOptions): Promise<Session> => {
  const request = readSessionOptions(options);
  const { run, chat } = before.state;
  const wish = { name: chat.name, mustBeThere: false, goOn: false, before: run };
  return opening({ ...request, wish });
};

async function opening(request: SessionRequest): Promise<Session> {
  const { run, place } = request;
  const { machine, signal } = run;
  const workspace = realWorkspace(run.workspace, machine);
  const folder = place.isMemory ? place.folder : realWorkspace(place.folder, machine);
  const inPieces = pausesOf(machine.clock, signal);
  const { origin, forceUnlock } = run;
  const at = { place: { ...place, folder }, machine, origin, forceUnlock, inPieces };
  const opened = await openSessionJournal(at, request.wish);
  let servers = NO_SERVERS;
  let closing: (() => Promise<void>) | null = async () => {
    await servers.close();
    opened.opened.journal.close();
    opened.lock.release();
  };
  try {
    const observer = observing(request.emit);
    const journal = begunContext(request, opened, workspace, observer.emit);
    const emit = (event: SessionEvent): void => journal.tell(event);
    const { maxAttempts } = request;
    const model = await chooseModel(journal.state.settings, { ...run, emit, maxAttempts });
    const parts = { opened, request: { ...request, place: at.place }, model, workspace, journal };
    const wall = await lookForWall({ ...run, workspace }, journal.state.permissions?.sandbox);
    servers = await serversOf({ context: journal, workspace, wall }, run, windowOf(model));
    servers = await withOwnTools(servers, { context: journal }, run);
    const live = assemble({ ...parts, toolsBeside: servers.tools, wall });
    const file = { fs: place.fs, file: opened.layout.history };
    const undo = { context: journal, fs: machine.fs, workspace, journal: file };
    await resumeSession(live, opened);
    takeOnce(live);
    rememberWall(journal, wall, emit);
    configure(live, model.candidate, model.info, model.why);
    beginWith(live, opened, observer);
    const watch = watchState(
      { isOurs: () => isOurs(opened, journal), context: journal },
      { clock: machine.clock, signal },
    );
    const session = new Session({
      ...{ live, undo, watch, isConfined: wall.found?.kind === 'holds' },
      observe: observer.observe,
      close: async () => {
        watch.stop();
        await endPrograms(live, servers);
        closeChat(journal);
        opened.lock.release();
      },
    });
    closing = () => session.close();
    if (journal.state.chat.undoing !== null) await inPieces(session.undoing());
    session.announce(opened.isResumed);
    closing = null;
    return session;
  } finally {
    await closing?.();
  }
}

/** Its first record says that it began, or that this process has taken it up. */
function begunContext(
  request: SessionRequest,
  opened: OpenedSession,
  workspace: string,
  emit: SessionEmit,
): ChatContext {
  const { run, place } = request;
  const { origin, redactor, machine } = run;
  const { layout, isResumed, lock } = opened;
  const keptCopies = keepingFor(request, opened, workspace);
  const { clock } = machine;
  const ports = { fs: place.fs, layout, clock, origin, redactor, emit, keptCopies };
  const context = chatContext(opened.opened, ports);
  if (!isResumed) context.tellOpening();
  context.journal.watch.guard(() => (lock.isTaken() ? lockGone(layout.lock) : null));
  const takeToken = () => lock.takeToken(context.state.lease?.token ?? (isResumed ? 1 : 0));
  takeLease({ context, isResumed, takeToken }, run);
  holdMessageLimits(context, request.limits);
  return context;
}

/** Limits that this program names hold from now on; others stay as they were. */
function holdMessageLimits(context: ChatContext, named: SessionRequest['limits']): void {
  const before = context.state.chat.limits;
  const message = { ...before, ...named };
  if (!isDeepStrictEqual(before, message)) context.record({ type: 'limits_set', message });
}

/** All that was started for it. */
async function endPrograms(live: LiveSession, servers: Pick<typeof NO_SERVERS, 'close'>) {
  await servers.close();
  await live.toolContext.processes.endDaemons?.();
}

/** What is in memory alone is not meant to be kept. */
export const keepingFor =
  (
    { run, place }: Pick<SessionRequest, 'run' | 'place'>,
    { opened, layout }: OpenedSession,
    workspace: string,
  ) =>
  (_opened: unknown, warn: (text: string) => void): KeptCopies | null => {
    const { run: id, chat } = opened.state;
    const { name, number } = chat;
    const about = { workspace, kind: 'session' as const, id, number, title: name ?? '' };
    const { journal } = opened;
    return place.isMemory ? null : keptCopiesOf(run, about, { journal, layout }, warn);
  };

/** The messages that it was given, of which nobody hears. */
function beginWith(
  live: LiveSession,
  { isResumed }: OpenedSession,
  { observe }: ReturnType<typeof observing>,
): void {
  const { messages, isUnanswered } = live.request;
  live.context.sync('effect');
  if (messages.length === 0) return;
  if (isResumed) throw hasItsOwn(live.context.state.chat.name);
  observe(() => {});
  takeOver(live, messages, isUnanswered);
  observe(null);
}

const hasItsOwn = (name: string | null): TardigradeError =>
  new TardigradeError(
    'E_USAGE',
    `The session ${name ?? ''} is there already and has messages of its own.`,
    'Begin another one with the messages, or go on with this one without them.',
  );

const serversOf = (
  of: Pick<ServersOf, 'workspace' | 'wall'> & { readonly context: ChatContext },
  run: SessionRequest['run'],
  window: number,
): Promise<Servers> =>
  serversFor(
    {
      ...of,
      isTold: of.context.state.settings?.calling !== 'text',
      tell: (event) => of.context.tell(event),
      mayRecord: () => of.context.journal.watch.isOurs(),
    },
    { ...run, refreshTools: false },
    window,
  );

/** The observer of the session, but while one message has an observer of its own. */
function observing(emit: SessionEmit) {
  let own: SessionEmit | null = null;
  return {
    emit: (event: SessionEvent) => (own ?? emit)(event),
    observe: (next: SessionEmit | null) => {
      own = next;
    },
  };
}

function isOurs({ lock, layout }: OpenedSession, journal: ChatContext): boolean {
  const { watch } = journal.journal;
  if (!watch.isOurs()) return false;
  if (lock.isHeld()) return true;
  watch.giveUp(lockGone(layout.lock));
  return false;
}

/** Nothing that the session itself has made is taken for what was there. */
function takeOnce({ context, world }: LiveSession): void {
  const { permissions, counters } = context.state;
  if (permissions?.taken != null || counters.actions > 0) return;
  const texts = takeBuilds(world);
  if (Object.keys(texts).length > 0) context.record({ type: 'builds_taken', texts });
}
