import { fill } from './fold.ts';
import type { Style } from './style.ts';

/** Pure: `name  words`, with the words wrapped below each other; nothing is ever cut. */
export interface Row {
  readonly name: string;
  readonly words: string;
  /** A command stays on one line. */
  readonly isCommand?: true;
}

const NAME_WIDTH = 9;
/** A longer name has its words below it. */
const LONG_NAME = 24;
const INDENT = '  ';
/** On a narrower screen the words begin below the name. */
const NARROW = 50;

export function rowLines({ name, words, isCommand }: Row, width: number): readonly string[] {
  const lines = (room: number) => (isCommand ? [words] : fill(words, room));
  if (width < NARROW || name.length > LONG_NAME)
    return [`${INDENT}${name}`, ...lines(width - 4).map(indented(4))];
  const head = `${INDENT}${name.padEnd(Math.max(NAME_WIDTH, name.length + 2))}`;
  const [first = '', ...rest] = lines(width - head.length);
  return [`${head}${first}`.trimEnd(), ...rest.map(indented(head.length))];
}

export type Fact = readonly [name: string, value: string];

/** `name       value` for each fact that has a value. */
export const factLines = (style: Style, facts: readonly Fact[]): readonly string[] =>
  facts.flatMap(([name, value]) =>
    value === '' ? [] : [style.paint('dim', name.padEnd(11)) + value],
  );

const indented =
  (by: number) =>
  (line: string): string =>
    `${' '.repeat(by)}${line}`;
