/** Command patterns, matched word by word against argv. Pure. */
import type { CommandPattern, WordPattern } from './rule.ts';

/** Represents `*` when patterns are compared: no word of a command line contains this character. */
const STAR = '\u0000';

/** `*` matches any characters of the word, `\*` a literal asterisk. */
export function wordPattern(text: string): WordPattern {
  const parts = partsOf(text);
  if (parts.length === 1) return { text, matches: (word) => word === parts[0] };
  const expression = new RegExp(`^${parts.map(escaped).join('[\\s\\S]*')}$`);
  return { text, matches: (word) => expression.test(word) };
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** The literal text between the wildcards. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < text.length; at += 1) {
    const isLiteral = text[at] === '\\' && text[at + 1] === '*';
    if (isLiteral) at += 1;
    if (text[at] === '*' && !isLiteral) {
      parts.push(part);
      part = '';
    } else part += text[at] ?? '';
  }
  return [...parts, part];
}

/** A last word `*` matches any further words. */
export function commandPattern(words: readonly string[]): CommandPattern {
  const rest = words.at(-1) === '*';
  const own = rest ? words.slice(0, -1) : words;
  return { kind: 'command', words: own.map(wordPattern), rest };
}

/** @param least how many of the words the pattern must name explicitly */
export function matchesWords(
  { words, rest }: CommandPattern,
  argv: readonly string[],
  least = 0,
): boolean {
  if (words.length < least) return false;
  if (rest ? argv.length < words.length : argv.length !== words.length) return false;
  return words.every((word, at) => word.matches(argv[at] ?? ''));
}

/** True if `wide` matches every command that `exact` matches. */
export function covers(wide: CommandPattern, exact: CommandPattern): boolean {
  if (exact.rest && !wide.rest) return false;
  const fits = wide.rest
    ? exact.words.length >= wide.words.length
    : exact.words.length === wide.words.length;
  return fits && wide.words.every((word, at) => word.matches(starred(exact.words[at])));
}

/** Represents what only a wildcard of the other pattern can match. */
const starred = (word: WordPattern | undefined): string => partsOf(word?.text ?? '').join(STAR);

/** A pattern that matches only this word. */
export const literalPattern = (word: string): string => word.replaceAll('*', '\\*');
