import { expect, it } from 'vitest';
import { z } from 'zod';
import { zodSchema } from '../../src/tools/calls/args-schema.ts';
import { readCall } from '../../src/tools/calls/read-call.ts';
import type { Tool } from '../../src/tools/contract.ts';
import { executeCall } from '../../src/tools/execute.ts';
import { failed } from '../../src/tools/result.ts';
import { allowAll, makeWorkspace } from './support.ts';

const COMMAND: Tool = {
  name: 'run_cmd',
  description: '',
  touches: 'process',
  does: 'runs_commands',
  afterCrash: 'unknown',
  args: zodSchema(z.object({ cmd: z.string() })),
  target: ({ cmd }) => ({ kind: 'command', text: String(cmd) }),
  prepare: async () => ({
    kind: 'ready',
    files: [],
    perform: async () => failed('exit code 1'),
  }),
};

it('the line of a command that failed is the one that was read before it began', async () => {
  const { context } = makeWorkspace();
  const call = { id: 'a', name: 'run_cmd', args: { cmd: 'grep x y' } };
  const read = readCall(call, { tools: [COMMAND], context });
  const lines: unknown[] = [];
  const none = (): void => {};
  await executeCall(
    call,
    '1.1#1#0',
    {
      ...{ tools: [COMMAND], context, watch: null, decide: allowAll },
      log: { intended: none, started: none, finished: none, barrier: none },
      clock: { monotonic: () => 0 },
      signal: new AbortController().signal,
      onOutput: none,
      blocked: null,
      resultHash: (text) => text,
      revise: async ({ line, result }) => {
        lines.push(line);
        return result;
      },
    },
    read,
  );
  expect(read.line).toMatchObject({ ok: true, program: 'grep' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toBe(read.line);
});
