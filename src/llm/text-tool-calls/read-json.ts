// JSON as models write it: strictly first, then what is unmistakable, then by guessing; pure.
import { jsonrepair } from 'jsonrepair';

export interface ReadJson {
  readonly value: unknown;
  /** True when the text could have meant something else. */
  readonly repaired: boolean;
}

/** `null` when the text is no JSON even with good will. */
export function readJson(text: string): ReadJson | null {
  const trimmed = text.trim();
  for (const attempt of [trimmed, singleBraces(trimmed)]) {
    if (attempt === null) continue;
    const value = parseLoosely(attempt);
    if (value !== undefined) return { value, repaired: false };
  }
  return guess(singleBraces(trimmed) ?? trimmed);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * `{{"name": …}}` for `{"name": …}`: templates that show a call with doubled braces teach it. Some
 * models double only the outer ones. Braces inside strings are content and stay.
 */
function singleBraces(text: string): string | null {
  if (!/^\{\s*\{/.test(text)) return null;
  const once = text.replace(/^\{\s*\{/, '{');
  const everywhere = text.replace(/"(?:[^"\\]|\\[\s\S])*"|\{\{|\}\}/g, (token) =>
    token === '{{' || token === '}}' ? token.slice(1) : token,
  );
  const readings = [once.replace(/\}\s*\}$/, '}'), once, everywhere];
  return readings.find((reading) => parseLoosely(reading) !== undefined) ?? null;
}

/** Strict, but for line breaks inside strings. */
const parseLoosely = (text: string): unknown => parse(text) ?? parse(escapeLineBreaks(text));

/** Real line breaks and tabs inside a string can only mean themselves. */
function escapeLineBreaks(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (literal) =>
    literal.replace(/[\n\r\t]/g, (character) => escapes[character] ?? character),
  );
}

/**
 * Backslashes that begin no escape are doubled before the repair: it would drop them, and with them
 * the separators of a Windows path. The outcome stays a guess.
 */
function guess(text: string): ReadJson | null {
  if (!/^[{[]/.test(text)) return null;
  const escaped = text.replace(/\\(?!["\\/bfnrtu])/g, '\\\\');
  const mended = parseLoosely(escaped);
  if (mended !== undefined) return { value: mended, repaired: true };
  try {
    return { value: JSON.parse(jsonrepair(escaped)), repaired: true };
  } catch {
    return null;
  }
}
