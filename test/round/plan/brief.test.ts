/** How the model reads the goal: said with its plan, recorded, and believed where the goal carries it. */
import { describe, expect, it } from 'vitest';
import { asksForBrief, planJson } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { LARGE, type ScriptedCall, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const GOAL = 'Fix add in calc.py.\nadd(2, 3) gives 5\nKeep data.csv as it is';
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
  const example = { quote: 'add(2, 3) gives 5', call: 'add(2, 3)', gives: '5' };
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
    const kept = { quote: keep.quote, keep: keep.path };
    const stated = [example, kept, { ...kept, quote: 'Keep data.csv' }];
    expect(made).toMatchObject([{ said: { kind: 'work', stated } }]);
    expect((await free(stated)).state.brief).toEqual(state.brief);
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

describe('of a model that is led', () => {
  const PLAN = planJson({ subtasks: [{ action: 'write_file', file: 'calc.py', purpose: 'add' }] });

  async function guided(answer: string, goal = GOAL) {
    const provider = scriptedProvider(
      ({ messages, responseSchema }) => {
        if (asksForBrief(responseSchema)) return { text: answer };
        const last = messages.at(-1)?.content ?? '';
        if (/Plan a goal/.test(last)) return { text: PLAN };
        return { text: '```\nadd = sum\n```' };
      },
      { brief: 'scripted' },
    );
    const world = testWorld();
    world.write('data.csv', '2,3\n');
    const { result, records } = await runIn(world, provider, { goal, maxRounds: 3 });
    return { state: result.state, records, requests: provider.requests };
  }

  const answer = JSON.stringify({
    asks_for: 'work',
    examples: [{ goal_part: 2, how: 'call', input: 'add(2, 3)', result: '5' }],
    keep: [
      { goal_part: 3, path: 'data.csv' },
      { goal_part: 1, path: 'data.csv' },
    ],
    tests: 0,
  });

  it('is asked for once, before the plan, about the numbered parts of the goal', async () => {
    const { state, records, requests } = await guided(answer);
    expect(state.guided.goalParts).toEqual(GOAL.split('\n'));
    expect(state.brief).toMatchObject({
      kind: 'work',
      examples: [{ input: { name: 'add' }, gives: 5, literal: true }],
      keep: [{ path: 'data.csv', quote: 'Keep data.csv as it is' }],
    });
    const asked = requests.filter(({ responseSchema }) => asksForBrief(responseSchema));
    expect(asked).toHaveLength(1);
    expect(requests[0]?.messages.at(-1)?.content).toMatch(
      /\n1 Fix add in calc\.py\.\n2 add\(2, 3\) gives 5\n3 Keep data\.csv as it is$/,
    );
    const types = records.map(({ type }) => type);
    expect(types.indexOf('goal_cut')).toBeLessThan(types.indexOf('brief_made'));
    expect(types.indexOf('brief_made')).toBeLessThan(types.indexOf('plan_set'));
  });

  it('says of no file that it must stay where there is none yet', async () => {
    const made = JSON.stringify({ asks_for: 'work', keep: [{ goal_part: 1, path: 'calc.py' }] });
    expect((await guided(made)).state.brief).toEqual({
      ...{ kind: 'work', examples: [], removes: [] },
      keep: [],
    });
  });

  it('leaves the conversation before the plan is asked for', async () => {
    const { requests } = await guided(answer);
    const plan = requests.find(({ messages }) =>
      /Plan a goal/.test(messages.at(-1)?.content ?? ''),
    );
    expect(plan?.messages.some(({ content }) => /asks_for/.test(content))).toBe(false);
    expect(plan?.messages.filter(({ role }) => role !== 'system')).toHaveLength(1);
  });

  it.each(['[]', 'null {}', '{"asks_for":3}'])(
    'says nothing where it cannot be read, and is not asked for again: %j',
    async (text) => {
      const { state, requests } = await guided(text);
      const asked = requests.filter(({ responseSchema }) => asksForBrief(responseSchema));
      expect(asked).toHaveLength(1);
      expect(state.brief).toEqual({ examples: [], keep: [], removes: [] });
      expect(state.plan).not.toBeNull();
    },
  );

  it('shows as any first answer whether the server holds answers to a schema', async () => {
    const { state } = await guided('I think that add is wrong.');
    expect(state.settings?.driver).toBe('free');
    expect(state.brief).toBeUndefined();
  });

  it.each(['Write a game of chess', 'Write calc.py; it is run by python calc.py'])(
    'is not asked for where nothing of the goal could count: %s',
    async (goal) => {
      const { state, requests } = await guided(answer, goal);
      expect(requests.some(({ responseSchema }) => asksForBrief(responseSchema))).toBe(false);
      expect(state.brief).toBeUndefined();
    },
  );
});
