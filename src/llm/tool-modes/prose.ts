/**
 * Whether an answer reads as sentences only. It does when, of its paragraphs (what blank lines part),
 * at least one reads as sentences, and each of the others does too or is a list:
 * - no line of it is a statement: a comment, a decorator, a tag, an assignment, a call that fills its
 *   line, or one that ends in a brace, a bracket that opens, or a semicolon;
 * - it begins as a sentence does, with a capital, a figure, or a letter of a script without capitals,
 *   and ends as one, in . ! ? … or a colon.
 * Few lines of code do both, whatever their language. Where it is not sure it says no. Pure.
 */
export function readsAsSentences(text: string): boolean {
  const paragraphs = text
    .trim()
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => paragraph.split('\n').map((line) => line.trim()));
  return (
    paragraphs.some(isSentences) && paragraphs.every((lines) => isSentences(lines) || isList(lines))
  );
}

const isSentences = (lines: readonly string[]): boolean =>
  !lines.some(isStatement) && isSentence(lines.join(' '));

const isSentence = (paragraph: string): boolean =>
  /^[*_"'“(]*[\p{Lu}\p{Lo}\p{N}]/u.test(paragraph) && /[.!?:…。！？][*_”]*$/.test(paragraph);

const isList = (lines: readonly string[]): boolean =>
  lines.every((line) => /^(?:[-*•]|\d+[.)])\s+\p{L}/u.test(line) && !/[{};]$/.test(line));

const isStatement = (line: string): boolean => STATEMENTS.some((pattern) => pattern.test(line));

const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$.]*(?:\[[^\]]*\])?`;

const STATEMENTS: readonly RegExp[] = [
  // Comments, decorators, tags, texts of many lines.
  /^(?:#|\/\/|\/\*|\*\/|--\s|@\w|<[!/?\w]|"""|''')/,
  // Blocks and ends of statements.
  /[{};([]$|^[)}\]]/,
  new RegExp(
    String.raw`^(?:\w+\s+)?${NAME}\s*(?::[^=]+|[-+*/%|&^:]|\*\*|\/\/|\|\||\?\?)?=(?!=)`,
    'u',
  ),
  new RegExp(String.raw`^(?:\w+\s+)?${NAME}\(.*\)[;:,]?$`, 'u'),
];
