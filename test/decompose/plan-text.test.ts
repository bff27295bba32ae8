import { describe, expect, test } from 'vitest';
import { plannableOf } from '../../src/decompose/plan-schema.ts';
import { readPlanText } from '../../src/decompose/plan-text/read-plan.ts';
import { planText } from '../../src/decompose/plan-text/write-plan.ts';
import type { Plan, Subtask } from '../../src/schema/plan.ts';
import { TOOLS } from '../support/built-in-tools.ts';
import { fc } from '../support/dice.ts';

const tools = plannableOf(TOOLS);

const PLAN: Plan = {
  tasks: [
    {
      id: '3',
      description: 'Calculator',
      subtasks: [
        {
          id: '3.1',
          purpose: 'write calc.mjs with add',
          step: { action: 'write_file', does: 'writes_whole_files', target: 'calc.mjs' },
          checks: [{ type: 'file_exists', path: 'calc.mjs' }],
          status: 'pending',
        },
        {
          id: '3.2',
          purpose: 'test it',
          files: ['test/calc.test.mjs'],
          done_when: 'node --test passes',
          checks: [],
          status: 'pending',
        },
      ],
    },
  ],
  proof: { cmd: 'node --test', prints: 'ok\n' },
  fallback: false,
};

const read = (text: string, before = PLAN) => readPlanText(text, { before, tools });

test('a plan is a text that can be read without knowing the form', () => {
  const lines = planText(PLAN, tools).split('\n');
  expect(lines.slice(lines.indexOf('# Plan'))).toEqual([
    '# Plan',
    '',
    '## Calculator',
    '',
    '- write calc.mjs with add',
    '  - does: write_file calc.mjs',
    '- test it',
    '  - file: test/calc.test.mjs',
    '  - done when: node --test passes',
    '',
    '# Proof',
    '',
    '- node --test',
    '  - prints: "ok\\n"',
    '',
  ]);
});

describe('a text', () => {
  test('that nobody changed is the plan that it was made of', () => {
    expect(read(planText(PLAN, tools))).toEqual({ ok: true, plan: PLAN });
  });

  test('comes back whatever its words are', () => {
    const words = fc
      .string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
      .map((text) => text.replace(/\s+/g, ' ').trim())
      .filter((text) => text !== '' && !/\p{C}/u.test(text));
    const subtask = fc.record({ purpose: words, done_when: words });
    const task = fc.record({
      description: words,
      subtasks: fc.array(subtask, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(task, { minLength: 1, maxLength: 3 }), words, (drawn, cmd) => {
        const tasks = drawn.map(({ description, subtasks }, at) => ({
          id: `${at + 1}`,
          description,
          subtasks: subtasks.map(
            (one, place): Subtask => ({
              ...{ id: `${at + 1}.${place + 1}`, ...one },
              ...{ checks: [], status: 'pending' },
            }),
          ),
        }));
        const plan: Plan = { tasks, proof: { cmd }, fallback: false };
        expect(read(planText(plan, tools), plan)).toEqual({ ok: true, plan });
      }),
      { numRuns: 80 },
    );
  });

  test.each(['Write it in C #', 'Write it in C ##', '#', '# #'])(
    'keeps a # at an end: %s',
    (it) => {
      const tasks = PLAN.tasks.map((task) => ({ ...task, description: it }));
      const plan: Plan = { ...PLAN, tasks };
      expect(read(planText(plan, tools), plan)).toEqual({ ok: true, plan });
    },
  );

  test('takes new tasks, subtasks and another proof; the rest counts on', () => {
    const text = planText(PLAN, tools)
      .replace('- test it', '- look at it\n  - does: read_file calc.mjs\n- test it')
      .replace('\n# Proof', '\n## Docs\n\n* write README.md\n\n# Proof')
      .replace('- node --test\n  - prints: "ok\\n"', '1. node --test --test-reporter tap');
    const reading = read(text);
    const plan = reading.ok ? reading.plan : null;
    expect(plan?.proof).toEqual({ cmd: 'node --test --test-reporter tap' });
    expect(plan?.tasks.map(({ id, description }) => `${id} ${description}`)).toEqual([
      '3 Calculator',
      '4 Docs',
    ]);
    expect(plan?.tasks[0]?.subtasks.map(({ id, purpose }) => `${id} ${purpose}`)).toEqual([
      '3.1 write calc.mjs with add',
      '3.2 look at it',
      '3.3 test it',
    ]);
    expect(plan?.tasks[0]?.subtasks[1]?.step).toMatchObject({
      action: 'read_file',
      target: 'calc.mjs',
      args: { path: 'calc.mjs' },
    });
  });
});

test.each([
  ['', 1, 'There is no task.'],
  ['# Plan\n\n- a', 3, 'A subtask stands below a task.'],
  ['# Plan\n\n## A\n\n## B\n- b', 3, 'The task "A" has no subtask.'],
  ['## A\n- a\n\nsome words', 4, 'This is no heading and no list.'],
  ['# Plans', 1, 'not "# Plans"'],
  ['## A\n- a\n- b\n  - fiel: x.js', 4, 'Did you mean "file:"?'],
  ['## A\n- a\n  - file: x.js\n  - does: wirte_file x.js', 4, 'Did you mean write_file?'],
  ['## A\n- a\n  - prints: x', 3, 'belongs to the proof'],
  ['## A\n- a\n  - does: read_file x\n  - with: {a}', 4, 'is not JSON'],
  ['## A\n- a\n\n# Proof\n- x\n- y', 5, 'The proof is one command.'],
  ['## A\n- a\n\n# Proof\n- x\n  - file: y', 6, 'belongs to a subtask'],
  [`## A\n${'- a\n'.repeat(31)}`, 1, 'at most 8 tasks and 30 subtasks'],
])('a fault names its line: %j', (text, line, fault) => {
  expect(read(text)).toMatchObject({ ok: false, line, fault: expect.stringContaining(fault) });
});

test.each([
  [
    'more than anybody writes',
    'x'.repeat(200_001),
    'A plan is not longer than 200,000 characters.',
  ],
  ['quotations in each other', '> '.repeat(5_000), 'Its parts are nested too deeply.'],
  ['marks without an end', `## A\n- ${'*a_'.repeat(50_000)}`, 'at most 600 characters'],
  ['links without an end', `## A\n- ${'![a]('.repeat(30_000)}`, 'at most 600 characters'],
  [
    'lists in each other',
    `## A\n${Array.from({ length: 100 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')}`,
    'There is',
  ],
  ['a long word', `## A\n- a\n  - ${'fil'.repeat(50_000)}: a`, 'There is: "does:"'],
  ['a long part', `# ${'a'.repeat(100_000)}`, 'A part is called'],
  ['a long task', `## ${'a'.repeat(100_000)}`, 'has no subtask'],
])('a text of %s is a fault in few words', (_what, text, words) => {
  const reading = read(text);
  const fault = reading.ok ? '' : reading.fault;
  expect(fault).toContain(words);
  expect(fault.length).toBeLessThan(500);
});

test('spaces of a command and of what it prints are kept', () => {
  const cmd = 'grep "a  b" out.txt';
  const plan = { ...PLAN, proof: { cmd, prints: 'id  name\n1   x\n', stdin: ' 5\n' } };
  expect(read(planText(plan, tools))).toMatchObject({ ok: true, plan: { proof: plan.proof } });
});
