/** Pure: what failed in a command, so that two runs can be compared. */
import { failedIn, isCountLine, isFailureLine } from './test-output.ts';

/** A larger number counts as a single failure: then only an identical output is the same. */
const MAX = 100;
/** Separate figures: lines, counts and times change without anything being worse. */
const FIGURE = /(?<![\p{L}\p{N}_])\d+(?:[.:]\d+)*(?:ms|s)?(?![\p{L}\p{N}_])/gu;

/**
 * One entry per failure: the tests that failed, else the lines that say so, else the whole output.
 * @param folder where it was run: the same failure in another folder is equal
 */
export function whatFails(output: string, folder: string): readonly string[] {
  const text = withoutFolder(output.replaceAll('\r\n', '\n'), folder);
  const tests = failedIn(text);
  const all = text.split('\n').filter((line) => line.trim() !== '');
  const said = all.filter((line) => !isCountLine(line));
  const lines = said.length > 0 ? said : all;
  const telling = lines.filter(isFailureLine);
  const words =
    tests.length > 0
      ? tests.map(({ file, test, why }) => `${file} ${test === '' ? why : test}`)
      : telling.length > 0
        ? telling
        : lines;
  const counted = numbered(words.map((word) => word.trim().replaceAll(FIGURE, '#')));
  return counted.length > MAX ? [counted.join('\n')] : counted;
}

/** Makes paths in it relative, including addresses and the separators of other systems. */
function withoutFolder(text: string, folder: string): string {
  const plain = folder.replaceAll('\\', '/').replace(/\/$/, '');
  const ways = [`file://${plain}`, `file:///${plain}`, folder, plain];
  return ways.reduce(
    (left, way) => left.replaceAll(`${way}/`, '').replaceAll(`${way}\\`, ''),
    text,
  );
}

/** The same entry a second time is another failure. */
function numbered(words: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return words.map((word) => {
    const count = (seen.get(word) ?? 0) + 1;
    seen.set(word, count);
    return count === 1 ? word : `${word} (${count})`;
  });
}
