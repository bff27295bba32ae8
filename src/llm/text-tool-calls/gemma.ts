// Gemma's calls: <|tool_call>call:NAME{key:<|"|>text<|"|>}<tool_call|>, and FunctionGemma's
// <start_function_call>call:NAME{key:<escape>text<escape>}<end_function_call>.

import { endOfString } from '../../lib/quoted.ts';
import { type Candidate, type Family, isRecord, MOST_CANDIDATES } from './candidate.ts';
import { readJson } from './read-json.ts';

const HEAD =
  /(?:<\|?tool_call\|?>|<start_function_call>)\s{0,20}call:\s{0,4}([\w.:-]{1,80})\s{0,4}(?=\{)/g;
const QUOTES = ['<|"|>', '<escape>'];

export const gemmaCalls: Family = (text) => {
  const found: Candidate[] = [];
  let consumed = 0;
  for (const match of text.matchAll(HEAD)) {
    if (match.index < consumed) continue;
    if (found.length >= MOST_CANDIDATES) break;
    const { json, end } = asJson(text, match.index + match[0].length);
    consumed = end;
    const read = json === null ? null : readJson(json);
    found.push({
      ...{ name: match[1] ?? '', at: match.index, end, form: 'gemma', weight: 'marked' },
      args: read !== null && isRecord(read.value) ? read.value : null,
      repaired: read?.repaired ?? true,
    });
  }
  return found;
};

const WORD = /[A-Za-z_][\w.-]{0,80}/y;
const KEY_FOLLOWS = /\s{0,4}:/y;

/** The object that begins at `start`, its words and quotes written as JSON has them. */
function asJson(text: string, start: number): { json: string | null; end: number } {
  const cut = { json: null, end: text.length };
  const parts: string[] = [];
  let depth = 0;
  let position = start;
  while (position < text.length) {
    const quote = QUOTES.find((one) => text.startsWith(one, position));
    if (quote !== undefined) {
      const close = text.indexOf(quote, position + quote.length);
      if (close < 0) return cut;
      parts.push(JSON.stringify(text.slice(position + quote.length, close)));
      position = close + quote.length;
      continue;
    }
    const character = text[position] ?? '';
    const stringEnd = character === '"' ? endOfString(text, position) : 0;
    if (stringEnd < 0) return cut;
    WORD.lastIndex = position;
    const token =
      stringEnd > 0 ? text.slice(position, stringEnd) : (WORD.exec(text)?.[0] ?? character);
    position += token.length;
    KEY_FOLLOWS.lastIndex = position;
    const isBareKey = /^[A-Za-z_]/.test(token) && KEY_FOLLOWS.test(text);
    parts.push(isBareKey ? JSON.stringify(token) : token);
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 0) return { json: parts.join(''), end: position };
  }
  return cut;
}
