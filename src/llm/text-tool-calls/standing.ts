// Whether a call in a reply is meant or only shown, judged by its position; no word around it is read.
import type { CallCandidate } from './candidate.ts';

/**
 * `shown`: inside a sentence, a quotation or code between backticks. `unclear`: it may be an example, so it is carried
 * out if the tool is read-only, and asked for again otherwise.
 */
export type CallStanding = 'meant' | 'unclear' | 'shown';

/** What may stand directly before a call, and behind one. */
const MARK = /(?:<[^<>\n]{1,40}>|\[[A-Z_/]{1,30}\]|```\w{0,20}|[\s;,\]}\0])/;
const OPENING = new RegExp(`${MARK.source}{1,20}$`);
const CLOSING = new RegExp(`^${MARK.source}{1,20}`);
const LOOKED_AT = 240;
const WORD_FIRST = /^[\p{L}\p{N}]/u;
const WORD_LAST = /[\p{L}\p{N}]$/u;

/**
 * A reply that means its call states it and stops. A call behind a colon, with a word beside it on its line, or with
 * text behind it may be an example.
 * @param from where the call before it ends, 0 for the first
 * @param to where the call after it begins, `null` for the last
 */
export function callStandingOf(
  text: string,
  call: CallCandidate,
  from: number,
  to: number | null,
): CallStanding {
  const before = text.slice(Math.max(from, call.at - LOOKED_AT), call.at);
  const lineBefore = before.slice(before.lastIndexOf('\n') + 1).trim();
  const behind = text.slice(call.end, Math.min(to ?? text.length, call.end + LOOKED_AT));
  const lineBehind = (
    behind.replace(CLOSING, (marks) => marks.replace(/[^\n]/g, ' ')).split('\n', 1)[0] ?? ''
  ).trim();
  const isQuoted = lineBefore.startsWith('>');
  const isInBackticks = lineBefore.endsWith('`') && !lineBefore.endsWith('```');
  const [isBegun, goesOn] = [WORD_LAST.test(lineBefore), WORD_FIRST.test(lineBehind)];
  if (isQuoted || isInBackticks || (isBegun && goesOn)) return 'shown';
  const introduction = before.replace(OPENING, '').at(-1) ?? '';
  const isIntroduced = introduction.normalize('NFKC') === ':';
  const isExplained = to === null && behind.replace(CLOSING, '') !== '';
  const isUnclear = call.isInCode === true || isIntroduced || isExplained || isBegun || goesOn;
  return isUnclear ? 'unclear' : 'meant';
}

/** What a model writes if it does not yet know the value. */
export function placeholderIn(args: Record<string, unknown>): string | null {
  for (const value of Object.values(args)) {
    if (typeof value !== 'string' || value.length > 60) continue;
    const text = value.trim();
    if (text === '...' || text === '…' || /^<[a-z][\w -]*>$/i.test(text)) return text;
  }
  return null;
}

const RESULT =
  /<\/?(?:tool_response|tool_result|function_results?)>|\[TOOL_RESULTS\]|<[｜|]tool[▁_]output|<\|ipython\|>/gi;

/** Where the model begins to invent results of its calls; everything after that is unfounded. */
export function inventedFrom(text: string, calls: readonly CallCandidate[]): number {
  for (const { index } of text.matchAll(RESULT)) {
    if (!calls.some((call) => call.at < index && index < call.end)) return index;
  }
  return text.length;
}
