import { isVisible, visible, visibleWord } from './visible.ts';

/** Pure: quotes a command line so that it can be pasted into a shell. */
export function quote(word: string, platform: NodeJS.Platform): string {
  // No Windows shell can express these characters: they are shown, but cannot be typed.
  if (platform === 'win32') return quoteForWindows(visible(word));
  if (!isVisible(word)) return visibleWord(word);
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replace(/'/g, `'\\''`)}'`;
}

/**
 * The program itself parses the line, not the shell: a backslash stands for itself unless a quote follows.
 * PowerShell gives a meaning to a bare comma or @.
 */
function quoteForWindows(word: string): string {
  if (/^[\w+=:./\\-]+$/.test(word)) return word;
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
}

export const commandLine = (words: readonly string[], platform: NodeJS.Platform): string =>
  words.map((word) => quote(word, platform)).join(' ');
