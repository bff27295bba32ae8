/** Makes text in which nothing is hidden: invisible characters are written out, never dropped. Pure. */
import { inLine } from './plain-text.ts';

/** True if a terminal shows every character as it is, on one line. */
export const isVisible = (text: string): boolean => inLine(text) === text;

const NAMED: { readonly [character: string]: string } = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** For people: `a\u{200b}.tar`. Visible characters stay as they are. */
export const visible = (text: string): string =>
  isVisible(text) ? text : [...text].map(written).join('');

function written(character: string): string {
  if (isVisible(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  return NAMED[character] ?? `\\u{${code.toString(16)}}`;
}

/** A word that a POSIX shell reads back: `$'print 1;\x0a'`. Every invisible byte is written out. */
export const visibleWord = (word: string): string => `$'${[...word].map(inQuotes).join('')}'`;

function inQuotes(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`;
  if (character === '\n') return '\\n';
  if (isVisible(character)) return character;
  return [...new TextEncoder().encode(character)]
    .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('');
}
