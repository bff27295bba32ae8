/** Sends one message to an agent whose conversations are identified by keys: opens, works, closes. */
import { notify } from '../../../lib/callback.ts';
import { type LongCall, longCall } from '../../../lib/long-call.ts';
import { type ChatOptionValues, optionNamesFor } from '../../../options/option-values.ts';
import type { CommonOptions } from '../../../run/options.ts';
import { COMMON_PORTS, type KnownNames } from '../../../run/start/common-options.ts';
import { createNarrator } from '../../../run/stream/narrator.ts';
import { engineEvents, type NamedEvent } from '../../../run/stream/other-names.ts';
import type { StreamEvent } from '../../../schema/events/stream.ts';
import type { Usage } from '../../../schema/model/turn.ts';
import type { MessageEnding } from '../../../schema/records.ts';
import type { SessionOptions } from '../../../sessions/options.ts';
import type { Sent } from '../../../sessions/sent.ts';
import { checkCall, checkMessageOptions, isSignal, refuseUnknown, wrong } from '../checked-call.ts';
import { openConversationFor } from '../open-conversation.ts';
import { MODEL_OPTIONS, type ModelOptions } from '../open-model.ts';

type ConversationOption = 'temperature' | 'system' | 'maxIterations' | 'maxRetries';
type OfReply = 'maxToolCallsPerReply' | 'maxToolCalls';
type OfModel = keyof ModelOptions | 'profile' | 'baseUrl';
/** Options that make no sense for a single message. */
type OfRunsAlone = 'forceUnlock' | 'signal' | 'saveRules' | 'trustPrograms' | 'programConsents';

/** Options of a conversation, and `sessions`: the folder that keeps the conversations of all keys. */
export interface AgentConfig
  extends Omit<CommonOptions, OfModel | OfRunsAlone>,
    Pick<SessionOptions, ConversationOption | OfReply>,
    ModelOptions {
  readonly model: NonNullable<ModelOptions['model']>;
  /** An existing folder for conversations; left out: nothing is kept beyond the call. */
  readonly sessions?: string;
}

/** One message to the conversation of a key. */
export interface AgentCall {
  /** Any text that says who talks with whom. The same key continues the same conversation. */
  readonly sessionKey: string;
  readonly userMessage: string;
  readonly config: AgentConfig;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: NamedEvent) => void;
}

/** The result of a message: the reply, why it is incomplete if it is, tokens, and events. */
export interface AgentReply {
  /** The answer, or the part that arrived. */
  readonly reply: string;
  /** Turns of the model for this message. */
  readonly iterations: number;
  /** The usage of this message; its `input` excludes cached tokens, so it is not the size of the context. */
  readonly usage: Usage;
  /** The usage of the last request; its prompt is the context in use. */
  readonly lastCallUsage: Usage;
  /** `replied`, or why the reply is incomplete. */
  readonly ending: MessageEnding;
  /** What went wrong and the next step; '' if nothing did. */
  readonly detail: string;
}

const { signal: _signal, saveRules: _save, programConsents: _saved, ...PORTS } = COMMON_PORTS;
const OF_CONFIG: KnownNames<Omit<AgentConfig, keyof ChatOptionValues>> = {
  ...MODEL_OPTIONS,
  ...PORTS,
  system: true,
  sessions: true,
};
const OF_CALL: KnownNames<AgentCall> = {
  sessionKey: true,
  userMessage: true,
  config: true,
  signal: true,
  onEvent: true,
};

/** A message and the documents in a folder that such agents read, in this order. */
const BOOTSTRAP_FILES = [
  ...['AGENTS.md', 'SOUL.md', 'USER.md', 'TOOLS.md', 'IDENTITY.md', 'MEMORY.md', 'HEARTBEAT.md'],
  'BOOTSTRAP.md',
];
const LONGEST_RESULT = 50_000;

/**
 * Sends a message to the agent of a key and works until it answers: a promise of the reply, and an iterable of the
 * events that `onEvent` gets. However the message ends, it resolves. It rejects with a `TardigradeError` (E_USAGE,
 * E_WORKSPACE, E_LOCKED while the same key is worked on, …) for an invalid call, and with a `ProviderError` if the
 * model cannot be described.
 */
export function runAgent(call: AgentCall): LongCall<AgentReply, NamedEvent> {
  return longCall<AgentReply, NamedEvent>({
    signal: isSignal(call?.signal) ? call.signal : undefined,
    mayDrop: ({ type, event }) => type === 'llm_stream' && isDelta(event),
    work: async (tell, signal) => {
      check(call);
      // These events have no type for a warning.
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
    // An interrupted message keeps the part that arrived.
    if (session.isOpen) session.abandon();
    return replyOf(await session.send(userMessage, { signal }));
  } finally {
    await close();
  }
}

/** A call that was not carried out has no result event. */
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
  checkMessageOptions('runAgent', call, OF_CALL);
  checkCall({ goal: null, ...config });
  refuseUnknown('the config of runAgent', config, { ...optionNamesFor('chat'), ...OF_CONFIG });
}
