import { widthOf } from './text.ts';

/** Pure: `name  words`, the words wrapped below each other; nothing of them is ever cut. */
export interface Row {
  readonly name: string;
  readonly words: string;
}

const NAME_WIDTH = 9;
const INDENT = '  ';
/** On a narrower screen the words begin below the name. */
const NARROW = 50;

export function rowLines({ name, words }: Row, width: number): readonly string[] {
  if (width < NARROW) return [`${INDENT}${name}`, ...fill(words, width - 4).map(indented(4))];
  const head = `${INDENT}${name.padEnd(NAME_WIDTH)}`;
  const [first = '', ...rest] = fill(words, width - head.length);
  return [`${head}${first}`.trimEnd(), ...rest.map(indented(head.length))];
}

const indented =
  (by: number) =>
  (line: string): string =>
    `${' '.repeat(by)}${line}`;

/** Lines of whole words; a word that is longer than a line stands on one of its own, whole. */
export function fill(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
