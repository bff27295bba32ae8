/** A proof that needs a yes, where nobody can be asked. */
import { expect, it } from 'vitest';
import { machineWithGit, worldWithGit } from '../support/git-world.ts';
import { DONE, plan, write } from '../support/play.ts';
import { type RunIn, runIn } from '../support/run-in.ts';
import { LARGE, type ScriptedCall, scriptedProvider } from '../support/scripted-provider.ts';

const PROOF = 'git commit -m done';
const HELLO = write('hello.mjs', 'console.log("hello");\n');

function playedIn(world = worldWithGit()) {
  const heard: string[] = [];
  const work = (replies: readonly (readonly ScriptedCall[])[], options: RunIn = {}) => {
    let said = 0;
    const provider = scriptedProvider(({ messages }) => {
      heard.push(messages.map(({ content }) => content).join('\n'));
      const calls = replies[said] ?? [DONE];
      said += 1;
      return { calls };
    }, LARGE);
    const machine = machineWithGit(world);
    return runIn(world, provider, {
      machine,
      goal: 'Do it',
      originKey: new Uint8Array(32),
      ...options,
    });
  };
  const ran = () => world.commands.filter(({ line }) => line.includes('commit')).length;
  return { work, heard, ran };
}

it('lets the plan be, and the run waits with all its work done', async () => {
  const { work, heard, ran } = playedIn();
  const { result, records } = await work([[plan(PROOF), HELLO, DONE]]);
  expect(result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
  expect(result.detail).toContain(PROOF);
  expect(records.filter(({ type }) => type === 'check_ran' || type === 'replanned')).toEqual([]);
  expect([heard.length, ran()]).toEqual([1, 0]);
  const again = await work([], { goal: null });
  expect(again.result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
  expect([heard.length, ran()]).toEqual([1, 0]);
});

it('runs once it is allowed, and the model is told of no permission that it never asked for', async () => {
  const { work, heard, ran } = playedIn();
  await work([[plan(PROOF), HELLO, DONE]]);
  const { records } = await work([], { goal: null, allow: ['git commit *'] });
  const proofs = records.flatMap((one) =>
    one.type === 'check_ran' && one.proof ? [one.passed] : [],
  );
  expect(proofs[0]).toBe(true);
  expect(ran()).toBeGreaterThan(0);
  expect(heard.join('\n')).not.toContain('Allowed now');
});

it('is told to the model, which may know one that needs no yes', async () => {
  const { work, heard, ran } = playedIn();
  const other = plan('node hello.mjs');
  const { result } = await work([
    [plan(PROOF)],
    [{ name: 'set_plan', args: { ...other.args, why: 'it needs no yes' } }, HELLO, DONE],
  ]);
  expect(heard[1]).toContain("The user can allow it with --allow 'git commit *'.");
  expect(heard[1]).toContain('At its end the run waits for that.');
  expect(result.ending).not.toBe('paused');
  expect(ran()).toBe(0);
});

it('is no reason to keep from the model that an earlier call is allowed now', async () => {
  const { work, heard } = playedIn();
  const STATUS = { name: 'run_cmd', args: { cmd: 'git status' } };
  const ADD = { name: 'run_cmd', args: { cmd: 'git add hello.mjs' } };
  const { result } = await work([
    [plan(PROOF), HELLO, ADD],
    [STATUS, DONE],
  ]);
  expect(result.state.active?.claim?.isOpen).toBe(true);
  await work([[ADD, DONE]], { goal: null, allow: ['git commit *', 'git add *'] });
  expect(heard.at(-1)).toContain('Allowed now: git add *; git commit *.');
});
