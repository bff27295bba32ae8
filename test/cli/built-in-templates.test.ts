/** The templates that come with the program, each worked on by a model that leads. */
import { expect, it } from 'vitest';
import { builtIns } from '../../src/cli/templates/built-in.ts';
import { filledIn, templateOf } from '../../src/cli/templates/template.ts';
import { runIn } from '../support/run-in.ts';
import { LARGE, type ScriptedCall, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
const write = (path: string, content: string) => call('write_file', { path, content });
const done = call('mark_subtask_complete', { success: true, reason: 'done' });

function planOf(name: string, goal: string, set: readonly string[]) {
  const definition = builtIns().find(([one]) => one === name)?.[1] ?? '';
  const template = templateOf(name, '', definition);
  if ('why' in template) throw new Error(template.why);
  return { name, text: filledIn(template, goal, set) };
}

/** Its replies, one a turn, and then that it is done. */
const played = (...replies: readonly (readonly ScriptedCall[] | string)[]) =>
  scriptedProvider((_, n) => {
    const reply = replies[n - 1] ?? [done];
    return typeof reply === 'string' ? { text: reply } : { calls: reply };
  }, LARGE);

it('add-function is achieved where its command prints what the person set', async () => {
  const goal = 'Add a greeting: node greet.mjs prints "hello"';
  const set = ['file=greet.mjs', 'proof=node greet.mjs', 'prints=hello'];
  const provider = played([write('greet.mjs', 'console.log("hello");\n'), done]);
  const template = planOf('add-function', goal, set);
  const world = testWorld();
  const { result } = await runIn(world, provider, { goal, template });
  expect(result).toMatchObject({ ending: 'achieved' });
  expect(result.detail).toContain('as the template says, it prints "hello"');
  expect(world.read('greet.mjs')).toBe('console.log("hello");\n');
});

it.each([
  ['-5', '5'],
  ['15', '5'],
  ['Usage: hello', 'hello'],
])(
  'add-function is not achieved by a command that prints %s where %s was set',
  async (printed, wanted) => {
    const set = ['file=greet.mjs', 'proof=node greet.mjs', `prints=${wanted}`];
    const provider = played([write('greet.mjs', `console.log("${printed}");\n`), done]);
    const template = planOf('add-function', 'Add a greeting', set);
    const world = testWorld(() => ({ output: `${printed}\n`, exitCode: 0 }));
    const { result } = await runIn(world, provider, { goal: 'Add a greeting', template });
    expect(result.ending).not.toBe('achieved');
  },
);

it('fix-test is achieved where the test that failed passes, and not before', async () => {
  const world = testWorld((_args, _stdin, read) =>
    read('sum.mjs') === 'right\n'
      ? { output: 'ok\n', exitCode: 0 }
      : { output: 'AssertionError\n', exitCode: 1 },
  );
  world.write('sum.mjs', 'wrong\n');
  world.write('sum.test.mjs', 'a test\n');
  const goal = 'Mend sum.mjs';
  const template = planOf('fix-test', goal, ['proof=node sum.test.mjs']);
  const look = call('read_file', { path: 'sum.mjs' });
  const mend = call('edit_file', { path: 'sum.mjs', old_text: 'wrong', new_text: 'right' });
  const provider = played([look], [done], [mend, done]);
  const { result } = await runIn(world, provider, { goal, template });
  expect(provider.requests.length).toBeGreaterThan(2);
  expect(result).toMatchObject({ ending: 'achieved' });
  expect(world.read('sum.mjs')).toBe('right\n');
});

it('question is answered, and changes nothing', async () => {
  const world = testWorld();
  world.write('notes.txt', 'The port is 5000.\n');
  const goal = 'Which port is it?';
  const template = planOf('question', goal, []);
  const answer = call('mark_subtask_complete', { success: true, reason: 'read', answer: '5000' });
  const provider = played([call('read_file', { path: 'notes.txt' })], [answer]);
  const { result } = await runIn(world, provider, { goal, template, wants: 'answer' });
  expect(result).toMatchObject({ ending: 'answered', answer: '5000' });
  expect(world.read('notes.txt')).toBe('The port is 5000.\n');
});

it('question is answered by a small model that is led, which may look again and write nothing', async () => {
  const world = testWorld();
  world.write('notes.txt', 'The port is 5000.\n');
  const goal = 'Which port is it?';
  const read = { action: 'read_file', because: 'it may say so', file: 'notes.txt' };
  const answer = { action: 'mark_subtask_complete', success: true, reason: 'read', answer: '5000' };
  const provider = scriptedProvider(({ responseSchema }, n) => {
    if (n === 1) return JSON.stringify({ action: 'list_dir', path: '.' });
    // As a small model does, it goes on with what it may.
    return JSON.stringify(JSON.stringify(responseSchema).includes('read_file') ? read : answer);
  });
  const { result } = await runIn(world, provider, {
    ...{ goal, template: planOf('question', goal, []) },
    ...{ wants: 'answer', toolMode: 'json' },
  });
  expect(result).toMatchObject({ ending: 'answered', answer: '5000' });
  const offered = provider.requests.map(({ responseSchema }) => JSON.stringify(responseSchema));
  expect(offered.some((open) => open.includes('write_file'))).toBe(false);
  expect(offered[1]).toContain('read_file');
});
