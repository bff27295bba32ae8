// Calls as JSON: {"name", "arguments"} and its relatives, bare in the text.
import { isRecord } from '../../lib/json-value.ts';
import type { CallCandidate, Family } from './candidate.ts';
import { barePieces, type JsonPiece } from './pieces.ts';
import { readJson } from './read-json.ts';

const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input'];
const NAME_KEYS = [
  ...['name', 'tool', 'tool_name', 'function_name', 'function', 'action'],
  'recipient_name',
];
/** Keys that wrap a call. */
const WRAPPERS = ['function', 'tool_call', 'function_call', 'tool_calls', 'tool_uses'];
const MAX_WRAPPED = 4;

/** JSON that never closes counts only if no other piece is a call: it may just contain them all. */
export const bareJsonCalls: Family = (text) => {
  const pieces = barePieces(text);
  const read = (piece: JsonPiece) => callsInJson(piece);
  const closed = pieces.filter((piece) => !piece.isIncomplete).flatMap(read);
  if (closed.length > 0) return closed;
  for (const piece of pieces.filter(({ isIncomplete }) => isIncomplete)) {
    const calls = read(piece);
    if (calls.length > 0) return calls;
  }
  return [];
};

/**
 * The calls that a piece of JSON stands for: one, a list of them, or none.
 * @param isMarked whether tags or tokens around it mark it as a call
 */
export function callsInJson(
  { text, at, end, isCut }: Pick<JsonPiece, 'text' | 'at' | 'end' | 'isCut'>,
  isMarked = false,
): readonly CallCandidate[] {
  const read = isCut ? null : readJson(text);
  const found = read === null ? [] : namedCalls(read.value, MAX_WRAPPED);
  if (found.length > 0) {
    return found.map(({ name, args, weight }) => ({
      name,
      args,
      at,
      end,
      weight: isMarked ? 'marked' : weight,
    }));
  }
  if (read !== null) return [];
  const name = nameAtStart(text);
  if (name === null && !(isMarked && text.startsWith('{'))) return [];
  const weight = isMarked ? 'marked' : 'explicit';
  return [{ name: name ?? '', args: null, at, end, weight }];
}

const NAME_AT_START =
  /^[[{\s]{0,20}["']?(?:name|tool|tool_name|function|action)["']?\s{0,4}:\s{0,4}["']([\w.:/-]{1,80})["']/;

/** The name in a call that is unreadable beyond it. */
const nameAtStart = (text: string): string | null =>
  NAME_AT_START.exec(text.slice(0, 300))?.[1] ?? null;

type NamedCall = Pick<CallCandidate, 'name' | 'args' | 'weight'>;

function namedCalls(value: unknown, depth: number): readonly NamedCall[] {
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((one) => namedCalls(one, depth - 1));
  if (!isRecord(value)) return [];
  const inner = WRAPPERS.map((key) => value[key]).find((one) => typeof one === 'object' && one);
  if (inner) return namedCalls(inner, depth - 1);
  const nameKey = NAME_KEYS.find((key) => typeof value[key] === 'string');
  const call = nameKey === undefined ? nameAsKey(value) : callNamedBy(nameKey, value);
  return call === null || describesTool(call.args) ? [] : [call];
}

function callNamedBy(key: string, value: Record<string, unknown>): NamedCall | null {
  const name = String(value[key]);
  const argumentKey = ARGUMENT_KEYS.find((candidate) => candidate in value);
  if (argumentKey !== undefined) return withArguments(name, value[argumentKey]);
  // Nothing says what its arguments are; a description beside it means a list of tools.
  return 'description' in value ? null : { name, args: null, weight: 'explicit' };
}

/** `{"write_file": {"path": …}}`: the beginning of a call, if the key is a tool. */
function nameAsKey(value: Record<string, unknown>): NamedCall | null {
  const [entry, ...others] = Object.entries(value);
  if (!entry || others.length > 0 || !isRecord(entry[1])) return null;
  return { name: entry[0], args: null, weight: 'explicit' };
}

/** A schema in place of the arguments means documentation. */
const describesTool = (args: Record<string, unknown> | null): boolean =>
  isRecord(args?.properties) && (args.type === 'object' || args.type === undefined);

/** Arguments may be JSON inside a string, as in the OpenAI format. */
function withArguments(name: string, value: unknown): NamedCall | null {
  const weight = 'explicit';
  const args = typeof value === 'string' ? readJson(value)?.value : (value ?? {});
  if (isRecord(args)) return { name, args, weight };
  return typeof value === 'string' ? { name, args: null, weight } : null;
}
