// Pure: parses JSON as models write it: strictly first, then with repairs that leave one reading.
import { jsonIn } from '../../lib/json-value.ts';
import { mapParts } from '../../lib/text/quoted.ts';
import { isTooDeep } from '../wire/nesting.ts';

export interface ReadJson {
  readonly value: unknown;
}

/** `null` for text that is no JSON, or nested deeper than any call. Nothing is guessed. */
export function readJson(text: string): ReadJson | null {
  const trimmed = text.trim();
  const value = parseLoosely(trimmed) ?? singleBraces(trimmed)?.value;
  return value === undefined || isTooDeep(value) ? null : { value };
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
const parseLoosely = (text: string): unknown => jsonIn(text) ?? jsonIn(escapeLineBreaks(text));

const ESCAPED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Real line breaks and tabs inside a string can only mean themselves. */
const escapeLineBreaks = (text: string): string =>
  mapParts(
    text,
    (literal) => literal.replace(/[\n\r\t]/g, (character) => ESCAPED[character] ?? character),
    (code) => code,
  );
