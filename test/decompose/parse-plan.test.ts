import { describe, expect, it } from 'vitest';
import { fallbackPlan, parsePlan } from '../../src/decompose/parse-plan.ts';
import type { PlanContext } from '../../src/decompose/plan-context.ts';
import { plannableOf, planSchemaOf } from '../../src/decompose/plan-schema.ts';
import { stepOf, TOOLS } from '../support/built-in-tools.ts';

const context = (more: Partial<PlanContext> = {}): PlanContext => ({
  goal: 'say hello',
  examples: { files: ['word_count.py'], texts: [], stdin: '', fileName: 'name.py' },
  installed: new Set(['python', 'pytest', 'node']),
  exists: () => false,
  readText: () => null,
  missingProgram: () => null,
  files: [],
  finishedFiles: [],
  isLastTry: false,
  commandFault: (cmd) => (cmd.startsWith('rm') ? 'rm is not allowed here.' : null),
  tools: plannableOf(TOOLS),
  firstTask: 1,
  ...more,
});

type Step = Record<string, string>;

const write = (file: string, purpose = 'prints hello'): Step => ({
  action: 'write_file',
  file,
  purpose,
});
const run = (cmd: string): Step => ({ action: 'run_cmd', cmd, purpose: 'shows it' });

const answer = (subtasks: readonly Step[], cmd = 'python hello.py') =>
  JSON.stringify({
    tasks: [{ description: 'work', subtasks }],
    verify: { cmd, prints: 'hello', stdin: '' },
  });

const stepsOf = (text: string, more: Partial<PlanContext> = {}) => {
  const parsed = parsePlan(text, context(more));
  if (parsed.kind === 'fault') return parsed.fault;
  return parsed.plan.tasks.flatMap((task) => task.subtasks.map(({ step }) => step?.target ?? ''));
};

describe('a plan', () => {
  it.each([
    ['a.py', 'test_a.py', 'python -m pytest -q'],
    ['a.py', 'tests/a_test.py', 'python -m pytest -q'],
    ['a.mjs', 'a.test.mjs', 'node --test'],
  ])('that names no proof runs its tests: %s, %s', (file, test, cmd) => {
    const goal = 'a program with tests';
    const parsed = parsePlan(answer([write(file), write(test)], ''), context({ goal }));
    expect(parsed).toMatchObject({ kind: 'plan', plan: { proof: { cmd } } });
  });

  it('that only looks at files needs no proof where the goal is a question', () => {
    const look = { action: 'list_dir', file: 'src/notes.txt', purpose: 'lists the files' };
    const files = ['src/notes.txt'];
    const asked = parsePlan(answer([look], 'ls'), context({ goal: 'What is here?', files }));
    expect(asked).toMatchObject({
      kind: 'plan',
      plan: { tasks: [{ subtasks: [{ step: stepOf('list_dir', 'src') }] }] },
    });
    expect(asked.kind === 'plan' && asked.plan.proof).toBeFalsy();
    expect(parsePlan(answer([look], 'rm a'), context({ goal: 'Mend it', files })).kind).toBe(
      'fault',
    );
  });

  it('names its tasks from the number asked for, and checks that files are there', () => {
    const parsed = parsePlan(answer([write('./src\\hello.py')]), context({ firstTask: 3 }));
    expect(parsed).toMatchObject({
      kind: 'plan',
      plan: {
        fallback: false,
        proof: { cmd: 'python hello.py', prints: 'hello' },
        tasks: [
          {
            id: '3',
            subtasks: [
              {
                id: '3.1',
                status: 'pending',
                step: stepOf('write_file', 'src/hello.py'),
                checks: [{ type: 'file_exists', path: 'src/hello.py' }],
              },
            ],
          },
        ],
      },
    });
  });

  it('may stand among other words', () => {
    expect(stepsOf(`Here it is: ${answer([write('hello.py')])} Good luck!`)).toEqual(['hello.py']);
  });

  it.each([
    ['one task', '[{"description":"Hi","subtasks":["write_file notes.md with a greeting"]}]'],
    [
      'among words',
      'A [short] plan: {"tasks":[{"description":"Hi","subtasks":["Write notes.md"]}]}',
    ],
  ])('may be a list of sentences: %s', (_, text) => {
    expect(stepsOf(text)).toEqual(['notes.md']);
  });

  it('needs no proof when it writes no program', () => {
    const parsed = parsePlan(answer([write('notes.txt')], ''), context());
    expect(parsed.kind === 'plan' && parsed.plan.proof).toBe(undefined);
  });

  it('is asked for with the keys in the order in which they are answered', () => {
    const look = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { properties } = schema as { properties?: object };
      if (properties) expect(Object.keys(properties)).toEqual(Object.keys(properties).sort());
      for (const inner of Object.values(schema)) look(inner);
    };
    look(planSchemaOf(plannableOf(TOOLS)));
  });
});

