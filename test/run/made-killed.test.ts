/** The process killed while builds are repeated in copies: nothing is built twice in the folder, and the run ends the same. */
import { expect, it } from 'vitest';
import { cmd, DONE, edit, plan } from '../support/play.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../support/test-machine.ts';

/** Two builds, of which one needs what the other makes, and a proof that needs both. */
function project(begins: (cwd: string) => void = () => {}): TestWorld {
  const world = testWorld(([file = ''], _stdin, read, write, _remove, cwd) => {
    begins(cwd);
    const failed = { output: `${file} failed\n`, exitCode: 1 };
    const source = read('src/calc.txt');
    const half = read('half.out');
    if (file === 'first.mjs' && source !== null) write('half.out', `half ${source}`);
    else if (file === 'second.mjs' && half !== null) write('whole.out', `whole ${half}`);
    else if (file !== 'check.mjs' || read('whole.out') !== 'whole half right\n') return failed;
    return { output: 'done\n', exitCode: 0 };
  });
  world.write('.gitignore', '*.out\n');
  world.write('src/calc.txt', 'wrong\n');
  for (const name of ['first', 'second', 'check']) world.write(`${name}.mjs`, `// ${name}\n`);
  return world;
}

const REPLIES = [
  [
    plan('node check.mjs'),
    edit('src/calc.txt', 'wrong', 'right'),
    cmd('node first.mjs'),
    cmd('node second.mjs'),
    DONE,
  ],
  [DONE],
];
const provider = () =>
  scriptedProvider(({ messages }) => {
    const said = messages.filter(({ role }) => role === 'assistant').length;
    return { calls: REPLIES[Math.min(said, REPLIES.length - 1)] ?? [DONE] };
  }, LARGE);
const options = { goal: 'Make the check pass', toolMode: 'native' } as const;

const inFolder = (world: TestWorld): readonly string[] =>
  world.commands.flatMap(({ line, cwd }) => (cwd === WORKSPACE ? line : []));
const inCopies = (world: TestWorld): readonly string[] =>
  world.commands.flatMap(({ line, cwd }) => (cwd === WORKSPACE ? [] : line));

const triedIn = (world: TestWorld): readonly string[] =>
  journalOf(world).flatMap((one) =>
    one.type === 'check_ran' && one.scratch ? [one.scratch.what] : [],
  );

/** Where a killed run leaves off, another process goes on. */
async function goneOn(world: TestWorld, at: string): Promise<void> {
  const { result } = await runIn(world, provider(), options);
  expect(result, at).toMatchObject({
    ending: 'achieved',
    detail: 'proof passed: node check.mjs; before the first change it failed',
  });
  expect(inFolder(world), at).toEqual(['node first.mjs', 'node second.mjs', 'node check.mjs']);
  expect(inCopies(world).length, at).toBeGreaterThan(0);
  expect(world.read('whole.out'), at).toBe('whole half right\n');
  expect(world.read('.agent_context/scratch/check.mjs'), at).toBeNull();
  expect(result.state.intents, at).toEqual({});
}

it('ends the same whichever record the process is killed after', async () => {
  const undisturbed = project();
  await goneOn(undisturbed, 'undisturbed');
  const records = journalOf(undisturbed);
  expect(triedIn(undisturbed)).toContain('made');
  const first = records.findIndex((one) => one.type === 'check_ran' && !one.scratch);
  for (const at of somePlaces(first + 2, records.length, 3)) {
    const world = project();
    const machine = world.machine();
    const killed = runIn(world, provider(), {
      ...options,
      machine,
      onRecord: (_, index) => {
        if (index < at) return;
        machine.kill();
        throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    await goneOn(world, `killed after record ${at}`);
  }
});

it('ends the same whichever command in a copy the process is killed in', async () => {
  const undisturbed = project();
  await goneOn(undisturbed, 'undisturbed');
  for (const at of inCopies(undisturbed).keys()) {
    let begun = 0;
    const world = project((cwd) => {
      if (cwd === WORKSPACE) return;
      begun += 1;
      if (begun !== at + 1) return;
      machine.kill();
      throw new Error('killed');
    });
    const machine = world.machine();
    await expect(runIn(world, provider(), { ...options, machine })).rejects.toThrow();
    await goneOn(world, `killed in command ${at + 1}`);
  }
});
