/** The options of a conversation, and their defaults. */

import { defined } from '../lib/defined.ts';
import { misuse, type TardigradeError } from '../lib/errors.ts';
import { keepingAtMost, MAX_MB } from '../lib/files/bounded-file-system.ts';
import { createMemoryFileSystem } from '../lib/files/memory-file-system.ts';
import type { ChatOptionValues } from '../options/option-values.ts';
import { checkOptions } from '../options/read.ts';
import type { ConversationPorts } from '../round/chat/conversation.ts';
import type { ConversationModelSettings } from '../run/chat/settings.ts';
import { type CommonPorts, type RunRequest, readOptions } from '../run/options.ts';
import { redactedEmit } from '../run/redacted-emit.ts';
import type { ToolsOptions } from '../run/start/make-run.ts';
import { MAX_GOAL } from '../schema/config.ts';
import type { Emit, SessionEmit } from '../schema/events/events.ts';
import type { MessageLimits } from '../schema/journal/limits.ts';
import type { Message } from '../schema/model/messages.ts';
import type { JournalPlace, SessionSelection } from './open-journal.ts';
import { checkedMessages } from './transcripts/imported-messages.ts';

/** Each option is a row of the table of options. */
export interface SessionOptions extends ChatOptionValues, CommonPorts {
  /** The name of the session, or the number of an existing one. Left out: a new one. */
  readonly name?: string;
  /** Instead of a name: any text, matched exactly. The session of that key continues, or begins. */
  readonly key?: string;
  /** Instead of both: its id (`[\w-]{1,64}`). That session continues, or begins with this id and `name`. */
  readonly run?: string;
  /** True continues the session of that name, which must exist; without a name, the one used last, if any. */
  readonly resume?: boolean;
  /**
   * `memory`: nothing is kept beyond this process, and only tools write files. Or another existing folder. Left out:
   * `workspace`.
   */
  readonly journal?: 'workspace' | 'memory' | { readonly folder: string };
  /** Replaces the first section of the system prompt. */
  readonly system?: string;
  /** Replaces the whole system prompt; '' for none. */
  readonly systemPrompt?: string;
  /** Earlier messages from elsewhere: a new session continues from them. */
  readonly messages?: readonly Message[];
  /** The last message of a person in `messages` has no answer yet: the session begins with it open. */
  readonly isUnanswered?: boolean;
  /** A single message from a command line: it is not listed, and is removed at a later start. */
  readonly once?: true;
  /** Gets every event; `send` may have an observer of its own. */
  readonly onEvent?: SessionEmit;
}

export interface SessionRequest extends ConversationModelSettings {
  readonly run: ToolsOptions & RunRequest;
  /** Gives the opening up. */
  readonly opening: AbortSignal;
  readonly messages: readonly Message[];
  readonly isUnanswered: boolean;
  readonly maxAttempts: number | undefined;
  /** Limits that this program sets; others stay as they were. */
  readonly limits: MessageLimits;
  readonly place: JournalPlace;
  readonly selection: SessionSelection;
  readonly emit: SessionEmit;
}

/** A conversation that a program holds open. */
export interface LiveSession extends ConversationPorts {
  readonly request: SessionRequest;
}

/** Throws E_USAGE for options that make no sense, before anything is opened. */
export function readSessionOptions(options: SessionOptions): SessionRequest {
  const { temperature, journal = 'workspace', onEvent = () => {}, run: id, ...rest } = options;
  // A conversation is stopped message by message; this signal stops its opening.
  const { signal: opening = new AbortController().signal, ...shared } = rest;
  // Of a run's events only those about its options are passed on.
  const emit: Emit = (event) => {
    if (event.type === 'notice') onEvent(event);
  };
  checkOptions(defined({ temperature: temperature ?? undefined }));
  const run = readOptions({ ...shared, goal: null, emit }, 'chat');
  return {
    run,
    opening,
    temperature: temperature ?? null,
    system: options.system ?? null,
    systemPrompt: options.systemPrompt ?? null,
    messages: checkedMessages(options.messages ?? []),
    isUnanswered: options.isUnanswered ?? false,
    maxAttempts: options.maxRetries,
    limits: defined({
      iterations: options.maxIterations,
      callsPerReply: options.maxToolCallsPerReply,
      calls: options.maxToolCalls,
      closes: options.closingTurn,
      freeIdle: options.freeIdleTurns,
    }),
    place: placeOf(journal, run),
    selection: {
      name: options.key === undefined ? nameOf(options.name) : keyOf(options.key),
      isKey: options.key !== undefined,
      mustBeThere: options.resume === true && options.name !== undefined,
      goOn: options.resume === true,
      ...defined({ isOnce: options.once, id }),
    },
    emit: redactedEmit(onEvent, run.redactor),
  };
}

function placeOf(journal: NonNullable<SessionOptions['journal']>, run: RunRequest): JournalPlace {
  const { fs } = run.machine;
  if (journal === 'memory') return memoryPlace(run);
  const folder = journal === 'workspace' ? run.workspace : journal.folder;
  return { fs, folder, isMemory: false };
}

const MEMORY = '/memory';
const BLOBS = /[\\/]blobs[\\/]/;

function memoryPlace({ machine: { clock } }: RunRequest): JournalPlace {
  const memory = createMemoryFileSystem({ now: () => clock.now() });
  memory.mkdir(MEMORY);
  const fs = keepingAtMost(MAX_MB, memory, (path) => BLOBS.test(path));
  return { fs, folder: MEMORY, isMemory: true };
}

const LONGEST_NAME = 200;
const LONGEST_KEY = 4_000;

function keyOf(key: string): string {
  if (key !== '' && key.length <= LONGEST_KEY) return key;
  throw misuse(
    `A key of ${key.length.toLocaleString('en')} characters cannot be used.`,
    `Give one of 1 to ${LONGEST_KEY.toLocaleString('en')}.`,
  );
}

function nameOf(name: string | undefined): string | null {
  if (name === undefined) return null;
  const plain = name.trim().normalize('NFC');
  if (plain !== '' && plain.length <= LONGEST_NAME && !/\p{Cc}/u.test(plain)) return plain;
  throw misuse(
    `A session cannot be called ${JSON.stringify(plain.slice(0, 60))}.`,
    `Give it a name of at most ${LONGEST_NAME} characters in one line.`,
  );
}

/** Throws E_USAGE for a message without text, one of blanks, or one that is too long. */
export function checkedMessage(text: string): string {
  const fault = messageFault(text);
  if (fault !== null) throw fault;
  return text;
}

export function messageFault(text: unknown): TardigradeError | null {
  if (typeof text !== 'string') return misuse('The message is not a text.', 'Give it as a string.');
  if (text.trim() === '') return misuse('The message is empty.', 'Say what you want.');
  if (text.length > MAX_GOAL)
    return misuse(
      `The message has more than ${MAX_GOAL.toLocaleString('en')} characters.`,
      'Put it into a file of the workspace, and name the file.',
    );
  return null;
}
