import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TardigradeError } from '../../src/lib/errors.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import type { ToolResult } from '../../src/schema/actions.ts';
import { markSubtaskComplete } from '../../src/tools/builtin/mark-subtask-complete.ts';
import { readFile } from '../../src/tools/builtin/read-file.ts';
import { writeFile } from '../../src/tools/builtin/write-file.ts';
import { zodSchema } from '../../src/tools/calls/args-schema.ts';
import type { PerformHooks, Tool } from '../../src/tools/contract.ts';
import type { PolicyRequest } from '../../src/tools/decision.ts';
import { type ExecuteDeps, executeCall, executeCheck } from '../../src/tools/execute.ts';
import { ok } from '../../src/tools/result.ts';
import { allowAll, makeWorkspace, type TestWorkspace } from './support.ts';

const commandTool = (perform: (hooks: PerformHooks) => Promise<ToolResult>): Tool => ({
  name: 'run_cmd',
  description: '',
  touches: 'process',
  afterCrash: 'unknown',
  args: zodSchema(z.object({ cmd: z.string() })),
  prepare: async () => ({ kind: 'ready', files: [], perform }),
});

function makeDeps(workspace: TestWorkspace, more: Partial<ExecuteDeps> = {}, extra: Tool[] = []) {
  const records: { type: string; [key: string]: unknown }[] = [];
  const deps: ExecuteDeps = {
    tools: [readFile, writeFile, markSubtaskComplete, ...extra],
    context: workspace.context,
    log: {
      intended: (record) => void records.push({ type: 'intended', ...record }),
      started: (record) => void records.push({ type: 'started', ...record }),
      finished: (record) => void records.push({ type: 'finished', ...record }),
      barrier: () => {},
    },
    clock: { monotonic: () => 0 },
    signal: new AbortController().signal,
    onOutput: () => {},
    blocked: null,
    watch: null,
    decide: allowAll,
    resultHash: (text) => `hash of ${text}`,
    ...more,
  };
  const run = (name: string, args: Record<string, unknown>) =>
    executeCall({ id: 'call-7', name, args }, '1.1#2#0', deps);
  return { deps, records, run, types: () => records.map((record) => record.type) };
}

