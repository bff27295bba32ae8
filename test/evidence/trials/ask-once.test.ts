import { expect, it } from 'vitest';
import type { TrialAnswer, TrialQuestion } from '../../../src/evidence/evidence.ts';
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

const green: TrialAnswer = { kind: 'ran', passed: true, exitCode: 0, output: '1 passed', word: '' };
const altered: TrialQuestion = { what: 'altered', changes: [] };

it('other values tell nothing where the unchanged copy fails, and need no such copy beside tests that were seen passing', async () => {
  const asked: string[] = [];
  const tell = (seen: TrialAnswer, unchanged: TrialAnswer) =>
    askOnce(async ({ what }) => {
      asked.push(what);
      return { seen, unchanged }[what as string] ?? red('1 failed');
    });
  expect(await tell(green, green)(altered)).toMatchObject({ kind: 'ran', passed: false });
  expect(await tell(green, red('1 failed'))(altered)).toMatchObject({ kind: 'none' });
  asked.length = 0;
  const seen = tell(green, red('1 failed'));
  await seen({ what: 'seen', red: [] });
  expect(await seen(altered)).toMatchObject({ kind: 'ran' });
  expect(asked).toEqual(['seen', 'altered']);
});

it('a proof that fails with the old files, and no test in it, is asked again beside an unchanged copy', async () => {
  const asked: string[] = [];
  const before: TrialQuestion = { what: 'before', again: true };
  const tell = (first: TrialAnswer) => {
    asked.length = 0;
    return askOnce(async ({ what }) => {
      asked.push(what);
      return asked.length === 1 ? first : green;
    })(before);
  };
  expect(await tell(red('no such file'))).toMatchObject({ passed: true });
  expect(asked).toEqual(['before', 'unchanged', 'before']);
  const tests = [{ name: 'adds', file: '', of: 1 }];
  const named: TrialAnswer = {
    ...{ kind: 'ran', passed: false, exitCode: 1, output: '1 failed', word: '' },
    red: tests,
  };
  expect(await tell(named)).toBe(named);
  expect(asked).toEqual(['before']);
  const counted: TrialAnswer = { ...named, red: [], tests: { failed: 1, passed: 2 } };
  expect(await tell(counted)).toBe(counted);
  expect(asked).toEqual(['before']);
});
