/** A model that gives the goal up for want of a permission, and goes on when it is given. */
import { expect, it } from 'vitest';
import { answeredCalls } from '../../src/llm/wire/answered-calls.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { machineWithGit, worldWithGit } from '../support/git-world.ts';
import { runIn } from '../support/run-in.ts';
import {
  LARGE,
  type Script,
  type ScriptedCall,
  scriptedProvider,
} from '../support/scripted-provider.ts';

const KEY = new Uint8Array(32).fill(7);
const COMMIT = 'git commit -m "a b"';
const GIVEN_UP = { reason: 'It cannot be committed here.', needs: 'a yes to git commit' };

const givesUp = (commit: ScriptedCall): Script => {
  const subtasks = [{ do: 'commit it' }];
  const planned = { name: 'set_plan', args: { tasks: [{ description: 'it', subtasks }] } };
  const gaveUp = { name: 'give_up', args: GIVEN_UP };
  return (_request, n) => {
    if (n === 1) return { calls: [planned, commit, gaveUp, commit] };
    if (n === 2) return { calls: [planned, commit] };
    return { calls: [{ name: 'mark_subtask_complete', args: { success: true } }] };
  };
};
const COMMITS = { name: 'run_cmd', args: { cmd: COMMIT } };

it('every call has its result in the request behind giving up, also the one of giving up', async () => {
  const world = worldWithGit();
  const provider = scriptedProvider(givesUp(COMMITS), LARGE);
  const options = { machine: machineWithGit(world), goal: 'Commit it', originKey: KEY };
  const { result } = await runIn(world, provider, options);
  expect(result.ending === 'paused' && result.why).toBe('waiting_for_person');
  await runIn(world, provider, { ...options, goal: null, allow: ['git commit *'] });
  const behind = provider.requests[1]?.messages ?? [];
  expect(answeredCalls(behind)).toEqual(behind);
  const told = behind.flatMap((one) => (one.role === 'tool' ? [one.content] : []));
  expect(told.slice(-2)).toEqual([
    'Noted: the run ends here.',
    'Not run: the goal was given up before it.',
  ]);
});

it('a run that was paused before it told of giving up goes on with every result', async () => {
  const world = worldWithGit();
  const provider = scriptedProvider(givesUp(COMMITS), LARGE);
  const machine = machineWithGit(world);
  const options = { goal: 'Commit it', originKey: KEY };
  const onRecord = (record: JournalRecord): void => {
    if (record.type !== 'action_finished' || record.does !== 'gives_up') return;
    machine.kill();
    throw new Error('killed');
  };
  await expect(runIn(world, provider, { ...options, machine, onRecord })).rejects.toThrow('killed');
  const rest = { ...options, machine: machineWithGit(world), goal: null, allow: ['git commit *'] };
  await runIn(world, provider, rest);
  const behind = provider.requests[1]?.messages ?? [];
  expect(behind.length).toBeGreaterThan(0);
  expect(answeredCalls(behind)).toEqual(behind);
});
