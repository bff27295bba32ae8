/**
 * Finds lines by a regular expression that nobody has looked at. Whatever the expression does on
 * whatever text, it ends: it runs where the machine itself can stop it.
 */
import { createContext, Script } from 'node:vm';

export interface LineMatch {
  /** Which of the texts, from 0. */
  readonly text: number;
  /** Number of the line, from 1. */
  readonly line: number;
  readonly content: string;
  /** Where in the line it was found. */
  readonly at: number;
}

export type Matched =
  | { readonly kind: 'matched'; readonly matches: readonly LineMatch[] }
  /** It was stopped, or was too large for the machine. */
  | { readonly kind: 'too_slow' };

const EACH_LINE = new Script(`
  for (let text = 0; text < texts.length && found.length < most; text += 1) {
    const lines = texts[text].split(/\\r\\n|\\n|\\r/);
    for (let line = 0; line < lines.length && found.length < most; line += 1) {
      const match = pattern.exec(lines[line]);
      if (match) found.push({ text, line: line + 1, content: lines[line], at: match.index });
    }
  }
`);

/** The first `most` lines that match, or nothing when it takes longer than `limitMs`. */
export function matchLines(
  pattern: RegExp,
  texts: readonly string[],
  { most, limitMs }: { readonly most: number; readonly limitMs: number },
): Matched {
  const matches: LineMatch[] = [];
  // Not to confine anything: it is the one way to stop an expression that is running.
  const context = createContext({ pattern, texts, most, found: matches });
  try {
    EACH_LINE.runInContext(context, { timeout: limitMs });
  } catch (error) {
    if (isTooMuch(error)) return { kind: 'too_slow' };
    throw error;
  }
  return { kind: 'matched', matches };
}

/** Its time is up; or it is too large, which is found out only when it runs. */
const isTooMuch = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  (('code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') ||
    ('name' in error && (error.name === 'SyntaxError' || error.name === 'RangeError')));
