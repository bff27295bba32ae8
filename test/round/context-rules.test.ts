/** What a model that leads has in its conversation is neither read nor told again. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/schema/messages.ts';
import type { ModelRequest } from '../../src/schema/turn.ts';
import { leading } from '../support/leading.ts';
import { planJson, wantedBy } from '../support/models.ts';
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
const PLAN = planJson({ subtasks: SUBTASKS });

const done: ScriptedCall = { name: 'mark_subtask_complete', args: { success: true } };
const read = (args = {}): ScriptedCall => ({
  name: 'read_file',
  args: { path: 'conf.txt', ...args },
});
const edit = (from: string, to: string): ScriptedCall => ({
  name: 'edit_file',
  args: { path: 'conf.txt', old_text: from, new_text: to },
});

/** Its replies in their order, whatever it is told; the last one again and again. */
const saying = (replies: readonly (readonly ScriptedCall[])[]): Script => {
  let next = 0;
  return leading({ subtasks: SUBTASKS }, () => {
    next += 1;
    return { calls: replies[next - 1] ?? [done] };
  });
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

const resultsIn = (requests: readonly ModelRequest[]): readonly string[] =>
  (requests.at(-1)?.messages ?? []).flatMap(({ role, content }: Message) =>
    role === 'tool' ? [content] : [],
  );

describe('a file that is read again', () => {
  it('and is the same is not shown a second time', async () => {
    const { requests } = await run(saying([[read()], [read(), edit('1', '2')]]));
    const [first, second] = resultsIn(requests);
    expect(first).toBe('size = 1\ncolour = red\n');
    expect(second).toBe(
      'conf.txt is unchanged since you read it in subtask 1.1: its whole text is still above.',
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
    content.includes('ACTIVE SUBTASK') && content.startsWith('GOAL') ? [content] : [],
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
    expect(first).toContain('files_exist: conf.txt');
    expect(second).toContain('files_written: a.txt, conf.txt\n');
    expect(second).toContain('commands_run: node gone.mjs');
    expect(second).not.toContain('files_exist');
    expect(third).toMatch(/\nfiles_written: conf.txt$/);
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
    const bad = planJson({ subtasks: [{ action: 'fly', file: 'x', purpose: 'up' }] });
    const asked: ModelRequest[] = [];
    const { requests } = await run((request) => {
      if (wantedBy(request) !== 'plan') return { calls: [done] };
      asked.push(request);
      return asked.length === 1 ? bad : PLAN;
    });
    expect(requests[1]?.messages.at(-2)).toMatchObject({ role: 'assistant', content: bad });
    expect(requests[1]?.messages.at(-1)?.content).toContain('This plan cannot be used.');
  });
});
