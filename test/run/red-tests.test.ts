/** Runs of tests that are red at the end of a run: for which reason, and since when. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ALONE,
  CALC,
  call,
  cmd,
  DONE,
  edit,
  given,
  plan,
  play,
  read,
  write,
} from '../support/play.ts';
import type { ScriptedCall } from '../support/scripted-provider.ts';

/** Which runs are red: test/evidence/evidence-of.test.ts. In fewer tests: p47 of the provocations. */
describe.concurrent('a run of tests that is red', () => {
  it('by chance, and green with the files as they were, shows nothing by being green', async ({
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'chance-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const seen = JSON.stringify(join(folder, 'seen'));
    const result = await play({
      goal: 'Mend the test that fails now and then',
      files: {
        'calc.mjs': CALC,
        'calc.test.mjs': [
          "import { existsSync, writeFileSync } from 'node:fs';",
          "import test from 'node:test';",
          `test('adds', () => { if (!existsSync(${seen})) { writeFileSync(${seen}, ''); throw new Error('no'); } });`,
          '',
        ].join('\n'),
      },
      replies: [
        [cmd(ALONE), read('calc.mjs')],
        [plan(ALONE), edit('calc.mjs', 'a - b', 'a  - b'), DONE],
        [DONE],
      ],
    });
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: expect.stringContaining('it passes with the files as they were, too'),
    });
  });

  it('in a folder of its own is tried there, and counts no more once they pass', async () => {
    const files = {
      'api/calc.mjs': CALC,
      'api/calc.test.mjs': given['calc.test.mjs'] ?? '',
      'check.mjs':
        "import { add } from './api/calc.mjs';\nif (add(2, 3) !== 5) throw new Error('no');\n",
    };
    const { ending } = await play({
      ...{ goal: 'Mend add in api/calc.mjs', files },
      replies: [
        [call('run_cmd', { cmd: ALONE, cwd: 'api' }), read('api/calc.mjs')],
        [plan('node check.mjs'), edit('api/calc.mjs', 'a - b', 'a + b'), DONE],
      ],
    });
    expect(ending).toBe('achieved');
  });

  it('as before the run changed anything tells the model so, and one that fails otherwise does not', async () => {
    const toldAfter = async (work: ScriptedCall): Promise<string> => {
      const heard: string[] = [];
      await play({
        ...{ goal: 'Write sum.mjs', files: given, hears: (text) => heard.push(text) },
        replies: [[plan(ALONE), work, DONE], 'No way.'],
      });
      return heard.find((text) => text.includes('Not done yet.')) ?? '';
    };
    const AS_BEFORE = 'Nothing fails now that did not fail before this run changed anything.';
    expect(await toldAfter(write('sum.mjs', 'export {};\n'))).toContain(AS_BEFORE);
    const other = await toldAfter(edit('calc.mjs', 'a - b', 'a -'));
    expect(other).toContain('Not done yet.');
    expect(other).not.toContain(AS_BEFORE);
  });
});

it('a proof that fails is told in the question for another plan by what is wrong, not by its whole output', async () => {
  const check = 'console.log("much to read");\nthrow new Error("it is -1");\n';
  const heard: string[] = [];
  await play({
    ...{ goal: 'Do it', files: { 'check.mjs': check }, hears: (text) => heard.push(text) },
    replies: [[plan('node check.mjs'), write('sum.mjs', 'export {};\n'), DONE], 'No way.'],
  });
  const asked = heard.find((text) => text.includes('The plan did not work: ')) ?? '';
  expect(asked).toMatch(/The plan did not work: node check\.mjs: Error: it is -1\n/);
});
