/** Own tests of a small model, held against its code as it wrote it a second time. */
import { describe, expect, it } from 'vitest';
import type { Answer, Evidence, Question } from '../../src/probe/evidence.ts';
import { secondVerdict } from '../../src/probe/second-writing.ts';

const CALL = { path: 'a.py', says: 'due(60, 5)', cmd: 'python -c due' };
const HEAD = 'python -m pytest -q passes, but only tests of this run show it';

const ran = (passed: boolean, output = ''): Answer => ({
  ...{ kind: 'ran', passed, exitCode: passed ? 0 : 1, output, word: output },
});

interface Told {
  readonly texts?: readonly (readonly [string, string | null])[];
  readonly tests?: Answer;
  readonly first?: string;
  readonly second?: string;
  readonly calls?: Answer;
}

async function told({ texts = [['a.py', 'x']], tests = ran(true), ...more }: Told = {}) {
  const { first = 'gives 240', second = 'gives 240', calls } = more;
  const evidence = {
    proof: { cmd: 'python -m pytest -q' },
    secondWritings: new Map(texts),
    calls: [CALL, { ...CALL, path: 'other.py' }],
  } as Partial<Evidence> as Evidence;
  const asked: Question[] = [];
  const verdict = await secondVerdict(evidence, ['a.py'], async (question) => {
    asked.push(question);
    if (question.what !== 'call') return tests;
    return calls ?? ran(false, question.second ? second : first);
  });
  return { words: verdict?.words ?? null, asked };
}

describe('code that was written a second time', () => {
  it('speaks for the first where its tests pass and calls of both give the same', async () => {
    const { words, asked } = await told({ first: 'noise\ngives 240\r\n' });
    expect(words).toBeNull();
    expect(asked).toEqual([
      { what: 'second', path: 'a.py' },
      { what: 'call', call: CALL, second: false },
      { what: 'call', call: CALL, second: true },
    ]);
  });

  it.each<[string, Told, string]>([
    ['was not had', { texts: [] }, ', and there is no second writing of a.py to compare with'],
    [
      'could not be read',
      { texts: [['a.py', null]] },
      ', and there is no second writing of a.py to compare with',
    ],
    [
      'fails the tests',
      { tests: ran(false) },
      ': a.py, which the model wrote a second time, fails them',
    ],
    [
      'could not be tried',
      { tests: { kind: 'none', why: 'no time' } },
      ', and a.py as written a second time could not be tried',
    ],
    [
      'has calls that could not be tried',
      { calls: { kind: 'none', why: 'the time for it was over' } },
      ', and due(60, 5) could not be tried on what was written a second time',
    ],
    [
      'gives something else',
      { first: 'gives 300' },
      ': for due(60, 5) it gives 300, and 240 as the model wrote a.py a second time',
    ],
    [
      'ends in an error where the first does not',
      { second: 'Error: boom' },
      ': for due(60, 5) it gives 240, and an error as the model wrote a.py a second time',
    ],
  ])('leaves a claim unverified where it %s', async (_, work, words) => {
    expect((await told(work)).words).toBe(HEAD + words);
  });

  it('does the same where both end in an error', async () => {
    const both = { first: 'Error: boom (line 3)', second: 'Error: bang (line 5)' };
    expect((await told(both)).words).toBeNull();
  });
});
