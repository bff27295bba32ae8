/**
 * Many agents in one process.
 *
 * 1. A session never changes: to work on it makes another one.
 * 2. It shares nothing with another: servers, providers, conversation, logs and accounts are its own.
 * 3. It prints nothing, keeps nothing beyond this process, and writes no file but by its tools.
 */

import { TardigradeError } from '../../../lib/errors.ts';
import { type LongCall, longCall } from '../../../lib/long-call.ts';
import type { AccountingEntry, LogEntry } from '../../../schema/events/log-entry.ts';
import type { StreamEvent } from '../../../schema/events/stream.ts';
import { isPiece } from '../from-start.ts';
import { checked } from './checked.ts';
import type {
  AIAgentConfig,
  AIAgentOptions,
  AIAgentServers,
  ConversationMessage,
} from './contract.ts';
import { type Before, NOTHING_BEFORE, type Outcome, workOnce } from './work-once.ts';

const UNTOUCHED: Outcome = {
  conversation: [],
  accounting: [],
  logs: [],
  servers: { servers: [], tools: [] },
  currentTurn: 0,
  success: false,
  used: null,
};

/** A promise of the session that comes of it, and its events. */
export type AgentRun = LongCall<AIAgentSession, StreamEvent>;

export interface RetryOptions {
  /** Left out: behind the last whole turn. */
  readonly from?: 'start';
}

/** What an agent knows, and what it has done so far. Not thenable: awaiting it does nothing. */
export class AIAgentSession {
  readonly config: AIAgentConfig;
  readonly mcpClient: AIAgentServers;
  readonly conversation: readonly ConversationMessage[];
  readonly accounting: readonly AccountingEntry[];
  readonly logs: readonly LogEntry[];
  /** Turns of the model. */
  readonly currentTurn: number;
  /** True once there is an answer: the last message of the conversation. */
  readonly success: boolean;
  /** Why there is none; left out before it was run. */
  readonly error?: string;
  readonly #options: AIAgentOptions;
  /** Place of the pair that is asked first. */
  readonly #start: number;
  readonly #used: number | null;

  /** By `AIAgent.create`. */
  constructor(options: AIAgentOptions, start: number, outcome: Outcome = UNTOUCHED) {
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
   * Works until there is an answer, or says in `error` why there is none; a session of its own either way.
   * Its events may be iterated. What `callbacks` throw is a warning among them.
   */
  run(): AgentRun {
    return this.#runFrom(this.#start, NOTHING_BEFORE);
  }

  /**
   * Asks the next provider and model. It goes on behind the last whole turn of this session, and its logs and accounts stand
   * behind those of this one; no call is made again. With `from: 'start'` everything is done anew. Throws E_USAGE.
   */
  retry({ from }: RetryOptions = {}): AgentRun {
    if (from !== undefined && from !== 'start')
      throw new TardigradeError('E_USAGE', "from must be 'start'.", 'Leave it out to continue.');
    const { providers, models } = this.#options;
    const pairs = providers.length * models.length;
    const start = this.#used === null ? this.#start : (this.#used + 1) % pairs;
    return this.#runFrom(start, from === 'start' ? NOTHING_BEFORE : this);
  }

  #runFrom(start: number, before: Before): AgentRun {
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
  const copy = checked(options);
  return new AIAgentSession(copy, 0);
};

/**
 * `AIAgent.create(options)` checks and copies what it is given, and opens nothing: `run()` does. Throws
 * `TardigradeError` (E_USAGE). There is nothing to wait for, and waiting does no harm.
 */
export const AIAgent = Object.freeze({ create });
