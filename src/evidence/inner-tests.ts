/** Tells tests inside files of code from that code, line by line. Pure. */
import { isComment } from '../languages/files/alterations.ts';
import { languageOf } from '../languages/languages.ts';

/** Milliseconds after which a comparison is given up. */
const LONGEST_MS = 2_000;

/** Lines of a file of code that are tests, counted from 0. */
export const testsIn = (path: string, text: string): ReadonlySet<number> =>
  new Set(
    (languageOf(path).innerTests?.(path, text) ?? []).flatMap(({ from, to }) =>
      Array.from({ length: to - from }, (_, index) => from + index),
    ),
  );

/** True if the file had tests, and they are not as they were. */
export function hasOtherTests(path: string, before: string | null, now: string | null): boolean {
  if (before === null) return false;
  const of = (text: string): string => {
    const tests = testsIn(path, text);
    return text
      .split('\n')
      .filter((_, at) => tests.has(at))
      .join('\n');
  };
  const were = of(before);
  return were !== '' && were !== of(now ?? '');
}

/** True for a text that names nothing and calls nothing, such as one with imports and comments alone. */
export function holdsNoTest(path: string, text: string | null): boolean {
  const { definedNames } = languageOf(path);
  if (text === null || definedNames === undefined || definedNames(text).length > 0) return false;
  return text.split('\n').every((line) => isComment(line) || !line.includes('('));
}

/** The code of one text with the tests of another; `null` if that takes too long. */
export async function withTestsOf(
  tests: string,
  path: string,
  code: string,
): Promise<string | null> {
  const { diffArrays } = await import('diff');
  const parts = diffArrays(tests.split('\n'), code.split('\n'), { timeout: LONGEST_MS });
  if (parts === undefined) return null;
  const [ofTests, ofCode] = [testsIn(path, tests), testsIn(path, code)];
  const at = { tests: 0, code: 0 };
  const lines: string[] = [];
  for (const { value, added, removed } of parts)
    for (const line of value) {
      if (added ? !ofCode.has(at.code) : removed ? ofTests.has(at.tests) : true) lines.push(line);
      if (!removed) at.code += 1;
      if (!added) at.tests += 1;
    }
  return lines.join('\n');
}
