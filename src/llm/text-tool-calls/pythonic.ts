// Calls as Python: [f(a="x", b=1)], bare or between tokens, with keyword arguments that are literals.

import { afterItem, readLiteral, skipSpace } from '../../lib/literal.ts';
import { type Candidate, type Family, MOST_CANDIDATES } from './candidate.ts';

/** What stands between these is nothing but calls. */
const BLOCKS: readonly (readonly [open: string, close: string])[] = [
  ['<|tool_call_start|>', '<|tool_call_end|>'],
  ['<|python_start|>', '<|python_end|>'],
  ['<|python_tag|>', '<|eom_id|>'],
  ['<function_calls>', '</function_calls>'],
  ['```tool_code', '```'],
];

/** Without tokens only what is the whole answer counts: prose is full of parentheses. */
export const pythonicCalls: Family = (text) => {
  const marked = BLOCKS.flatMap(([open, close]) => blocks(text, open, close));
  return marked.length > 0 ? marked : wholeAnswer(text);
};

function blocks(text: string, open: string, close: string): readonly Candidate[] {
  const found: Candidate[] = [];
  let at = text.indexOf(open);
  while (at >= 0 && found.length < MOST_CANDIDATES) {
    const start = at + open.length;
    const closing = text.indexOf(close, start);
    const end = closing < 0 ? text.length : closing;
    const place = { at, end, form: 'python', weight: 'marked' } as const;
    found.push(...callsIn(text.slice(start, end)).map((call) => ({ ...place, ...call })));
    at = text.indexOf(open, end);
  }
  return found;
}

function wholeAnswer(text: string): readonly Candidate[] {
  const trimmed = text.trim();
  const fence = /^```(?:python|py)\s/.exec(trimmed);
  const isInCode =
    fence !== null && trimmed.endsWith('```') && trimmed.length > fence[0].length + 3;
  const body = isInCode ? trimmed.slice(fence[0].length, -3) : trimmed;
  const weight = body.startsWith('[') ? 'explicit' : 'implied';
  const found = callsIn(body);
  if (found.some((call) => call.args === null)) return [];
  const place = { at: 0, end: text.length, form: 'python', weight, isInCode } as const;
  return found.map((call) => ({ ...place, ...call }));
}

type PlacelessCall = Pick<Candidate, 'name' | 'args' | 'repaired'>;

const HEAD = /(?:print\(\s{0,4})?([A-Za-z_][\w.-]{0,80})\(/y;

/** All or nothing: a block with anything else in it is not a list of calls. */
function callsIn(body: string): readonly PlacelessCall[] {
  const list = body.trim();
  const text = list.startsWith('[') && list.endsWith(']') ? list.slice(1, -1) : list;
  const calls: PlacelessCall[] = [];
  let position = skipSpace(text, 0);
  while (position < text.length && calls.length < MOST_CANDIDATES) {
    HEAD.lastIndex = position;
    const head = HEAD.exec(text);
    if (!head) return [];
    const name = (head[1] ?? '').replace(/\.call$/, '');
    const read = readArguments(text, HEAD.lastIndex);
    if (read === null) return [{ name, args: null, repaired: true }];
    calls.push({ name, args: read.args, repaired: false });
    position = read.end;
    if (head[0].startsWith('print(') && text[position] === ')') position += 1;
    while (/[\s,;]/.test(text[position] ?? '')) position += 1;
  }
  return calls;
}

const KEY = /([A-Za-z_]\w{0,80})\s{0,4}=\s{0,4}/y;

function readArguments(
  text: string,
  start: number,
): { args: Record<string, unknown>; end: number } | null {
  const args: [string, unknown][] = [];
  let position = skipSpace(text, start);
  while (text[position] !== ')') {
    KEY.lastIndex = position;
    const key = KEY.exec(text);
    const value = key && readLiteral(text, KEY.lastIndex);
    const next = value && afterItem(text, value.end, ')');
    if (!key || !value || next === null) return null;
    args.push([key[1] ?? '', value.value]);
    position = next;
  }
  return { args: Object.fromEntries(args), end: position + 1 };
}
