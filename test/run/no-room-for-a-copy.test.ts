/** The disk does not take the copy in which the work is tried: that says nothing of the work. */
import { expect, it } from 'vitest';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { fileSystemError } from '../../src/lib/files/memory-file-system.ts';
import { runIn } from '../support/run-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { type TestMachine, testWorld } from '../support/test-machine.ts';

const OLD = 'export const add = (a, b) => a;\n';
const NEW = 'export const add = (a, b) => a + b;\n';
const TEST =
  "import test from 'node:test';\nimport { add } from './calc.mjs';\ntest('add', () => add(1, 1));\n";

/** A suite that passes with the new code alone. */
function calculator() {
  const world = testWorld((_args, _stdin, read) => {
    const isGood = read('calc.mjs') === NEW;
    const [passed, failed] = isGood ? [1, 0] : [0, 1];
    return {
      output: `# tests 1\n# pass ${passed}\n# fail ${failed}\n`,
      exitCode: isGood ? 0 : 1,
    };
  });
  world.write('calc.mjs', OLD);
  return world;
}

const call = (name: string, args: { readonly [name: string]: unknown }) => ({ name, args });
const DONE = call('mark_subtask_complete', { success: true, reason: 'it adds' });

const model = () => {
  const replies = [
    [call('read_file', { path: 'calc.mjs' })],
    [
      call('set_plan', {
        tasks: [{ description: 'it', subtasks: [{ do: 'mend add' }] }],
        proof: { cmd: 'node --test' },
      }),
      call('write_file', { path: 'calc.mjs', content: NEW }),
      call('write_file', { path: 'calc.test.mjs', content: TEST }),
      DONE,
    ],
  ];
  return scriptedProvider(() => ({ calls: replies.shift() ?? [DONE] }), LARGE);
};

/** Files of the copy are refused with this code. */
function refusing(machine: TestMachine, code: string): TestMachine {
  const fs = delegating(machine.fs);
  const open: typeof fs.open = (path, flags, mode) => {
    if (path.replaceAll('\\', '/').includes('/scratch/') && flags !== 'r')
      throw fileSystemError(code, 'open', path);
    return fs.open(path, flags, mode);
  };
  return { ...machine, fs: { ...fs, open } };
}

const options = { goal: 'Mend add in calc.mjs', toolMode: 'native' } as const;

it('a full disk pauses the run, which goes on to its end once there is room', async () => {
  const world = calculator();
  const provider = model();
  const first = await runIn(world, provider, {
    ...options,
    machine: refusing(world.machine(), 'ENOSPC'),
  });
  expect(first.result).toMatchObject({
    ...{ ending: 'paused', why: 'disk_full' },
    detail: 'The disk is full (ENOSPC) while copying the workspace for a trial.',
  });
  const asked = provider.requests.length;
  const second = await runIn(world, provider, options);
  expect(second.result).toMatchObject({ ending: 'achieved' });
  expect(provider.requests).toHaveLength(asked);
});

it.each(['EIO', 'EMFILE'])('a disk that answers %s ends this start alone', async (code) => {
  const world = calculator();
  const provider = model();
  const machine = refusing(world.machine(), code);
  await expect(runIn(world, provider, { ...options, machine })).rejects.toMatchObject({
    ...{ code: 'E_IO', message: expect.stringContaining('copying the workspace for a trial') },
  });
  expect((await runIn(world, provider, options)).result).toMatchObject({ ending: 'achieved' });
});

it('a file that nobody may read still leaves the work unproved, with the reason', async () => {
  const world = calculator();
  const machine = refusing(world.machine(), 'EACCES');
  const { result } = await runIn(world, model(), { ...options, machine });
  expect(result).toMatchObject({
    ...{ ending: 'unverified', detail: expect.stringContaining('the system answered EACCES') },
  });
});