describe('a plan that cannot be used says why', () => {
  it.each([
    ['no JSON', 'I would begin with a file.', /one JSON object/],
    ['no tasks', '{"tasks":[]}', /tasks/],
    ['an unknown action', answer([{ action: 'ponder', purpose: 'x' }]), /action/],
    ['an abstract step', answer([write('design.md', 'Decide on the design')]), /is not a step/],
    ['an absolute path', answer([write('/etc/a.py')]), /relative/],
    ['a drive', answer([write('C:\\a.py')]), /relative/],
    ['a way out', answer([write('../a.py')]), /relative/],
    ['a folder as file', answer([write('src/')]), /is a folder/],
    ['a file of the example', answer([write('word_count.py')]), /example/],
    ['a command that is refused', answer([write('a.py'), run('rm a.py')]), /^rm is not allowed/],
    ['a proof that is refused', answer([write('a.py')], 'rm a.py'), /^verify\.cmd: rm/],
    ['a program without a proof', answer([write('a.py')], ''), /verify\.cmd is empty.*a\.py/],
    [
      'tests that nothing writes',
      answer([write('a.py')], 'python -m pytest -q'),
      /keep a\.py and add/,
    ],
  ])('%s', (_, text, sentence) => {
    expect(stepsOf(text)).toMatch(sentence);
  });

  it.each([
    ['a program', write('a.py', 'choose a card by chance and print it'), 'Draw a card'],
    ['a text that the goal names', write('a.md', 'Consider both sides'), 'Weigh it up in a.md'],
  ])('but %s may have a purpose that begins with a word for thinking', (_, step, goal) => {
    expect(stepsOf(answer([step]), { goal })).toEqual([step.file]);
  });

  it('but may name a file of the example that its goal names', () => {
    expect(stepsOf(answer([write('word_count.py')]), { goal: 'mend word_count.py' })).toEqual([
      'word_count.py',
    ]);
  });
});

describe('a plan is held against its goal', () => {
  it.each([
    ['Create a mathx package with tests', /a folder mathx with mathx\/__init__\.py/],
    ['Write a package called shapes, with tests', /a folder shapes with/],
  ])('%s', (goal, sentence) => {
    const plan = answer([write('one.py'), write('test_one.py')], 'python -m pytest -q');
    const parsed = parsePlan(plan, { ...context(), goal });
    expect(parsed.kind === 'fault' && parsed.fault).toMatch(sentence);
  });

  it('and a package with tests holds what is tested', () => {
    const steps = [write('m/__init__.py', 'empty file'), write('test_m.py')];
    const goal = 'Create a package m with tests';
    const parsed = parsePlan(answer(steps, 'python -m pytest -q'), { ...context(), goal });
    expect(parsed.kind === 'fault' && parsed.fault).toMatch(/functions into m\/__init__\.py/);
  });

  it('and a new plan brings something new', () => {
    const parsed = parsePlan(answer([write('a.py')]), { ...context(), finishedFiles: ['a.py'] });
    expect(parsed.kind === 'fault' && parsed.fault).toMatch(/written already/);
  });
});

