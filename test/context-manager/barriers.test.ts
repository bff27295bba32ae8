/** What is on the disk when somebody outside hears of it, and what `state.json` says meanwhile. */
import { describe, expect, test, vi } from 'vitest';
import { ContextManager } from '../../src/context-manager/context-manager.ts';
import { layoutOf, prepareLayout } from '../../src/journal/layout.ts';
import { readSnapshot } from '../../src/journal/snapshot.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { fileSystemError } from '../../src/lib/files/memory-file-system.ts';
import { newDirectory } from '../../src/lib/files/memory-nodes.ts';
import { runSync } from '../../src/lib/interruptible.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import type { RunState } from '../../src/schema/state.ts';
import { HELLO_NODE } from '../support/e2e-goals.ts';
import { diligentModel } from '../support/models.ts';
import { runIn, UNSTATED } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { SimulatedDisk } from '../support/simulated-disk.ts';
import { SimulatedFileSystem } from '../support/simulated-file-system.ts';
import { testWorld } from '../support/test-machine.ts';

const LAYOUT = layoutOf('/work');

const note = (kind: string): JournalRecord => ({ type: 'note', kind, data: {} });
const notice = (text: string): RunEvent => ({ type: 'notice', level: 'info', text });

const PLAN: JournalRecord = {
  type: 'plan_set',
  why: 'test',
  plan: {
    fallback: false,
    tasks: [
      {
        ...{ id: '1', description: 'work' },
        subtasks: [{ id: '1.1', purpose: 'do it', checks: [], status: 'pending' }],
      },
    ],
  },
};

/** A run that has just begun, on a disk that forgets; every event with what was durable then. */
function beginRun() {
  const root = newDirectory(0o755, 0);
  root.entries.set('work', newDirectory(0o755, 0));
  const fs = new SimulatedFileSystem({}, new SimulatedDisk(root));
  const heard: string[] = [];
  const tooEarly: string[] = [];
  const emit = (event: RunEvent): void => {
    const name =
      event.type === 'record'
        ? event.record.type === 'note'
          ? event.record.kind
          : event.record.type
        : event.type === 'notice'
          ? event.text
          : event.type;
    heard.push(name);
    if (event.type === 'record' && !fs.isDurable(LAYOUT.history)) tooEarly.push(name);
  };
  let now = 0;
  const clock = {
    now: () => 1_000,
    monotonic: () => now,
    sleep: () => Promise.resolve(),
  };
  prepareLayout(fs, LAYOUT);
  const ports = { fs, layout: LAYOUT, clock, emit };
  const { context } = runSync(ContextManager.loadOrInit(ports, { goal: 'g', again: false }));
  const pass = (ms: number): void => {
    now += ms;
  };
  const view = () => {
    const reading = readSnapshot<RunState>(fs, LAYOUT);
    return reading.kind === 'ok' ? reading.snapshot : null;
  };
  return { fs, context, heard, tooEarly, pass, view };
}

describe('observers', () => {
  test('hear of a record when it is durable, and of everything in its order', () => {
    const { context, heard, tooEarly } = beginRun();
    context.emit(notice('at once'));
    context.record(note('first'));
    context.emit(notice('behind the first'));
    context.record(note('second'));
    expect(heard).toEqual(['at once']);
    context.sync('request');
    expect(heard).toEqual(['at once', 'first', 'behind the first', 'second']);
    expect(tooEarly).toEqual([]);
  });

  test('hear at once that a program has started, so that its output is not held back', () => {
    const { context, heard } = beginRun();
    context.recordAction({ type: 'action_started', id: '1.1#1#0', pid: 7, startTime: '1' });
    context.emit({ type: 'action_output', text: 'line' });
    expect(heard).toEqual(['action_started', 'action_output']);
  });

  test('are asked a question only when it is durable', () => {
    const { context, heard, tooEarly } = beginRun();
    context.record(note('before it'));
    context.record({ type: 'approval_asked', id: '1', question: 'May it?' });
    expect(heard).toEqual(['before it', 'approval_asked']);
    expect(tooEarly).toEqual([]);
  });

  test('cannot be asked anything by an engine that forgets that barrier', () => {
    const { context, heard } = beginRun();
    context.sync = () => {};
    context.record({ type: 'approval_asked', id: '1', question: 'May it?' });
    expect(heard).toEqual([]);
  });

  test('hear nothing more of what a failed sync has left unknown', () => {
    const { fs, context, heard } = beginRun();
    context.record(note('lost'));
    fs.fdatasync = (fd) => {
      throw fileSystemError('EIO', 'fdatasync', fd);
    };
    expect(() => context.sync('effect')).toThrow(expect.objectContaining({ code: 'E_IO' }));
    context.close();
    expect(heard).toEqual([]);
  });
});

test('no request is sent on a full disk: what the reserve left is for the outcome and the pause', () => {
  const { fs, context } = beginRun();
  const write = fs.write.bind(fs);
  let isFirst = true;
  // Room for a few records once the reserve was given up, and not for a new one.
  fs.write = (fd, buffer, position) => {
    if (isFirst || buffer.length >= 64 * 1024) {
      isFirst = false;
      throw fileSystemError('ENOSPC', 'write', fd);
    }
    return write(fd, buffer, position);
  };
  context.record(note('an outcome'));
  expect(() => context.sync('request')).toThrow(expect.objectContaining({ code: 'E_DISK_FULL' }));
  context.sync('pause');
  fs.write = write;
  context.sync('request');
});

