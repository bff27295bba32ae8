/** What a conversation may be told, and what holds where it is told nothing. */
import type { RunGoalOptions } from '../agent.ts';
import { TardigradeError } from '../lib/errors.ts';
import { createMemoryFileSystem } from '../lib/memory-file-system.ts';
import { type RunRequest, readOptions } from '../run/options.ts';
import { redactedEmit } from '../run/redacted-emit.ts';
import type { SessionEmit } from '../schema/chat-events.ts';
import { DEFAULT_MAX_ITERATIONS, MAX_GOAL } from '../schema/config.ts';
import type { Tool } from '../tools/contract.ts';
import type { JournalPlace, SessionWish } from './open-journal.ts';

type Shared = Pick<
  RunGoalOptions,
  | 'workspace'
  | 'provider'
  | 'model'
  | 'profile'
  | 'baseUrl'
  | 'fallbacks'
  | 'contextWindow'
  | 'seed'
  | 'effort'
  | 'maxToolResultChars'
  | 'keys'
  | 'instructions'
  | 'servers'
  | 'allow'
  | 'deny'
  | 'rules'
  | 'ask'
  | 'yes'
  | 'sandbox'
  | 'sandboxAtLeast'
  | 'keepRules'
  | 'forceUnlock'
  | 'signal'
  | 'machine'
  | 'deadlines'
  | 'lessons'
  | 'originKey'
>;

export interface SessionOptions extends Shared {
  /** What the session is called, or the number of one that is there. Left out: a new one. */
  readonly name?: string;
  /** True goes on with the session of that name, or with the one used last; it must be there. */
  readonly resume?: boolean;
  /** `memory`: nothing is kept beyond this process, and no file is written but by tools. */
  readonly journal?: 'workspace' | 'memory';
  /** Left out: the model's own. */
  readonly temperature?: number;
  /** True: calls are written as text; false: they are on the wire as such. Left out: as the model can. */
  readonly callsAsText?: boolean;
  /** Words in the place of the first section of the system prompt. */
  readonly system?: string;
  /** Beside the built-in ones. */
  readonly tools?: readonly Tool[];
  /** Turns for one message; 25. */
  readonly maxIterations?: number;
  /** Calls that are carried out of one reply; left out: all. */
  readonly maxToolCallsPerReply?: number;
  /** Calls for one message; left out: as many as come. */
  readonly maxToolCalls?: number;
  /** Told of everything; `send` may be given another one. */
  readonly onEvent?: SessionEmit;
}

/** Bounds of one message. `null`: none. */
export interface ChatLimits {
  readonly iterations: number;
  readonly callsPerReply: number | null;
  readonly calls: number | null;
}

export interface SessionRequest {
  /** What a conversation has in common with a run. */
  readonly run: RunRequest;
  readonly temperature: number | null;
  readonly callsAsText: boolean | null;
  readonly system: string | null;
  readonly tools: readonly Tool[];
  readonly limits: ChatLimits;
  readonly place: JournalPlace;
  readonly wish: SessionWish;
  readonly emit: SessionEmit;
}

/** Throws E_USAGE for what makes no sense, before anything is opened. */
export function readSessionOptions(options: SessionOptions): SessionRequest {
  const { temperature, journal = 'workspace', onEvent = () => {} } = options;
  const { signal: _signal, ...rest } = options;
  const run = readOptions({ ...sharedOf(rest), goal: null });
  const isMemory = journal === 'memory';
  return {
    run,
    temperature: temperature ?? null,
    callsAsText: options.callsAsText ?? null,
    system: options.system ?? null,
    tools: options.tools ?? [],
    limits: {
      iterations: bounded('maxIterations', options.maxIterations) ?? DEFAULT_MAX_ITERATIONS,
      callsPerReply: bounded('maxToolCallsPerReply', options.maxToolCallsPerReply),
      calls: bounded('maxToolCalls', options.maxToolCalls),
    },
    place: isMemory ? memoryPlace(run) : { fs: run.machine.fs, folder: run.workspace, isMemory },
    wish: {
      name: nameOf(options.name),
      mustBeThere: options.resume === true && options.name !== undefined,
      goOn: options.resume === true,
    },
    emit: redactedEmit(onEvent, run.redactor),
  };
}

/** Only what a run knows too: `name` and its like are about the session alone. */
function sharedOf(options: SessionOptions): Shared {
  const {
    name: _name,
    resume: _resume,
    journal: _journal,
    temperature: _temperature,
    ...rest
  } = options;
  const { callsAsText: _calls, system: _system, tools: _tools, onEvent: _event, ...shared } = rest;
  return shared;
}

const MEMORY = '/memory';

function memoryPlace({ machine: { clock } }: RunRequest): JournalPlace {
  const fs = createMemoryFileSystem({ now: () => clock.now() });
  fs.mkdir(MEMORY);
  return { fs, folder: MEMORY, isMemory: true };
}

const LONGEST_NAME = 200;

function nameOf(name: string | undefined): string | null {
  if (name === undefined) return null;
  const plain = name.trim().normalize('NFC');
  if (plain !== '' && plain.length <= LONGEST_NAME && !/\p{Cc}/u.test(plain)) return plain;
  throw new TardigradeError(
    'E_USAGE',
    `A session cannot be called ${JSON.stringify(plain.slice(0, 60))}.`,
    `Give it a name of at most ${LONGEST_NAME} characters in one line.`,
  );
}

function bounded(what: string, value: number | undefined): number | null {
  if (value === undefined) return null;
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new TardigradeError(
    'E_USAGE',
    `${what} is ${value}, and it must be a whole number of at least 1.`,
    'Leave it out, or give a larger one.',
  );
}

/** Throws E_USAGE for a message of nothing but white space, or one without end. */
export function checkedMessage(text: string): string {
  if (text.trim() === '')
    throw new TardigradeError('E_USAGE', 'The message is empty.', 'Say what you want.');
  if (text.length > MAX_GOAL)
    throw new TardigradeError(
      'E_USAGE',
      `The message has more than ${MAX_GOAL.toLocaleString('en')} characters.`,
      'Put it into a file of the workspace, and name the file.',
    );
  return text;
}
