import { isVisible, visible, visibleWord } from '../../lib/text/visible.ts';

/** Pure: a command line that can be copied back into a shell. */
export function quote(word: string, platform: NodeJS.Platform): string {
  // No shell of Windows has a form for these: what is shown says so, and cannot be typed.
  if (platform === 'win32') return quoteForWindows(visible(word));
  if (!isVisible(word)) return visibleWord(word);
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replace(/'/g, `'\\''`)}'`;
}

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
