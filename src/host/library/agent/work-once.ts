/** One piece of work of an agent: a conversation of one message in memory, and its result. */

import { failedWarning, notify } from '../../../lib/callback.ts';
import { defined } from '../../../lib/defined.ts';
import { TardigradeError } from '../../../lib/errors.ts';
import { nameOf } from '../../../llm/failover/candidate.ts';
import { ProviderError } from '../../../llm/provider.ts';
import { createNarrator } from '../../../run/stream/narrator.ts';
import { errorBody } from '../../../run/stream/result-body.ts';
import type { CandidateName, SessionEvent } from '../../../schema/events/events.ts';
import type { AccountingEntry, LogEntry } from '../../../schema/events/log-entry.ts';
import type { StreamEvent } from '../../../schema/events/stream.ts';
import { messageResult } from '../../../sessions/message-result.ts';
import { openSession } from '../../../sessions/open-session.ts';
import type { SessionOptions } from '../../../sessions/options.ts';
import type { Sent } from '../../../sessions/sent.ts';
import type { Session } from '../../../sessions/session.ts';
import { errorFacts } from '../../error-facts.ts';
import { LogBook } from '../../log/log-book.ts';
import { logEvents } from '../../log/log-events.ts';
import { machineOf } from '../place.ts';
import type { AIAgentOptions, AIAgentServers, ConversationMessage } from './contract.ts';
import { type Pairs, pairsOf } from './pairs.ts';

export interface SessionOutcome {
  readonly conversation: readonly ConversationMessage[];
  readonly accounting: readonly AccountingEntry[];
  readonly logs: readonly LogEntry[];
  readonly servers: AIAgentServers;
  readonly currentTurn: number;
  readonly success: boolean;
  readonly error?: string;
  /** Index of the pair that was asked last; `null` if none was asked. */
  readonly used: number | null;
}

/** The defaults. */
const MAX_TURNS = 30;
const MAX_RETRIES = 3;

export interface SessionListener {
  emit(event: StreamEvent): void;
  readonly signal: AbortSignal;
}

/** What a failed session has done so far. */
export type SessionSoFar = Pick<SessionOutcome, 'conversation' | 'logs' | 'accounting'>;

export const NOTHING_BEFORE: SessionSoFar = { conversation: [], logs: [], accounting: [] };

/** Up to the last whole turn, each call with its result. Empty if no call was made. */
const wholeTurns = ({ conversation }: SessionSoFar): readonly ConversationMessage[] =>
  conversation.slice(0, conversation.findLastIndex(({ role }) => role === 'tool') + 1);

/** @param before the session to continue */
export async function workOnce(
  options: AIAgentOptions,
  start: number,
  before: SessionSoFar,
  { emit: tell, signal }: SessionListener,
): Promise<SessionOutcome> {
  const machine = machineOf(defined({ machine: options.machine }));
  const monotonic = (): number => machine.clock.monotonic();
  const { workspace = '.' } = options;
  const narrator = createNarrator({ workspace }, tell);
  const began = monotonic();
  const pairs = pairsOf(options, start, { machine, signal });
  const onLog = notify(options.callbacks?.onLog, (why) =>
    narrator.emit(failedWarning('onLog', why)),
  );
  const kept = keptLogs(onLog, () => machine.clock.now());
  let used: number | null = null;
  const onEvent = (event: SessionEvent): void => {
    if (event.type === 'turn_started') used ??= 0;
    if (event.type === 'model_switched') used = placeOf(event.to, pairs);
    kept.observe(event);
    narrator.emit(event);
  };
  let said: AgentOutcome = NOTHING;
  try {
    if (signal.aborted) throw new TardigradeError('E_INTERRUPTED', 'It was stopped.', '');
    const messages = wholeTurns(before);
    const opening = { ...sessionOptions(options, pairs, messages), machine, onEvent };
    const session = await openSession(opening);
    said = await converse(session, options, signal, {
      keep: (part) => {
        said = part;
      },
      ended: (sent) => {
        const elapsedMs = monotonic() - began;
        const facts = { elapsedMs, workspace, resume: null, costBefore: undefined };
        narrator.end(messageResult(sent, session.state, facts));
      },
    });
  } catch (error) {
    narrator.end(errorBody(errorFacts(error), null));
    if (!(error instanceof TardigradeError || error instanceof ProviderError)) throw error;
    said = { ...said, success: false, error: error.message };
    const kind = error instanceof ProviderError ? error.status.kind : 'error';
    const [first] = pairs.candidates;
    kept.failed(kind, error.message, first && nameOf(first));
  } finally {
    await pairs.close();
  }
  if (said.isUnsaid && said.error !== undefined) kept.failed('error', said.error);
  const { isUnsaid: _isUnsaid, ...outcome } = said;
  const logs = [...before.logs, ...kept.logs];
  const accounting = [...before.accounting, ...kept.accounting];
  const last = used === null ? null : (start + used) % pairs.candidates.length;
  return { ...outcome, logs, accounting, used: last };
}