describe('executing a call', () => {
  it('records the intent before the effect and the outcome after it', async () => {
    const workspace = makeWorkspace();
    const atIntent: boolean[] = [];
    const { records, run, types } = makeDeps(workspace);
    const originalPush = records.push.bind(records);
    records.push = (...added) => {
      atIntent.push(workspace.exists('a.txt'));
      return originalPush(...added);
    };
    const done = await run('write_file', { path: 'a.txt', content: 'hi' });
    expect(types()).toEqual(['intended', 'finished']);
    expect(atIntent).toEqual([false, true]);
    expect([...records]).toEqual([
      {
        type: 'intended',
        id: '1.1#2#0',
        class: 'write',
        tool: 'write_file',
        args: { path: 'a.txt', content: 'hi', create_dirs: true },
        signature: done.signature,
        files: [
          { path: 'a.txt', before: null, after: sha256('hi'), lines: { added: 1, removed: 0 } },
        ],
      },
      {
        type: 'finished',
        id: '1.1#2#0',
        tool: 'write_file',
        touches: 'files',
        does: 'writes_whole_files',
        target: 'a.txt',
        signature: done.signature,
        callId: 'call-7',
        status: 'ok',
        result: 'Wrote 2 chars to a.txt',
        resultHash: 'hash of Wrote 2 chars to a.txt',
        facts: { durationMs: 0, changed: true },
        hashes: { 'a.txt': sha256('hi') },
      },
    ]);
  });

  it('needs no intent to read or to end a subtask, and still has an outcome', async () => {
    const workspace = makeWorkspace();
    workspace.write('a.txt', 'hi');
    const { records, run, types } = makeDeps(workspace);
    await run('read_file', { path: 'a.txt' });
    const ended = await run('mark_subtask_complete', { success: true });
    expect(types()).toEqual(['finished', 'finished']);
    expect(records[0]).toMatchObject({ result: 'hi', hashes: { 'a.txt': sha256('hi') } });
    expect(ended.content).toBe('{"status":"subtask_complete"}');
  });

  it('holds back what the loop guard blocks and a gate denies, without an intent', async () => {
    const workspace = makeWorkspace();
    const blocked = makeDeps(workspace, { blocked: 'made three times' });
    expect(await blocked.run('write_file', { path: 'a', content: '' })).toMatchObject({
      status: 'blocked',
      content: 'made three times',
    });
    const denied = makeDeps(workspace, { denied: 'write_file is closed' });
    expect(await denied.run('write_file', { path: 'a', content: '' })).toMatchObject({
      status: 'denied',
      content: 'write_file is closed',
    });
    expect([...blocked.types(), ...denied.types()]).toEqual(['finished', 'finished']);
    expect(workspace.exists('a')).toBe(false);
  });

  it('asks the policy before anything is prepared', async () => {
    const workspace = makeWorkspace();
    const asked: unknown[] = [];
    const order: string[] = [];
    const decide = async (request: PolicyRequest) => {
      order.push('policy');
      asked.push(request);
      return { kind: 'deny' as const, reason: 'Not here.', hint: 'Write elsewhere.' };
    };
    const prepare = async () => {
      order.push('prepare');
      return { kind: 'ready' as const, files: [], perform: async () => ok('') };
    };
    const tool: Tool = { ...commandTool(async () => ok('')), prepare };
    const { run, types } = makeDeps(workspace, { decide }, [tool]);
    expect(await run('run_cmd', { cmd: 'x' })).toMatchObject({
      status: 'denied',
      content: 'Not here. Write elsewhere.',
    });
    await run('write_file', { path: 'a.txt', content: 'x' });
    await run('write_file', { path: 'a.txt' });
    expect(order).toEqual(['policy', 'policy']);
    expect(types()).toEqual(['finished', 'finished', 'finished']);
    expect(asked).toMatchObject([
      { tool: 'run_cmd', touches: 'process', asker: 'model', args: { cmd: 'x' } },
      {
        ...{ tool: 'write_file', touches: 'files', asker: 'model' },
        target: { kind: 'file', text: 'a.txt' },
        args: { path: 'a.txt', content: 'x', create_dirs: true },
      },
    ]);
    expect(workspace.exists('a.txt')).toBe(false);
  });

  it('denies what would be asked, and what a broken policy does not answer', async () => {
    const ask = async () => ({
      kind: 'ask' as const,
      reason: 'May it?',
      hint: 'Do without.',
      wants: [],
    });
    const asking = makeDeps(makeWorkspace(), { decide: ask });
    expect(await asking.run('write_file', { path: 'a', content: '' })).toMatchObject({
      status: 'denied',
      content: 'May it? Do without.',
    });
    const workspace = makeWorkspace();
    const broken = makeDeps(workspace, { decide: () => Promise.reject(new Error('no rules')) });
    expect(await broken.run('write_file', { path: 'a', content: '' })).toMatchObject({
      status: 'error',
      content: expect.stringContaining('no rules'),
    });
    expect(workspace.exists('a')).toBe(false);
  });

  it('gives an invalid call and a refused one their result', async () => {
    const { run, types } = makeDeps(makeWorkspace());
    expect(await run('nonsense', { a: 1 })).toMatchObject({ status: 'error', tool: 'nonsense' });
    expect(await run('write_file', { path: '../x', content: '' })).toMatchObject({
      status: 'error',
      content: expect.stringContaining('leads out of the workspace'),
    });
    expect(types()).toEqual(['finished', 'finished']);
  });

  it('records a started process and passes its output on', async () => {
    const heard: string[] = [];
    const tool = commandTool(async (hooks) => {
      hooks.onSpawn(42, 'noon');
      hooks.onOutput('hello');
      return ok('done', { fullContent: 'everything', facts: { exitCode: 0 } });
    });
    const kept: string[] = [];
    const more = {
      onOutput: (text: string) => void heard.push(text),
      storeFullResult: (id: string, text: string) => void kept.push(`${id} ${text}`),
    };
    const { records, run, types } = makeDeps(makeWorkspace(), more, [tool]);
    await run('run_cmd', { cmd: 'x' });
    expect(types()).toEqual(['intended', 'started', 'finished']);
    expect(records[1]).toEqual({ type: 'started', id: '1.1#2#0', pid: 42, startTime: 'noon' });
    expect([heard, kept]).toEqual([['hello'], ['1.1#2#0 everything']]);
  });

  it('lets the last word on a result enter its record', async () => {
    const revise = async ({ result }: { result: ToolResult }) => ({
      ...result,
      content: `${result.content}. It does not parse.`,
      facts: { ...result.facts, files: [{ path: 'a', exists: true, problems: ['bad'] }] },
    });
    const { records, run } = makeDeps(makeWorkspace(), { revise });
    await run('write_file', { path: 'a', content: 'x' });
    expect(records[1]).toMatchObject({
      result: 'Wrote 1 chars to a. It does not parse.',
      facts: { changed: true, files: [{ problems: ['bad'] }] },
    });
  });

  it('starts nothing once it is cancelled', async () => {
    const workspace = makeWorkspace();
    const { run, types } = makeDeps(workspace, { signal: AbortSignal.abort() });
    expect(await run('write_file', { path: 'a', content: '' })).toMatchObject({
      status: 'cancelled',
    });
    expect(types()).toEqual(['finished']);
    expect(workspace.exists('a')).toBe(false);
  });

  it('turns an exception inside a tool into a result, and reports it', async () => {
    const reported: unknown[] = [];
    const bug = new TypeError('x is undefined');
    const tool = commandTool(() => Promise.reject(bug));
    const more = { onInternalError: (error: unknown) => void reported.push(error) };
    const { run, types } = makeDeps(makeWorkspace(), more, [tool]);
    expect(await run('run_cmd', { cmd: 'x' })).toMatchObject({
      status: 'error',
      content: expect.stringContaining('x is undefined'),
    });
    expect(types()).toEqual(['intended', 'finished']);
    expect(reported).toEqual([bug]);
  });

  it('lets a full disk through with the intent open and the old file whole', async () => {
    const workspace = makeWorkspace({
      write: () => {
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      },
    });
    workspace.writeKnown('a', 'old');
    const { run, types } = makeDeps(workspace);
    await expect(run('write_file', { path: 'a', content: 'new' })).rejects.toMatchObject({
      code: 'E_DISK_FULL',
    });
    expect(types()).toEqual(['intended']);
    expect(workspace.read('a')).toBe('old');
  });

  it('ends the process and comes out when its start cannot be recorded', async () => {
    const lost = new Error('any failure of the log, not only the known ones');
    let wasEnded = false;
    const tool = commandTool(async (hooks) => {
      try {
        hooks.onSpawn(42, 'noon');
      } catch (error) {
        wasEnded = true;
        throw error;
      }
      return ok('went on');
    });
    const log = {
      intended: () => {},
      started: () => {
        throw lost;
      },
      finished: () => {
        throw new Error('not after a lost lock');
      },
      barrier: () => {},
    };
    const { run } = makeDeps(makeWorkspace(), { log }, [tool]);
    await expect(run('run_cmd', { cmd: 'x' })).rejects.toBe(lost);
    expect(wasEnded).toBe(true);
  });

  it('has no effect when its intent cannot be recorded', async () => {
    const workspace = makeWorkspace();
    const full = new TardigradeError('E_DISK_FULL', 'full', 'free some');
    const log = {
      intended: () => {
        throw full;
      },
      started: () => {},
      finished: () => {},
      barrier: () => {},
    };
    const { run } = makeDeps(workspace, { log });
    await expect(run('write_file', { path: 'a', content: 'x' })).rejects.toBe(full);
    expect(workspace.exists('a')).toBe(false);
  });
});

