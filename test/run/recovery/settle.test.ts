import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_COMMAND_CHANGES } from '../../../src/context-manager/fold/files/command-changes.ts';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import type { InterruptibleRunner } from '../../../src/lib/interruptible.ts';
import { withPauses } from '../../../src/lib/interruptible.ts';
import { sha256 } from '../../../src/lib/sha256.ts';
import type { Processes } from '../../../src/processes/contract.ts';
import { settledText } from '../../../src/run/recovery/resume.ts';
import { settle } from '../../../src/run/recovery/settle.ts';
import type { SettleDeps } from '../../../src/run/recovery/settle-ports.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { lifetime } from '../../support/killable-file-system.ts';
import { makeWorkspace } from '../../tools/support.ts';
import {
  type Circumstances,
  HERE,
  type Intended,
  intended,
  intent,
  makeDeps,
  stateOf,
  systemProcessesAt,
} from './settling.ts';

it('interrupted while it looks at many files it settles nothing, and the next start settles all', async () => {
  const workspace = makeWorkspace();
  for (const name of ['a.txt', 'b.txt', 'c.txt']) workspace.write(name, 'other');
  const record = await intended(workspace, 'write_file', { path: 'new.txt', content: 'new' });
  const known = { hash: 'as it was', written: false };
  const files = { 'a.txt': known, 'b.txt': known, 'c.txt': known } as unknown as RunState['files'];
  const state = stateOf([record], { files });
  const { deps, finished } = makeDeps(workspace, [record]);
  let pauses = 0;
  const interrupt = new AbortController();
  const breathe = async () => {
    pauses += 1;
    if (pauses === 3) interrupt.abort();
  };
  const runInterruptibly: InterruptibleRunner = (work) =>
    withPauses(work, breathe, interrupt.signal);
  await expect(settle(state, { ...deps, runInterruptibly })).rejects.toMatchObject({
    code: 'E_INTERRUPTED',
  });
  expect(pauses).toBe(3);
  expect(finished).toEqual([]);
  expect(workspace.exists('new.txt')).toBe(false);
  const report = await settle(state, deps);
  expect(report.changedMeanwhile).toEqual(['a.txt', 'b.txt', 'c.txt']);
  expect(finished).toHaveLength(1);
  expect(workspace.read('new.txt')).toBe('new');
});

describe('a write without an outcome', () => {
  it('whose content is there is done, with the words an uninterrupted run had said', async () => {
    const workspace = makeWorkspace();
    const record = await intended(workspace, 'write_file', { path: 'd/a.txt', content: 'new' });
    workspace.write('d/a.txt', 'new');
    const { finished, deps } = makeDeps(workspace, [record]);
    const report = await settle(stateOf([record]), deps);
    expect(report.settled).toEqual([
      {
        id: '1.1#1#0',
        tool: 'write_file',
        target: 'd/a.txt',
        how: 'done',
        survivor: 'none',
        where: '',
      },
    ]);
    expect(finished).toEqual([
      {
        id: '1.1#1#0',
        tool: 'write_file',
        touches: 'files',
        does: 'writes_whole_files',
        target: 'd/a.txt',
        signature: record.signature,
        callId: 'call-1',
        status: 'ok',
        result: 'Wrote 3 chars to d/a.txt',
        resultHash: 'hash of Wrote 3 chars to d/a.txt',
        facts: { changed: true },
        hashes: { 'd/a.txt': sha256('new') },
      },
    ]);
  });

  it('that has not happened is done now', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'one two');
    const args = { path: 'a.txt', old_text: 'two', new_text: 'three' };
    const record = await intended(workspace, 'edit_file', args);
    const { finished, deps } = makeDeps(workspace, [record]);
    const report = await settle(stateOf([record]), deps);
    expect(report.settled[0]?.how).toBe('done_now');
    expect(workspace.read('a.txt')).toBe('one three');
    expect(finished[0]).toMatchObject({ status: 'ok', result: 'Replaced old_text in a.txt' });
  });

  it('that the tool would do otherwise today is a conflict and is not done', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'one two');
    const args = { path: 'a.txt', old_text: 'two', new_text: 'three' };
    const made = await intended(workspace, 'edit_file', args);
    const files = made.files.map((file) => ({ ...file, after: 'f'.repeat(64) }));
    const record = { ...made, files };
    const report = await settle(stateOf([record]), makeDeps(workspace, [record]).deps);
    expect(report.settled[0]?.how).toBe('conflict');
    expect(workspace.read('a.txt')).toBe('one two');
  });

  it('of a file that somebody else changed is a conflict and leaves it alone', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'old');
    const record = await intended(workspace, 'write_file', { path: 'a.txt', content: 'new' });
    workspace.write('a.txt', 'theirs');
    workspace.write('a.txt.agent.tmp', 'ne');
    const { finished, deps } = makeDeps(workspace, [record]);
    const report = await settle(stateOf([record]), deps);
    expect(report).toMatchObject({ settled: [{ how: 'conflict' }], changedMeanwhile: [] });
    expect(workspace.exists('a.txt.agent.tmp'), 'half a file is cleared away').toBe(false);
    expect(finished[0]).toMatchObject({ status: 'conflict', hashes: {} });
    expect(workspace.read('a.txt')).toBe('theirs');
  });

  it('whose folder leads out of the workspace by now is a conflict', async () => {
    const workspace = makeWorkspace();
    const outside = makeWorkspace();
    const record = await intended(workspace, 'write_file', { path: 'd/a.txt', content: 'new' });
    fs.symlinkSync(outside.root, path.join(workspace.root, 'd'));
    const { deps } = makeDeps(workspace, [record]);
    expect((await settle(stateOf([record]), deps)).settled[0]?.how).toBe('conflict');
    expect(outside.exists('a.txt')).toBe(false);
  });

  it('is made durable before it is called done', async () => {
    const synced: string[] = [];
    const names = new Map<number, string>();
    const workspace = makeWorkspace({
      open: (name, flags, mode) => {
        const fd = nodeFileSystem.open(name, flags, mode);
        names.set(fd, path.relative(workspace.root, name));
        return fd;
      },
      fsync: (fd) => void synced.push(names.get(fd) ?? '?'),
    });
    const record = await intended(workspace, 'write_file', { path: 'd/a.txt', content: 'new' });
    workspace.write('d/a.txt', 'new');
    const { finished, deps } = makeDeps(workspace, [record]);
    await settle(stateOf([record]), { ...deps, log: { finished: () => synced.push('record') } });
    expect(synced).toEqual(['d/a.txt', 'd', '', 'record']);
    expect(finished).toEqual([]);
  });
});

