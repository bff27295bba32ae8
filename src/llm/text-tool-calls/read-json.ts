// Pure: parses JSON as models write it: strictly first, then with unmistakable repairs, then by guessing.
import { jsonrepair } from 'jsonrepair';
import { mapParts } from '../../lib/text/quoted.ts';
import { isTooDeep } from '../wire/nesting.ts';

export interface ReadJson {
  readonly value: unknown;
  /** True if the text could have meant something else. */
  readonly repaired: boolean;
}

/** A call of a read-only tool is short; any other call is never repaired by guessing and run. */
const MAX_GUESSED = 4_000;

/** `null` if the text cannot be repaired into JSON, or is nested deeper than any call. */
export function readJson(text: string): ReadJson | null {
  const trimmed = text.trim();
  const value = parseLoosely(trimmed) ?? singleBraces(trimmed)?.value;
  const read = value === undefined ? guess(trimmed) : { value, repaired: false };
  return read !== null && !isTooDeep(read.value) ? read : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * `{{"name": …}}` for `{"name": …}`: templates that show calls with doubled braces teach this. Some models double only
 * the outer ones. Braces inside strings are content and stay.
 */
function singleBraces(text: string): { readonly value: unknown } | null {
  const start = /^\{\s*\{/.exec(text);
  if (!start) return null;
  const once = `{${text.slice(start[0].length)}`;
  const everywhere = mapParts(
    text,
    (literal) => literal,
    (code) => code.replaceAll('{{', '{').replaceAll('}}', '}'),
  );
  for (const reading of [withoutOneBrace(once), once, everywhere]) {
    const value = parseLoosely(reading);
    if (value !== undefined) return { value };
  }
  return null;
}

function withoutOneBrace(text: string): string {
  const body = text.slice(0, -1).trimEnd();
  return text.endsWith('}') && body.endsWith('}') ? body : text;
}

/** Strict, except for line breaks inside strings. */
const parseLoosely = (text: string): unknown => parse(text) ?? parse(escapeLineBreaks(text));

const ESCAPED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Real line breaks and tabs inside a string can only mean themselves. */
const escapeLineBreaks = (text: string): string =>
  mapParts(
    text,
    (literal) => literal.replace(/[\n\r\t]/g, (character) => ESCAPED[character] ?? character),
    (code) => code,
  );

/**
 * Backslashes that begin no escape are doubled before the repair, which would drop them, and with them the separators
 * of a Windows path. The result is still a guess.
 */
function guess(text: string): ReadJson | null {
  // Text that does not even end in a bracket was cut off: the rest of its last value is unknown.
  if (!/^[{[][\s\S]*[}\]]$/.test(text) || text.length > MAX_GUESSED) return null;
  const single = /^\{\s*\{/.test(text) ? text.replace(/^\{\s*/, '') : text;
  const escaped = single.replace(/\\(?!["\\/bfnrtu])/g, '\\\\');
  const mended = parseLoosely(escaped);
  if (mended !== undefined) return { value: mended, repaired: true };
  try {
    return { value: JSON.parse(jsonrepair(escaped)), repaired: true };
  } catch {
    return null;
  }
}
