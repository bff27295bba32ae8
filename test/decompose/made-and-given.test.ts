import { describe, expect, it } from 'vitest';
import { parsePlan } from '../../src/decompose/parse-plan.ts';
import type { PlanContext } from '../../src/decompose/plan-context.ts';
import { plannableOf } from '../../src/decompose/plan-schema.ts';
import { onlyGives } from '../../src/probe/goal-kind.ts';
import { TOOLS } from '../support/built-in-tools.ts';

const HERE = ['stock.json', 'data/towns.csv', 'letter.txt', 'shop.py'];

const context = (goal: string, more: Partial<PlanContext> = {}): PlanContext => ({
  goal,
  examples: { files: [], texts: [], stdin: '', fileName: 'name.py' },
  installed: new Set(['python', 'pytest', 'node']),
  exists: (path) => HERE.includes(path),
  readText: () => null,
  missingProgram: () => null,
  files: HERE,
  finishedFiles: [],
  isLastTry: false,
  commandFault: () => null,
  tools: plannableOf(TOOLS),
  firstTask: 1,
  ...more,
});

type Step = readonly [action: string, target: string];

function proofOf(goal: string, steps: readonly Step[], cmd: string, more?: Partial<PlanContext>) {
  const plan = parsed(goal, steps, cmd, more);
  return plan.kind === 'fault' ? plan.fault : (plan.plan.proof?.cmd ?? null);
}

function planned(goal: string, steps: readonly Step[], cmd: string, more?: Partial<PlanContext>) {
  const plan = parsed(goal, steps, cmd, more);
  if (plan.kind === 'fault') return plan.fault;
  return plan.plan.tasks.flatMap(({ subtasks: all }) =>
    all.map(({ step }) => `${step?.action} ${step?.target}`),
  );
}

function parsed(goal: string, steps: readonly Step[], cmd: string, more?: Partial<PlanContext>) {
  const subtasks = steps.map(([action, target]) => ({
    action,
    ...(action === 'run_cmd' ? { cmd: target } : { file: target }),
    purpose: 'it is next',
  }));
  const answer = {
    tasks: [{ description: 'work', subtasks }],
    verify: { cmd, prints: '', stdin: '' },
  };
  return parsePlan(JSON.stringify(answer), context(goal, more));
}

const PICK = 'stock.json has a list of things. pick.py please, which shows those that are left';

