/** A conversation for an embedding program: a folder, the name of a model, messages. */

import { failedWarning, notify } from '../../lib/callback.ts';
import { defined } from '../../lib/defined.ts';
import type { LongCall } from '../../lib/long-call.ts';
import { ownSignal } from '../../lib/own-signal.ts';
import { type ChatOptionValues, optionNamesFor } from '../../options/option-values.ts';
import { thisMachine } from '../../run/machine.ts';
import { COMMON_PORTS, type KnownNames } from '../../run/start/common-options.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import type { MessageOutcome } from '../../sessions/message-result.ts';
import type { SessionOptions } from '../../sessions/options.ts';
import type { Sent } from '../../sessions/sent.ts';
import type { Session } from '../../sessions/session.ts';
import { type AttachOptions, sessionClosed } from '../../sessions/session-parts.ts';
import { checkCall, checkMessageOptions, refuseUnknown, wrong } from './checked-call.ts';
import { replayedCall } from './from-start.ts';
import type { LiveOption } from './live-option.ts';
import { type MessageEvents, messageEvents } from './message-events.ts';
import { openConversationFor } from './open-conversation.ts';
import { MODEL_OPTIONS, type ModelOptions } from './open-model.ts';

/** Everything but workspace and model may be left out. */
export type ConversationOptions = Omit<
  SessionOptions,
  'provider' | 'model' | 'fallbacks' | 'onEvent' | 'once' | 'run'
> &
  ModelOptions &
  LiveOption & {
    readonly model: NonNullable<ModelOptions['model']>;
    /** Gets the events of every message, one message after the other. */
    readonly onEvent?: (event: StreamEvent) => void;
  };

const OTHERS: KnownNames<Omit<ConversationOptions, keyof ChatOptionValues>> = {
  ...MODEL_OPTIONS,
  ...COMMON_PORTS,
  name: true,
  key: true,
  resume: true,
  journal: true,
  system: true,
  systemPrompt: true,
  messages: true,
  isUnanswered: true,
  onEvent: true,
  live: true,
};

/** Options for a single message. */
export interface MessageOptions {
  /** Aborted: the current call is ended, what was done stays, and the message ends. */
  readonly signal?: AbortSignal;
  /** Gets the events of this message. */
  readonly onEvent?: (event: StreamEvent) => void;
}

const OF_ANY_MESSAGE: KnownNames<MessageOptions> = { signal: true, onEvent: true };
const OF_A_NEW_ONE: KnownNames<AttachOptions> = { images: true };

/** A promise of the message's result, and its events. */
export type MessageCall<Outcome = MessageOutcome> = LongCall<Outcome, StreamEvent>;

type Passed =
  | 'id'
  | 'isOpen'
  | 'tools'
  | 'contextTokens'
  | 'messages'
  | 'undo'
  | 'changes'
  | 'allow'
  | 'remember'
  | 'commit';

/** A conversation that is open in this process. `close` releases its lock. */
export interface ConversationSession extends Pick<Session, Passed> {
  /** The session's name; `null`: it only has a number. */
  readonly name: string | null;
  /** Counted together with the runs of the folder. */
  readonly number: number | null;
  /** Sends a message and works until there is an answer. However it ends, it resolves; misuse rejects. */
  send(text: string, how?: MessageOptions & AttachOptions): MessageCall;
  /** Works on the message that a crash interrupted; `null`, and no event, if none is open. */
  goOn(how?: MessageOptions): MessageCall<MessageOutcome | null>;
  close(): Promise<void>;
}

/** Throws `TardigradeError` and `ProviderError`; nothing recorded is lost. */
export async function createSession(options: ConversationOptions): Promise<ConversationSession> {
  // `journal` may be a name or a folder; it is checked where it is opened.
  checkCall({ goal: null, ...options, journal: undefined });
  checkJournal(options.journal);
  refuseUnknown('createSession', options, { ...optionNamesFor('chat'), ...OTHERS });
  const { onEvent, ...call } = options;
  const { workspace, machine = thisMachine() } = call;
  const teller = messageEvents(workspace, () => machine.clock.monotonic());
  const signal = ownSignal(call.signal);
  const { session, close } = await openConversationFor(
    { ...call, machine },
    signal,
    teller.observe,
  );
  return conversation(session, teller, { onEvent, close });
}

