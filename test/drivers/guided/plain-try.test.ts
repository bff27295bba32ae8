/** The first question of a model that is led: one plain try with the small files of the folder. */
import { describe, expect, it } from 'vitest';
import { goldenWorld } from '../../support/golden-world.ts';
import { diligentModel, type PlannedWork, triedThen } from '../../support/models.ts';
import { type RunIn, runIn } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const HELLO: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.py', purpose: 'prints hello' }],
  verify: { cmd: 'python hello.py' },
  files: { 'hello.py': ['print("hello")\n'] },
};
const file = (path: string, text: string): string => `${path}\n\`\`\`\n${text}\`\`\``;

interface Tried {
  readonly answer: string;
  readonly goal?: string;
  readonly files?: { readonly [path: string]: string };
  readonly work?: PlannedWork;
  readonly more?: RunIn;
}

/** A run whose model answers the try so, and then works by its plan. */
async function tried({ answer, goal = 'Write hello.py', files = {}, work = HELLO, more }: Tried) {
  const world = goldenWorld({});
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  const provider = scriptedProvider(triedThen(answer, diligentModel(work)));
  const told = await runIn(world, provider, { goal, toolMode: 'json', plainTry: true, ...more });
  const plans = told.records.filter(({ type }) => type === 'plan_set' || type === 'replanned');
  return { ...told, plans, world, requests: provider.requests };
}

