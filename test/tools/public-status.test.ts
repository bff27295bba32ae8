import { expect, it } from 'vitest';
import { RUN_WITHOUT_PAUSES } from '../../src/lib/interruptible.ts';
import { settle } from '../../src/run/recovery/settle.ts';
import type { ActionFacts, ActionStatus } from '../../src/schema/actions.ts';
import { PublicStatus } from '../../src/schema/events/outcome.ts';
import type { RecordOf } from '../../src/schema/records.ts';
import type { RunState } from '../../src/schema/state.ts';
import { type ExecuteDeps, executeCall } from '../../src/tools/execute.ts';
import { connectServer } from '../../src/tools/mcp/connect.ts';
import { wireName } from '../../src/tools/mcp/names.ts';
import { serverTool } from '../../src/tools/mcp/server-tool.ts';
import { wireOver } from '../../src/tools/mcp/wire.ts';
import { publicStatus } from '../../src/tools/public-status.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import { allowAll, makeWorkspace } from './support.ts';

type Outcome = { readonly status: ActionStatus; readonly facts: ActionFacts };

const tools = builtinTools({
  programs: {
    find: async () => ({ kind: 'found', file: '/bin/node', prefix: [], notice: '' }),
    environment: () => ({}),
  },
});

/** One call through validation, guard, policy and tool, or cut off and settled. */
async function outcomeOf(
  name: string,
  args: Record<string, unknown>,
  more: Partial<ExecuteDeps> = {},
  cut?: { readonly isGated: boolean },
): Promise<Outcome> {
  const workspace = makeWorkspace();
  workspace.write('a.txt', 'one');
  const processes = {
    ...workspace.context.processes,
    run: async () => ({
      ...{ kind: 'timeout' as const, exitCode: null, signal: 'SIGKILL', output: '' },
      ...{ truncatedBytes: 0, durationMs: 1 },
    }),
  };
  const context = { ...workspace.context, processes };
  const intents: RecordOf<'action_intended'>[] = [];
  const outcomes: Outcome[] = [];
  const stop = new Error('killed');
  await executeCall({ id: 'c', name, args }, '1.1#1#0', {
    ...{ tools, context, watch: null, decide: allowAll },
    log: {
      intended: (record) => {
        intents.push({ type: 'action_intended', ...record });
        if (cut) throw stop;
      },
      started: () => {},
      finished: (record) => void outcomes.push(record),
      barrier: () => {},
    },
    clock: { monotonic: () => 0 },
    signal: new AbortController().signal,
    onOutput: () => {},
    blocked: null,
    resultHash: () => '',
    ...more,
  }).catch((error: unknown) => {
    if (error !== stop) throw error;
  });
  const [intent] = intents;
  if (cut && intent) {
    const place = { boot: 'today', pidNamespace: '', isGated: cut.isGated };
    const open = { ...intent, seq: 0, offset: 0, process: null, place };
    const state = { intents: { [intent.id]: open }, pending: { calls: [], next: 0 }, files: {} };
    await settle(state as unknown as RunState, {
      ...{ tools, context, resultHash: () => '', imageOf: () => null, readIntent: () => intent },
      log: { finished: (record) => void outcomes.push(record) },
      *recordingUnseen() {
        yield;
      },
      runInterruptibly: RUN_WITHOUT_PAUSES,
      wasCutBehind: () => false,
    });
  }
  return outcomes[0] as Outcome;
}

/** A server of tools behind the real client: it refuses calls, and goes away in the last one. */
async function serverTools() {
  const wire = wireOver(async ({ onText, onEnd }) => ({
    write: (text) => {
      const { id, method, params } = JSON.parse(text);
      const say = (answer: object) =>
        onText(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
      const inputSchema = { type: 'object' };
      if (method === 'initialize')
        say({
          result: {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          },
        });
      else if (method === 'tools/list')
        say({ result: { tools: ['refuse', 'die'].map((name) => ({ name, inputSchema })) } });
      else if (params?.name === 'refuse') say({ error: { code: -32602, message: 'no' } });
      else if (params?.name === 'die') onEnd('gone');
    },
    end: async () => {},
  }));
  const signal = new AbortController().signal;
  const options = { name: 's', version: '1', deadlineMs: 5000, callMs: 5000, signal };
  const { tools: offered, call } = await connectServer(wire, options);
  return offered.map((one) => serverTool('s', one, { name: wireName('s', one.name), call }));
}

const RUN = { cmd: 'node a.mjs' };

it('every public status comes out of the one path that calls take', async () => {
  const read = { path: 'a.txt' };
  const served = await serverTools();
  const all = [
    await outcomeOf('read_file', read),
    await outcomeOf('fly', {}),
    await outcomeOf('read_file', { path: 1, start_line: 'x' }),
    await outcomeOf('read_file', { path: 'nowhere.txt' }),
    await outcomeOf('run_cmd', RUN),
    await outcomeOf('read_file', read, {
      decide: async () => ({ kind: 'deny', reason: 'no', hint: '' }),
    }),
    await outcomeOf('read_file', read, { blocked: 'again' }),
    await outcomeOf('read_file', read, { signal: AbortSignal.abort() }),
    await outcomeOf('run_cmd', RUN, {}, { isGated: false }),
    await outcomeOf('write_file', { path: 'a.txt', content: 'x' }),
    await outcomeOf('run_cmd', RUN, {}, { isGated: true }),
    await outcomeOf('mcp__s__refuse', {}, { tools: served }),
    await outcomeOf('mcp__s__die', {}, { tools: served }),
  ];
  expect(all.map(publicStatus)).toEqual(PublicStatus.options);
});
