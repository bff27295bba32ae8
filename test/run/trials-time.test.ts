/** What is tried in a copy with tests that take long: what is begun can come to its end. */
import { describe, expect, it } from 'vitest';
import { runIn, type Told } from '../support/run-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const gives = (name: string, value: number): string =>
  `export function ${name}(x) {\n  return x + ${value};\n}\n`;
const testOf = (name: string): string =>
  `import test from 'node:test';\nimport { ${name} } from './${name}.mjs';\ntest('${name}', () => ${name}(1));\n`;

interface Slow {
  readonly files: readonly string[];
  /** Milliseconds of a run of all tests: in the workspace, and in a copy of it. */
  readonly takes: readonly [here: number, inCopy: number];
  /** Where the new tests are put: in a file of their own, or into the one that was there. */
  readonly tests: 'b.test.mjs' | 'a.test.mjs';
}

const triedIn = (records: Told['records']): readonly string[] =>
  records.flatMap((one) =>
    one.type === 'check_ran' && one.scratch
      ? [`${one.scratch.what} ${one.scratch.about}`.trim()]
      : [],
  );

/** Each file adds one, is to add two, and does so; the tests see whether all of them do. By a clock of its own. */
async function judged({ files, takes, tests }: Slow) {
  let now = 1_700_000_000_000;
  let isInCopy = false;
  const world = testWorld((_args, _stdin, read) => {
    now += takes[isInCopy ? 1 : 0];
    const isOld = (path: string) => read(path) === testOf('a');
    const areNew = files.every((name) => read(`${name}.mjs`) === gives(name, 2));
    const isGood = areNew || (isOld('a.test.mjs') && read('b.test.mjs') === null);
    const [passed, failed] = isGood ? [2, 0] : [0, 2];
    return {
      output: `# tests 2\n# pass ${passed}\n# fail ${failed}\n`,
      exitCode: isGood ? 0 : 1,
    };
  });
  for (const name of files) world.write(`${name}.mjs`, gives(name, 1));
  world.write('a.test.mjs', testOf('a'));
  const machine = world.machine();
  const call = (name: string, args: { readonly [name: string]: unknown }) => ({ name, args });
  const write = (path: string, content: string) => call('write_file', { path, content });
  const replies = [
    [...files.map((name) => `${name}.mjs`), 'a.test.mjs'].map((path) =>
      call('read_file', { path }),
    ),
    [
      call('set_plan', {
        tasks: [{ description: 'it', subtasks: [{ do: 'add two' }] }],
        proof: { cmd: 'node --test' },
      }),
      ...files.map((name) => write(`${name}.mjs`, gives(name, 2))),
      ...[
        write(tests, `${testOf('a')}// Adds two.\n`),
        call('mark_subtask_complete', { success: true }),
      ],
    ],
  ];
  const model = scriptedProvider((_, n) => ({ calls: replies[n - 1] ?? [] }), LARGE);
  const begun = { at: 0, said: '' };
  const { result, records } = await runIn(world, model, {
    machine: { ...machine, clock: { ...machine.clock, now: () => now, monotonic: () => now } },
    goal: 'Let all of them add two',
    emit: (event) => {
      if (event.type !== 'notice' || !event.text.startsWith('Checking in a copy')) return;
      isInCopy = true;
      begun.at = now;
      begun.said = event.text;
    },
  });
  return { result, tried: triedIn(records), tookMs: now - begun.at, said: begun.said };
}

const BY_OLD_CODE = {
  ending: 'achieved',
  detail: expect.stringContaining('fail with the code as it was before'),
};

describe('trials of slow tests', () => {
  it('are not begun with too little time, and what was seen before counts', async () => {
    const files = ['a', 'b', 'c', 'd', 'e'];
    const takes = [14_000, 14_000] as const;
    const { result, tried, said } = await judged({ files, takes, tests: 'b.test.mjs' });
    expect(said).toMatch(/without the work: that may take about 56 s$/);
    expect(tried).toEqual([
      ...['unchanged', 'old_code'],
      ...['emptied e.mjs', 'emptied d.mjs', 'emptied c.mjs'],
    ]);
    expect(result).toMatchObject(BY_OLD_CODE);
  });

  it.each([
    ['half a minute, and longer in the copy', [28_000, 35_000]],
    ['two minutes', [120_000, 130_000]],
  ] as const)('have time for all that a claim needs: %s', async (_what, takes) => {
    const { result, tried, tookMs } = await judged({ files: ['a'], takes, tests: 'a.test.mjs' });
    expect(tried.slice(0, 3)).toEqual(['unchanged', 'old_tests', 'old_code']);
    expect(result).toMatchObject(BY_OLD_CODE);
    expect(tookMs).toBeLessThanOrEqual(30 * 60_000);
  });

  it('come to their end all the same where one alone takes too long for anything', async () => {
    const takes = [900_000, 1_000_000] as const;
    const { result, tried, tookMs } = await judged({ files: ['a'], takes, tests: 'a.test.mjs' });
    expect(tried).toEqual(['unchanged']);
    expect(result).toMatchObject({ ending: 'unverified' });
    expect(tookMs).toBeLessThanOrEqual(30 * 60_000);
  });

  it('are not run a second time where another question asks for the same', async () => {
    const world = testWorld((args, _stdin, read) => {
      const isGood = read('a.mjs') === gives('a', 2);
      const [passed, failed] = isGood ? [1, 0] : [0, 1];
      return args[0] === '--test'
        ? { output: `# tests 1\n# pass ${passed}\n# fail ${failed}\n`, exitCode: isGood ? 0 : 1 }
        : { output: 'a\n', exitCode: 0 };
    });
    world.write('a.mjs', gives('a', 1));
    world.write('a.test.mjs', testOf('a'));
    const call = (name: string, args: { readonly [name: string]: unknown }) => ({ name, args });
    const plan = (cmd: string) =>
      call('set_plan', {
        tasks: [{ description: 'it', subtasks: [{ do: 'add two' }] }],
        proof: { cmd },
        why: 'it shows more',
      });
    const replies = [
      [call('read_file', { path: 'a.mjs' }), call('run_cmd', { cmd: 'node --test' })],
      [plan('node --test'), call('write_file', { path: 'a.mjs', content: gives('a', 2) })],
      [plan('node a.mjs'), call('mark_subtask_complete', { success: true, reason: 'it does' })],
    ];
    const model = scriptedProvider((_, n) => ({ calls: replies[n - 1] ?? [] }), LARGE);
    const { records } = await runIn(world, model, { machine: world.machine(), goal: 'Add two' });
    expect(triedIn(records)).toEqual(['unchanged', 'first_proof node --test', 'before']);
  });
});