describe('the barrier', () => {
  const orderOf = async (name: string, args: Record<string, unknown>, tool?: Tool) => {
    const order: string[] = [];
    const workspace = makeWorkspace();
    const isThere = () => (workspace.exists('a') ? 'after the effect' : 'before it');
    const log = {
      intended: () => void order.push('intended'),
      started: () => {},
      finished: () => void order.push('finished'),
      barrier: () => void order.push(`barrier ${isThere()}`),
    };
    await makeDeps(workspace, { log }, tool ? [tool] : []).run(name, args);
    return order;
  };

  it('stands between the intent of a write and the write', async () => {
    const order = await orderOf('write_file', { path: 'a', content: 'x' });
    expect(order).toEqual(['intended', 'barrier before it', 'finished']);
  });

  it('stands between the intent of a command and its start', async () => {
    const order: string[] = [];
    const tool = commandTool(async () => {
      order.push('started');
      return ok('fine');
    });
    const log = {
      intended: () => void order.push('intended'),
      started: () => {},
      finished: () => void order.push('finished'),
      barrier: () => void order.push('barrier'),
    };
    await makeDeps(makeWorkspace(), { log }, [tool]).run('run_cmd', { cmd: 'x' });
    expect(order).toEqual(['intended', 'barrier', 'started', 'finished']);
  });

  it('does not stand before a read', async () => {
    expect(await orderOf('read_file', { path: 'b' })).toEqual(['finished']);
  });
});