function placeOf(asked: CandidateName, { candidates }: Pairs): number {
  const place = candidates.findIndex(
    ({ provider, model }) => provider.name === asked.provider && model === asked.model,
  );
  return Math.max(place, 0);
}

type AgentOutcome = Omit<SessionOutcome, 'logs' | 'accounting' | 'used'> & {
  /** True if the error is in no log yet. */
  readonly isUnsaid: boolean;
};

const NOTHING: AgentOutcome = {
  conversation: [],
  currentTurn: 0,
  success: false,
  isUnsaid: false,
  servers: { servers: [], tools: [] },
};

async function converse(
  session: Session,
  options: AIAgentOptions,
  signal: AbortSignal,
  { keep, ended }: { keep(said: AgentOutcome): void; ended(sent: Sent): void },
): Promise<AgentOutcome> {
  try {
    const { systemPrompt = '', userPrompt } = options;
    const sent = await (session.isOpen
      ? session.finish({ signal })
      : session.send(userPrompt ?? systemPrompt, { signal })
    ).catch((error: unknown) => {
      keep(outcomeIn(session, options, null));
      throw error;
    });
    ended(sent);
    return outcomeIn(session, options, sent);
  } finally {
    await session.close();
  }
}

function outcomeIn(session: Session, options: AIAgentOptions, sent: Sent | null): AgentOutcome {
  const { systemPrompt = '', userPrompt } = options;
  const system = { role: 'system', content: systemPrompt } as const;
  const hasSystem = userPrompt !== undefined && systemPrompt !== '';
  const error = sent === null ? undefined : errorOf(sent);
  return {
    conversation: [...(hasSystem ? [system] : []), ...session.messages()],
    servers: {
      servers: namesIn(options),
      tools: session.tools.map(({ name }) => name),
    },
    currentTurn: sent?.iterations ?? session.state.chat.open?.iterations ?? 0,
    success: sent !== null && error === undefined,
    ...(error === undefined ? {} : { error }),
    // A failed request is logged where it failed.
    isUnsaid: error !== undefined && sent?.ending !== 'failed' && sent?.ending !== 'refused',
  };
}

function errorOf({ ending, reply, detail, hint }: Sent): string | undefined {
  if (ending === 'replied' && reply !== '') return undefined;
  const why = [detail, hint].filter(Boolean).join(' ');
  return why === '' ? WHY[ending] : why;
}

const WHY: { readonly [ending in Sent['ending']]: string } = {
  replied: 'The model gave no answer.',
  limit: 'The model used all its turns up without an answer.',
  permission: 'A tool was refused since nobody could be asked; allow it by a rule.',
  failed: 'No model answered.',
  interrupted: 'It was stopped.',
  refused: 'The model refused to answer.',
};

const namesIn = ({ tools = [] }: AIAgentOptions): readonly string[] =>
  tools.filter((one) => typeof one === 'string');

/** @param messages the messages to continue from; their turns do not count against this session's limit */
function sessionOptions(
  options: AIAgentOptions,
  pairs: Pairs,
  messages: readonly ConversationMessage[],
): SessionOptions {
  const [first, ...fallbacks] = pairs.candidates;
  if (first === undefined) throw new Error('An agent has a provider and a model.');
  const { systemPrompt = '', userPrompt, workspace, config, tools = [] } = options;
  const { maxRetries = MAX_RETRIES, maxTurns = MAX_TURNS } = options;
  const { provider, model, profile } = first;
  const names = namesIn(options);
  const servers = Object.entries(config?.mcpServers ?? {}).filter(([name]) => names.includes(name));
  const { temperature, deny, canUseTool, yes, shell } = options;
  return {
    provider,
    model,
    profile,
    fallbacks,
    keys: pairs.keys,
    journal: 'memory',
    workspace: workspace ?? '.',
    builtinTools: workspace !== undefined,
    instructions: false,
    systemPrompt: userPrompt === undefined ? '' : systemPrompt,
    servers: Object.fromEntries(servers),
    tools: tools.filter((one) => typeof one !== 'string'),
    // Naming a server allows its tools.
    allow: [...(options.allow ?? []), ...names.map((name) => `mcp(${name})`)],
    ...defined({ temperature, deny, canUseTool, yes, shell }),
    messages,
    isUnanswered: messages.length > 0,
    maxRetries,
    freeIdleTurns: maxRetries,
    closingTurn: true,
    maxIterations: maxTurns + messages.filter(({ role }) => role === 'assistant').length,
  };
}

function keptLogs(onLog: (entry: LogEntry) => void, now: () => number) {
  const logs: LogEntry[] = [];
  const accounting: AccountingEntry[] = [];
  const book = new LogBook({
    now,
    onLog: (entry) => {
      logs.push(Object.freeze(entry));
      onLog(entry);
    },
    onAccounting: (entry) => accounting.push(Object.freeze(entry)),
    traces: { llm: true, mcp: true },
  });
  const failed = book.failed.bind(book);
  return { logs, accounting, observe: logEvents([book]), failed };
}
