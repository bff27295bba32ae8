/**
 * Many agents in one process.
 *
 * 1. A session never changes: working on it creates another one.
 * 2. Sessions share nothing: each has its own servers, providers, conversation, logs and accounts.
 * 3. A session prints nothing, keeps nothing beyond this process, and writes files only through its tools.
 */

import { misuse } from '../../../lib/errors.ts';
import { type LongCall, longCall } from '../../../lib/long-call.ts';
import type { AccountingEntry, LogEntry } from '../../../schema/events/log-entry.ts';
import type { StreamEvent } from '../../../schema/events/stream.ts';
import { isPiece } from '../from-start.ts';
import { checkedAgentOptions } from './checked.ts';
import type {
  AIAgentConfig,
  AIAgentOptions,
  AIAgentServers,
  ConversationMessage,
} from './contract.ts';
import { NOTHING_BEFORE, type SessionOutcome, type SessionSoFar, workOnce } from './work-once.ts';

const UNTOUCHED: SessionOutcome = {
  conversation: [],
  accounting: [],
  logs: [],
  servers: { servers: [], tools: [] },
  currentTurn: 0,
  success: false,
  used: null,
};

/** A promise of the resulting session, and its events. */
export type AgentRun = LongCall<AIAgentSession, StreamEvent>;

export interface RetryOptions {
  /** `start`: begin again from nothing; left out: continue after the last whole turn. */
  readonly from?: 'start';
}

/** What an agent knows and has done so far. Not thenable: awaiting it does nothing. */
export class AIAgentSession {
  readonly config: AIAgentConfig;
  readonly mcpClient: AIAgentServers;
  readonly conversation: readonly ConversationMessage[];
  readonly accounting: readonly AccountingEntry[];
  readonly logs: readonly LogEntry[];
  /** Turns of the model so far. */
  readonly currentTurn: number;
  /** True once there is an answer: the last message of the conversation. */
  readonly success: boolean;
  /** Why there is no answer; left out before the first run. */
  readonly error?: string;
  readonly #options: AIAgentOptions;
  /** Index of the pair that is asked first. */
  readonly #start: number;
  readonly #used: number | null;

  /** Created by `AIAgent.create`. */
  constructor(options: AIAgentOptions, start: number, outcome: SessionOutcome = UNTOUCHED) {
    this.#options = options;
    this.#start = start;
    this.#used = outcome.used;
    this.config = options.config ?? Object.freeze({});
    this.mcpClient = Object.freeze(outcome.servers);
    this.conversation = Object.freeze(outcome.conversation);
    this.accounting = Object.freeze(outcome.accounting);
    this.logs = Object.freeze(outcome.logs);
    this.currentTurn = outcome.currentTurn;
    this.success = outcome.success;
    if (outcome.error !== undefined) this.error = outcome.error;
    Object.freeze(this);
  }

  /**
   * Works until there is an answer, or until `error` says why there is none; the result is a new session. Its events
   * may be iterated. What `callbacks` throw becomes a warning among them.
   */
  run(): AgentRun {
    return this.#runFrom(this.#start, NOTHING_BEFORE);
  }

  /**
   * Asks the next provider and model. It continues after the last whole turn of this session, appends to its
   * logs and accounts, and repeats no call. `from: 'start'` begins again from nothing. Throws E_USAGE.
   */
  retry({ from }: RetryOptions = {}): AgentRun {
    if (from !== undefined && from !== 'start')
      throw misuse("from must be 'start'.", 'Leave it out to continue.');
    const { providers, models } = this.#options;
    const pairs = providers.length * models.length;
    const start = this.#used === null ? this.#start : (this.#used + 1) % pairs;
    return this.#runFrom(start, from === 'start' ? NOTHING_BEFORE : this);
  }

  #runFrom(start: number, before: SessionSoFar): AgentRun {
    const options = this.#options;
    return longCall<AIAgentSession, StreamEvent>({
      signal: options.signal,
      mayDrop: isPiece,
      work: async (tell, signal) => {
        const outcome = await workOnce(options, start, before, { emit: tell, signal });
        return new AIAgentSession(options, start, outcome);
      },
    });
  }
}

const create = (options: AIAgentOptions): AIAgentSession => {
  const copy = checkedAgentOptions(options);
  return new AIAgentSession(copy, 0);
};

/**
 * `AIAgent.create(options)` checks and copies its options, and opens nothing: `run()` does. Throws `TardigradeError`
 * (E_USAGE). It is synchronous; awaiting it does no harm.
 */
export const AIAgent = Object.freeze({ create });
