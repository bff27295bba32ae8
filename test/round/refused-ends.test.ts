/** A subtask that is called done and is not: what stands behind that in the same reply. */
import { expect, it } from 'vitest';
import type { JournalRecord } from '../../src/schema/records.ts';
import { runIn } from '../support/run-in.ts';
import { LARGE, type ScriptedCall, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
const write = (path: string, content: string) => call('write_file', { path, content });
const DONE = call('mark_subtask_complete', { success: true, reason: 'as asked' });
const PLAN = call('set_plan', {
  tasks: [
    {
      description: 'the work',
      subtasks: [
        { do: 'a', files: ['a.txt'] },
        { do: 'b', files: ['b.txt'] },
      ],
    },
  ],
});
const REPLIES = [
  [PLAN, DONE, write('b.txt', 'b\n'), DONE, call('read_file', { path: 'calc.py' })],
  [write('a.txt', 'a\n'), DONE, DONE],
];

const of = <Type extends JournalRecord['type']>(records: readonly JournalRecord[], type: Type) =>
  records.filter((one): one is Extract<JournalRecord, { type: Type }> => one.type === type);

it('only further ends are left out: work and looks are carried out, and each call has its result', async () => {
  const world = testWorld();
  world.write('calc.py', 'def add(a, b):\n    return a + b\n');
  const provider = scriptedProvider(({ messages }) => {
    const said = messages.filter(({ role }) => role === 'assistant').length;
    return { calls: REPLIES[said] ?? [] };
  }, LARGE);
  const { records } = await runIn(world, provider, { goal: 'Write a.txt and b.txt' });
  const finished = of(records, 'action_finished').slice(1);
  expect(finished.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
    'mark_subtask_complete denied',
    'write_file ok',
    'mark_subtask_complete not_run',
    'read_file ok',
    'write_file ok',
    'mark_subtask_complete ok',
    'mark_subtask_complete ok',
  ]);
  expect(finished[2]?.result).toBe('Not run: mark_subtask_complete before it was refused.');
  const results = provider.requests[1]?.messages.filter(({ role }) => role === 'tool');
  expect(results).toHaveLength(5);
  expect(of(records, 'subtask_finished').map(({ status }) => status)).toEqual([
    'completed',
    'completed',
  ]);
});
