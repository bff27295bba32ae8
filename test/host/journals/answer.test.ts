/** Two answers to one call: the first counts. */
import { expect, it } from 'vitest';
import { originOf } from '../../../src/context-manager/origin.ts';
import { answer } from '../../../src/host/journals/answer.ts';
import { layoutOf } from '../../../src/journal/layout.ts';
import { acquireLock } from '../../../src/journal/lock/lock.ts';
import type { FileSystem } from '../../../src/lib/files/file-system.ts';
import { delegating } from '../../../src/lib/files/hiding-file-system.ts';
import { leaveAnswer, leftAnswers } from '../../../src/run/left-answers.ts';
import { machineWithGit, worldWithGit } from '../../support/git-world.ts';
import { journalOf, runIn } from '../../support/run-in.ts';
import { LARGE, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const KEY = new Uint8Array(32).fill(7);
const key = { kind: 'ok', key: KEY } as const;
const KEYS = { find: () => key, findOrMake: () => key };

const tasks = [{ description: 'it', subtasks: [{ do: 'commit it' }] }];
const commit = { name: 'run_cmd', args: { cmd: 'git commit -m it' } };

/** It wants the commit again and again. */
const commits = () =>
  scriptedProvider(({ messages }) => {
    const isPlanned = messages.some(({ role }) => role === 'assistant');
    return { calls: isPlanned ? [commit] : [{ name: 'set_plan', args: { tasks } }, commit] };
  }, LARGE);

/** A run that waits for a yes to `git commit`. */
async function waiting() {
  const world = worldWithGit();
  const machine = machineWithGit(world);
  const { result } = await runIn(world, commits(), { machine, goal: 'Commit it', originKey: KEY });
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

it('of two answers that are left at the same moment one counts, and the other is refused', async () => {
  const { machine, id, run } = await waiting();
  const place = { folder: layoutOf(WORKSPACE).answers, run, origin: originOf(KEY) };
  // The second one comes when the first has found none and not written its own yet.
  let isFirst = true;
  const fs: FileSystem = {
    ...delegating(machine.fs),
    open: (path, flags, mode) => {
      if (isFirst && flags !== 'r') {
        isFirst = false;
        leaveAnswer({ ...place, fs: machine.fs }, { id, allowed: false, why: '' });
      }
      return machine.fs.open(path, flags, mode);
    },
  };
  expect(() => leaveAnswer({ ...place, fs }, { id, allowed: true, why: '' })).toThrow('already');
  const taken: boolean[] = [];
  leftAnswers({ ...place, fs }).take((all) => taken.push(...all.map(({ allowed }) => allowed)));
  expect(taken).toEqual([false]);
  expect(fs.readdir(place.folder)).toEqual([]);
});

it('on a disk without links an answer is there whole or not at all, and a later one is refused', async () => {
  const { machine, id, run } = await waiting();
  const place = { folder: layoutOf(WORKSPACE).answers, run, origin: originOf(KEY) };
  const taken: boolean[] = [];
  const { take } = leftAnswers({ ...place, fs: machine.fs });
  const look = () => take((all) => taken.push(...all.map(({ allowed }) => allowed)));
  const fs: FileSystem = {
    ...delegating(machine.fs),
    link: () => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    },
  };
  // The process of the run looks whenever a file was opened to be written.
  const open: FileSystem['open'] = (path, flags, mode) => {
    const fd = fs.open(path, flags, mode);
    if (flags !== 'r') look();
    return fd;
  };
  leaveAnswer({ ...place, fs: { ...fs, open } }, { id, allowed: true, why: '' });
  expect(() => leaveAnswer({ ...place, fs }, { id, allowed: false, why: '' })).toThrow('already');
  look();
  expect(taken).toEqual([true]);
});

it('an answer to a question that the working run has an answer to already is refused', async () => {
  const { machine, id } = await waiting();
  const request = { workspace: WORKSPACE, id, why: '' };
  answer(machine, KEYS, { ...request, allowed: false });
  const { fs, identity, clock } = machine;
  const directory = layoutOf(WORKSPACE).lock;
  const lock = acquireLock({ fs, directory, identity, clock }, { force: false });
  expect(() => answer(machine, KEYS, { ...request, allowed: true })).toThrow('answered already');
  lock.release();
});

it('an answer that comes in when another is in the journal replaces none', async () => {
  const { world, machine, id, run } = await waiting();
  const place = { fs: machine.fs, folder: layoutOf(WORKSPACE).answers, run, origin: originOf(KEY) };
  answer(machine, KEYS, { workspace: WORKSPACE, id, why: '', allowed: false });
  leaveAnswer(place, { id, allowed: true, why: '' });
  await runIn(world, commits(), { machine, goal: null, originKey: KEY });
  const given = journalOf(world).filter(({ type }) => type === 'approval_given');
  expect(given).toMatchObject([{ id, allowed: false }]);
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

it('an answer that may be repeated counts once, and another one is still refused', async () => {
  const { machine, id, run } = await waiting();
  const request = { workspace: WORKSPACE, id, why: '', allowed: true, mayRepeat: true } as const;
  const place = { fs: machine.fs, folder: layoutOf(WORKSPACE).answers, run, origin: originOf(KEY) };
  leaveAnswer(place, request);
  leaveAnswer(place, request);
  expect(() => leaveAnswer(place, { ...request, allowed: false })).toThrow('answered already');
  for (const _ of [1, 2]) expect(answer(machine, KEYS, request).how).toBe('journalled');
  expect(() => answer(machine, KEYS, { ...request, allowed: false })).toThrow('answered already');
});

it('an answer without a run says that there is none', () => {
  const machine = testWorld().machine();
  const request = { workspace: WORKSPACE, id: '1', why: '', allowed: true };
  expect(() => answer(machine, KEYS, request)).toThrow('There is no run in this folder.');
});
