import { expect, it } from 'vitest';
import type { TrialAnswer } from '../../../src/evidence/evidence.ts';
import { askOnce } from '../../../src/evidence/trials/ask-once.ts';

const red = (output: string, failed?: readonly string[]): TrialAnswer => ({
  ...{ kind: 'ran', passed: false, exitCode: 1, output, word: '' },
  ...(failed === undefined ? {} : { failed }),
});

it.each([
  ['the tests that fail there', red('1 failed', ['reads_link']), ': reads_link'],
  ['the failure, where nobody names tests', red('Error: no such file: link\n'), ': Error: no such'],
  ['a test that cargo names', red('running 1 test\ntest sums ... FAILED\n'), ': sums'],
  [
    'tsc, which may name no file',
    red("> tsc -p .\n\nerror TS5083: Cannot read file 'a.json'.\n"),
    ': error TS5083',
  ],
  ['nothing, where nothing was printed', red(''), ''],
])(
  'a proof that does not pass in an unchanged copy is no evidence, and says why: %s',
  async (_, green, why) => {
    const answer = await askOnce(async () => green)({ what: 'old_code' });
    const words = answer.kind === 'none' ? answer.why : '';
    expect(words).toContain(`the proof does not pass in a copy${why}`);
    if (why === '') expect(words).toBe('the proof does not pass in a copy');
  },
);
