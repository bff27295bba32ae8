/** Opens or begins a conversation: under a lock of its own, with a model and settled journal. */

import { isDeepStrictEqual } from 'node:util';
import { runPorts } from '../context-manager/open-or-create.ts';
import { layoutOf } from '../journal/layout.ts';
import { readState } from '../journal/read-journal.ts';
import { misuse, type TardigradeError } from '../lib/errors.ts';
import { interrupted, interruptibleRunner } from '../lib/interruptible.ts';
import { firstOf } from '../lib/text/shortened.ts';
import { type ChatContext, SpokenMessages, settleSnapshot } from '../round/chat/context.ts';
import type { RecordSwitch } from '../round/model/failover.ts';
import type { RunPorts } from '../round/run-ports.ts';
import { reconfigure, recordChatSettings } from '../run/chat/settings.ts';
import type { Machine } from '../run/machine.ts';
import { type Opened, realWorkspace } from '../run/open.ts';
import { resume } from '../run/recovery/resume.ts';
import { equip, holding } from '../run/start/equip.ts';
import { takeLease } from '../run/start/lease.ts';
import { recordBuildsOnce } from '../run/start/permissions.ts';
import { recordSandbox } from '../run/tools/choose-sandbox.ts';
import type { Emit, SessionEmit, SessionEvent } from '../schema/events/events.ts';
import { isSwapping, withheldPaths } from '../schema/journal/swap.ts';
import { openConversation } from './open-journal.ts';
import {
  type LiveSession,
  readSessionOptions,
  type SessionOptions,
  type SessionRequest,
} from './options.ts';
import { Session } from './session.ts';
import { takeOver } from './transcripts/take-over.ts';

/**
 * Opens a session, which stays open until it is closed: `openSession({ workspace, provider, model })`. Throws
 * `TardigradeError` (E_USAGE, E_WORKSPACE, E_LOCKED if it is open elsewhere, E_FOREIGN, E_JOURNAL_CORRUPT, E_TOO_NEW,
 * E_DISK_FULL, E_IO) and `ProviderError` if the model cannot be described; nothing recorded is lost.
 */
export const openSession = async (options: SessionOptions): Promise<Session> =>
  opening(readSessionOptions(options));

/** The session that replaces another: it begins empty, and remembers its predecessor. */
export const openInPlaceOf = async (before: Session, options: SessionOptions): Promise<Session> => {
  const request = readSessionOptions(options);
  const { run, chat } = before.state;
  const selection = { name: chat.name, mustBeThere: false, goOn: false, before: run };
  return opening({ ...request, selection });
};

/**
 * After this point an abort of the request's signal stops nothing: an open session may outlive the wish for
 * it.
 */
async function opening(request: SessionRequest): Promise<Session> {
  const stop = new AbortController();
  const giveUp = (): void => stop.abort(interrupted());
  if (request.opening.aborted) giveUp();
  request.opening.addEventListener('abort', giveUp, { once: true });
  try {
    return await opened(request, stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    request.opening.removeEventListener('abort', giveUp);
  }
}

async function opened(request: SessionRequest, stop: AbortSignal): Promise<Session> {
  const { run, place, maxAttempts } = request;
  const { clock, fs } = run.machine;
  const workspace = realWorkspace(run.workspace, run.machine);
  const folder = place.isMemory ? place.folder : realWorkspace(place.folder, run.machine);
  const observer = observing(request.emit);
  const runInterruptibly = interruptibleRunner(clock, stop);
  const where = {
    ...run,
    workspace,
    place: { ...place, folder },
    emit: observer.emit,
    runInterruptibly,
  };
  const opened = await openConversation(where, request.selection);
  return holding(opened, run, async ({ held, watch, close }) => {
    const { context, layout } = opened;
    takeLease(opened, run);
    recordMessageLimits(context, request.limits);
    const emit: Emit = (event) => context.emit(event);
    const signal = AbortSignal.any([watch.signal, stop]);
    const asked = { ...run, workspace, signal, emit, maxAttempts };
    const { model, sandbox, ...equipped } = await equip(held, opened, asked);
    const live = conversationOf(equipped.run, context, request);
    await resume(live, opened, {});
    recordBuildsOnce(live);
    recordSandbox(context, sandbox, emit);
    recordChatSettings(live, model.candidate, model.info, model.why);
    beginWith(live, opened, observer);
    held.settle = () => settleSnapshot(context);
    const session = new Session({
      live,
      watch,
      close,
      isConfined: sandbox.found?.kind === 'holds',
      undo: { context, fs, workspace, journal: { fs: place.fs, file: layout.history } },
      observe: observer.observe,
    });
    if (context.state.chat.undoing !== null) await runInterruptibly(session.undoing());
    else session.reportPutBack();
    const beside = activeRunText(run.machine, workspace);
    if (beside !== '') emit({ type: 'notice', level: 'warning', text: beside });
    session.announce(opened.isResumed);
    return session;
  });
}

/** Adds what a conversation needs to the ports of a run. */
function conversationOf(run: RunPorts, context: ChatContext, request: SessionRequest): LiveSession {
  const spoken = new SpokenMessages(context);
  const live = Object.assign(run, { context, spoken, request, signal: run.signal });
  const recordSwitch: RecordSwitch = (...after) => reconfigure(live, ...after);
  return Object.assign(live, { reconfigure: recordSwitch });
}

/** Limits that this program sets apply from now on; others stay as they were. */
function recordMessageLimits(context: ChatContext, named: SessionRequest['limits']): void {
  const before = context.state.chat.limits;
  const message = { ...before, ...named };
  if (!isDeepStrictEqual(before, message)) context.record({ type: 'limits_set', message });
}

/** Adds the given messages without reporting them. */
function beginWith(
  live: LiveSession,
  { isResumed }: Pick<Opened<ChatContext>, 'isResumed'>,
  { observe }: ReturnType<typeof observing>,
): void {
  const { messages, isUnanswered } = live.request;
  live.context.sync('effect');
  if (messages.length === 0) return;
  const { chat, conversation } = live.context.state;
  // A start that failed before this point leaves a session without messages.
  const isEmpty = chat.messages === 0 && conversation.length === 0;
  if (isResumed && !isEmpty) throw hasItsOwn(chat.name);
  observe(() => {});
  takeOver(live, messages, isUnanswered);
  observe(null);
}

const hasItsOwn = (name: string | null): TardigradeError =>
  misuse(
    `The session ${name ?? ''} already exists and has its own messages.`,
    'Begin another one with the messages, or continue this one without them.',
  );

/** The observer of the session, unless a message has an observer of its own. */
function observing(emit: SessionEmit) {
  let own: SessionEmit | null = null;
  return {
    emit: (event: SessionEvent) => (own ?? emit)(event),
    observe: (next: SessionEmit | null) => {
      own = next;
    },
  };
}

/**
 * What a conversation reports about the run of its folder before anybody works there. A sentence or two, or ''. An
 * unreadable journal does not concern a conversation.
 */
function activeRunText({ fs, clock }: Machine, workspace: string): string {
  try {
    const read = readState(runPorts({ fs, clock, layout: layoutOf(workspace) }));
    if (read === null) return '';
    const { state } = read;
    if (isSwapping(state))
      return 'The changes of a run are half out of this folder: it was stopped while they were swapped. Its next start, an undo or applying them finishes that first.';
    const paths = [...withheldPaths(state)];
    return paths.length === 0
      ? ''
      : `The changes of the last run are withheld, since nothing proves them: ${firstOf(paths, MAX)}.`;
  } catch {
    return '';
  }
}

const MAX = 10;
