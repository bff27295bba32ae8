/** Pure: a command line that can be copied back into a shell. */
export function quote(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (platform === 'win32' || !word.includes('\\')))
    return word;
  if (platform === 'win32') return `"${word.replace(/"/g, '\\"')}"`;
  return `'${word.replace(/'/g, `'\\''`)}'`;
}

export const commandLine = (words: readonly string[], platform: NodeJS.Platform): string =>
  words.map((word) => quote(word, platform)).join(' ');
