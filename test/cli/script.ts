import type { RunEvent } from '../../src/schema/events/events.ts';
import { NO_USAGE } from '../../src/schema/model/turn.ts';
import type { Plan, SubtaskStatus } from '../../src/schema/plan.ts';
import { FORMAT_VERSION, type JournalRecord } from '../../src/schema/records.ts';
import { aboutOutcome } from '../support/built-in-tools.ts';
import { asEvent, PLAN, runState } from './support.ts';

/** The plan with these states of its subtasks, in order. */
export function planWith(...statuses: SubtaskStatus[]): Plan {
  let index = 0;
  return {
    ...PLAN,
    tasks: PLAN.tasks.map((task) => ({
      ...task,
      subtasks: task.subtasks.map((subtask) => ({
        ...subtask,
        status: statuses[index++] ?? 'pending',
      })),
    })),
  };
}

/** The events of a small run, as an engine would emit them. */
export function scriptedRun(): RunEvent[] {
  let seq = 0;
  const record = (body: JournalRecord, rounds: number, ...statuses: SubtaskStatus[]): RunEvent => {
    seq += 1;
    const state = runState({
      plan: statuses.length === 0 ? null : planWith(...statuses),
      counters: { ...runState().counters, rounds, roundsSinceResume: rounds },
    });
    return asEvent({ ...body, seq, ts: 1_700_000_000_000 + seq }, state);
  };
  const finish = (
    id: string,
    tool: string,
    args: Record<string, unknown>,
    result: string,
    exitCode?: number,
  ): JournalRecord => ({
    type: 'action_finished',
    id,
    tool,
    ...aboutOutcome(tool, args),
    signature: id,
    callId: id,
    status: exitCode === 1 ? 'error' : 'ok',
    result,
    resultHash: 'x',
    facts: { durationMs: 41, ...(exitCode === undefined ? {} : { exitCode }) },
    hashes: {},
  });
  const intend = (id: string, tool: string, args: Record<string, unknown>): JournalRecord => ({
    type: 'action_intended',
    id,
    class: tool === 'run_cmd' ? 'command' : 'write',
    tool,
    args,
    signature: id,
    files:
      tool === 'run_cmd'
        ? []
        : [{ path: 'hello.js', before: null, after: 'aa', lines: { added: 2, removed: 0 } }],
  });
  return [
    record(
      {
        type: 'run_opened',
        format: FORMAT_VERSION,
        run: 'run-1',
        goal: 'Write a hello world script',
        goalHash: 'hash',
        startedAt: 1,
        version: '1.2.3',
      },
      0,
    ),
    record(
      {
        type: 'settings_changed',
        provider: 'ollama',
        model: 'small:1b',
        digest: null,
        driver: 'guided',
        numCtx: 8192,
        temperature: 0.2,
        seed: 0,
        mayChangeDriver: true,
        systemPrompt: 'You work.',
        tools: '[]',
        why: 'the model has no tool calls',
      },
      0,
    ),
    { type: 'turn_started', purpose: 'plan', target: null },
    { type: 'text', text: '{"tasks": [' },
    record({ type: 'plan_set', plan: planWith(), why: 'planned' }, 0, 'pending'),
    record({ type: 'subtask_started', subtask: '1.1' }, 0, 'in_progress'),
    record({ type: 'round_started', n: 1, subtask: '1.1', origin: 'planned' }, 1, 'in_progress'),
    { type: 'turn_started', purpose: 'content', target: 'hello.js' },
    { type: 'text', text: '```js\nconsole.log("Hello");\n' },
    record(intend('1.1#1#0', 'write_file', { path: 'hello.js' }), 1, 'in_progress'),
    record(
      finish('1.1#1#0', 'write_file', { path: 'hello.js' }, 'Wrote 22 chars to hello.js'),
      1,
      'in_progress',
    ),
    record(
      {
        type: 'subtask_finished',
        subtask: '1.1',
        status: 'completed',
        summary: 'hello.js written',
      },
      1,
      'completed',
    ),
    record(
      { type: 'round_started', n: 2, subtask: '1.2', origin: 'planned' },
      2,
      'completed',
      'in_progress',
    ),
    record(intend('1.2#2#0', 'run_cmd', { cmd: 'node hello.js' }), 2, 'completed', 'in_progress'),
    { type: 'action_output', text: 'Hello\u001b[2J\u0007\n' },
    record(
      finish('1.2#2#0', 'run_cmd', { cmd: 'node hello.js' }, 'SyntaxError: bad\nat line 1', 1),
      2,
      'completed',
      'in_progress',
    ),
    { type: 'turn_retry', attempt: 2, waitMs: 4000, why: 'the connection was lost' },
    record(
      {
        type: 'turn_finished',
        turn: 4,
        round: 2,
        attempt: 1,
        purpose: 'action',
        temperature: 0.2,
        seed: 1,
        status: { kind: 'success' },
        detail: '',
        hint: '',
        rawReason: 'stop',
        response: { content: 'ok' },
        decoded: { kind: 'text' },
        usage: { ...NO_USAGE, input: 10, output: 5 },
      },
      2,
      'completed',
      'in_progress',
    ),
  ];
}
