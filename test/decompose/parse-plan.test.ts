import { describe, expect, it } from 'vitest';
import { fallbackPlan, parsePlan } from '../../src/decompose/parse-plan.ts';
import type { PlanContext } from '../../src/decompose/plan-context.ts';
import { plannableOf, planSchemaOf } from '../../src/decompose/plan-schema.ts';
import { stepOf, TOOLS } from '../support/built-in-tools.ts';

const context = (more: Partial<PlanContext> = {}): PlanContext => ({
  goal: 'say hello',
  examples: { fileName: 'name.py' },
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
  it('that only looks at files needs no proof', () => {
    const look = { action: 'list_dir', file: 'src', purpose: 'lists the files' };
    const files = ['src/notes.txt'];
    const asked = parsePlan(answer([look], ''), context({ goal: 'What is here?', files }));
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
        proof: { cmd: 'python hello.py' },
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
    ['an absolute path', answer([write('/etc/a.py')]), /relative/],
    ['a drive', answer([write('C:\\a.py')]), /relative/],
    ['a way out', answer([write('../a.py')]), /relative/],
    ['a folder as file', answer([write('src/')]), /is a folder/],
    ['a command that is refused', answer([write('a.py'), run('rm a.py')]), /^rm is not allowed/],
    ['a proof that is refused', answer([write('a.py')], 'rm a.py'), /^verify\.cmd: rm/],
    ['a program without a proof', answer([write('a.py')], ''), /verify\.cmd is empty.*a\.py/],
    [
      'tests that nothing writes',
      answer([write('a.py')], 'python -m pytest -q'),
      /keep the others and add test_a\.py/,
    ],
  ])('%s', (_, text, sentence) => {
    expect(stepsOf(text)).toMatch(sentence);
  });
});

it('a new plan brings something new', () => {
  const parsed = parsePlan(answer([write('a.py')]), { ...context(), finishedFiles: ['a.py'] });
  expect(parsed.kind === 'fault' && parsed.fault).toMatch(/written already/);
});

describe('the last plan is taken as it is instead of given up', () => {
  const last = (proposed: string) => {
    const parsed = parsePlan(proposed, context({ isLastTry: true }));
    return parsed.kind === 'plan'
      ? {
          files: parsed.plan.tasks.flatMap((task) => task.subtasks.map(({ step }) => step?.target)),
          proof: parsed.plan.proof?.cmd,
          doubt: parsed.doubt,
        }
      : parsed.fault;
  };

  it('without a proof that may not be run', () => {
    expect(last(answer([write('add.mjs')], 'rm x'))).toEqual({
      files: ['add.mjs'],
      proof: undefined,
      doubt: 'verify.cmd: rm is not allowed here.',
    });
  });

  it('but not where it cannot be carried out', () => {
    expect(last(answer([write('add.mjs'), run('rm y')], 'rm x'))).toBe('rm is not allowed here.');
    expect(last(answer([write('../a.py')]))).toMatch(/relative/);
  });
});

it('a plan that leaves out code that the goal names is told so, once', () => {
  const goal = 'Write a.mjs and b.mjs that use data.csv';
  const said = (more: Partial<PlanContext> = {}) =>
    parsePlan(answer([write('a.mjs')], 'node a.mjs'), context({ goal, ...more }));
  expect(said()).toEqual({
    kind: 'fault',
    fault: 'No subtask writes b.mjs, which the goal names: keep the others and add it.',
  });
  expect(said({ isLastTry: true }).kind).toBe('plan');
  expect(said({ exists: (path) => path === 'b.mjs' }).kind).toBe('plan');
});

it('the steps of a plan stay as they were proposed, in their order, and only the proof is none of them', () => {
  const steps = [
    write('p/__init__.py'),
    write('p/a.py'),
    run('python p/a.py'),
    run('python p/a.py'),
  ];
  expect(stepsOf(answer(steps))).toEqual([
    'p/__init__.py',
    'p/a.py',
    'python p/a.py',
    'python p/a.py',
  ]);
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
