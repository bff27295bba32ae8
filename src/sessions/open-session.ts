/** Opens a conversation, or begins one: under a lock of its own, with a model, settled. */
import { isDeepStrictEqual } from 'node:util';
import { TardigradeError } from '../lib/errors.ts';
import { interruptibleRunner } from '../lib/interruptible.ts';
import { type ChatContext, SpokenMessages, settleSnapshot } from '../round/chat/context.ts';
import type { RecordSwitch } from '../round/model/failover.ts';
import type { RunPorts } from '../round/run-ports.ts';
import { configure, reconfigure } from '../run/chat/settings.ts';
import { type Opened, realWorkspace } from '../run/open.ts';
import { resume } from '../run/recovery/resume.ts';
import { equip, holding } from '../run/start/equip.ts';
import { takeLease } from '../run/start/lease.ts';
import { recordBuildsOnce } from '../run/start/permissions.ts';
import { recordSandbox } from '../run/tools/choose-sandbox.ts';
import type { Emit, SessionEmit, SessionEvent } from '../schema/events/events.ts';
import { openConversation } from './open-journal.ts';
import {
  type LiveSession,
  readSessionOptions,
  type SessionOptions,
  type SessionRequest,
} from './options.ts';
import { activeRunText } from './run-beside.ts';
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
  const selection = { name: chat.name, mustBeThere: false, goOn: false, before: run };
  return opening({ ...request, selection });
};

async function opening(request: SessionRequest): Promise<Session> {
  const { run, place, maxAttempts } = request;
  const { clock, fs } = run.machine;
  const workspace = realWorkspace(run.workspace, run.machine);
  const folder = place.isMemory ? place.folder : realWorkspace(place.folder, run.machine);
  const observer = observing(request.emit);
  const runInterruptibly = interruptibleRunner(clock, run.signal);
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
    const asked = { ...run, workspace, signal: watch.signal, emit, maxAttempts };
    const { model, sandbox, ...equipped } = await equip(held, opened, asked);
    const live = conversationOf(equipped.run, context, request);
    await resume(live, opened, {});
    recordBuildsOnce(live);
    recordSandbox(context, sandbox, emit);
    configure(live, model.candidate, model.info, model.why);
    beginWith(live, opened, observer);
    held.settle = () => settleSnapshot(context);
    const session = new Session({
      ...{ live, watch, close, isConfined: sandbox.found?.kind === 'holds' },
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

/** The same object, a run, with what is said in it. */
function conversationOf(run: RunPorts, context: ChatContext, request: SessionRequest): LiveSession {
  const spoken = new SpokenMessages(context);
  const live = Object.assign(run, { context, spoken, request, signal: run.signal });
  const recordSwitch: RecordSwitch = (...after) => reconfigure(live, ...after);
  return Object.assign(live, { reconfigure: recordSwitch });
}

/** Limits that this program names hold from now on; others stay as they were. */
function recordMessageLimits(context: ChatContext, named: SessionRequest['limits']): void {
  const before = context.state.chat.limits;
  const message = { ...before, ...named };
  if (!isDeepStrictEqual(before, message)) context.record({ type: 'limits_set', message });
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
    `The session ${name ?? ''} already exists and has its own messages.`,
    'Begin another one with the messages, or continue this one without them.',
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
