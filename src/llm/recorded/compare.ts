// Pure: how a request differs from a recorded one; `null` if it does not.

import stringify from 'fast-json-stable-stringify';
import { sha256 } from '../../lib/sha256.ts';
import { sharedLength } from '../../lib/shared-length.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { ModelRequest } from '../../schema/model/turn.ts';
import type { RecordedMessage, RecordedRequest, RecordedTurn } from './recording.ts';

/** Blocks that only their own provider reads are compared without the name of their sender. */
const textOf = (message: RecordedMessage): string =>
  stringify(
    message.role === 'assistant' && message.opaque
      ? { ...message, opaque: message.opaque.blocks }
      : message,
  );

export interface WholeTurn {
  readonly turn: RecordedTurn;
  readonly messages: readonly RecordedMessage[];
}

export type AskedRequest = Omit<ModelRequest, 'messages'> & {
  readonly messages: readonly RecordedMessage[];
};

type Hashed = RecordedRequest['tools'];

/** The part of a message that is sent. */
export function recordedMessage(message: Message): RecordedMessage {
  const { role, content } = message;
  switch (role) {
    case 'system':
      return { role, content };
    case 'user': {
      const images = message.images?.map((image) => ({ sha256: sha256(stringify(image)) }));
      return { role, content, ...(images?.length ? { images } : {}) };
    }
    case 'assistant': {
      const { thinking, toolCalls, opaque } = message;
      return {
        role,
        content,
        ...(thinking === undefined ? {} : { thinking }),
        ...(toolCalls ? { toolCalls: [...toolCalls] } : {}),
        ...(opaque ? { opaque } : {}),
      };
    }
    case 'tool':
      return { role, content, toolCallId: message.toolCallId, toolName: message.toolName };
  }
}

export const hashedTools = (request: Pick<ModelRequest, 'tools'>): Hashed =>
  request.tools?.length
    ? { sha256: sha256(stringify(request.tools)), names: request.tools.map((tool) => tool.name) }
    : null;

export const hashedSchema = (request: Pick<ModelRequest, 'responseSchema'>): Hashed =>
  request.responseSchema
    ? {
        sha256: sha256(stringify(request.responseSchema)),
        names: Object.keys(Object(request.responseSchema.properties)),
      }
    : null;

/** A sentence about the first difference, or `null`. */
export function difference(
  request: AskedRequest,
  recorded: WholeTurn,
  match: RecordedTurn['match'] = recorded.turn.match,
): string | null {
  const { turn, messages } = recorded;
  const byShape = match === 'shape';
  const inMessages = byShape
    ? shapeDifference(request.messages, messages)
    : messageDifference(request.messages, messages);
  if (inMessages !== null || byShape) return inMessages;
  return (
    hashDifference('tools', turn.request.tools, hashedTools(request)) ??
    hashDifference('answer schema', turn.request.schema, hashedSchema(request)) ??
    valueDifference('temperature', turn.request.temperature, request.temperature) ??
    valueDifference('seed', turn.request.seed, request.seed)
  );
}

const NO_MESSAGE: RecordedMessage = { role: 'system', content: '' };

/** How many messages from the start are equal: the recorded turn with the most was probably meant. */
export function equalMessages(request: AskedRequest, recorded: WholeTurn): number {
  const index = recorded.messages.findIndex(
    (message, at) => textOf(message) !== textOf(request.messages[at] ?? NO_MESSAGE),
  );
  return index < 0 ? recorded.messages.length : index;
}

function messageDifference(
  asked: readonly RecordedMessage[],
  recorded: readonly RecordedMessage[],
): string | null {
  for (let index = 0; index < Math.max(asked.length, recorded.length); index += 1) {
    const [was, is] = [recorded[index], asked[index]];
    if (was && is && textOf(was) === textOf(is)) continue;
    if (!was) return `message ${index + 1} (${is?.role}) is new: ${excerpt(is?.content ?? '', 0)}`;
    if (!is) return `message ${index + 1} (${was.role}) is missing: ${excerpt(was.content, 0)}`;
    return `message ${index + 1} differs: ${contrast(was, is)}`;
  }
  return null;
}

function shapeDifference(
  asked: readonly RecordedMessage[],
  recorded: readonly RecordedMessage[],
): string | null {
  const roles = (messages: readonly RecordedMessage[]): string =>
    messages.map((message) => message.role).join(' ');
  if (roles(asked) !== roles(recorded))
    return `the order of roles differs: ${recorded.length} messages recorded, ${asked.length} asked`;
  const [was, is] = [recorded.at(-1), asked.at(-1)];
  if (!was || !is || normalise(was.content) === normalise(is.content)) return null;
  return `the newest message differs in more than numbers and paths: ${contrast(was, is)}`;
}

/** Paths, times and numbers differ between machines and do not change what is asked. */
const normalise = (text: string): string =>
  text
    .replace(/(?:[A-Za-z]:)?(?:[\\/][\w.@~+-]+){2,}[\\/]?/g, '<path>')
    .replace(/\d+(?:[.:,]\d+)*/g, '<n>')
    .replace(/\s+/g, ' ')
    .trim();

function contrast(was: RecordedMessage, is: RecordedMessage): string {
  if (was.role !== is.role) return `recorded as ${was.role}, asked as ${is.role}`;
  if (was.content === is.content)
    return `${was.role}: its text is the same, its calls, ids or images are not`;
  const at = sharedLength(was.content, is.content);
  const line = was.content.slice(0, at).split('\n').length;
  return `${was.role}, line ${line}\n  recorded: ${excerpt(was.content, at)}\n  asked:    ${excerpt(is.content, at)}`;
}

/** Some words before the place, and what follows. */
const excerpt = (text: string, at: number): string =>
  JSON.stringify(text.slice(Math.max(0, at - 30), at + 60));

function hashDifference(what: string, was: Hashed, is: Hashed): string | null {
  if (was?.sha256 === is?.sha256) return null;
  const names = (hashed: Hashed): string => (hashed ? `[${hashed.names.join(', ')}]` : 'none');
  return `the ${what} differ: recorded ${names(was)}, asked ${names(is)}${names(was) === names(is) ? ' (same names, other content)' : ''}`;
}

const valueDifference = (what: string, was: number | null, is: number | null): string | null =>
  was === is ? null : `the ${what} differs: recorded ${was}, asked ${is}`;
