// Qwen3-Coder's calls, <function=NAME><parameter=KEY>value</parameter></function>, and others'
// <invoke name="NAME"><parameter name="KEY">value</parameter></invoke>.
import { isRecord } from '../../lib/json-value.ts';
import { type Candidate, type Family, MOST_CANDIDATES } from './candidate.ts';
import { readJson } from './read-json.ts';

const HEAD = /<(｜DSML｜)?(function|invoke)(?:=|\s{1,4}name=)"?([\w.:-]{1,80})"?\s{0,4}>/gi;
const PARAMETER =
  /<(?:｜DSML｜)?parameter(?:=|\s{1,4}name=)"?([\w.-]{1,80})"?(?:\s{1,4}string="\w{1,5}")?\s{0,4}>/gi;

export const functionTagCalls: Family = (text) => {
  const found: Candidate[] = [];
  let consumed = 0;
  for (const match of text.matchAll(HEAD)) {
    if (match.index < consumed) continue;
    if (found.length >= MOST_CANDIDATES) break;
    const [head, mark = '', tag = '', name = ''] = match;
    const start = match.index + head.length;
    const close = text.indexOf(`</${mark}${tag}>`, start);
    const end = close < 0 ? text.length : close;
    consumed = end;
    const read = readBody(text.slice(start, end), `</${mark}parameter>`, close >= 0);
    found.push({ name, at: match.index, end, weight: 'marked', ...read });
  }
  return found;
};

const UNREAD = { args: null };

type Body = Pick<Candidate, 'args' | 'untyped'>;

function readBody(body: string, close: string, isClosed: boolean): Body {
  const openings = [...body.matchAll(PARAMETER)];
  if (openings.length === 0) return readJsonBody(body, isClosed);
  const args: [string, string][] = [];
  // Without its end tag, more arguments may have been meant.
  if (!isClosed || body.slice(0, openings[0]?.index).trim() !== '') return UNREAD;
  let next = 0;
  for (const [position, opening] of openings.entries()) {
    const start = opening.index + opening[0].length;
    const limit = openings[position + 1]?.index ?? body.length;
    if (next < start) next = indexOrEnd(body, close, start);
    const end = Math.min(next, limit);
    // A value without its end tag, or with text behind it, may differ from what was meant.
    const isWhole =
      next < limit &&
      /^\s*(?:<\/\w+>\s*)?$/.test(body.slice(end + close.length, limit).slice(0, 80));
    if (!isWhole) return UNREAD;
    args.push([opening[1] ?? '', withoutFraming(body.slice(start, end))]);
  }
  const isTwice = new Set(args.map(([key]) => key)).size < args.length;
  return isTwice ? UNREAD : { args: Object.fromEntries(args), untyped: true };
}

const indexOrEnd = (text: string, wanted: string, from: number): number => {
  const index = text.indexOf(wanted, from);
  return index < 0 ? text.length : index;
};

/** <function=NAME>{…}</function>, or nothing for a tool without arguments. */
function readJsonBody(body: string, isClosed: boolean): Body {
  const text = body.trim().replace(/<\/?tool_call>$/, '');
  if (text === '') return isClosed ? { args: {} } : UNREAD;
  const value = readJson(text)?.value;
  return isRecord(value) ? { args: value } : UNREAD;
}

/** The format puts a value on lines of its own; the line breaks around it are not part of it. */
const withoutFraming = (value: string): string =>
  /^\r?\n/.test(value) ? value.replace(/^\r?\n/, '').replace(/\r?\n$/, '') : value;
