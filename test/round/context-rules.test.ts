/** What a model that leads has in its conversation is neither read nor told again. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/schema/model/messages.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { leading, planCall } from '../support/leading.ts';
import { runIn } from '../support/run-in.ts';
import {
  LARGE,
  type Script,
  type ScriptedCall,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const GOAL = 'Mend conf.txt and say what it holds';
const SUBTASKS = ['one', 'two', 'three'].map((purpose) => ({
  ...{ action: 'edit_file', file: 'conf.txt', purpose },
}));
const PLAN = planCall({ subtasks: SUBTASKS });

const done: ScriptedCall = { name: 'mark_subtask_complete', args: { success: true } };
const read = (args = {}): ScriptedCall => ({
  name: 'read_file',
  args: { path: 'conf.txt', ...args },
});
const edit = (from: string, to: string): ScriptedCall => ({
  name: 'edit_file',
  args: { path: 'conf.txt', old_text: from, new_text: to },
});

type Replies = readonly (readonly ScriptedCall[])[];

/** Its replies in their order, whatever it is told; the last one again and again. */
const saying = (replies: Replies, looks: Replies = []): Script => {
  let next = 0;
  const script: Script = () => {
    next += 1;
    return { calls: replies[next - 1] ?? [done] };
  };
  return leading({ subtasks: SUBTASKS }, script, looks);
};

async function run(script: Script, world: TestWorld = worldWith('size = 1\ncolour = red\n')) {
  const provider = scriptedProvider(script, LARGE);
  const told = await runIn(world, provider, { goal: GOAL, toolMode: 'native' });
  return { ...told, requests: provider.requests };
}

function worldWith(text: string): TestWorld {
  // What is run fails until it is mended.
  const world = testWorld((_args, _stdin, see) =>
    see('a.txt') === null
      ? { output: 'not ok 1 - no', exitCode: 1 }
      : { output: 'ok 1 - yes', exitCode: 0 },
  );
  world.write('conf.txt', text);
  return world;
}

/** Of all calls but the one that set the plan. */
const resultsIn = (requests: readonly ModelRequest[]): readonly string[] =>
  (requests.at(-1)?.messages ?? []).flatMap((message: Message) =>
    message.role === 'tool' && message.toolName !== PLAN.name ? [message.content] : [],
  );

describe('a file that is read again', () => {
  it.each<[string, Replies, string]>([
    ['in the work', [], ' in subtask 1.1'],
    ['before the plan', [[read()]], ''],
    ['before the plan, also while it looks', [[read()], [read()]], ''],
  ])('and is the same is not shown a second time: read %s', async (_, looks, where) => {
    const work = looks.length === 0 ? [[read()]] : [];
    const { requests } = await run(saying([...work, [read(), edit('1', '2')]], looks));
    const [first, ...others] = resultsIn(requests);
    expect(first).toBe('size = 1\ncolour = red\n');
    const again = others.filter((text) => text.includes('unchanged'));
    expect(again).toEqual(
      Array.from(
        { length: Math.max(1, looks.length) },
        () => `conf.txt is unchanged since you read it${where}: its whole text is still above.`,
      ),
    );
  });

  it.each<[string, readonly (readonly ScriptedCall[])[]]>([
    ['and was changed since', [[read()], [edit('1', '2'), read()]]],
    ['in part', [[read()], [read({ start_line: 2 })]]],
    ['of which only a part was shown', [[read({ end_line: 1 })], [read()]]],
  ])('%s is shown', async (_, replies) => {
    const results = resultsIn((await run(saying(replies))).requests);
    expect(results.filter((text) => text.includes('colour = red')).length).toBeGreaterThan(0);
    expect(results.join('\n')).not.toContain('unchanged');
  });

  it('and has left the conversation is shown', async () => {
    const note = 'a line of a long note\n'.repeat(600);
    const world = worldWith(`${note}size = 1\n`);
    const replies = Array.from({ length: 12 }, (_, n) => [
      { name: 'write_file', args: { path: `n${n}.txt`, content: `${n} ${note}` } },
    ]);
    const script = saying([[read()], ...replies, [read()], [done]]);
    const { requests, records } = await run(script, world);
    expect(records.some(({ type }) => type === 'compacted')).toBe(true);
    const seen = requests.flatMap(({ messages }) => messages.slice(-1));
    expect(seen.filter(({ content }) => content.endsWith('size = 1\n')).length).toBe(2);
    expect(seen.some(({ content }) => content.includes('unchanged since'))).toBe(false);
  });
});

