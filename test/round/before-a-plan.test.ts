/** What comes before a plan: calls that do not have the form of one, and commands that may wait for it. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { GREETS } from '../support/golden-scripts.ts';
import { goldenWorld } from '../support/golden-world.ts';
import { statedIn } from '../support/models.ts';
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
  brief: { examples: statedIn(`GOAL: ${GREETS}`) },
});

/** Its n-th reply, by the conversation alone. */
const replying =
  (...replies: readonly (string | readonly ScriptedCall[])[]): Script =>
  ({ messages }) => {
    const reply = replies[messages.filter(({ role }) => role === 'assistant').length] ?? '';
    return typeof reply === 'string' ? reply : { calls: reply };
  };

const greeting = async (script: Script, goal = GREETS, files: readonly string[] = []) => {
  const world = goldenWorld({ installed: ['python'] });
  for (const file of files) world.write(file, 'print("hello")\n');
  const provider = scriptedProvider(script, LARGE);
  const told = await runIn(world, provider, { goal, maxRounds: 8 });
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

describe('a command before the plan', () => {
  const told = async (goal: string) => {
    const look = [call('run_cmd', { cmd: 'python hello.py' })];
    const { requests } = await greeting(replying(look, WORK), goal, ['hello.py']);
    return requests[1]?.messages.findLast(({ role }) => role === 'tool')?.content;
  };

  it('is open where the goal quotes it: it is how its user sees what is wrong', async () => {
    expect(await told('`python hello.py` prints hallo, it has to print hello')).toContain('hello');
    expect(await told('Make python hello.py work')).toContain('hello');
  });

  it('that is the proof and passes is said with the plan: it cannot show the work', async () => {
    const seen = async (...looks: readonly ScriptedCall[]) => {
      const all = [...looks, call('set_plan', JSON.parse(PLAN))];
      const script = replying(all, WORK);
      const { requests } = await greeting(script, 'Make python hello.py work', ['hello.py']);
      return requests[1]?.messages.findLast(({ role }) => role === 'tool')?.content;
    };
    const says = 'Its proof passes already: only a new test can show the work.';
    expect(await seen(call('run_cmd', { cmd: 'python hello.py' }))).toContain(says);
    expect(await seen()).not.toContain(says);
  });

  it('waits for the plan where the goal does not', async () => {
    for (const goal of ['hello.py prints hallo', 'Make python hello.pyc work', 'Use python'])
      expect(await told(goal)).toContain(
        'Until there is a plan run_cmd runs what looks, tests or checks',
      );
  });

  it('waits for it where it is code on the line, and is told that this is why', async () => {
    const look = [call('run_cmd', { cmd: 'python -c "print(open(\'hello.py\').read())"' })];
    const { requests } = await greeting(replying(look, WORK), 'say it', ['hello.py']);
    const told = requests[1]?.messages.findLast(({ role }) => role === 'tool')?.content;
    expect(told).toContain('so may any code given on its line, also where it only reads');
  });
});