describe('a command without an outcome', () => {
  const record = intent({ args: { cmd: 'python send_mail.py' } });

  it('is unknown and never run again, and the model is told which one', async () => {
    const workspace = makeWorkspace();
    const { finished, deps } = makeDeps(workspace, [record]);
    const report = await settle(stateOf([record]), deps);
    expect(report.settled[0]).toMatchObject({ how: 'unknown', target: 'python send_mail.py' });
    expect(finished[0]).toMatchObject({ status: 'interrupted', callId: 'call-1' });
    expect(finished[0]?.result).toMatch(/^interrupted: outcome unknown\. python send_mail\.py /);
  });

  it.each([
    ['ended', /was still running and was ended/],
    ['still_running', /could not be ended/],
    ['may_run', /or what it started, may still run/],
    ['none', /^((?!still r).)*$/],
  ] as const)('whose process is left as %s is said so', async (survivor, words) => {
    const workspace = makeWorkspace();
    const asked: unknown[] = [];
    const processes: Processes = {
      ...workspace.context.processes,
      endLeftover: async (...started) => {
        asked.push(started);
        return survivor;
      },
    };
    const { finished, deps } = makeDeps(workspace, [record]);
    const process = { pid: 77, startTime: 'noon' };
    const report = await settle(stateOf([record], { process, place: HERE }), {
      ...deps,
      context: { ...workspace.context, processes },
    });
    expect(asked).toEqual([[process, HERE]]);
    expect(report.settled[0]?.survivor).toBe(survivor);
    expect(finished[0]).toMatchObject({
      status: 'interrupted',
      result: expect.stringMatching(words),
    });
  });

  it('on another machine may still run there, and is neither ended nor called ended', async () => {
    const workspace = makeWorkspace();
    const here = { ...workspace.context.processes.place, host: 'here' };
    const processes = systemProcessesAt(workspace, here);
    const { finished, deps } = makeDeps(workspace, [record]);
    const place = { ...HERE, host: 'build-7', boot: 'another' };
    const process = { pid: 77, startTime: 'noon' };
    const report = await settle(stateOf([record], { process, place }), {
      ...deps,
      context: { ...workspace.context, processes },
    });
    const [settled] = report.settled;
    expect(settled).toMatchObject({ how: 'unknown', survivor: 'may_run' });
    expect(finished[0]?.result).toContain('may still run on build-7.');
    expect(settled && settledText(settled)).toContain('may still run on build-7: look');
  });

  it('that waits for the record of its start, and has none, was not run', async () => {
    const workspace = makeWorkspace();
    const { finished, unseen, deps } = makeDeps(workspace, [record]);
    const report = await settle(stateOf([record], { place: HERE }), deps);
    expect(report.settled[0]).toMatchObject({ how: 'not_run', survivor: 'none' });
    expect(finished[0]).toMatchObject({
      status: 'not_run',
      result:
        'Not run: python send_mail.py had not begun when the run was cut off. Call it again if it is needed.',
      facts: { notStarted: true },
    });
    expect(unseen, 'nothing changed while it ran').toEqual([]);
  });

  it.each([
    ['where its start is recorded', { process: { pid: 77, startTime: 'noon' }, place: HERE }],
    ['where the machine went down meanwhile', { place: { ...HERE, boot: 'yesterday' } }],
    ['where it does not wait for its record', { place: { ...HERE, isGated: false } }],
    ['where an older version did not say how it starts', {}],
    ['where the journal was cut behind it', { place: HERE, wasCut: true }],
  ])(
    'is unknown %s',
    async (_, { wasCut = false, ...more }: Circumstances & { wasCut?: boolean }) => {
      const workspace = makeWorkspace();
      const { finished, unseen, deps } = makeDeps(workspace, [record]);
      const report = await settle(stateOf([record], more), { ...deps, wasCutBehind: () => wasCut });
      expect(report.settled[0]?.how).toBe('unknown');
      expect(finished[0]?.status).toBe('interrupted');
      expect(unseen).toEqual([record.id]);
    },
  );

  it('that belongs to a check stays open, because the check is run again', async () => {
    const workspace = makeWorkspace();
    const check = intent({ class: 'check', args: { cmd: 'pytest' } });
    const { finished, deps } = makeDeps(workspace, [check]);
    const report = await settle(stateOf([check]), deps);
    expect(report.settled[0]).toMatchObject({ how: 'run_again', target: 'pytest' });
    expect(finished).toEqual([]);
  });
});

