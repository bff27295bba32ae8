/** Runs that change nothing and say something: they end answered, and claim nothing. */
import { describe, expect, it, test } from 'vitest';
import { EXIT, exitCodeOfResult } from '../../src/run/exit-codes.ts';
import { type RunIn, runIn } from '../support/run-in.ts';
import {
  LARGE,
  type Script,
  type ScriptedCall,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const read = (path: string): ScriptedCall => ({ name: 'read_file', args: { path } });

type Reply = string | readonly ScriptedCall[];

/** Its n-th reply, by the conversation alone. */
const replying =
  (...replies: readonly Reply[]): Script =>
  ({ messages }) => {
    const reply = replies[messages.filter(({ role }) => role === 'assistant').length] ?? 'End.';
    return typeof reply === 'string' ? reply : { calls: reply };
  };

async function play(
  goal: string,
  files: { readonly [path: string]: string },
  replies: readonly Reply[],
  options: RunIn = {},
) {
  const world = testWorld();
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  const provider = scriptedProvider(replying(...replies), LARGE);
  const told = await runIn(world, provider, { goal, toolMode: 'native', ...options });
  const { result } = told;
  return { ...told, requests: provider.requests.length, stands: result.state.verdict?.answer };
}

const CONFIG = { 'config.yml': 'name: demo\nport: 8080\n' };

test.each([
  ['What is the port in config.yml?', 'The port is 8080.'],
  ['I would like to know the port in config.yml', 'The port is 8080.'],
  ['Where is the port set? Do not change anything.', 'In config.yml: 8080.'],
  ['Welcher Port steht in config.yml?', 'Der Port ist 8080.'],
  ['Sag mir den Port in config.yml', 'Der Port ist 8080.'],
  ['¿Qué puerto hay en config.yml?', 'El puerto es 8080.'],
  ['Dime el puerto de config.yml', 'El puerto es 8080.'],
  ['config.yml 里的端口是什么？', '端口是8080。'],
  ['告诉我 config.yml 里的端口', '端口是8080。'],
  ['Какой порт указан в config.yml?', 'Порт 8080.'],
  ['Скажи порт из config.yml', 'Порт 8080.'],
])('a text after a look is the answer, with no further request: %s', async (goal, answer) => {
  const { result, requests, stands } = await play(goal, CONFIG, [[read('config.yml')], answer]);
  expect(result).toMatchObject({ ending: 'answered', answer });
  expect(requests).toBe(2);
  expect(exitCodeOfResult(result)).toBe(EXIT.answered);
  expect(stands?.found).toContainEqual({ what: '8080', where: 'config.yml:2', line: 'port: 8080' });
  expect(stands?.unread).toEqual([]);
});

describe('who asks for an answer', () => {
  const options = { wants: 'answer' } as const;

  it('gets 0 for one, also without a look', async () => {
    const looked = await play('The port?', CONFIG, [[read('config.yml')], '8080'], options);
    expect([exitCodeOfResult(looked.result), looked.requests]).toEqual([0, 2]);
    const unlooked = await play('Two and two?', {}, ['4'], options);
    expect([exitCodeOfResult(unlooked.result), unlooked.requests]).toEqual([0, 1]);
    expect(unlooked.records[0]).toMatchObject({ type: 'run_opened', wants: 'answer' });
  });

  it('gets the verdict of work where files were changed', async () => {
    const write = { name: 'write_file', args: { path: 'a.txt', content: 'x\n' } };
    const plan = {
      name: 'set_plan',
      args: { tasks: [{ description: 'w', subtasks: [{ do: 'write it', files: ['a.txt'] }] }] },
    };
    const done = { name: 'mark_subtask_complete', args: { success: true, reason: 'done' } };
    const { result } = await play('Write a.txt', {}, [[plan, write, done]], options);
    expect(result.ending).toBe('unverified');
    expect(exitCodeOfResult(result)).toBe(EXIT.unverified);
  });
});

describe('a claim in words alone', () => {
  it('is taken after one reminder where nothing was even looked at', async () => {
    const text = 'I have fixed it, and all tests pass.';
    const { result, requests, stands } = await play('Fix the test', CONFIG, [text, text]);
    expect(requests).toBe(2);
    expect(result).toMatchObject({
      ending: 'answered',
      detail: 'no file here was changed; nothing was read or printed in this run',
    });
    expect(stands?.nothingRead).toBe(true);
  });

  it('says that nothing was changed where something was read', async () => {
    const { result, requests } = await play('Fix it', CONFIG, [[read('config.yml')], 'Fixed.']);
    expect(requests).toBe(2);
    expect(result).toMatchObject({ ending: 'answered', detail: 'no file here was changed' });
  });

  it('proves nothing where it is wrong in words', async () => {
    const { result } = await play('Are both files right?', CONFIG, [
      [read('config.yml')],
      'Yes, both are right.',
    ]);
    expect(result.ending).toBe('answered');
    expect(`${result.detail}`).not.toMatch(/prove|achieve/);
  });
});

describe('the figures and names of an answer', () => {
  it('are shown with the line on which they stand, so that two which were swapped are seen', async () => {
    const files = {
      'src/server.js': 'const publicPort = 3000;\nconst adminPort = 8080;\n',
      'src/limits.js': 'export const MAX_DEPTH = 100;\nexport const MAX_ROWS = 10000;\n',
    };
    const { result, stands } = await play(
      'On which port does the admin interface listen, and what is MAX_DEPTH?',
      files,
      [
        [read('src/server.js'), read('src/limits.js')],
        'The admin interface listens on port 3000, and MAX_DEPTH is 10000.',
      ],
    );
    expect(exitCodeOfResult(result)).toBe(EXIT.answered);
    expect(stands).toEqual({
      found: [
        { what: '3000', where: 'src/server.js:1', line: 'const publicPort = 3000;' },
        { what: '10000', where: 'src/limits.js:2', line: 'export const MAX_ROWS = 10000;' },
        { what: 'MAX_DEPTH', where: 'src/limits.js:1', line: 'export const MAX_DEPTH = 100;' },
      ],
      unread: [],
    });
  });

  it('are named where they were counted, and nothing is held against the answer', async () => {
    const files = { 'grouping.py': 'def group(stmt):\n    group_case(stmt)\n    group_if(stmt)\n' };
    const { result } = await play('How does grouping work?', files, [
      [read('grouping.py')],
      '`group()` runs 25 passes, each a `group_*` function: see grouping.py:2-3.',
    ]);
    expect(result).toMatchObject({
      ending: 'answered',
      detail:
        'no file here was changed; found in what was read, and not checked beyond that: group in grouping.py:1, grouping.py in grouping.py; found nowhere in what was read: 25 and group_*',
    });
  });
});

test.each([
  ['The age of Ann is 31.', ['people.txt:2'], []],
  ['Bob (31) is the oldest.', ['people.txt:2'], []],
  ['No, Bob is older than Ann: 31 against 64.', ['people.txt:2', 'people.txt:1'], []],
  ['Ann is the oldest person in people.txt.', ['people.txt'], []],
  ['The age of Ann is 46.', [], ['46']],
])('an answer is never achieved, by whom it may be: %s', async (text, places, unread) => {
  const files = { 'people.txt': 'Ann 64\nBob 31\nCid 40\n' };
  const goal = 'How old is Ann?';
  const { result, stands } = await play(goal, files, [[read('people.txt')], text]);
  expect(result.ending).toBe('answered');
  expect(stands?.found.map(({ where }) => where)).toEqual(places);
  expect(stands?.unread).toEqual(unread);
});
