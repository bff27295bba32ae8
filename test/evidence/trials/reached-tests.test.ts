/** Whether tests failed, or could not be built. */
import { expect, it } from 'vitest';
import type { TrialQuestion } from '../../../src/evidence/evidence.ts';
import { reachedTests } from '../../../src/evidence/trials/reached-tests.ts';
import { GREEN, ran } from '../judge-support.ts';

type Ran = Parameters<typeof reachedTests>[0];

const failed = (output: string, more: Partial<Ran> = {}): Ran =>
  ran(false, { output, exitCode: 2, ...more }) as Ran;
const MADE = 'cc -o t t.c\n./t\nok\n';
const UNBUILT = 'cc -o t t.c\nt.c:3: error\nmake: *** [Makefile:2: t] Error 1\n';

async function reached(answer: Ran, green = MADE, paths = ['a.c', 't.c']): Promise<boolean> {
  return reachedTests(answer, paths, async (question: TrialQuestion) => {
    if (question.what === 'unchanged') return { ...GREEN, output: green } as Ran;
    const isBroken = question.what === 'broken' && question.path === 't.c';
    return isBroken ? failed(UNBUILT) : failed('cc -o t t.c\na.c:1: error\n');
  });
}

const CARGO = 'test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n';

it.each<[string, Ran, string]>([
  ['its runner names a failed test', failed('test adds ... FAILED\n'), CARGO],
  [
    'its runner counts one',
    failed('[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0\n'),
    '',
  ],
  ['it goes on like an unchanged one', failed('cc -o t t.c\n./t\nmake: *** Error 1\n'), MADE],
  ['it ends in another way than what does not build', failed('cc -o t t.c\nfailed\n'), MADE],
  ['it did not end', failed('', { exitCode: null }), CARGO],
])('tests were run where %s', async (_, answer, green) => {
  expect(await reached(answer, green)).toBe(true);
});

it.each<[string, Ran, string]>([
  ['its runner usually counts them', failed('error: could not compile `a` (test "t")\n'), CARGO],
  ['it ends like what does not build', failed(UNBUILT.replace(':3', ':7')), MADE],
  ['a build before it failed', failed('./t\n', { isUnmade: true }), MADE],
])('none were run where %s', async (_, answer, green) => {
  expect(await reached(answer, green)).toBe(false);
});
