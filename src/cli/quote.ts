import { inLine, sanitize } from '../lib/plain-text.ts';

/** Pure: a command line that can be copied back into a shell. */
export function quote(word: string, platform: NodeJS.Platform): string {
  if (!isSeen(word)) return quoteUnseen(word, platform);
  if (platform === 'win32') return quoteForWindows(word);
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replace(/'/g, `'\\''`)}'`;
}

/** With what a terminal would act on in the form in which a shell reads it; win32 has none. */
function quoteUnseen(word: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return quoteForWindows(inLine(word));
  return `$'${[...word].map((character) => characterWord(character)).join('')}'`;
}

function characterWord(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`;
  if (isSeen(character)) return character;
  return [...Buffer.from(character)]
    .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('');
}

const isSeen = (text: string): boolean => sanitize(text) === text;

/**
 * The program reads the line, not the shell: backslashes count as themselves, unless a quote follows.
 * To PowerShell a bare comma or @ means something.
 */
function quoteForWindows(word: string): string {
  if (/^[\w+=:./\\-]+$/.test(word)) return word;
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
}

export const commandLine = (words: readonly string[], platform: NodeJS.Platform): string =>
  words.map((word) => quote(word, platform)).join(' ');