function checkJournal(journal: unknown): void {
  if (journal === undefined || journal === 'workspace' || journal === 'memory') return;
  if (typeof (journal as { readonly folder?: unknown } | null)?.folder !== 'string')
    throw wrong('journal', '"workspace", "memory", or an object with the path of a folder');
}

interface Around {
  readonly onEvent: ((event: StreamEvent) => void) | undefined;
  close(): Promise<void>;
}

function conversation(
  session: Session,
  teller: MessageEvents,
  { onEvent, close }: Around,
): ConversationSession {
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const call = callsOf(session, teller, { onEvent, closing: closing.signal, underWay });
  return {
    id: session.id,
    name: session.state.chat.name,
    number: session.state.chat.number,
    get isOpen() {
      return session.isOpen;
    },
    get tools() {
      return session.tools;
    },
    get contextTokens() {
      return session.contextTokens;
    },
    send: (text, how = {}) =>
      call(
        { called: 'send', how, known: { ...OF_ANY_MESSAGE, ...OF_A_NEW_ONE } },
        (worked, signal) =>
          worked(() => session.send(text, { signal, ...defined({ images: how.images }) })),
      ),
    goOn: (how = {}) =>
      call({ called: 'goOn', how, known: OF_ANY_MESSAGE }, async (worked, signal) =>
        session.isOpen ? worked(() => session.finish({ signal })) : null,
      ),
    messages: () => session.messages(),
    undo: () => session.undo(),
    changes: () => session.changes(),
    allow: (rule) => inOpen(session).allow(textOf('the rule', rule)),
    remember: (text) => inOpen(session).remember(textOf('what to remember', text)),
    commit: async (message, signal) => session.commit(textOf('the message', message), signal),
    // The message under way ends first: afterwards another process may work here.
    close: async () => {
      closing.abort();
      await Promise.allSettled(underWay);
      await close();
    },
  };
}

function inOpen(session: Session): Session {
  if (session.isClosed) throw sessionClosed();
  return session;
}

function textOf(what: string, text: string): string {
  if (typeof text !== 'string') throw wrong(what, 'a text');
  return text;
}

interface Asked {
  readonly called: string;
  readonly how: MessageOptions;
  /** The names of the call's options. */
  readonly known: { readonly [name: string]: true };
}

type SendMessage = (work: () => Promise<Sent>) => Promise<MessageOutcome>;

interface Messages {
  readonly onEvent: Around['onEvent'];
  /** Aborted to end the message under way. */
  readonly closing: AbortSignal;
  readonly underWay: Set<Promise<unknown>>;
}

/** Turns the work on one message into a long call. */
function callsOf(
  session: Session,
  teller: MessageEvents,
  { onEvent, closing, underWay }: Messages,
) {
  return <Outcome>(
    { called, how, known }: Asked,
    work: (worked: SendMessage, stop: AbortSignal) => Promise<Outcome>,
  ): MessageCall<Outcome> => {
    const { signal, onEvent: also } = how ?? {};
    const warn = (why: string): void => teller.observe(failedWarning('onEvent', why));
    const [ofAll, ofThis] = [notify(onEvent, warn), notify(also, warn)];
    /** The range of records that it reports. */
    const span = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };
    const telling = async (tell: (event: StreamEvent) => void, stop: AbortSignal) => {
      checkMessageOptions(called, how, known);
      const write = (event: StreamEvent): void => {
        if (event.type === 'result') span.to = session.state.seq;
        span.from = Math.min(span.from, event.seq ?? span.from);
        tell(event);
        ofAll(event);
        ofThis(event);
      };
      const working = work((one) => teller.message(session, write, one), ownSignal(stop, closing));
      underWay.add(working);
      return working.finally(() => underWay.delete(working));
    };
    return replayedCall(signal, telling, () => teller.eventsOf(session, span));
  };
}