describe('a plan', () => {
  it('gets the step for the program that its proof runs and that nobody writes', () => {
    expect(planned(PICK, [['read_file', 'stock.json']], 'python pick.py')).toEqual([
      'read_file stock.json',
      'write_file pick.py',
    ]);
  });

  const WITHOUT: readonly (readonly [string, Step, string, readonly string[]])[] = [
    ['it is there', ['read_file', 'stock.json'], 'shop.py', []],
    ['an earlier plan wrote it', ['write_file', 'b.txt'], 'b.py', ['b.py']],
    ['a command may make it', ['run_cmd', 'python shop.py'], 'made.py', []],
    ['another program is written', ['write_file', 'a.py'], 'b.py', []],
  ];
  it.each(WITHOUT)('gets none where %s', (_, step, program, finishedFiles) => {
    const goal = `Make ${program} work`;
    const steps = planned(goal, [step], `python ${program}`, { finishedFiles });
    expect(steps).not.toContain(`write_file ${program}`);
    expect(steps).toContain(step.join(' '));
  });

  it('gets none where the goal does not name the program', () => {
    const steps = planned('Write it down', [['write_file', 'b.txt']], 'python b.py');
    expect(steps).not.toContain('write_file b.py');
  });

  it('changes the file that the goal wants changed, where it only looks', () => {
    const look: readonly Step[] = [['read_file', 'letter.txt']];
    const goal = 'Sort the lines in letter.txt by their length';
    expect(planned(goal, look, '')).toEqual(['edit_file letter.txt']);
  });

  it.each<[string, string, readonly Step[]]>([
    ['the goal is a question', 'Who wrote letter.txt?', [['read_file', 'letter.txt']]],
    ['the goal does not name the file', 'Sort my lines', [['read_file', 'letter.txt']]],
    ['the file is only given', 'Sort sums, reading letter.txt', [['read_file', 'letter.txt']]],
    [
      'something else is made',
      'Sort letter.txt into b.txt',
      [
        ['read_file', 'letter.txt'],
        ['write_file', 'b.txt'],
      ],
    ],
  ])('only looks where %s', (_where, goal, steps) => {
    expect(planned(goal, steps, '')).toContain('read_file letter.txt');
  });

  it.each([
    'Which lines in letter.txt need to be fixed?',
    'Check whether letter.txt is sorted',
    'Check letter.txt: it must be sorted',
    'Find out what should be removed from letter.txt',
    'Tell me how to sort letter.txt',
    'A program will sort letter.txt later. List its lines',
  ])('changes no file for who wants to know something: %s', (goal) => {
    expect(planned(goal, [['read_file', 'letter.txt']], '')).toEqual(['read_file letter.txt']);
  });

  it('has no proof by a program that is not there, that it does not make and nobody asked for', () => {
    const edit: readonly Step[] = [['edit_file', 'letter.txt']];
    expect(proofOf('Sort the lines of letter.txt', edit, 'python sort_it.py')).toBeNull();
    expect(proofOf('Sort the lines of letter.txt', edit, 'python -m sort_it.py')).toBeNull();
  });

  it.each<[string, string, readonly Step[], string]>([
    ['it is there', 'Sort letter.txt', [['edit_file', 'letter.txt']], 'python shop.py'],
    ['it is made', 'Sort letter.txt', [['write_file', 'a.py']], 'python a.py'],
    ['a command may make it', 'Sort letter.txt', [['run_cmd', 'make']], 'python a.py'],
    ['the goal names it', 'Run a.py on letter.txt', [['read_file', 'letter.txt']], 'python a.py'],
  ])('keeps a proof where %s', (_where, goal, steps, cmd) => {
    expect(proofOf(goal, steps, cmd)).toBe(cmd);
  });

  it("does the program's work on no file that the goal only gives", () => {
    const steps: readonly Step[] = [
      ['read_file', 'stock.json'],
      ['edit_file', 'stock.json'],
      ['write_file', 'stock.json'],
      ['write_file', 'pick.py'],
    ];
    const left = ['read_file stock.json', 'write_file pick.py'];
    expect(planned(PICK, steps, 'python pick.py')).toEqual(left);
    expect(planned(PICK, steps.slice(0, 3), 'python pick.py')).toEqual(left);
  });

  it('works on given files where nothing else is made, where it is asked to, and on code', () => {
    const edit: Step = ['edit_file', 'stock.json'];
    const write: Step = ['write_file', 'show.py'];
    const all = ['edit_file stock.json', 'write_file show.py'];
    expect(planned('In stock.json left is called rest', [edit], '')).toEqual(all.slice(0, 1));
    const goal = 'Add a rake to stock.json and write show.py that prints it';
    expect(planned(goal, [edit, write], 'python show.py')).toEqual(all);
    const code: readonly Step[] = [['edit_file', 'shop.py'], write];
    expect(planned('Show what shop.py sells', code, 'python show.py')).toContain(
      'edit_file shop.py',
    );
  });
});

describe('a file that a goal only gives', () => {
  it.each([
    [PICK, 'stock.json'],
    ['Write worth.js that reads data/towns.csv and prints the sum', 'data/towns.csv'],
    ['Make report.txt from letter.txt: one line a person', 'letter.txt'],
    ['There is a text in letter.txt. a script count.js should print its lines', 'letter.txt'],
    ['Write total.py that sums sales.csv. Do not change sales.csv', 'sales.csv'],
    ['Write total.py that sorts sales.csv; sales.csv must not be changed', 'sales.csv'],
    ['Sort into sorted.csv and leave `data/sales.csv` untouched', 'data/sales.csv'],
    ['Write total.py, without rewriting sales.csv', 'sales.csv'],
    ['Write total.py that sums sales.csv', 'sales.csv'],
    ['Leave sales.csv as it is and write total.py', 'sales.csv'],
    ['letter.txt are my notes. Please write summary.md with two headings', 'letter.txt'],
  ])('is named as no more than that: %s', (goal, path) => {
    expect(onlyGives(goal, path)).toBe(true);
  });

  it.each([
    ['Add a row for Ada to data/towns.csv and write show.py', 'data/towns.csv'],
    ['In letter.txt replace Jamal by Elif, and write log.md', 'letter.txt'],
    ['Sort the lines of letter.txt', 'stock.json'],
    ['Write tool.py that reads a.txt and appends it to stock.json', 'stock.json'],
    ['Write one.txt and two.txt', 'two.txt'],
    ['Sort names.txt without removing lines', 'names.txt'],
    ['Add a row to names.txt without changing the header', 'names.txt'],
    ['Clean names.txt: it should not hold a name twice', 'names.txt'],
    ['write tool.py which saves its list into stock.json', 'stock.json'],
    ['Rename the key in stock.json and make a new file keys.txt', 'stock.json'],
  ])('is another one: %s', (goal, path) => {
    expect(onlyGives(goal, path)).toBe(false);
  });
});

