/**
 * Pure: reads messages of a conversation that was held elsewhere, in the forms in which programs store them:
 * that of this library, the transcript of `agent export NAME`, the plain form of most chat APIs, a log.
 */
import * as z from 'zod';
import { MISSING_RESULT } from '../../drivers/chat/transcript.ts';
import { defined } from '../../lib/defined.ts';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { jsonIn } from '../../lib/json-value.ts';
import { takes } from '../../lib/takes.ts';
import { isPartTooDeep, isTooDeep } from '../../llm/wire/nesting.ts';
import type { Message, ToolCall } from '../../schema/model/messages.ts';
import { loggedMessage } from './session-log.ts';

/** A message as in chat APIs: the arguments of a call are JSON inside a string. */
export interface PlainMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Of a result: the tool. */
  readonly name?: string;
  /** Of a result: the call that it belongs to. */
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: 'function';
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** The same messages in the plain form. */
export function plainMessages(messages: readonly Message[]): readonly PlainMessage[] {
  takes('plainMessages', 'a list', messages);
  return messages.map((message): PlainMessage => {
    const { role, content } = message;
    switch (role) {
      case 'system':
      case 'user':
        return { role, content };
      case 'tool':
        return { role, content, name: message.toolName, tool_call_id: message.toolCallId };
      case 'assistant': {
        const calls = (message.toolCalls ?? []).map(({ id, name, args }) => ({
          id,
          type: 'function' as const,
          function: { name, arguments: JSON.stringify(args) },
        }));
        return { role, content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
      }
      default:
        return message satisfies never;
    }
  });
}

const Args = z.record(z.string(), z.unknown());
const Id = z.string().min(1).max(500);
const content = z
  .string()
  .nullable()
  .default('')
  .transform((text) => text ?? '');

const OwnCall = z.lazy(() => z.object({ id: Id, name: Id, args: Args }));
const PlainCall = z.lazy(() =>
  z
    .object({ id: Id, function: z.object({ name: Id, arguments: z.string() }) })
    .transform(({ id, function: { name, arguments: text } }, context): ToolCall => {
      try {
        return { id, name, args: Args.parse(JSON.parse(text)) };
      } catch {
        context.addIssue({ code: 'custom', message: 'The arguments of a call are no JSON object' });
        return z.NEVER;
      }
    }),
);
const Block = z.lazy(() =>
  z.union([
    z.object({ type: z.literal('toolCall'), id: Id, name: Id, arguments: Args }),
    z.object({ type: z.string() }),
  ]),
);

const InputMessage = z.lazy(() =>
  z.discriminatedUnion('role', [
    z.object({ role: z.literal('system'), content }),
    z.object({ role: z.literal('user'), content }),
    z.object({
      role: z.literal('assistant'),
      content,
      thinking: z.string().optional(),
      model: z.string().max(500).optional(),
      opaque: z.object({ provider: z.string(), blocks: z.unknown() }).optional(),
      toolCalls: z.array(OwnCall).optional(),
      tool_calls: z.array(PlainCall).optional(),
      meta: z.object({ contentBlocks: z.array(Block).optional() }).optional(),
    }),
    z.object({
      role: z.literal('tool'),
      content,
      toolCallId: Id.optional(),
      tool_call_id: Id.optional(),
      toolName: z.string().optional(),
      name: z.string().optional(),
    }),
  ]),
);

/** Throws a `ZodError`. */
function messageIn(value: unknown): Message {
  const message = InputMessage.parse(value);
  switch (message.role) {
    case 'system':
    case 'user':
      return message;
    case 'tool': {
      const { toolCallId = message.tool_call_id ?? '', toolName = message.name ?? '' } = message;
      return { role: 'tool', content: message.content, toolCallId, toolName };
    }
    case 'assistant': {
      const { thinking, opaque, meta, role, model } = message;
      const blocks = (meta?.contentBlocks ?? []).flatMap((block): ToolCall[] =>
        'arguments' in block ? [{ id: block.id, name: block.name, args: block.arguments }] : [],
      );
      const toolCalls = message.toolCalls ?? message.tool_calls ?? blocks;
      return {
        role,
        content: message.content,
        ...defined({ thinking, opaque, model }),
        ...(toolCalls.length === 0 ? {} : { toolCalls }),
      };
    }
    default:
      return message satisfies never;
  }
}

/** The messages, with results after their calls in the calls' order. Throws E_USAGE for invalid ones. */
export function checkedMessages(messages: unknown): readonly Message[] {
  if (!Array.isArray(messages)) throw wrong('They are no list.');
  return inOrder(
    messages.flatMap((message, at) =>
      readable(() => [read(message, `Message ${at + 1}`)], refused),
    ),
    refused,
  );
}

/** An error whose message says, in a sentence, what is not a message. */
class NoMessage extends Error {}

/** Called for unreadable input: throws, or reports it so that it is skipped. */
type Unreadable = (what: string) => void;

function readable<Value>(work: () => Value[], unreadable: Unreadable): Value[] {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof NoMessage)) throw error;
    unreadable(error.message);
    return [];
  }
}

