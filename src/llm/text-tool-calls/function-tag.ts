// Qwen3-Coder's calls: <function=NAME><parameter=KEY>value</parameter></function>.
import { type CallCandidate, type Family, MAX_CANDIDATES } from './candidate.ts';

const HEAD = /<function=([\w.:-]{1,80})>/gi;
const PARAMETER = /<parameter=([\w.-]{1,80})>/gi;
const END = '</function>';
const END_OF_VALUE = '</parameter>';

export const functionTagCalls: Family = (text) => {
  const found: CallCandidate[] = [];
  let consumed = 0;
  for (const match of text.matchAll(HEAD)) {
    if (match.index < consumed) continue;
    if (found.length >= MAX_CANDIDATES) break;
    const [head, name = ''] = match;
    const start = match.index + head.length;
    const close = text.indexOf(END, start);
    const end = close < 0 ? text.length : close;
    consumed = end;
    // Without its end tag, more arguments may have been meant.
    const read = close < 0 ? UNREAD : readBody(text.slice(start, end));
    found.push({ name, at: match.index, end, weight: 'marked', ...read });
  }
  return found.map((call, index) =>
    goesOn(text.slice(call.end + END.length, found[index + 1]?.at)) ? { ...call, ...UNREAD } : call,
  );
};

/** True if the call may go on: another end tag after its end means that one of the two is part of a value. */
const goesOn = (behind: string): boolean => behind.includes(END) || behind.includes(END_OF_VALUE);

const UNREAD = { args: null, untyped: true };

function readBody(body: string): Pick<CallCandidate, 'args' | 'untyped'> {
  const openings = [...body.matchAll(PARAMETER)];
  const args: [string, string][] = [];
  if (body.slice(0, openings[0]?.index).trim() !== '') return UNREAD;
  let next = 0;
  for (const [position, opening] of openings.entries()) {
    const start = opening.index + opening[0].length;
    const limit = openings[position + 1]?.index ?? body.length;
    if (next < start) next = indexOrEnd(body, END_OF_VALUE, start);
    // A value without its end tag, or with text behind it, may differ from what was meant.
    if (next >= limit || body.slice(next + END_OF_VALUE.length, limit).trim() !== '') return UNREAD;
    args.push([opening[1] ?? '', withoutFraming(body.slice(start, next))]);
  }
  const isTwice = new Set(args.map(([key]) => key)).size < args.length;
  return isTwice ? UNREAD : { args: Object.fromEntries(args), untyped: true };
}

const indexOrEnd = (text: string, wanted: string, from: number): number => {
  const index = text.indexOf(wanted, from);
  return index < 0 ? text.length : index;
};

/** The format puts a value on lines of its own; the line breaks around it are not part of it. */
const withoutFraming = (value: string): string =>
  /^\r?\n/.test(value) ? value.replace(/^\r?\n/, '').replace(/\r?\n$/, '') : value;
