/** Opens a conversation, or begins one: under a lock of its own, with a model, settled. */
import { isDeepStrictEqual } from 'node:util';
import { TardigradeError } from '../lib/errors.ts';
import { pausesOf } from '../lib/pieces.ts';
import { type ChatContext, chatContext, settleQuietly } from '../round/chat/context.ts';
import { configure } from '../run/chat/settings.ts';
import { chooseModel } from '../run/choose-model.ts';
import { takeLease } from '../run/lease.ts';
import { heldUnder, keepingFor, type Opened, realWorkspace } from '../run/open.ts';
import { takeOnce } from '../run/permissions.ts';
import { resume } from '../run/resume.ts';
import { withOwnTools } from '../run/servers/own-tools.ts';
import { NO_SERVERS, startServers, windowOf } from '../run/servers/start-servers.ts';
import { lookForWall, rememberWall } from '../run/wall.ts';
import { watchState } from '../run/watch-state.ts';
import type { SessionEmit, SessionEvent } from '../schema/events.ts';
import { assemble } from './assemble.ts';
import type { LiveSession } from './live-session.ts';
import { type OpenedSession, openSessionJournal } from './open-journal.ts';
import { readSessionOptions, type SessionOptions, type SessionRequest } from './options.ts';
import { Session } from './session.ts';
import { takeOver } from './transcripts/take-over.ts';

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
  const found = await openSessionJournal(at, request.wish);
  let servers = NO_SERVERS;
  let closing: (() => Promise<void>) | null = async () => {
    await servers.close();
    found.opened.journal.close();
    found.lock.release();
  };
  try {
    const observer = observing(request.emit);
    const opened = begunUnder(found, request, workspace, observer.emit);
    const { context, layout } = opened;
    const emit = (event: SessionEvent): void => context.tell(event);
    const { maxAttempts } = request;
    const model = await chooseModel(context.state.settings, { ...run, emit, maxAttempts });
    const wall = await lookForWall({ ...run, workspace }, context.state.permissions?.sandbox);
    servers = await startServers(opened, run, windowOf(model), wall);
    servers = await withOwnTools(servers, { context }, run);
    const live = await assemble({ opened, request, model, toolsBeside: servers.tools, wall });
    const undo = {
      ...{ context, fs: machine.fs, workspace },
      journal: { fs: place.fs, file: layout.history },
    };
    await resume(live, opened, {});
    takeOnce(live);
    rememberWall(context, wall, emit);
    configure(live, model.candidate, model.info, model.why);
    beginWith(live, opened, observer);
    const watch = watchState(opened, { clock: machine.clock, signal });
    const session = new Session({
      ...{ live, undo, watch, isConfined: wall.found?.kind === 'holds' },
      observe: observer.observe,
      close: async () => {
        watch.stop();
        await endPrograms(live, servers);
        settleQuietly(context);
        opened.close();
      },
    });
    closing = () => session.close();
    if (context.state.chat.undoing !== null) await inPieces(session.undoing());
    else session.tellPutBack();
    session.announce(opened.isResumed);
    closing = null;
    return session;
  } finally {
    await closing?.();
  }
}

/** Its first record says that it began, or that this process has taken it up. */
function begunUnder(
  { opened, layout, isResumed, lock }: OpenedSession,
  { run, place, limits }: SessionRequest,
  workspace: string,
  emit: SessionEmit,
): Opened<ChatContext> {
  const { origin, redactor, machine } = run;
  const keepFolder = place.isMemory ? null : run.keepFolder;
  const keptCopies = keepingFor({ keepFolder, machine }, workspace, layout);
  const ports = { fs: place.fs, layout, clock: machine.clock, origin, redactor, emit, keptCopies };
  const context = chatContext(opened, ports);
  const held = heldUnder(lock, { context, workspace, layout, isResumed });
  takeLease(held, run);
  holdMessageLimits(context, limits);
  return held;
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

/** The messages that it was given, of which nobody hears. */
function beginWith(
  live: LiveSession,
  { isResumed }: Pick<Opened<ChatContext>, 'isResumed'>,
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
