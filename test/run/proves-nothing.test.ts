/** Proofs that were green and showed nothing: whoever believed them claimed what was not so. */
import { describe, expect, it } from 'vitest';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

interface Case {
  readonly goal: string;
  readonly work: PlannedWork;
  readonly given?: { readonly [path: string]: string };
}

async function play({ goal, work, given = {} }: Case, toolMode: 'native' | 'json') {
  const world = testWorld();
  for (const [path, text] of Object.entries(given)) world.write(path, text);
  const provider = scriptedProvider(diligentModel(work));
  const { result } = await runIn(world, provider, { goal, toolMode });
  return { world, result };
}

const write = (file: string, purpose: string) => ({ action: 'write_file', file, purpose });
const MODULE = 'export const slug = (title) => title;\nconsole.log("ready");\n';

const CASES: readonly (readonly [string, Case])[] = [
  [
    'a module that prints something when it is run alone, where the goal states no output',
    {
      goal: 'Write slug.mjs, a module with a function slug that turns a title into a file name',
      work: {
        subtasks: [write('slug.mjs', 'turns a title into a file name')],
        verify: { cmd: 'node slug.mjs' },
        files: { 'slug.mjs': [MODULE] },
      },
    },
  ],
  [
    'the output of a module in the place of the tests that its plan wanted, which are red',
    {
      goal: 'Write slug.mjs, a module with a function slug that turns a title into a file name',
      work: {
        subtasks: [
          write('slug.mjs', 'turns a title into a file name'),
          write('slug.test.mjs', 'calls slug with titles'),
        ],
        verify: { cmd: 'node slug.test.mjs' },
        files: { 'slug.mjs': [MODULE], 'slug.test.mjs': ['throw new Error("not a file name");\n'] },
      },
    },
  ],
  [
    'a program of its own where given tests are to pass and are red',
    {
      goal: 'Make the failing test pass',
      given: { 'sum.mjs': 'export const sum = 0;\n', 'sum.test.mjs': 'throw new Error("0");\n' },
      work: {
        subtasks: [write('made.mjs', 'says that all is well')],
        verify: { cmd: 'node made.mjs', prints: 'all is well' },
        files: { 'made.mjs': ['console.log("all is well");\n'] },
      },
    },
  ],
  [
    'tests that were green before the change and without it',
    {
      goal: 'Explain the settings in README.md',
      given: { 'README.md': '# Tool\n', 'sum.test.mjs': 'console.log("ok");\n' },
      work: {
        subtasks: [write('README.md', 'explains the settings')],
        verify: { cmd: 'node sum.test.mjs', prints: 'ok' },
        files: { 'README.md': ['# Tool\n\nIt is a tool.\n'] },
      },
    },
  ],
];

/** Each in one of the modes: whoever leads, one judge looks at it. */
describe('nothing is achieved by', () => {
  it.each(CASES.map((one, at) => [...one, at] as const))('%s', async (_, one, at) => {
    const { result } = await play(one, at % 2 === 0 ? 'native' : 'json');
    expect(result.ending).not.toBe('achieved');
  });
});

describe('a right program in the guided driver', () => {
  it('is not mended until it prints what the plan guessed before anything was read', async () => {
    const right = '// of numbers.txt\nconsole.log("60");\n';
    const { world, result } = await play(
      {
        goal: 'Write total.mjs that prints the sum of the figures in numbers.txt',
        given: { 'numbers.txt': '10\n20\n30\n' },
        work: {
          subtasks: [write('total.mjs', 'prints the sum of numbers.txt')],
          verify: { cmd: 'node total.mjs', prints: '1000' },
          files: { 'total.mjs': [right, '// of numbers.txt\nconsole.log("1000");\n'] },
        },
      },
      'json',
    );
    expect(world.read('total.mjs')).toBe(right);
    expect(result.ending).not.toBe('failed');
  });
});
