/**
 * The lines of a caller that are messages. Every other line is answered with JSON-RPC's error for it, and the
 * connection goes on. A line that is too long is not kept while its end is looked for.
 */
import { isRecord, jsonIn } from '../lib/json-value.ts';

export interface LineRules {
  /** The longest line, with its end. */
  readonly mostBytes: number;
  /** Whether a value is a whole request, notification or response of the protocol. */
  isMessage(value: unknown): boolean;
  /** Takes a whole line with its end. */
  answer(line: string): void;
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;
const NEWLINE = 10;

/** Whole lines with their ends; a last line without an end is dropped. */
export async function* messageLines(
  input: AsyncIterable<Uint8Array>,
  { mostBytes, isMessage, answer }: LineRules,
): AsyncGenerator<Buffer> {
  const refuse = (id: string | number | null, code: number, message: string): void =>
    answer(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  for await (const line of wholeLines(input, mostBytes)) {
    if (line === null) {
      refuse(null, INVALID_REQUEST, `A message has at most ${mostBytes} bytes.`);
      continue;
    }
    const text = line.toString('utf8').trim();
    if (text === '') continue;
    const value = jsonIn(text);
    if (isMessage(value)) yield line;
    else if (value === undefined) refuse(null, PARSE_ERROR, 'That line is not JSON.');
    else if (!isUnanswered(value)) refuse(idOf(value), ...faultOf(value));
  }
}

/** Nobody waits for an answer to a response or a notification. */
const isUnanswered = (value: unknown): boolean =>
  isRecord(value) && ('result' in value || 'error' in value || (isCall(value) && !('id' in value)));

const isCall = ({ jsonrpc, method }: Record<string, unknown>): boolean =>
  jsonrpc === '2.0' && typeof method === 'string';

function idOf(value: unknown): string | number | null {
  const { id } = isRecord(value) ? value : {};
  return isId(id) ? id : null;
}

const isId = (id: unknown): id is string | number =>
  typeof id === 'string' || Number.isSafeInteger(id);

function faultOf(value: unknown): [code: number, message: string] {
  if (Array.isArray(value)) return [INVALID_REQUEST, 'Each message is a line of its own.'];
  return isRecord(value) && isCall(value) && idOf(value) !== null
    ? [INVALID_PARAMS, 'The params are not what the protocol has there.']
    : [INVALID_REQUEST, 'That is no request of JSON-RPC 2.0.'];
}

/** Yields `null` for a line as soon as it is too long. */
async function* wholeLines(
  input: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<Buffer | null> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    let rest = chunk;
    while (rest.length > 0) {
      const end = rest.indexOf(NEWLINE);
      const piece = end < 0 ? rest : rest.subarray(0, end + 1);
      rest = rest.subarray(piece.length);
      const isTooLong = length + piece.length > mostBytes;
      if (isTooLong && length <= mostBytes) yield null;
      length += piece.length;
      if (isTooLong) pieces = [];
      else pieces.push(piece);
      if (end < 0) continue;
      if (!isTooLong) yield Buffer.concat(pieces);
      pieces = [];
      length = 0;
    }
  }
}
