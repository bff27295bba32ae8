/** How the model reads the goal: said with its plan, recorded, and believed where the goal carries it. */
import { describe, expect, it } from 'vitest';
import { runIn } from '../support/run-in.ts';
import { LARGE, type ScriptedCall, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const GOAL = 'Fix add in calc.py.\nadd(2, 3) must give 5\nKeep data.csv as it is';
const call = (name: string, args: object): ScriptedCall => ({ name, args: { ...args } });
const done = call('mark_subtask_complete', { success: true, reason: 'as asked' });
const tasks = [{ description: 'the work', subtasks: [{ do: 'mend it', files: ['calc.py'] }] }];

async function free(brief: unknown) {
  const provider = scriptedProvider(({ messages }) => {
    const said = messages.filter(({ role }) => role === 'assistant').length;
    return { calls: said === 0 ? [call('set_plan', { tasks, brief })] : [done] };
  }, LARGE);
  const { result, records } = await runIn(testWorld(), provider, { goal: GOAL });
  return { state: result.state, made: records.filter(({ type }) => type === 'brief_made') };
}

describe('of a model that leads', () => {
  const example = { quote: 'add(2, 3) must give 5', call: 'add(2, 3)', gives: '5' };
  const keep = { path: 'data.csv', quote: 'Keep data.csv as it is' };

  it('is set with the plan, and what the goal carries stands in the state', async () => {
    const brief = { examples: [example], keep: [keep, { ...keep, quote: 'Keep data.csv' }] };
    const { state, made } = await free(brief);
    expect(state.brief).toEqual({
      kind: 'work',
      examples: [
        {
          quote: example.quote,
          input: { how: 'call', name: 'add', args: [2, 3] },
          gives: 5,
          literal: true,
        },
      ],
      keep: [keep],
      removes: [],
    });
    expect(made).toMatchObject([{ said: { kind: 'work', ...brief } }]);
  });

  it('is read as far as it has the form, as text, and with a number as a number', async () => {
    const brief = { examples: [{ ...example, gives: 5 }, { call: 'add(2, 3)' }, 3], tests: [] };
    const { state } = await free(JSON.stringify(brief));
    expect(state.brief?.examples).toMatchObject([{ gives: 5, literal: true }]);
    expect(state.plan?.fallback).toBe(false);
  });

  it('is not asked for again where the plan has none', async () => {
    const { state, made } = await free(undefined);
    expect([state.brief, made]).toEqual([undefined, []]);
    expect(state.plan?.fallback).toBe(false);
  });
});