describe('a plain try before a plan', () => {
  it('is one question with the files, and what comes is written and run', async () => {
    const { requests, world, plans, result } = await tried({
      answer: file('hello.py', 'print("hello")\n'),
      files: { 'notes.txt': 'one\ntwo\n\n' },
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.messages.map(({ role }) => role)).toEqual(
      'system user assistant user assistant user assistant user'.split(' '),
    );
    expect(requests[0]?.messages.at(-1)?.content).toBe(
      'Goal: Write hello.py\n\nnotes.txt\n```\none\ntwo\n```',
    );
    expect(world.read('hello.py')).toBe('print("hello")\n');
    expect(plans).toMatchObject([
      {
        why: 'a plain try',
        plan: {
          tasks: [{ subtasks: [{ id: '1.1', step: { target: 'hello.py' } }] }],
          proof: { cmd: 'python hello.py' },
        },
      },
    ]);
    expect(result.state.proof?.passed).toBe(true);
    // Nobody but the run itself says what it is to print.
    expect(result.ending).toBe('unverified');
  });

  it('is asked for the one file that the goal names and that did not come, and for nothing else', async () => {
    const { requests, world, plans } = await tried({
      goal: 'Write hello.py and bye.py',
      answer: file('hello.py', 'print("hello")\n'),
      work: { ...HELLO, files: { 'bye.py': ['print("bye")\n'] } },
    });
    const asked = requests.map(({ messages }) => messages.at(-1)?.content ?? '').slice(1);
    expect(asked.map((text) => /whole content of (\S+)/.exec(text)?.[1])).toEqual(['bye.py']);
    expect(world.read('bye.py')).toBe('print("bye")\n');
    expect(plans).toHaveLength(1);
  });

  it.each([
    ['Write hello.py.\npython hello.py prints hello', 2],
    ['Write hello.py: python hello.py prints hello', 1],
  ])(
    'is judged by an example that the model names and the goal carries: %j',
    async (goal, part) => {
      const world = goldenWorld({});
      const example = { part, how: 'command' as const, input: 'python hello.py', result: 'hello' };
      const provider = scriptedProvider(() => file('hello.py', 'print("hello")\n'), {
        examples: [{ ...example, quote: '' }],
      });
      const { records, result } = await runIn(world, provider, {
        goal,
        ...{ toolMode: 'json', plainTry: true },
      });
      const turns = records.flatMap((one) => (one.type === 'turn_finished' ? [one.purpose] : []));
      expect(turns).toEqual(['try', 'brief']);
      expect(
        records.flatMap((one) => (one.type === 'check_ran' ? [[one.check, one.passed]] : [])),
      ).toContainEqual([expect.objectContaining({ type: 'goal_example', prints: 'hello' }), true]);
      expect(result.ending).toBe('achieved');
    },
  );

  it('is an answer where a sentence comes', async () => {
    const { requests, result } = await tried({
      goal: 'Which port does the server use?',
      answer: 'The server uses port 8080.',
      files: { 'settings.ini': 'port = 8080\n' },
    });
    expect(requests).toHaveLength(1);
    expect(result.ending).toBe('answered');
    expect(result.answer).toBe('The server uses port 8080.');
    expect(result.detail).toBe(
      'no file here was changed; found in what was read, and not checked beyond that: 8080 in settings.ini:1',
    );
  });

  it('gives way to a plan where a sentence comes and work is asked for', async () => {
    const { plans, world, records } = await tried({ answer: 'I have written hello.py.' });
    const turns = records.flatMap((one) => (one.type === 'turn_finished' ? [one.purpose] : []));
    expect(turns.slice(0, 3)).toEqual(['try', 'brief', 'plan']);
    expect(plans).toHaveLength(1);
    expect(world.read('hello.py')).toBe('print("hello")\n');
  });

  it('is followed by looks and an answer where the brief wants work and the plan agrees with the sentence', async () => {
    const { result, records } = await tried({
      goal: 'Say which port (a number) the server uses',
      answer: 'The server uses a port.',
      files: { 'settings.ini': 'port = 8080\n' },
      work: {
        subtasks: [{ action: 'read_file', file: 'settings.ini', purpose: 'find the port' }],
        answer: 'It is 8080.',
      },
    });
    const turns = records.flatMap((one) => (one.type === 'turn_finished' ? [one.purpose] : []));
    expect(turns.slice(0, 3)).toEqual(['try', 'brief', 'plan']);
    expect(turns.filter((purpose) => purpose === 'plan')).toHaveLength(1);
    expect(result.ending).toBe('answered');
  });

  it('answers a question about nothing in the folder, too', async () => {
    const { result } = await tried({ goal: 'What is 2 + 3?', answer: 'It is 5.' });
    expect(result.ending).toBe('answered');
  });

  it.each([
    ['no file with a name', '```\nprint("hello")\n```'],
    ['an action', '{"action":"write_file","file":"hello.py"}'],
    ['a block without an end', 'hello.py\n```\nprint("hello")\n'],
    ['a name that leads out of the folder', file('../hello.py', 'print("hello")\n')],
  ])('gives way to a plan where it brings %s', async (_what, answer) => {
    const { requests, plans, world } = await tried({ answer });
    expect(plans).toHaveLength(1);
    expect(requests[1]?.responseSchema).toBeDefined();
    expect(world.read('hello.py')).toBe('print("hello")\n');
  });

  it('is followed by the same requests as a run without it, where nothing usable came', async () => {
    const without = await tried({ answer: '', more: { plainTry: false } });
    const { requests } = await tried({ answer: '{}' });
    const words = (one: typeof requests) => one.map(({ messages }) => messages);
    expect(words(requests).slice(1, 2)).toEqual(words(without.requests).slice(0, 1));
  });

  it('is asked once more where its proof fails in a copy, and nothing of the first answer is written', async () => {
    const world = goldenWorld({});
    world.write('greet.py', 'print("hi")\n');
    const answers = [
      [file('greet.py', 'raise ValueError("no")\n'), file('more.py', 'pass\n')].join('\n\n'),
      file('greet.py', 'print("hello")\n'),
    ];
    const provider = scriptedProvider((_request, n) => answers[n - 1] ?? '');
    const { records } = await runIn(world, provider, {
      goal: 'greet.py must say hello',
      ...{ toolMode: 'json', plainTry: true, keep: true },
    });
    const [first, second] = provider.requests;
    expect(second?.messages).toEqual(first?.messages);
    expect(second?.temperature).toBeGreaterThan(first?.temperature ?? 0);
    expect(world.read('greet.py')).toBe('print("hello")\n');
    expect(world.read('more.py')).toBe(null);
    const told = records.flatMap((one) => (one.type === 'try_ended' ? [one] : []));
    expect(told).toMatchObject([{ again: true, why: expect.stringContaining('ValueError') }]);
    expect(records.filter(({ type }) => type === 'plan_set')).toHaveLength(1);
  });

  it('is asked once more where tests of the answer pass without its code', async () => {
    const world = testWorld((_args, _stdin, read) =>
      (read('test/calc.test.mjs') ?? '').includes('import') && read('calc.mjs') === null
        ? { output: 'Cannot find module\n', exitCode: 1 }
        : { output: '# tests 1\n# pass 1\n# fail 0\n', exitCode: 0 },
    );
    const answer = (test: string) =>
      [file('calc.mjs', 'export const one = 1;\n'), file('test/calc.test.mjs', test)].join('\n\n');
    const answers = [answer('test("one", () => {});\n'), answer('import "../calc.mjs";\n')];
    const provider = scriptedProvider((_request, n) => answers[n - 1] ?? '');
    const { records } = await runIn(world, provider, {
      goal: 'Create calc.mjs with tests',
      ...{ toolMode: 'json', plainTry: true, keep: true },
    });
    const why = records.flatMap((one) => (one.type === 'try_ended' ? [one.why] : []));
    expect(why).toEqual(['node --test passes without the code, too']);
    expect(world.read('test/calc.test.mjs')).toBe('import "../calc.mjs";\n');
  });

  it('gives way to a plan where its program does not run, and given files are as they were', async () => {
    const { requests, plans, world, records } = await tried({
      goal: 'greet.py must say hello',
      answer: file('greet.py', 'print("hi")\nraise ValueError("no")\n'),
      files: { 'greet.py': 'print("hi")\n' },
      work: {
        subtasks: [{ action: 'write_file', file: 'greet.py', purpose: 'says hello' }],
        verify: { cmd: 'python greet.py' },
        files: { 'greet.py': ['print("hi")\nprint("hello")\n'] },
      },
      more: { keep: true },
    });
    expect(plans.map(({ type }) => type)).toEqual(['plan_set']);
    expect(records.filter(({ type }) => type === 'try_ended')).toHaveLength(3);
    const question = requests[3]?.messages.at(-1)?.content ?? '';
    expect(question).toContain('print("hi")');
    expect(question).not.toContain('raise');
    expect(question).not.toContain('The plan did not work');
    expect(world.read('greet.py')).toBe('print("hi")\nprint("hello")\n');
  });

  it('gives way to a plan where what comes cannot be read by its language', async () => {
    const { plans, world } = await tried({ answer: file('hello.py', 'print(\n') });
    expect(plans).toHaveLength(2);
    expect(world.read('hello.py')).toBe('print("hello")\n');
  });

  it('gives way to a plan where its file would drop what was there', async () => {
    const given = Array.from({ length: 12 }, (_, at) => `def f${at}():\n    return ${at}\n`);
    const { plans, records } = await tried({
      goal: 'lib.py must have a function g',
      answer: file('lib.py', 'def g():\n    return 1\n'),
      files: { 'lib.py': given.join('\n') },
      work: {
        subtasks: [{ action: 'write_file', file: 'lib.py', purpose: 'has g' }],
        files: { 'lib.py': [`${given.join('\n')}\ndef g():\n    return 1\n`] },
      },
    });
    expect(plans).toHaveLength(2);
    expect(records.find(({ type }) => type === 'action_finished')).toMatchObject({
      status: 'error',
    });
  });

  it('puts a given file back that it changed before another of its files was refused', async () => {
    const given = Array.from({ length: 12 }, (_, at) => `def f${at}():\n    return ${at}\n`);
    const { requests, world, records } = await tried({
      goal: 'app.py must call g of lib.py',
      answer: [
        file('app.py', 'from lib import g\n\nprint(g())\n'),
        file('lib.py', 'def g():\n    return 1\n'),
        file('more.py', 'more = 1\n'),
      ].join('\n\n'),
      files: { 'app.py': 'print(1)\n', 'lib.py': given.join('\n') },
      work: {
        subtasks: [{ action: 'write_file', file: 'hello.py', purpose: 'says hello' }],
        files: { 'hello.py': ['print("hello")\n'] },
      },
      more: { keep: true },
    });
    const written = records.flatMap((one) =>
      one.type === 'action_finished' && one.touches === 'files' ? [[one.target, one.status]] : [],
    );
    expect(written.slice(0, 3)).toEqual([
      ['app.py', 'ok'],
      ['lib.py', 'error'],
      ['app.py', 'ok'],
    ]);
    expect(world.read('app.py')).toBe('print(1)\n');
    expect(world.read('lib.py')).toBe(given.join('\n'));
    // The plan is asked for as if nothing had been tried.
    expect(requests[1]?.messages.at(-1)?.content).toContain('app.py (9 bytes):\n```\nprint(1)\n');
  });

  it('is not made where the small files take more than a third of the window', async () => {
    const { requests, records } = await tried({
      answer: 'unasked',
      files: { 'long.txt': 'some words\n'.repeat(800) },
      work: HELLO,
      more: { contextWindow: 8192 },
    });
    expect(requests[0]?.responseSchema).toBeDefined();
    expect(records.find(({ type }) => type === 'try_ended')).toBeDefined();
  });

  it('is not made where a file that the goal names is not shown', async () => {
    const { requests } = await tried({
      answer: 'unasked',
      goal: 'Write hello.py that counts the lines of data.txt',
      files: { 'data.txt': `${'0123456789\n'.repeat(2000)}` },
      more: { contextWindow: 32_768 },
    });
    expect(requests[0]?.responseSchema).toBeDefined();
  });

  it('shows no file with keys, and leaves large ones out that nobody names', async () => {
    const { requests } = await tried({
      answer: file('hello.py', 'print("hello")\n'),
      files: { '.env': 'TOKEN=1\n', 'large.csv': 'a,b\n'.repeat(5000), 'small.txt': 'small\n' },
    });
    const question = requests[0]?.messages.at(-1)?.content ?? '';
    expect(question).toContain('small.txt');
    expect(question).not.toContain('TOKEN');
    expect(question).not.toContain('large.csv');
  });

  it('does not rewrite the tests that were given', async () => {
    const test = 'from hello import hello\n\n\ndef test_hello():\n    assert hello() == 1\n';
    const { world, records } = await tried({
      goal: 'The tests fail. Fix hello.py.',
      answer: [
        file('hello.py', 'def hello():\n    return 2\n'),
        file('test_hello.py', 'pass\n'),
      ].join('\n\n'),
      files: { 'hello.py': 'def hello():\n    return 0\n', 'test_hello.py': test },
    });
    expect(world.read('test_hello.py')).toBe(test);
    const ran = records.flatMap((one) =>
      one.type === 'check_ran' && one.scratch?.what === 'plain_try' ? [one.check] : [],
    );
    expect(ran[0]).toEqual({ cmd: 'python -m pytest -q' });
  });
});
