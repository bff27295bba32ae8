/** A checker that the repository itself does not pass: what it said before the run is no obstacle after it. */
import { describe, expect, it } from 'vitest';
import { runGoal } from '../../src/agent.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { realFolder, realMachine } from '../support/real-run.ts';
import { type RunIn, runIn } from '../support/run-in.ts';
import {
  LARGE,
  SCRIPTED_MODEL,
  type ScriptedCall,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { type TestMachine, testWorld } from '../support/test-machine.ts';

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
/** Names each line that says \`bad\`, and fails where there is one. */
const CHECKER = `import { readFileSync } from 'node:fs';
const bad = ['a.txt', 'b.txt'].flatMap((name) =>
  readFileSync(name, 'utf8').split('\\n').flatMap((line, at) =>
    line.includes('bad') ? [name + '(' + (at + 1) + '): error: ' + line] : []));
console.log(bad.join('\\n'));
process.exit(bad.length > 0 ? 2 : 0);
`;
const CHECK = call('run_cmd', { cmd: 'node check.mjs' });
const DONE = call('mark_subtask_complete', { success: true, reason: 'it is changed' });
const PLAN = call('set_plan', {
  tasks: [
    {
      description: 'work',
      subtasks: [{ do: 'change b.txt', files: ['b.txt'], done_when: 'node check.mjs was run' }],
    },
  ],
});

async function run(text: string) {
  const workspace = realFolder({ 'check.mjs': CHECKER, 'a.txt': 'bad old line\n', 'b.txt': 'b\n' });
  const ended: Extract<JournalRecord, { type: 'action_finished' }>[] = [];
  const write = call('write_file', { path: 'b.txt', content: text });
  await runGoal({
    ...{
      goal: 'Change b.txt; `node check.mjs` has something against a.txt',
      workspace,
      model: SCRIPTED_MODEL,
    },
    provider: scriptedProvider(({ messages }) => {
      const said = messages.filter(({ role }) => role === 'assistant').length;
      const read = call('read_file', { path: 'b.txt' });
      return {
        calls: said === 0 ? [CHECK, read] : said === 1 ? [PLAN, write, CHECK, DONE] : [DONE],
      };
    }, LARGE),
    machine: realMachine(),
    emit: (event: RunEvent) => {
      if (event.type === 'record' && event.record.type === 'action_finished')
        ended.push(event.record);
    },
  });
  return ended.find(({ does }) => does === 'ends_subtasks');
}

describe('a command that failed before the run had changed anything', () => {
  it('is no obstacle where it fails as before', async () => {
    expect(await run('b\nc\n')).toMatchObject({ status: 'ok' });
  });

  it('is one where more of it fails, and is named with its exit code', async () => {
    expect(await run('b\nbad new line\n')).toMatchObject({
      status: 'denied',
      result:
        'The command node check.mjs ended with exit code 2: mend that, and run it again. Then call mark_subtask_complete again.',
    });
  });
});

describe('tests that are first run behind a change', () => {
  const TESTS = call('run_cmd', { cmd: 'node all.test.mjs' });

  async function tested(text: string, more: { readonly [path: string]: string } = {}) {
    const test = (name: string, value: string) =>
      `import { test } from 'node:test';\nimport { equal } from 'node:assert/strict';\nimport { ${name} } from './${name}.mjs';\ntest('${name}', () => equal(${name}, ${value}));\n`;
    const workspace = realFolder({
      ...{ 'old.mjs': 'export const old = 1;\n', 'old.test.mjs': test('old', '2') },
      ...{ 'mine.mjs': 'export const mine = 1;\n', 'mine.test.mjs': test('mine', '1') },
      'all.test.mjs': "import './old.test.mjs';\nimport './mine.test.mjs';\n",
      ...more,
    });
    const ends: string[] = [];
    const trials: JournalRecord[] = [];
    const plan = call('set_plan', {
      tasks: [{ description: 'work', subtasks: [{ do: 'change mine.mjs', files: ['mine.mjs'] }] }],
    });
    const replies = [
      [call('read_file', { path: 'mine.mjs' })],
      [plan, call('write_file', { path: 'mine.mjs', content: text }), TESTS, DONE],
    ];
    await runGoal({
      ...{ goal: 'Give mine.mjs a comment', workspace, model: SCRIPTED_MODEL },
      provider: scriptedProvider(
        ({ messages }) => ({
          calls: replies[messages.filter(({ role }) => role === 'assistant').length] ?? [DONE],
        }),
        LARGE,
      ),
      machine: realMachine(),
      emit: (event: RunEvent) => {
        if (event.type !== 'record') return;
        const { record } = event;
        if (record.type === 'action_finished' && record.does === 'ends_subtasks')
          ends.push(record.status);
        if (record.type === 'check_ran' && record.scratch?.what === 'as_found') trials.push(record);
      },
    });
    return { ends, trials };
  }

  it('are no obstacle where the same tests fail with the files as they were found', async () => {
    const seen = await tested('// Mine.\nexport const mine = 1;\n');
    expect(seen.ends).toEqual(['ok']);
    expect(seen.trials).toHaveLength(1);
  });

  it('are none either where a package of the workspace has installed what they use', async () => {
    const seen = await tested('// Mine.\nexport const mine = 1;\n', {
      'all.test.mjs':
        "import './packages/a/uses.mjs';\nimport './old.test.mjs';\nimport './mine.test.mjs';\n",
      'packages/a/uses.mjs': "export { mine } from 'installed';\n",
      'packages/a/node_modules/installed/package.json': '{"type":"module","main":"main.js"}',
      'packages/a/node_modules/installed/main.js': 'export const mine = 1;\n',
    });
    expect(seen.ends).toEqual(['ok']);
    expect(seen.trials).toHaveLength(1);
  });

  it('are one where another test fails', async () => {
    const seen = await tested('// Mine.\nexport const mine = 3;\n');
    expect(seen.ends[0]).toBe('denied');
    expect(seen.trials).toHaveLength(1);
  });
});

describe('a checker that is first run behind a change', () => {
  const RUFF = call('run_cmd', { cmd: 'ruff check .' });

  /** It names each file that says \`bad\`. */
  function ruff() {
    const world = testWorld((_args, _stdin, read) => {
      const bad = ['a.py', 'b.py'].filter((path) => read(path)?.includes('bad'));
      const found = bad.map((path) => `${path}:1:1: F821 Undefined name \`bad\``);
      return {
        output: `${found.join('\n')}\nFound ${bad.length} error${bad.length === 1 ? '' : 's'}.\n`,
        exitCode: bad.length > 0 ? 1 : 0,
      };
    });
    world.write('a.py', 'bad\n');
    world.write('b.py', 'b = 1\n');
    return world;
  }

  const withRuff = (machine: TestMachine): TestMachine => ({
    ...machine,
    processes: (...asked) => {
      const processes = machine.processes(...asked);
      const find = async (file: string) =>
        ({ kind: 'found', file, prefix: [], notice: '' }) as const;
      const programs = { ...processes.programs, find };
      return { ...processes, programs, outside: programs, resolve: (name: string) => name };
    },
  });

  async function changed(text: string, onRecord?: RunIn['onRecord'], check = RUFF) {
    const world = ruff();
    world.write('more/a.py', 'bad\n');
    const plan = call('set_plan', {
      tasks: [{ description: 'work', subtasks: [{ do: 'change b.py', files: ['b.py'] }] }],
    });
    const replies = [
      [call('read_file', { path: 'b.py' })],
      [plan, call('write_file', { path: 'b.py', content: text }), check],
    ];
    const provider = scriptedProvider(
      ({ messages }) => ({
        calls: replies[messages.filter(({ role }) => role === 'assistant').length] ?? [DONE],
      }),
      LARGE,
    );
    const options = { goal: 'Change b.py', toolMode: 'native', allow: ['ruff *'] } as const;
    const machine = withRuff(world.machine());
    const killing = onRecord && {
      onRecord: (...seen: Parameters<typeof onRecord>) => {
        try {
          onRecord(...seen);
        } catch (error) {
          machine.kill();
          throw error;
        }
      },
    };
    let told = await runIn(world, provider, { ...options, machine, ...killing }).catch(() => null);
    const first = provider.requests.length;
    told ??= await runIn(world, provider, { ...options, machine: withRuff(world.machine()) });
    const ends = told.records.flatMap((one) =>
      one.type === 'action_finished' && one.does === 'ends_subtasks' ? [one.status] : [],
    );
    return { ends, told, requests: provider.requests, first };
  }

  const trials = ({ told }: Awaited<ReturnType<typeof changed>>) =>
    told.records.filter((one) => one.type === 'check_ran' && one.scratch?.what === 'as_found');

  it('costs no turn where it finds only what it would have found before, in files that nobody touched', async () => {
    const seen = await changed('b = 2\n');
    expect(seen.ends).toEqual(['ok']);
    expect(trials(seen)).toHaveLength(1);
  });

  it('is an obstacle where it finds more, and is tried once', async () => {
    const seen = await changed('b = bad\n');
    expect(seen.ends[0]).toBe('denied');
    expect(trials(seen)).toHaveLength(1);
  });

  it('is not tried where it was run in another folder', async () => {
    const seen = await changed('b = 2\n', undefined, {
      ...RUFF,
      args: { ...RUFF.args, cwd: 'more' },
    });
    expect(trials(seen)).toHaveLength(0);
  });

  it('goes on with the same requests where it is killed in the trial', async () => {
    const plain = await changed('b = 2\n');
    const killed = await changed('b = 2\n', (record) => {
      if (record.type === 'action_intended' && record.id.startsWith('scratch#'))
        throw new Error('killed');
    });
    expect(killed.requests.map((one) => one.messages)).toEqual(
      plain.requests.map((one) => one.messages),
    );
    expect(killed.ends).toEqual(['ok']);
  });
});
