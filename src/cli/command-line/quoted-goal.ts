/**
 * Pure: words that were meant as one goal, in quotes that every shell knows. A pair of quotes around them came from
 * the person, and the shell left it: cmd.exe does not know '…'.
 */
export function quotedGoal(words: readonly string[]): string {
  const text = words.join(' ');
  const [, , inner = text] = /^(['"])(.+)\1$/s.exec(text) ?? [];
  return `"${inner}"`;
}
