/** One message to an agent whose conversations go by keys: opened, worked on, closed. */

import { notify } from '../../../lib/callback.ts';
import { TardigradeError } from '../../../lib/errors.ts';
import { type LongCall, longCall } from '../../../lib/long-call.ts';
import type { CommonOptions } from '../../../run/options.ts';
import { createNarrator } from '../../../run/stream/narrator.ts';
import { engineEvents, type NamedEvent } from '../../../run/stream/other-names.ts';
import type { StreamEvent } from '../../../schema/events/stream.ts';
import type { Usage } from '../../../schema/model/turn.ts';
import type { MessageEnding } from '../../../schema/records.ts';
import type { SessionOptions } from '../../../sessions/options.ts';
import type { Sent } from '../../../sessions/sent.ts';
import { isSignal } from '../checked-call.ts';
import { openConversationFor } from '../open-conversation.ts';
import type { ModelOptions } from '../open-model.ts';

type ConversationOption = 'temperature' | 'system' | 'maxIterations' | 'maxRetries';
type OfReply = 'maxToolCallsPerReply' | 'maxToolCalls';
type OfModel = keyof ModelOptions | 'profile' | 'baseUrl';
/** What a call for one message has no use for. */
type OfRunsAlone = 'forceUnlock' | 'signal' | 'saveRules' | 'trustPrograms' | 'programConsents';

/** Options of a conversation, and `sessions`: the folder that keeps the conversations of all keys. */
export interface AgentConfig
  extends Omit<CommonOptions, OfModel | OfRunsAlone>,
    Pick<SessionOptions, ConversationOption | OfReply>,
    ModelOptions {
  readonly model: NonNullable<ModelOptions['model']>;
  /** A folder that is there, where conversations are kept; left out: nothing is kept beyond the call. */
  readonly sessions?: string;
}

/** One message to the conversation of a key, with what it works with. */
export interface AgentCall {
  /** Any text: who talks with whom. The same key goes on with the same conversation. */
  readonly sessionKey: string;
  readonly userMessage: string;
  readonly config: AgentConfig;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: NamedEvent) => void;
}

/** What a message came to: the reply, why it is incomplete where it is, tokens, and events. */
export interface AgentReply {
  /** The answer, or as far as it came. */
  readonly reply: string;
  /** Turns of the model for this message. */
  readonly iterations: number;
  /** Of this message. Tokens of a cache are apart and say nothing about the size of the context. */
  readonly usage: Usage;
  /** Of the last request: its prompt is the context in use. */
  readonly lastCallUsage: Usage;
  /** `replied`, or why the reply is no whole answer. */
  readonly ending: MessageEnding;
  /** What went wrong and the next step; '' where nothing did. */
  readonly detail: string;
}

/** A message and a folder of documents that such agents are told of, in this order. */
const BOOTSTRAP_FILES = [
  ...['AGENTS.md', 'SOUL.md', 'USER.md', 'TOOLS.md', 'IDENTITY.md', 'MEMORY.md', 'HEARTBEAT.md'],
  'BOOTSTRAP.md',
];
const LONGEST_RESULT = 50_000;

/**
 * Says something to the agent of a key and works until it answers: a promise of the reply, and an iterable of
 * the events that `onEvent` is told. However the message ends, it resolves; it rejects with a
 * `TardigradeError` (E_USAGE, E_WORKSPACE, E_LOCKED while the same key is worked on, …) for what cannot be
 * carried out as it was called, and with a `ProviderError` where the model cannot even be described.
 */
export function runAgent(call: AgentCall): LongCall<AgentReply, NamedEvent> {
  return longCall<AgentReply, NamedEvent>({
    signal: isSignal(call?.signal) ? call.signal : undefined,
    mayDrop: ({ type, event }) => type === 'llm_stream' && isDelta(event),
    work: async (tell, signal) => {
      check(call);
      // These events have no word for a warning.
      const onEvent = notify(call.onEvent, () => {});
      const both = (event: NamedEvent): void => {
        tell(event);
        onEvent(event);
      };
      const reply = await answered(call, signal, both);
      both({ type: 'done', result: reply });
      return reply;
    },
  });
}

const isDelta = (event: unknown): boolean =>
  ['text_delta', 'thinking_delta'].includes((event as NamedEvent).type);

async function answered(
  { sessionKey, userMessage, config }: AgentCall,
  signal: AbortSignal,
  tell: (event: NamedEvent) => void,
): Promise<AgentReply> {
  const { sessions, ...options } = config;
  const own = { instructions: BOOTSTRAP_FILES, maxToolResultChars: LONGEST_RESULT };
  const journal = sessions === undefined ? 'memory' : { folder: sessions };
  const { session, close } = await openConversationFor(
    { ...own, ...options, key: sessionKey, journal },
    signal,
    createNarrator({ workspace: options.workspace }, inEngineWords(tell)).emit,
  );
  try {
    // What a crash cut off stays as far as it came.
    if (session.isOpen) session.abandon();
    return replyOf(await session.send(userMessage, { signal }));
  } finally {
    await close();
  }
}

/** What a call comes to that was not carried out is not told there. */
function inEngineWords(tell: (event: NamedEvent) => void): (event: StreamEvent) => void {
  const started = new Set<string>();
  return (event) => {
    if (event.type === 'tool_started') started.add(event.id);
    if (event.type === 'tool_result' && !started.has(event.id)) return;
    for (const named of engineEvents(event)) tell(named);
  };
}

const replyOf = ({ detail, hint, ...sent }: Sent): AgentReply => ({
  ...sent,
  detail: [detail, hint].filter(Boolean).join(' '),
});

function check(call: AgentCall): void {
  const { sessionKey, userMessage, config } = call ?? {};
  if (typeof sessionKey !== 'string' || sessionKey === '') throw wrong('sessionKey', 'a text');
  if (typeof userMessage !== 'string') throw wrong('userMessage', 'a text');
  if (typeof config !== 'object' || config === null) throw wrong('config', 'an object');
  if (typeof config.workspace !== 'string') throw wrong('config.workspace', 'the path of a folder');
  for (const name of ['signal', 'onEvent'] as const) {
    const isRight = name === 'signal' ? isSignal(call[name]) : typeof call[name] === 'function';
    if (call[name] !== undefined && !isRight)
      throw wrong(name, name === 'signal' ? 'an AbortSignal' : 'a function');
  }
}

const wrong = (name: string, what: string): TardigradeError =>
  new TardigradeError('E_USAGE', `${name} must be ${what}.`, 'See docs/library.md.');
