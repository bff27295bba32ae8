/** What a person allowed once is not repeated in a copy, and what leaves the copy is not repeated at all. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { BARE_HEAD, call, DONE, edit, plan, play } from '../support/play.ts';

const TEST = `${BARE_HEAD}import { add } from '../src/calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n`;

/** How often a build ran that is not allowed unasked. It says so outside of every folder that it builds in. */
async function timesRun(more: Parameters<typeof play>[1], args: object = {}): Promise<number> {
  const outside = realpathSync.native(mkdtempSync(join(tmpdir(), 'made-once-')));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const log = join(outside, 'log');
  const files = {
    'src/calc.mjs': 'export const add = (a, b) => a - b;\n',
    'test/calc.test.mjs': TEST,
    'ship.sh': `echo built >> ${log}\nmkdir -p out/src out/test\ncp src/calc.mjs out/src\ncp test/calc.test.mjs out/test\n`,
    '.gitignore': 'out/\n',
  };
  const build = call('run_cmd', { cmd: 'sh ship.sh', ...args });
  const mend = edit('src/calc.mjs', 'a - b', 'a + b');
  const result = await play(
    {
      goal: 'Make the tests pass',
      files,
      replies: [[plan('node out/test/calc.test.mjs'), mend, build, DONE], [DONE], [DONE]],
    },
    more,
  );
  expect(result.ending).toBe('unverified');
  return readFileSync(log, 'utf8').split('\n').length - 1;
}

it.skipIf(process.platform === 'win32').each([
  ['by a person', { ask: async () => ({ kind: 'once' as const }) }, {}],
  [
    'by a person, who was shown the same limit',
    { ask: async () => ({ kind: 'once' as const }) },
    { timeout_sec: 60 },
  ],
  ['with everything', { yes: true }, {}],
])('a command is not repeated that was allowed once %s', async (_who, more, args) => {
  expect(await timesRun(more, args)).toBe(1);
});

it('a build that makes all in the folder itself, wherever it runs, is not repeated with other code', async () => {
  const build = `import { appendFileSync, copyFileSync, mkdirSync } from 'node:fs';
const root = process.cwd().replace(/.\\.agent_context.*$/, '');
for (const folder of ['/out/src', '/out/test']) mkdirSync(root + folder, { recursive: true });
for (const name of ['src/calc.mjs', 'test/calc.test.mjs']) copyFileSync(name, root + '/out/' + name);
appendFileSync(root + '/out/built', 'x');
`;
  const code = 'export function add(a, b) {\n  return a - b;\n}\n';
  const files = { 'src/calc.mjs': code, 'test/calc.test.mjs': TEST, 'build.mjs': build };
  const mend = edit('src/calc.mjs', 'a - b', 'a + b');
  let left: readonly string[] = [];
  const result = await play(
    {
      goal: 'Make the tests pass',
      files: { ...files, '.gitignore': 'out/\n' },
      replies: [
        [plan('node out/test/calc.test.mjs'), call('run_cmd', { cmd: 'node build.mjs' })],
        [mend, call('run_cmd', { cmd: 'node build.mjs' }), DONE],
        [DONE],
        [DONE],
      ],
    },
    {},
    (folder) => {
      left = ['out/src/calc.mjs', 'out/built'].map((path) =>
        readFileSync(join(folder, path), 'utf8'),
      );
    },
  );
  expect(left).toEqual([code.replace('a - b', 'a + b'), 'xxx']);
  expect(result.ending).toBe('unverified');
});

it.skipIf(process.platform === 'win32')(
  'a build that everything was allowed to is not repeated to see whether it makes what it took away',
  async () => {
    const outside = realpathSync.native(mkdtempSync(join(tmpdir(), 'made-once-')));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    const log = join(outside, 'log');
    const replies = [
      [
        plan('node test/calc.test.mjs'),
        edit('src/calc.mjs', 'a - b', 'a + b'),
        call('run_cmd', { cmd: 'sh ship.sh' }),
        DONE,
      ],
      [DONE],
    ];
    const files = {
      'src/calc.mjs': 'export const add = (a, b) => a - b;\n',
      'test/calc.test.mjs': TEST,
      'ship.sh': `echo shipped >> ${log}\nrm out/calc-1.mjs\ncp src/calc.mjs out/calc-2.mjs\n`,
      'out/calc-1.mjs': '// Built.\n',
      '.gitignore': 'out/\n',
    };
    const { ending, detail } = await play(
      { goal: 'Make the tests pass', files, replies },
      { yes: true },
    );
    expect(readFileSync(log, 'utf8')).toBe('shipped\n');
    expect(detail).toContain('this run removed out/calc-1.mjs');
    expect(ending).toBe('unverified');
  },
);
