/** What `--verbose`, `--trace-llm`, `--log` and `--accounting` write of a real run. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLogs } from '../../src/cli/logs.ts';
import { runIn } from '../support/run-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';
import { fakeTerminal } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tardigrade-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PLAN = { tasks: [{ description: 'hello', subtasks: [{ do: 'write hello.js' }] }] };
const GOAL = 'Write hello.js: node hello.js prints "hello"';
const HELLO = 'console.log("hello")\n';

/** A model that plans, writes and is done. */
const provider = () =>
  scriptedProvider(
    ({ messages }) => {
      const turn = messages.filter(({ role }) => role === 'assistant').length;
      if (turn > 0) return 'Hello is written.';
      return {
        calls: [
          { name: 'set_plan', args: { ...PLAN, proof: { cmd: 'node hello.js', prints: 'hello' } } },
          { name: 'write_file', args: { path: 'hello.js', content: HELLO } },
          { name: 'mark_subtask_complete', args: { success: true, reason: 'written' } },
        ],
      };
    },
    { ...LARGE },
  );

async function logged(flags: readonly string[], files: { log?: string; accounting?: string } = {}) {
  const terminal = fakeTerminal({ cwd: folder, env: { LANG: 'C.UTF-8' } });
  const warnings: string[] = [];
  const wanted = { ...Object.fromEntries(flags.map((flag) => [flag, true])), ...files };
  const logs = await openLogs(wanted, terminal, (text) => warnings.push(text));
  const { result } = await runIn(testWorld(), provider(), {
    goal: GOAL,
    emit: logs.observer(),
  });
  logs.close();
  expect(result.ending).toBe('achieved');
  return { lines: terminal.stderr.text().trimEnd().split('\n'), warnings };
}

const recordsIn = (file: string) =>
  readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('--verbose has one line for each request and each answer, of the model and of tools', async () => {
  const { lines } = await logged(['verbose']);
  const shapes = lines.map((line) => line.replace(/\d+/g, 'N'));
  expect(shapes.slice(0, 6)).toEqual([
    '[VRB] → [N.N] llm scripted:scripted:Nb: messages N, N bytes',
    '[VRB] ← [N.N] llm scripted:scripted:Nb: input N, output N tokens, Nms, N bytes',
    expect.stringMatching(/^\[VRB\] → \[N\.N\] mcp builtin:set_plan: set_plan\(tasks:\[/),
    expect.stringMatching(/^\[VRB\] ← \[N\.N\] mcp builtin:set_plan: Nms, N chars$/),
    '[VRB] → [N.N] mcp builtin:write_file: write_file(path:hello.js, content:console.log("hello") )',
    expect.stringMatching(/^\[VRB\] ← \[N\.N\] mcp builtin:write_file: Nms, N chars$/),
  ]);
  expect(lines.filter((line) => line.startsWith('[TRC]'))).toEqual([]);
});

test('--trace-llm and --trace-mcp have the same whole', async () => {
  const { lines } = await logged(['traceLlm', 'traceMcp']);
  const [request = '', response = '', params = ''] = lines;
  const asked = JSON.parse(request.slice(request.indexOf('request: ') + 'request: '.length));
  expect(asked.messages.at(-1).content).toContain(GOAL);
  expect(response).toContain('response: {"content":"","toolCalls":[');
  expect(params).toContain('params: {"tasks":');
  expect(lines.some((line) => line.includes('result: "'))).toBe(true);
  expect(lines.filter((line) => line.startsWith('[VRB]'))).toEqual([]);
});

test('--log and --accounting append lines of JSON, a second run behind the first', async () => {
  const files = { log: 'events.jsonl', accounting: 'costs.jsonl' };
  const { lines } = await logged([], files);
  expect(lines).toEqual(['']);
  const events = recordsIn('events.jsonl');
  expect(events.map(({ event }) => event).slice(0, 4)).toEqual([
    'session_start',
    'user_message',
    'assistant_message',
    'tool_call',
  ]);
  expect(events[1]).toMatchObject({ input: GOAL });
  const costs = recordsIn('costs.jsonl');
  expect(costs[0]).toMatchObject({ type: 'llm', status: 'ok', provider: 'scripted' });
  expect(costs[1]).toMatchObject({ type: 'tool', server: 'builtin', tool: 'set_plan' });
  await logged([], files);
  expect(recordsIn('events.jsonl')).toHaveLength(events.length * 2);
});

test('a place that cannot be written to ends the start, by the name that was given', async () => {
  await expect(logged([], { log: 'no/such/log.jsonl' })).rejects.toMatchObject({
    code: 'E_USAGE',
    message: 'The log no/such/log.jsonl cannot be written to (ENOENT).',
  });
});
