/** Proofs that pass and show too little: what is asked beyond them. */
import { describe, expect, it } from 'vitest';
import { playInMemory } from '../support/evaluated.ts';
import { CALC, call, DONE, edit, HEAD, MEND, type Played, plan } from '../support/play.ts';

const GOAL = 'mend add in calc.mjs: it must add';
const CHECK = "import { add } from './calc.mjs';\nif (add(2, 3) !== 5) throw new Error('no');\n";
const ZERO = `${HEAD}import { add } from './calc.mjs';\ntest('zero', () => assert.equal(add(0, 0), 0));\n`;

const ended = async (played: Partial<Played> & Pick<Played, 'replies'>) => {
  const { ending, detail } = await playInMemory({ goal: GOAL, ...played });
  return { ending, detail };
};

describe('a proof that only reads', () => {
  it('shows nothing of code that the run changed', async () => {
    const comment = edit('calc.mjs', 'export', '// adds a and b\nexport');
    const { ending, detail } = await ended({
      files: { 'calc.mjs': CALC },
      replies: [[plan('grep -q adds calc.mjs'), comment, DONE]],
    });
    expect(ending).toBe('unverified');
    expect(detail).toContain('grep -q adds calc.mjs only reads what this run wrote');
  });

  it('shows what a document says', async () => {
    const { ending } = await ended({
      goal: 'set the port in notes.md to 8080',
      files: { 'notes.md': 'port: 80\n' },
      replies: [[plan('grep -q 8080 notes.md'), edit('notes.md', '80', '8080'), DONE]],
    });
    expect(ending).toBe('achieved');
  });
});

/** What they may fail in: test/evidence/trials/broken-tests.test.ts. */
it('tests that were there, beside a proof that does not run them, must not fail with the new code', async () => {
  const { ending, detail } = await ended({
    files: { 'calc.mjs': CALC, 'check.mjs': CHECK, 'calc.test.mjs': ZERO },
    replies: [[plan('node check.mjs'), edit('calc.mjs', 'a - b', 'a === 2 ? 5 : 1'), DONE]],
  });
  expect(ending).toBe('unverified');
  expect(detail).toContain('tests that were there fail with the new code: zero');
});

it('a run of tests passes where one of its parts has none', async () => {
  const parts = "console.log('test result: ok. 1 passed; 0 failed');\nconsole.log('0 passed');\n";
  const { ending } = await ended({
    files: { 'calc.mjs': CALC, 'check.mjs': `${CHECK}${parts}` },
    replies: [[plan('node check.mjs'), MEND, DONE]],
  });
  expect(ending).toBe('achieved');
});

describe('the input of a proof', () => {
  const files = {
    'calc.mjs': CALC,
    'check.mjs': `import { add } from './calc.mjs';\nimport { readFileSync } from 'node:fs';\nconst n = Number(readFileSync(0, 'utf8'));\nif (add(n, n) !== 2 * n) throw new Error('no');\n`,
  };
  const planned = (stdin: string, why: string) =>
    call('set_plan', {
      tasks: [{ description: 'the work', subtasks: [{ do: 'mend it' }] }],
      proof: { cmd: 'node check.mjs', stdin },
      why,
    });
  const twoOnly = edit('calc.mjs', 'a - b', 'a * b');

  it('does not replace the earlier one, which must pass too', async () => {
    const { ending } = await ended({
      files,
      replies: [
        [planned('3', ''), twoOnly, DONE],
        [planned('2', 'it is enough'), DONE],
        'I am done.',
      ],
    });
    expect(ending).not.toBe('achieved');
  });
});