describe('a check of the engine', () => {
  const checkIn = (more: Partial<ExecuteDeps> = {}, tool = commandTool(async () => ok('fine'))) => {
    const guards = { blocked: 'by the guard', denied: 'by the gate' };
    const { deps, records, types } = makeDeps(makeWorkspace(), { ...guards, ...more }, [tool]);
    const run = () => executeCheck({ name: 'run_cmd', args: { cmd: 'x' } }, '1.1#2#c0', deps);
    return { records, run, types };
  };

  it('has an intent of its own class, and leaves its outcome to who asked for it', async () => {
    const tool = commandTool(async (hooks) => {
      hooks.onSpawn(42, 'noon');
      return ok('fine', { output: 'fine' });
    });
    const { records, run, types } = checkIn({}, tool);
    expect(await run()).toEqual(ok('fine', { output: 'fine' }));
    expect(types()).toEqual(['intended', 'started']);
    expect(records[0]).toMatchObject({ id: '1.1#2#c0', class: 'check', args: { cmd: 'x' } });
    expect(Object.keys(records[0] ?? {})).toEqual(
      'type id class tool args signature files place'.split(' '),
    );
  });

  it('is asked of the policy as the engine, and refused in the same words', async () => {
    const askers: string[] = [];
    const decide = async ({ asker }: PolicyRequest) => {
      askers.push(asker);
      return { kind: 'deny' as const, reason: 'No.', hint: 'Do without.' };
    };
    const { run, types } = checkIn({ decide });
    const told = { status: 'denied', content: 'No. Do without.', facts: { refused: true } };
    expect([await run(), askers, types()]).toEqual([told, ['engine'], []]);
  });

  it('that fails inside is a result, and one with a lost log comes out', async () => {
    const bug = commandTool(() => Promise.reject(new TypeError('x is undefined')));
    expect(await checkIn({}, bug).run()).toMatchObject({ status: 'error' });
    const lost = new TardigradeError('E_FENCED', 'somebody else wrote', 'look');
    const log = {
      intended: () => {
        throw lost;
      },
      started: () => {},
      finished: () => {},
      barrier: () => {},
    };
    await expect(checkIn({ log }).run()).rejects.toBe(lost);
  });
});
