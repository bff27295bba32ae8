// Python literals, as far as calls use them: strings, numbers, True, None, lists, dictionaries.
import { endOfString } from './quoted.ts';

export interface Literal {
  readonly value: unknown;
  readonly end: number;
}

/** In Python, as in JSON, no number has superfluous leading zeros. */
const PLAIN =
  /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\b|(?:True|False|None|true|false|null)\b/y;
const MAX_DEPTH = 20;

/** The literal at `start`; `null` if there is none, because expressions are not evaluated. */
export function readLiteral(text: string, start: number, depth = MAX_DEPTH): Literal | null {
  if (depth === 0) return null;
  for (const quotes of ['"""', "'''"]) {
    if (!text.startsWith(quotes, start)) continue;
    const close = text.indexOf(quotes, start + 3);
    return close < 0
      ? null
      : { value: unescapeString(text.slice(start + 3, close)), end: close + 3 };
  }
  const first = text[start];
  if (first === '"' || first === "'") {
    const end = endOfString(text, start);
    return end < 0 ? null : { value: unescapeString(text.slice(start + 1, end - 1)), end };
  }
  if (first === '[') return readList(text, start, depth);
  if (first === '{') return readDictionary(text, start, depth);
  PLAIN.lastIndex = start;
  const plain = PLAIN.exec(text);
  if (!plain) return null;
  const value: unknown = JSON.parse(plain[0].toLowerCase().replace('none', 'null'));
  return { value, end: start + plain[0].length };
}

function readList(text: string, start: number, depth: number): Literal | null {
  const values: unknown[] = [];
  let position = skipSpace(text, start + 1);
  while (text[position] !== ']') {
    const item = readLiteral(text, position, depth - 1);
    const next = item && afterItem(text, item.end, ']');
    if (!item || next === null) return null;
    values.push(item.value);
    position = next;
  }
  return { value: values, end: position + 1 };
}

function readDictionary(text: string, start: number, depth: number): Literal | null {
  const entries: [string, unknown][] = [];
  let position = skipSpace(text, start + 1);
  while (text[position] !== '}') {
    const key = readLiteral(text, position, 1);
    const colon = key && skipSpace(text, key.end);
    if (typeof key?.value !== 'string' || colon === null || text[colon] !== ':') return null;
    const item = readLiteral(text, skipSpace(text, colon + 1), depth - 1);
    const next = item && afterItem(text, item.end, '}');
    if (!item || next === null) return null;
    entries.push([key.value, item.value]);
    position = next;
  }
  return { value: Object.fromEntries(entries), end: position + 1 };
}

/** The position of the next item or of the closing bracket; `null` if neither follows. */
export function afterItem(text: string, end: number, close: string): number | null {
  const position = skipSpace(text, end);
  if (text[position] === ',') return skipSpace(text, position + 1);
  return text[position] === close ? position : null;
}

export function skipSpace(text: string, start: number): number {
  let position = start;
  while (/\s/.test(text[position] ?? '')) position += 1;
  return position;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '\n': '',
};

/** A backslash that escapes nothing stays, as in Python. */
const unescapeString = (body: string): string =>
  body.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g,
    (whole, hex: string | undefined, unicode: string | undefined, character: string | undefined) =>
      character === undefined
        ? String.fromCharCode(Number.parseInt(hex ?? unicode ?? '', 16))
        : (ESCAPES[character] ?? whole),
  );