describe('the last plan is completed instead of given up', () => {
  const completed = (proposed: string, goal: string) => {
    const parsed = parsePlan(proposed, { ...context(), goal, isLastTry: true });
    return parsed.kind === 'plan'
      ? {
          files: parsed.plan.tasks.flatMap((task) =>
            task.subtasks.map(({ step }) => (step?.args ? '' : step?.target)),
          ),
          proof: parsed.plan.proof?.cmd,
          why: parsed.completed,
        }
      : parsed.fault;
  };

  it.each([
    [
      'with its tests',
      [write('m/a.py'), write('m/__init__.py')],
      ['m/a.py', 'm/__init__.py', 'test_a.py'],
    ],
    [
      'as a package',
      [write('mathx.py'), write('test_mathx.py')],
      ['m/__init__.py', 'test_mathx.py'],
    ],
    ['as a package with its tests', [write('mathx.py')], ['m/__init__.py', 'test_m.py']],
  ])('%s', (_, steps, files) => {
    const goal = 'Create a package named m with tests';
    expect(completed(answer(steps, 'python -m pytest -q'), goal)).toMatchObject({
      files,
      proof: 'python -m pytest -q',
      why: expect.stringMatching(/\.$/),
    });
  });

  it('with a proof that runs its program', () => {
    expect(completed(answer([write('a.py')], ''), 'Say hello')).toMatchObject({
      proof: 'python a.py',
    });
  });

  it('with tests that it writes, where its proof may not be run', () => {
    const steps = [write('package.json'), write('tool.mjs'), write('tool.test.mjs')];
    expect(completed(answer(steps, 'rm -r x; tool 1 2'), 'A tool with tests')).toMatchObject({
      files: ['package.json', 'tool.mjs', 'tool.test.mjs'],
      proof: 'node --test',
      why: 'verify.cmd: rm is not allowed here.',
    });
  });

  it('with no proof, where its own may not be run and nothing else can be', () => {
    const goal = 'A function add(a, b) in add.mjs';
    const steps = [write('add.mjs', 'add(a, b)')];
    expect(completed(answer(steps, 'rm x'), goal)).toMatchObject({
      files: ['add.mjs'],
      proof: undefined,
    });
    expect(completed(answer([...steps, run('rm y')], 'rm x'), goal)).toBe(
      'rm is not allowed here.',
    );
  });

  it('but not where it is nothing to build on', () => {
    const goal = 'Create a Python package';
    expect(completed(answer([write('a.py')], 'python a.py'), goal)).toMatch(/a folder NAME/);
    expect(completed(answer([write('../a.py')]), 'Say hello')).toMatch(/relative/);
  });
});

it('a new plan leaves what is written as it is while something else is left to do', () => {
  const parsed = parsePlan(answer([write('./a.py'), write('test_a.py')], 'python -m pytest -q'), {
    ...context(),
    goal: 'Create a with tests',
    finishedFiles: ['a.py'],
    files: ['a.py'],
    exists: (path) => path === 'a.py',
  });
  const steps =
    parsed.kind === 'plan' ? parsed.plan.tasks.flatMap((task) => task.subtasks) : parsed.fault;
  expect(steps).toMatchObject([{ step: stepOf('write_file', 'test_a.py') }]);
});

describe('a plan is tidied', () => {
  it.each([
    ['folders are not made by commands', [run('mkdir src'), write('src/a.py')], ['src/a.py']],
    ['a file is written once', [write('a.py'), write('A.py')], ['a.py']],
    [
      'a command is run once',
      [write('a.py'), run('python b.py'), run('python b.py')],
      ['a.py', 'python b.py'],
    ],
    ['the proof is no subtask', [write('hello.py'), run('python hello.py')], ['hello.py']],
    ['tests nobody asked for are left out', [write('a.py'), write('test_a.py')], ['a.py']],
    [
      'a package file follows what it imports',
      [write('p/__init__.py'), write('p/a.py')],
      ['p/a.py', 'p/__init__.py'],
    ],
  ])('%s', (_, subtasks, left) => {
    expect(stepsOf(answer(subtasks))).toEqual(left);
  });

  it('keeps tests where the goal asks for them', () => {
    const steps = stepsOf(answer([write('a.py'), write('test_a.py')], 'python -m pytest'), {
      goal: 'a parser with tests',
    });
    expect(steps).toEqual(['a.py', 'test_a.py']);
  });
});