const borders = (requests: readonly ModelRequest[]): readonly string[] =>
  (requests.at(-1)?.messages ?? []).flatMap(({ content }) =>
    content.includes('ACTIVE SUBTASK') ? [content] : [],
  );

const cmd = (line: string): ScriptedCall => ({ name: 'run_cmd', args: { cmd: line } });

describe('what is told where a subtask begins', () => {
  const replies = [
    [edit('9', '2'), cmd('node gone.mjs')],
    [edit('1', '2'), { name: 'write_file', args: { path: 'a.txt', content: 'a\n' } }],
    [cmd('node gone.mjs'), done],
    [edit('2', '3'), done],
    [edit('3', '4'), done],
  ];

  it('is what became so since the one before', async () => {
    const { requests } = await run(saying(replies));
    const [first = '', second = '', third = ''] = borders(requests);
    expect(first).not.toMatch(/^(?:files|commands)_/m);
    expect(second).toContain('files_written: a.txt, conf.txt\n');
    expect(second).toContain('commands_run: node gone.mjs');
    expect(second).not.toContain('files_exist');
    expect(third).toMatch(/\nfiles_written: conf.txt$/);
  });

  it('is each thing once, where one reply sets the plan, works and ends several', async () => {
    const write = (path: string): ScriptedCall => ({
      name: 'write_file',
      args: { path, content: 'text\n' },
    });
    const work = [write('a.txt'), cmd('node one.mjs'), edit('1', '2'), done];
    const reply = [PLAN, ...work, write('b.txt'), edit('2', '3'), done, write('c.txt')];
    const { requests } = await run(saying([[edit('3', '4'), done]], [reply]));
    const [, second = '', third = ''] = borders(requests);
    expect(second).toMatch(/\nfiles_written: a.txt, conf.txt\ncommands_run: node one.mjs .*$/);
    expect(third).toMatch(/\nfiles_written: b.txt, conf.txt$/);
  });

  it('is what was written behind the end of the one before, in the same reply', async () => {
    const write = { name: 'write_file', args: { path: 'b.txt', content: 'text\n' } };
    const { requests } = await run(
      saying([
        [edit('1', '2'), done, write],
        [edit('2', '3'), done],
      ]),
    );
    expect(borders(requests).at(-1)).toMatch(/\nfiles_written: b.txt, conf.txt$/);
  });

  it('is what commands did too, and with another plan what was done under the one before', async () => {
    const world: TestWorld = testWorld(([name = '']) => {
      world.write(name === 'late.mjs' ? 'late.csv' : 'made.csv', 'a\n');
      return { output: 'made it', exitCode: 0 };
    });
    world.write('conf.txt', 'size = 1\n');
    const again = [cmd('node make.mjs'), PLAN, cmd('node late.mjs'), edit('1', '2'), done];
    const { requests } = await run(saying([again]), world);
    const [first = '', second = '', third = ''] = borders(requests);
    expect(first).not.toMatch(/^(?:files|commands)_/m);
    expect(second).toMatch(/^The plan is set/);
    expect(second).toMatch(/\nfiles_written: made.csv\ncommands_run: node make.mjs .*$/);
    expect(third).toMatch(/\nfiles_written: conf.txt, late.csv\ncommands_run: node late.mjs .*$/);
  });

  it('is no error that was mended', async () => {
    const { requests, states } = await run(saying(replies));
    const [, second = ''] = borders(requests);
    expect(second).not.toContain('recent_errors');
    const failed = states.find(({ recentErrors }) => recentErrors.length === 2);
    expect(failed?.recentErrors.map(({ about }) => about)).toEqual([
      'file conf.txt',
      'command node gone.mjs',
    ]);
    const edited = states.find(({ recentErrors }) => recentErrors[0]?.isMended);
    expect(edited?.recentErrors[1]?.isMended).toBeUndefined();
  });
});

describe('a plan that cannot be used', () => {
  it('stays in view of the model that is to mend it', async () => {
    const bad = { name: PLAN.name, args: { tasks: [{ description: 'fly', subtasks: [] }] } };
    const { requests } = await run(saying([], [[read()], [bad]]));
    const [, , third, fourth] = requests;
    expect(third?.messages.at(-2)).toMatchObject({ role: 'assistant', toolCalls: [bad] });
    expect(third?.messages.at(-1)?.content).toMatch(/^tasks.*subtasks/);
    expect(fourth?.messages.slice(0, third?.messages.length)).toEqual(third?.messages);
  });
});
