/** The log that some programs keep of a session: a line `{ timestamp, data: { type, … } }` for whatever happens. Pure. */

type Fields = { readonly [field: string]: unknown };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface LoggedMessage {
  /** To be checked like any message that is given. */
  readonly message: Fields;
  /** What a person typed: where the log has the messages of the user as well, it is one of them. */
  readonly isPrompt: boolean;
}

/** The message in a line; `null` where it tells of something else, or is of no such log. */
export function loggedMessage(line: unknown): LoggedMessage | null {
  if (!isFields(line) || !isFields(line.data)) return null;
  const { type, role, content, toolCalls, callId, result, name } = line.data;
  if (type === 'user_prompt') return { message: { role: 'user', content }, isPrompt: true };
  if (type !== 'message') return null;
  if (role === 'tool') {
    const told = { content: textOf(result ?? content), toolCallId: callId };
    return { message: { role, ...told, ...(name === undefined ? {} : { name }) }, isPrompt: false };
  }
  const calls = Array.isArray(toolCalls) ? { toolCalls: toolCalls.map(callOf) } : {};
  return { message: { role, content, ...calls }, isPrompt: false };
}

const textOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** Programs do not agree on the names of a call's parts. */
function callOf(call: unknown): unknown {
  if (!isFields(call)) return call;
  const named = isFields(call.function) ? call.function : call;
  return {
    id: call.id ?? call.callId,
    name: named.name,
    args: parsed(
      named.args ?? named.arguments ?? named.argsJson ?? named.argumentsJson ?? named.input,
    ),
  };
}

function parsed(args: unknown): unknown {
  if (typeof args !== 'string') return args;
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}