const refused: Unreadable = (what) => {
  throw wrong(what);
};

/** A call without a result gets one that says so. */
function inOrder(messages: readonly Message[], unreadable: Unreadable): readonly Message[] {
  const all: Message[] = [];
  let calls: readonly ToolCall[] = [];
  let results = new Map<string, Extract<Message, { role: 'tool' }>>();
  const close = (): void => {
    for (const { id, name } of calls) {
      const missing = { role: 'tool', content: MISSING_RESULT, toolCallId: id, toolName: name };
      all.push(results.get(id) ?? (missing as Message));
    }
    calls = [];
    results = new Map();
  };
  for (const message of messages) {
    if (message.role !== 'tool') {
      close();
      all.push(message);
      if (message.role === 'assistant') calls = message.toolCalls ?? [];
      continue;
    }
    const call = calls.find(({ id }) => id === message.toolCallId);
    const { toolCallId, toolName } = message;
    if (call === undefined)
      unreadable(`The result of ${JSON.stringify(toolCallId)} stands behind no such call.`);
    else results.set(toolCallId, { ...message, toolName: toolName || call.name });
  }
  close();
  return all;
}

/** How to treat lines that cannot be read. */
export interface ReadingMessages {
  /** Called for each unreadable line, which is skipped; left out: such a line is refused. */
  readonly onWarning?: (text: string) => void;
}

/**
 * The messages in a text: JSON lines of `agent export NAME`, lines of plain messages, a session's log, or one
 * JSON list of messages. Lines about anything else are skipped. Throws E_USAGE for unreadable lines that
 * `onWarning` does not get, and for any other text.
 */
export function readMessages(text: string, reading: ReadingMessages = {}): readonly Message[] {
  takes('readMessages', 'a text', text);
  const { onWarning: unreadable = refused } = reading;
  const start = text.trimStart();
  if (start.startsWith('['))
    return checkedMessages(readable(() => [parsed(start, 'The text')], refused)[0]);
  const found = text.split('\n').flatMap((line, at) => {
    const isEmpty = line.trim() === '';
    return isEmpty ? [] : readable(() => messagesIn(line, `Line ${at + 1}`), unreadable);
  });
  const isTold = found.some(({ message, isPrompt }) => message.role === 'user' && !isPrompt);
  const messages = found.flatMap(({ message, isPrompt }) => (isPrompt && isTold ? [] : [message]));
  return inOrder(messages, unreadable);
}

function messagesIn(line: string, where: string) {
  const value = parsed(line, where);
  if (typeof value === 'object' && value !== null && 'role' in value)
    return [{ message: read(value, where), isPrompt: false }];
  const logged = loggedMessage(value);
  return logged === null
    ? []
    : [{ message: read(logged.message, where), isPrompt: logged.isPrompt }];
}

function read(value: unknown, where: string): Message {
  try {
    const message = messageIn(value);
    if (isNestedTooDeep(message))
      throw new NoMessage(`${where}: a part of it is nested too deeply.`);
    return message;
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    const at = issue === undefined ? '' : issue.path.join('.');
    throw new NoMessage(
      `${where}${at === '' ? '' : `, ${at}`}: ${issue?.message ?? 'it is no message'}.`,
    );
  }
}

/** True for a message nested deeper than a model's own answer may be. */
const isNestedTooDeep = (message: Message): boolean =>
  message.role === 'assistant' &&
  (isPartTooDeep(message.opaque?.blocks) ||
    (message.toolCalls ?? []).some(({ args }) => isTooDeep(args)));

function parsed(text: string, where: string): unknown {
  const value = jsonIn(text);
  if (value === undefined) throw new NoMessage(`${where} is not JSON.`);
  return value;
}

const wrong = (what: string): TardigradeError =>
  misuse(
    `These are not messages of a conversation. ${what}`,
    'Give an exported conversation, or messages with role and content.',
  );
