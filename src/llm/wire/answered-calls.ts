/**
 * Pure: what every API requires of a conversation, whatever an engine or a person put into it: each call of the model
 * has a unique id and is followed at once by exactly one result.
 *
 * 1. A call without a result gets one that says so.
 * 2. A result stands directly behind the reply with its call, before anything said since.
 * 3. A result that belongs to no call of the last reply becomes text of the user.
 */
import type { Message } from '../../schema/model/messages.ts';

const NO_RESULT = 'There is no result of this call.';

type Reply = Extract<Message, { role: 'assistant' }>;
type Result = Extract<Message, { role: 'tool' }>;

interface Manner {
  /** The text of a missing result. */
  readonly missing?: string;
  /** Converts an id to the form that an API requires. */
  readonly wireId?: (id: string) => string;
}

export function answeredCalls(
  messages: readonly Message[],
  { missing = NO_RESULT, wireId = (id) => id }: Manner = {},
): readonly Message[] {
  const whole: Message[] = [];
  const taken = new Set<string>();
  let open: OpenCall[] = [];
  let since: Message[] = [];
  const close = (): void => {
    for (const { name, id } of open)
      whole.push({ role: 'tool', content: missing, toolCallId: id, toolName: name });
    whole.push(...since);
    open = [];
    since = [];
  };
  for (const message of messages) {
    if (message.role === 'assistant') {
      close();
      const reply = withOwnIds(message, (id) => uniqueId(wireId(id), taken));
      whole.push(reply);
      open = openCalls(message, reply);
    } else if (message.role === 'tool') {
      const at = open.findIndex(({ originalId }) => originalId === message.toolCallId);
      const [call] = at < 0 ? [] : open.splice(at, 1);
      if (call) whole.push({ ...message, toolCallId: call.id });
      else since.push(asWords(message));
    } else since.push(message);
  }
  close();
  return whole;
}

interface OpenCall {
  readonly name: string;
  /** The id that it came with, and the one that no other call has. */
  readonly originalId: string;
  readonly id: string;
}

const openCalls = ({ toolCalls = [] }: Reply, reply: Reply): OpenCall[] =>
  toolCalls.map(({ name, id }, at) => ({
    name,
    originalId: id,
    id: reply.toolCalls?.[at]?.id ?? id,
  }));

function withOwnIds(reply: Reply, ownId: (id: string) => string): Reply {
  if (!reply.toolCalls?.length) return reply;
  return { ...reply, toolCalls: reply.toolCalls.map((call) => ({ ...call, id: ownId(call.id) })) };
}

/** Adds the returned id to `taken`. */
function uniqueId(wanted: string, taken: Set<string>): string {
  let free = wanted;
  for (let n = 2; taken.has(free); n += 1) free = `${wanted}_${n}`;
  taken.add(free);
  return free;
}

/**
 * Gives every new call an id that no other call of the conversation has. A missing id is derived from the position in
 * the conversation, so that a repeated turn produces the same one.
 */
export function callIds(messages: readonly Message[]): (id: string) => string {
  const taken = new Set(
    messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => call.id) : [],
    ),
  );
  let count = 0;
  return (id) => {
    count += 1;
    return uniqueId(id || `call_${messages.length}_${count}`, taken);
  };
}

/** For a result that cannot have a role of its own there. */
export const resultWords = ({ toolName, content }: Omit<Result, 'role' | 'toolCallId'>): string =>
  `Result of ${toolName}:\n${content}`;

const asWords = (result: Result): Message => ({ role: 'user', content: resultWords(result) });
