/** A model that leads, and whose calls of the tool that sets a plan do not have the form of one. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/turn.ts';
import { goldenWorld } from '../support/golden-world.ts';
import { runIn } from '../support/run-in.ts';
import {
  LARGE,
  type Script,
  type ScriptedCall,
  scriptedProvider,
} from '../support/scripted-provider.ts';

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
const SHAPELESS = [call('set_plan', { tasks: [{ name: 'greet' }] })];
const WORK = [
  call('write_file', { path: 'hello.py', content: 'print("hello")\n' }),
  call('mark_subtask_complete', { success: true, reason: 'as asked' }),
];
const PLAN = JSON.stringify({
  tasks: [{ description: 'it greets', subtasks: [{ do: 'write it', files: ['hello.py'] }] }],
  proof: { cmd: 'python hello.py' },
});

/** Its n-th reply, by the conversation alone. */
const replying =
  (...replies: readonly (string | readonly ScriptedCall[])[]): Script =>
  ({ messages }) => {
    const reply = replies[messages.filter(({ role }) => role === 'assistant').length] ?? '';
    return typeof reply === 'string' ? reply : { calls: reply };
  };

const greeting = async (script: Script) => {
  const world = goldenWorld({
    installed: ['python'],
    program: () => ({ output: 'hello\n', exitCode: 0 }),
  });
  const provider = scriptedProvider(script, LARGE);
  const told = await runIn(world, provider, { goal: 'Write hello.py that prints hello' });
  return { requests: provider.requests, ...told };
};

const isHeldToForm = ({ responseSchema, tools }: ModelRequest): boolean =>
  responseSchema !== undefined && tools === undefined;

const whyOf = (records: Awaited<ReturnType<typeof greeting>>['records']) =>
  records.flatMap((one) => (one.type === 'plan_set' ? [one.why] : []));

describe('a plan whose form was wrong in two calls', () => {
  it('is asked for alone, held to its form by the server', async () => {
    const look = [call('list_dir', { path: '.' })];
    const { result, records, requests } = await greeting(
      replying(SHAPELESS, look, SHAPELESS, PLAN, WORK),
    );
    expect(requests.map(isHeldToForm)).toEqual([false, false, false, true, false]);
    const [first, , , asked, after] = requests as ModelRequest[];
    expect(asked?.responseSchema).toEqual(
      first?.tools?.find(({ name }) => name === 'set_plan')?.parameters,
    );
    expect(asked?.messages.at(-1)?.content).toMatch(/^Your plan could not be read\. Answer now/);
    expect(after?.messages.at(-1)?.content).toContain('The plan is set.\nPLAN:\n1.1 write it');
    expect(whyOf(records)).toEqual(['as the model set it']);
    expect(result.ending).toBe('achieved');
  });

  it('is the goal itself where it cannot be read then either', async () => {
    const { records, requests } = await greeting(
      replying(SHAPELESS, SHAPELESS, '{"steps": []}', SHAPELESS, WORK),
    );
    expect(requests.map(isHeldToForm)).toEqual([false, false, true, true, false]);
    expect(whyOf(records)).toEqual(['the goal itself: no plan came in 4 turns']);
  });
});