describe('the fallback', () => {
  it('is the goal itself as the only subtask, marked as such', () => {
    const plan = fallbackPlan('say hello', 2);
    expect(plan.fallback).toBe(true);
    expect(plan.tasks).toHaveLength(1);
    expect(plan.tasks[0]?.subtasks).toMatchObject([
      { id: '2.1', purpose: 'say hello', status: 'pending' },
    ]);
  });
});

describe('tests are run with what is installed', () => {
  const proofOf = (installed: readonly string[], files: readonly string[], more = {}) => {
    const goal = 'a program with tests';
    const steps = files.map((file) => write(file));
    const given = { goal, installed: new Set(installed), ...more };
    const parsed = parsePlan(answer(steps, 'python -m pytest -q'), context(given));
    return parsed.kind === 'plan' ? parsed.plan.proof : parsed.fault;
  };

  it.each([
    [['python', 'pytest'], ['a.py', 'test_a.py'], 'python -m pytest -q', undefined],
    [['python'], ['a.py', 'test_a.py'], 'python -m unittest', 'OK'],
    [['python3'], ['a.py', 'test_a.py'], 'python3 -m unittest', 'OK'],
    [['python'], ['a.py', 'tests/test_a.py'], 'python -m unittest tests/test_a.py', 'OK'],
    [['python'], ['a.py', 'a_test.py'], 'python -m unittest a_test.py', 'OK'],
    [['node'], ['a.py', 'test_a.py'], 'python -m pytest -q', undefined],
  ])('%j: %j by %s', (installed, files, cmd, prints) => {
    expect(proofOf(installed, files)).toEqual({ cmd, ...(prints ? { prints } : {}) });
  });

  it.each([
    ['tests that are there are of another language', ['tool.test.mjs'], 'node --test'],
    ['some are of its own', ['tool.test.mjs', 'test_tool.py'], 'python -m pytest -q'],
    [
      'a project of its own says how they are run',
      ['a.test.mjs', 'pyproject.toml'],
      'python -m pytest -q',
    ],
  ])('by the runner that can find them: %s', (_, there, cmd) => {
    const more = { files: there, installed: new Set(['python', 'pytest', 'node']) };
    expect(proofOf([], ['tool.mjs'], more)).toMatchObject({ cmd });
  });

  it('but where the goal or tests that are there may need a runner, the plan is believed', () => {
    const files = ['a.py', 'test_a.py'];
    const cmd = 'python -m pytest -q';
    expect(proofOf(['python'], files, { goal: 'tests with pytest' })).toMatchObject({ cmd });
    expect(proofOf(['python'], files, { files: ['test_old.py'] })).toMatchObject({ cmd });
  });

  it('and no proof is asked for where nothing here can run it', () => {
    const installed = new Set<string>();
    for (const file of ['a.py', 'a.mjs'])
      expect(stepsOf(answer([write(file)], ''), { installed })).toEqual([file]);
  });
});

it.each([
  [
    'tasks',
    {
      tasks: Array.from({ length: 100_000 }, () => ({
        description: 'a',
        subtasks: [write('a.py')],
      })),
    },
  ],
  [
    'tasks.0.subtasks',
    {
      tasks: [
        { description: 'a', subtasks: Array.from({ length: 100_000 }, () => 'write_file a.py') },
      ],
    },
  ],
])('says of a plan of 100,000 %s how many there may be, and reads none of them', (where, plan) => {
  const parsed = parsePlan(JSON.stringify(plan), context());
  expect(parsed).toEqual({
    kind: 'fault',
    fault: `${where}: a plan has at most 6 tasks of 8 subtasks, not 100,000`,
  });
});

it('reads a plain step of any length once', () => {
  const step = `write_file ${',:'.repeat(100_000)}x`;
  expect(parsePlan(JSON.stringify([{ description: 'a', subtasks: [step] }]), context()).kind).toBe(
    'fault',
  );
});
