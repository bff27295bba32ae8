import { expect, test } from 'vitest';
import { failedRun } from '../../../src/cli/render/outcomes.ts';
import { createStyle } from '../../../src/cli/render/style.ts';

const { glyphs } = createStyle({ LANG: 'C.UTF-8' }, 'linux', false);

test.each([
  [{ exitCode: 0 }, 'a b: it printed nothing', '  ✗ a b · it printed nothing'],
  [{ exitCode: 3 }, 'a b: it ended badly', '  ✗ a b · exit code 3'],
])('a command that failed with %j is named once', (facts, said, line) => {
  expect(failedRun(facts, 'a b', said, glyphs)).toBe(line);
});