describe('state.json', () => {
  test('is there from the first plan on, and never says what is not durable', () => {
    const { context, view } = beginRun();
    context.record(note('before the plan'));
    context.sync('request');
    expect(view()).toBeNull();
    context.record(PLAN);
    expect(view()).toBeNull();
    context.sync('request');
    expect(view()).toMatchObject({ seq: 3, synced: false });
    expect(view()?.state.plan?.tasks).toHaveLength(1);
  });

  test('is written at most four times a second, and at the end of a subtask all the same', () => {
    const { context, pass, view } = beginRun();
    context.record(PLAN);
    context.sync('request');
    context.record({ type: 'subtask_started', subtask: '1.1' });
    pass(249);
    context.sync('effect');
    expect(view()?.seq).toBe(2);
    pass(1);
    context.sync('effect');
    expect(view()?.seq).toBe(3);
    context.markSubtaskComplete({ subtask: '1.1', status: 'completed', summary: '' });
    context.sync('request');
    expect(view()?.seq).toBe(4);
  });

  test('is not written at each of many ends in a quarter of a second, and is late by one look at most', () => {
    const { context, pass, view } = beginRun();
    context.record(PLAN);
    for (const after of [250, 249, 0]) {
      context.record({ type: 'subtask_started', subtask: '1.1' });
      context.markSubtaskComplete({ subtask: '1.1', status: 'completed', summary: '' });
      pass(after);
      context.sync('request');
    }
    expect(view()?.seq).toBe(4);
    context.showLate();
    expect(view()?.seq).toBe(4);
    pass(1);
    context.record(note('not durable yet'));
    context.showLate();
    expect(view()?.seq).toBe(4);
    context.sync('request');
    expect(view()?.seq).toBe(9);
    context.record({ type: 'subtask_started', subtask: '1.1' });
    context.markSubtaskComplete({ subtask: '1.1', status: 'completed', summary: '' });
    context.sync('request');
    pass(250);
    context.showLate();
    expect(view()?.seq).toBe(11);
  });

  test('costs no sync but at a pause and the end, and says which it was', () => {
    const { fs, context, view } = beginRun();
    const syncs = () => fs.operations.filter(({ name }) => name.endsWith('sync')).length;
    const before = syncs();
    context.record(PLAN);
    context.sync('request');
    expect(syncs()).toBe(before + 1);
    expect(fs.isDurable(LAYOUT.state)).toBe(false);
    context.settle();
    expect(fs.isDurable(LAYOUT.state)).toBe(true);
    expect(view()).toMatchObject({ seq: 2, synced: true });
  });

  test('that a program holds open costs a view and no wait, and is said once', () => {
    const { fs, context, heard, pass } = beginRun();
    const { rename } = fs;
    let attempts = 0;
    fs.rename = (from, to) => {
      if (!to.endsWith('state.json')) return rename.call(fs, from, to);
      attempts += 1;
      throw fileSystemError('EPERM', 'rename', from);
    };
    for (const record of [PLAN, note('more'), note('still more')]) {
      context.record(record);
      context.sync('request');
      pass(1_000);
    }
    expect(attempts).toBe(3);
    expect(heard.filter((text) => text.startsWith('The snapshot was not written'))).toHaveLength(1);
  });
});

test('what a tool just said is not read back from the journal for the next request', async () => {
  const world = testWorld();
  const machine = world.machine();
  const fs = delegating(machine.fs);
  const journals = new Set<number>();
  let read = 0;
  const counting: typeof fs = {
    ...fs,
    open: (path, ...rest) => {
      const fd = fs.open(path, ...rest);
      if (path.endsWith('history.jsonl')) journals.add(fd);
      return fd;
    },
    close: (fd) => {
      journals.delete(fd);
      fs.close(fd);
    },
    read: (fd, buffer, position) => {
      // The last checksum is looked at before each record.
      if (journals.has(fd) && buffer.length > 100) read += 1;
      return fs.read(fd, buffer, position);
    },
  };
  const { messages } = ContextManager.prototype;
  const whileRead: number[] = [];
  vi.spyOn(ContextManager.prototype, 'messages').mockImplementation(function (
    this: ContextManager,
  ) {
    const before = read;
    const all = messages.call(this);
    whileRead.push(read - before);
    return all;
  });
  const provider = scriptedProvider(diligentModel(HELLO_NODE));
  const { records } = await runIn(world, provider, {
    ...{ machine: { ...machine, fs: counting }, toolMode: 'json' as const, goal: UNSTATED },
  });
  vi.restoreAllMocks();
  expect(records.some((one) => one.type === 'message_added' && one.resultOf)).toBe(true);
  expect(whileRead.length).toBeGreaterThan(1);
  expect(whileRead.filter((count) => count > 0)).toEqual([]);
});
