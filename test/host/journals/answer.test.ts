/** Two answers to one call: the first counts. */
import { expect, it } from 'vitest';
import { originOf } from '../../../src/context-manager/origin.ts';
import { answer } from '../../../src/host/journals/answer.ts';
import { layoutOf } from '../../../src/journal/layout.ts';
import { leaveAnswer, leftAnswers } from '../../../src/run/left-answers.ts';
import { machineWithGit, worldWithGit } from '../../support/git-world.ts';
import { runIn } from '../../support/run-in.ts';
import { LARGE, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const KEY = new Uint8Array(32).fill(7);
const key = { kind: 'ok', key: KEY } as const;
const KEYS = { find: () => key, findOrMake: () => key };

/** A run that waits for a yes to `git commit`. */
async function waiting() {
  const world = worldWithGit();
  const tasks = [{ description: 'it', subtasks: [{ do: 'commit it' }] }];
  const commit = { name: 'run_cmd', args: { cmd: 'git commit -m it' } };
  const provider = scriptedProvider(({ messages }) => {
    const isPlanned = messages.some(({ role }) => role === 'assistant');
    return { calls: isPlanned ? [commit] : [{ name: 'set_plan', args: { tasks } }, commit] };
  }, LARGE);
  const machine = machineWithGit(world);
  const { result } = await runIn(world, provider, { machine, goal: 'Commit it', originKey: KEY });
  const id = result.state.permissions?.open[0]?.id ?? '';
  expect(id).not.toBe('');
  return { world, machine: machineWithGit(world), id, run: result.state.run };
}

it('an answer that nobody took yet is not replaced by another one', async () => {
  const { machine, id, run } = await waiting();
  const folder = layoutOf(WORKSPACE).answers;
  const place = { fs: machine.fs, folder, run, origin: originOf(KEY) };
  leaveAnswer(place, { id, allowed: false, why: '' });
  expect(() => leaveAnswer(place, { id, allowed: true, why: '' })).toThrow('answered already');
});

it('what somebody else put in the place of an answer keeps no answer out', async () => {
  const { machine, id, run } = await waiting();
  const folder = layoutOf(WORKSPACE).answers;
  const theirs = { fs: machine.fs, folder, run, origin: originOf(new Uint8Array(32).fill(9)) };
  leaveAnswer(theirs, { id, allowed: true, why: '' });
  const mine = { ...theirs, origin: originOf(KEY) };
  expect(() => leaveAnswer(mine, { id, allowed: false, why: '' })).not.toThrow();
});

it('an answer stays until it is recorded, so that a kill or a full disk in between loses none', async () => {
  const { machine, id, run } = await waiting();
  const folder = layoutOf(WORKSPACE).answers;
  const place = { fs: machine.fs, folder, run, origin: originOf(KEY) };
  leaveAnswer(place, { id, allowed: true, why: '' });
  const { take } = leftAnswers(place);
  const killed = () =>
    take(() => {
      throw new Error('killed');
    });
  expect(killed).toThrow('killed');
  const taken: string[] = [];
  for (const _ of [1, 2]) take((answers) => taken.push(...answers.map((one) => one.id)));
  expect(taken).toEqual([id]);
});

it('an answer in the journal is not replaced by another one', async () => {
  const { machine, id } = await waiting();
  const request = { workspace: WORKSPACE, id, why: '' };
  expect(answer(machine, KEYS, { ...request, allowed: false }).how).toBe('journalled');
  expect(() => answer(machine, KEYS, { ...request, allowed: true })).toThrow('answered already');
});

it('an answer without a run says that there is none', () => {
  const machine = testWorld().machine();
  const request = { workspace: WORKSPACE, id: '1', why: '', allowed: true };
  expect(() => answer(machine, KEYS, request)).toThrow('There is no run in this folder.');
});
