/** Pure: the log that some programs keep of a session: a line `{ timestamp, data: { type, … } }` per event. */
import { isRecord, jsonIn } from '../../lib/json-value.ts';

export interface LoggedMessage {
  /** Must be checked like any given message. */
  readonly message: { readonly [field: string]: unknown };
  /** A prompt typed by a person; if the log has user messages too, one of them repeats it. */
  readonly isPrompt: boolean;
}

/** The message in a line; `null` if the line is about something else, or belongs to no such log. */
export function loggedMessage(line: unknown): LoggedMessage | null {
  if (!isRecord(line) || !isRecord(line.data)) return null;
  const { type, role, content, toolCalls, callId, result, name } = line.data;
  if (type === 'user_prompt') return { message: { role: 'user', content }, isPrompt: true };
  if (type !== 'message') return null;
  if (role === 'tool') {
    const output = { content: textOf(result ?? content), toolCallId: callId };
    return {
      message: { role, ...output, ...(name === undefined ? {} : { name }) },
      isPrompt: false,
    };
  }
  const calls = Array.isArray(toolCalls) ? { toolCalls: toolCalls.map(callOf) } : {};
  return { message: { role, content, ...calls }, isPrompt: false };
}

const textOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** Programs name the parts of a call differently. */
function callOf(call: unknown): unknown {
  if (!isRecord(call)) return call;
  const named = isRecord(call.function) ? call.function : call;
  return {
    id: call.id ?? call.callId,
    name: named.name,
    args: parsed(
      named.args ?? named.arguments ?? named.argsJson ?? named.argumentsJson ?? named.input,
    ),
  };
}

function parsed(args: unknown): unknown {
  const value = typeof args === 'string' ? jsonIn(args) : args;
  return value === undefined ? args : value;
}