it('names the files that changed while the run was down, but not by a command of the run', async () => {
  const workspace = makeWorkspace();
  const known = (hash: string | null) => ({ hash, written: true, problems: [] }) as never;
  workspace.write('same.txt', 'same');
  workspace.write('edited.txt', 'edited');
  workspace.write('appeared.txt', 'x');
  workspace.write('installed.txt', 'new');
  const files = {
    'same.txt': known(sha256('same')),
    'edited.txt': known(sha256('before')),
    'removed.txt': known(sha256('was')),
    'appeared.txt': known(null),
    'absent.txt': known(null),
    'installed.txt': known(sha256('old')),
  };
  const change = { before: sha256('old'), after: sha256('new'), isUnseen: false, seq: 7 };
  const commandChanges = { ...NO_COMMAND_CHANGES, files: { 'installed.txt': change } };
  const { deps } = makeDeps(workspace, []);
  const report = await settle(stateOf([], { files, commandChanges }), deps);
  expect(report.changedMeanwhile).toEqual(['edited.txt', 'removed.txt', 'appeared.txt']);
});

it('settles the same when it is killed before any of its own operations', async () => {
  for (let changes = 0; ; changes += 1) {
    const workspace = makeWorkspace();
    workspace.writeKnown('b.txt', 'old');
    const first = await intended(workspace, 'write_file', { path: 'd/a.txt', content: 'new' });
    const other = await intended(workspace, 'write_file', { path: 'b.txt', content: 'new' });
    const second: Intended = { ...other, id: '1.1#1#1' };
    const records = [first, second];
    const { finished, deps } = makeDeps(workspace, records);
    const life = lifetime(changes);
    const dying: SettleDeps = {
      ...deps,
      context: { ...workspace.context, fs: { ...nodeFileSystem, ...life.fs } },
      log: {
        finished: (record) => {
          life.beat();
          finished.push(record);
        },
      },
    };
    await settle(stateOf(records), dying).catch(() => {});
    const open = records.filter((record) => !finished.some(({ id }) => id === record.id));
    await settle(stateOf(open), { ...deps, readIntent: (offset) => open[offset] as Intended });
    expect([workspace.read('d/a.txt'), workspace.read('b.txt')]).toEqual(['new', 'new']);
    expect(finished.map(({ id, status }) => `${id} ${status}`)).toEqual([
      '1.1#1#0 ok',
      '1.1#1#1 ok',
    ]);
    if (!life.isDead()) break;
  }
});
