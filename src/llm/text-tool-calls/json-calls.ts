// Calls as JSON: {"name", "arguments"} and its relatives, bare in the text.
import { type Candidate, type Family, isRecord } from './candidate.ts';
import { barePieces } from './pieces.ts';
import { readJson } from './read-json.ts';

const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input'];
const NAME_KEYS = ['name', 'tool', 'tool_name', 'function_name', 'function', 'action'];

/** A piece that never closes counts only where no other one is a call: it may just hold them all. */
export const bareJsonCalls: Family = (text) => {
  const pieces = barePieces(text);
  const callsAmong = (isOpen: boolean): readonly Candidate[] =>
    pieces
      .filter((piece) => piece.isOpen === isOpen)
      .flatMap((piece) => callsInJson(piece.text, 'json', piece.at));
  const closed = callsAmong(false);
  return closed.length > 0 ? closed : callsAmong(true);
};

/** The calls a piece of JSON stands for: one, a list of them, or none. */
export function callsInJson(piece: string, form: string, at: number): readonly Candidate[] {
  const read = readJson(piece);
  if (read === null) return [];
  const values = Array.isArray(read.value) ? read.value : [read.value];
  return values.flatMap((value) => {
    const call = callIn(value);
    return call === null ? [] : [{ ...call, at, form, repaired: read.repaired || call.repaired }];
  });
}

type NamedCall = Pick<Candidate, 'name' | 'args' | 'repaired'>;

function callIn(value: unknown): NamedCall | null {
  if (!isRecord(value)) return null;
  const inner = value.function ?? value.tool_call ?? value.function_call;
  if (isRecord(inner)) return callIn(inner);
  for (const key of NAME_KEYS) {
    const name = value[key];
    if (typeof name !== 'string') continue;
    const argumentKey = ARGUMENT_KEYS.find((candidate) => candidate in value);
    if (argumentKey !== undefined) return withArguments(name, value[argumentKey]);
    // The arguments may stand beside the name.
    const { [key]: _, type: __, id: ___, ...args } = value;
    return { name, args, repaired: false };
  }
  return nameAsKey(value);
}

/** `{"write_file": {"path": …}}`; whether that is a tool is for the caller to say. */
function nameAsKey(value: Record<string, unknown>): NamedCall | null {
  const [entry, ...others] = Object.entries(value);
  if (!entry || others.length > 0 || !isRecord(entry[1])) return null;
  return { name: entry[0], args: entry[1], repaired: false };
}

/** Arguments may be JSON once more, as the OpenAI form has them. */
function withArguments(name: string, value: unknown): NamedCall | null {
  if (value === null || value === undefined) return { name, args: {}, repaired: false };
  if (isRecord(value)) return { name, args: value, repaired: false };
  if (typeof value !== 'string') return null;
  const read = readJson(value);
  return read !== null && isRecord(read.value)
    ? { name, args: read.value, repaired: read.repaired }
    : null;
}