describe('tests that are there and fail', () => {
  const files = ['calc.py', 'test_calc.py'];
  const red = { testsFail: true, files, exists: (path: string) => files.includes(path) };
  const PYTEST = 'python -m pytest -q';
  const FIX = 'The tests of calc.py fail. Find out why and fix it (not in the tests).';
  const TEST: Step = ['edit_file', 'test_calc.py'];

  it('are not what a plan mends: their run is what is left of it', () => {
    expect(planned(FIX, [TEST], PYTEST, red)).toEqual([`run_cmd ${PYTEST}`]);
    expect(planned(FIX, [['write_file', 'test_calc.py']], PYTEST, red)).toEqual([
      `run_cmd ${PYTEST}`,
    ]);
    expect(planned(FIX, [TEST, ['edit_file', 'calc.py']], PYTEST, red)).toEqual([
      'edit_file calc.py',
    ]);
  });

  it.each([
    ['Move add out of calc.py into sums.py; python -m pytest passes before and after', true],
    ['Change add in calc.py so that it takes three numbers', true],
    ['Move add out of calc.py, and add a test for it', false],
    ['Rename add in calc.py to total', false],
  ])('are not worked on where they passed, beside other work: %s', (goal, isLeftOut) => {
    const steps: Step[] = [['edit_file', 'calc.py'], TEST];
    const green = { ...red, testsFail: false };
    expect(planned(goal, steps, PYTEST, green)).toEqual([
      'edit_file calc.py',
      ...(isLeftOut ? [] : ['edit_file test_calc.py']),
    ]);
    expect(planned(goal, [TEST], PYTEST, green)).toEqual(['edit_file test_calc.py']);
  });

  it('stay in a plan where the goal may want them changed, or nothing else is planned', () => {
    const more = 'Fix calc.py and add a test for zero';
    expect(planned(more, [TEST], PYTEST, red)).toEqual(['edit_file test_calc.py']);
    expect(planned(FIX, [TEST], PYTEST, { ...red, testsFail: false })).toEqual([
      'edit_file test_calc.py',
    ]);
    const own = { ...red, finishedFiles: ['test_calc.py'] };
    expect(planned(FIX, [TEST], PYTEST, own)).toEqual(['edit_file test_calc.py']);
  });
});

describe('a proof that would run data', () => {
  it.each(['python stock.json', 'python3 letter.txt', 'node stock.json'])('is none: %s', (cmd) => {
    expect(proofOf('Sort letter.txt', [['edit_file', 'letter.txt']], cmd)).toBeNull();
  });

  it('is none where nothing but the interpreter is named', () => {
    expect(proofOf('What is in letter.txt?', [['read_file', 'letter.txt']], 'python')).toBeNull();
  });

  it('is told from a program that reads data', () => {
    const cmd = 'python shop.py stock.json';
    expect(proofOf('shop.py shows stock.json', [['edit_file', 'shop.py']], cmd)).toBe(cmd);
  });
});

describe('a plan that only looks', () => {
  const LOG: readonly Step[] = [['read_file', 'letter.txt']];

  it.each([
    'Make a JavaScript script that prints how often each level comes up in letter.txt',
    'letter.txt is our log. Write a small program which counts its lines',
    'Please create a tool for letter.txt',
  ])('makes nothing of what is ordered: %s', (goal) => {
    expect(planned(goal, LOG, '')).toContain('The plan only looks.');
  });

  it.each([
    'Which script in letter.txt is the longest?',
    'Find out what the program in letter.txt does',
    'Make a summary of letter.txt',
    'Can you write a program like the one in letter.txt?',
  ])('may be all there is to do: %s', (goal) => {
    expect(planned(goal, LOG, '')).not.toContain('The plan only looks.');
  });
});

describe('a look at what is not there', () => {
  const GOAL = 'caller.py reads app.conf if it is there and prints its first line';
  const READ: Step = ['read_file', 'app.conf'];
  const WRITE: Step = ['write_file', 'caller.py'];

  it('is no step beside what makes something, and no plan by itself', () => {
    expect(planned(GOAL, [READ, WRITE], 'python caller.py')).toEqual(['write_file caller.py']);
    expect(planned(GOAL, [READ, READ], '')).toContain('no subtask that writes a file');
  });

  it.each<[string, string, readonly Step[], Partial<PlanContext>]>([
    ['the file is there', GOAL, [READ, WRITE], { exists: () => true }],
    ['a step makes it', GOAL, [['write_file', 'app.conf'], READ, WRITE], {}],
    ['it was made before', GOAL, [READ, WRITE], { finishedFiles: ['app.conf'] }],
    [
      'a text is to be made of it',
      'Put the gist of app.conf into gist.txt',
      [READ, ['write_file', 'gist.txt']],
      {},
    ],
    ['a command may make it', GOAL, [['run_cmd', 'node make.mjs'], READ], {}],
    ['somebody asks about it', 'What is in app.conf?', [READ], {}],
  ])('stays where %s', (_, goal, steps, more) => {
    expect(planned(goal, steps, 'python caller.py', more)).toContain('read_file app.conf');
  });
});
