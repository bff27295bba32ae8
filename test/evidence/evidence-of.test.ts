/** What a run's records say of its proof, before anything is tried. */
import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../src/evidence/evidence-of.ts';
import { readingProofs } from '../../src/evidence/trials/proofs.ts';
import type { ChangedFile } from '../../src/evidence/work.ts';
import type { NamedFact } from '../../src/schema/evidence.ts';
import type { Brief } from '../../src/schema/model/brief.ts';
import type { Plan, Proof } from '../../src/schema/plan.ts';
import type { JournalRecord } from '../../src/schema/records.ts';

const OLD = 'old';
const NEW = 'new';
const made = (path: string): ChangedFile => ({ path, before: null, after: NEW });
const edited = (path: string): ChangedFile => ({ path, before: OLD, after: NEW });

const planned = (proof: Proof): Plan => ({ tasks: [], proof, fallback: false });
const ran = (check: Proof, passed: boolean, more: object = {}) =>
  ({
    ...{ type: 'check_ran', id: 'p', subtask: '1.1', check, proof: true, when: 'after', passed },
    ...{ text: '', facts: { exitCode: passed ? 0 : 1 } },
    ...more,
  }) as JournalRecord;

interface Case {
  readonly goal?: string;
  readonly files: readonly string[];
  readonly changed: readonly ChangedFile[];
  readonly records: readonly JournalRecord[];
  readonly named?: readonly NamedFact[];
  readonly brief?: Brief;
  readonly text?: string;
  readonly commands?: readonly string[];
}

function evidence(of: Case) {
  const {
    goal = 'Do it',
    files,
    changed,
    records,
    named = [],
    brief,
    text = 'text',
    commands = [],
  } = of;
  const world = {
    exists: (path: string) => files.includes(path),
    readText: (path: string) => (files.includes(path) ? text : null),
    files: () => files,
  };
  const run = {
    ...{
      world,
      context: {
        state: { goal, files: {}, settings: null, brief, commandChanges: { files: {} } },
      },
      installed: new Set(),
      toolContext: { workspace: '/work', fs: { platform: 'linux' } },
    },
  } as unknown as Parameters<typeof evidenceOf>[0];
  const disk = { isThere: world.exists, isNew: () => false, files };
  const contentOf = () => null;
  const proofs = readingProofs();
  for (const record of [{ type: 'run_opened', goal } as JournalRecord, ...records])
    proofs.take(record);
  const seen = evidenceOf(run, {
    proofs: proofs.result(),
    work: {
      changed,
      commands,
      disk,
      contentOf,
      newPackages: [],
      hasInstalled: commands.length > 0,
    },
    named,
    calls: [],
  });
  if (seen === null) throw new Error('no proof ran');
  return seen;
}

const proved = (cmd: string, more: Partial<Case> = {}) =>
  evidence({
    files: ['a.py', 'test_a.py'],
    changed: [],
    records: [{ type: 'plan_set', plan: planned({ cmd }), why: '' }, ran({ cmd }, true)],
    ...more,
  });

describe('what the proof runs was there before', () => {
  it.each([
    ['tests that were', 'python -m pytest -q', [edited('a.py')], false],
    ['a file that the run made', 'python a.py', [made('a.py')], true],
    ['the same by another spelling', 'python ./a.py', [made('a.py')], true],
    ['a module that it made', 'python -m a', [made('a.py')], true],
    ['a test of a module', 'python -m unittest test_a.ATest', [made('test_a.py')], true],
    ['a test that it made', 'python -m pytest test_b.py', [made('test_b.py')], true],
    ['a folder that it made', 'python -m pytest more', [made('more/test_b.py')], true],
    ['tests where there were none', 'python -m pytest -q', [made('test_a.py')], true],
    ['a file that it changed', 'python a.py', [edited('a.py')], false],
  ] as const)('%s: %s', (_what, cmd, changed, isNew) => {
    const files = ['a.py', 'test_a.py', ...changed.map(({ path }) => path)];
    expect(proved(cmd, { files: [...new Set(files)], changed }).isNew).toBe(isNew);
  });
});

describe('tests that a run touched', () => {
  const cmd = 'python -m pytest -q';
  it('are its own where it made them, and given ones where it changed them', () => {
    const changed = [made('test_b.py'), edited('test_a.py'), made('conftest.py')];
    const files = ['a.py', 'test_a.py', 'test_b.py', 'conftest.py'];
    expect(proved(cmd, { files, changed })).toMatchObject({
      ownTests: ['test_b.py'],
      changedTests: ['test_a.py', 'conftest.py'],
      newSettings: ['conftest.py'],
      wantedTests: [],
    });
  });
  it('are a changed file of recipes too, where nothing is known of the tests that it runs', () => {
    const [changed, files] = [
      [edited('justfile'), edited('a.c')],
      ['justfile', 'a.c'],
    ];
    expect(proved('just check', { files, changed }).changedTests).toEqual(['justfile']);
    expect(proved('just check', { files, changed: [made('justfile')] }).changedTests).toEqual([]);
  });
  it('are no build file that only depends on more than before', () => {
    const of = (text: string) =>
      proved('just check', { files: ['Cargo.toml'], changed: [edited('Cargo.toml')], text });
    expect(of('[dependencies]\na = "1"\n').changedTests).toEqual([]);
    expect(of('[lib]\ntest = false\n').changedTests).toEqual(['Cargo.toml']);
  });

  it('are changed ones in a folder of tests too, where no runner knows their names', () => {
    const file = 'test/calc.mjs';
    expect(
      proved('node --test', { files: ['calc.mjs', file], changed: [edited(file)] }),
    ).toMatchObject({ changedTests: [file], ownTests: [] });
  });
  it('are wanted where the goal names them, and the others are not', () => {
    const changed = [edited('test_a.py'), edited('package.json')];
    const named: NamedFact[] = [{ path: 'package.json', became: 'changed' }];
    expect(proved(cmd, { changed, named })).toMatchObject({
      changedTests: ['test_a.py'],
      wantedTests: ['package.json'],
    });
  });
  it('are judged by where the goal names them, whatever it says of them', () => {
    const named: NamedFact[] = [{ path: 'test_a.py', became: 'changed' }];
    expect(proved(cmd, { changed: [edited('test_a.py')], named })).toMatchObject({
      changedTests: ['test_a.py'],
      wantedTests: [],
    });
  });
  it('that were taken away were there', () => {
    const changed = [{ path: 'test_a.py', before: OLD, after: null }];
    expect(proved(cmd, { files: ['a.py'], changed })).toMatchObject({
      hasGivenTests: true,
      changedTests: ['test_a.py'],
    });
  });
});

describe('a proof that took the place of another', () => {
  const swapped = (first: string, files = ['a.py', 'check.py']) =>
    evidence({
      files,
      changed: [made('a.py')],
      records: [
        { type: 'plan_set', plan: planned({ cmd: first, prints: '55' }), why: '' },
        ran({ cmd: first }, false),
        { type: 'replanned', plan: planned({ cmd: 'python a.py' }), why: '' },
        ran({ cmd: 'python a.py' }, true),
      ],
    }).earlierProofs;

  it('does not make it forgotten, but for what it was only guessed to print', () =>
    expect(swapped('python check.py')).toEqual([{ proof: { cmd: 'python check.py' } }]));
  it('takes it where what it runs is not there', () =>
    expect(swapped('python main.py')).toEqual([]));
  it('takes it where there are no tests to run', () =>
    expect(swapped('python -m pytest -q')).toEqual([]));

  const loosened = (first: Partial<Proof>, second: Partial<Proof> = {}) => {
    const [before, after] = [first, second].map((one) => ({ cmd: 'python a.py', ...one })) as [
      Proof,
      Proof,
    ];
    return evidence({
      ...{ goal: 'a.py must print "Total: 25"', files: ['a.py'], changed: [made('a.py')] },
      records: [
        { type: 'plan_set', plan: planned(before), why: '' },
        ran(before, false),
        { type: 'replanned', plan: planned(after), why: '' },
        ran(after, true),
      ],
    }).earlierProofs;
  };
  it('is the same command without the output that the goal states', () => {
    const first = { cmd: 'python a.py', prints: 'Total: 25' };
    expect(loosened(first)).toEqual([{ proof: first }]);
    expect(loosened(first, { prints: 'Total' })).toEqual([{ proof: first }]);
    expect(loosened({ prints: '55' })).toEqual([]);
    expect(loosened(first, { ...first, stdin: '2 3' })).toEqual([]);
  });
});

it('tests that failed are run again, also where the proof may include them', () => {
  const cmd = 'node --test';
  const failed = `${cmd} check.mjs`;
  const finished = { type: 'action_finished', id: 'r', does: 'runs_commands', status: 'error' };
  const red = { exitCode: 1, tests: { passed: 0, failed: 1 } };
  const { reds } = proved(cmd, {
    ...{ goal: 'Mend a.mjs', files: ['a.mjs', 'a.test.mjs', 'check.mjs'] },
    records: [
      { type: 'action_intended', id: 'r', args: { cmd: failed } } as unknown as JournalRecord,
      { ...finished, target: failed, facts: red, result: '' } as unknown as JournalRecord,
      { type: 'plan_set', plan: planned({ cmd }), why: '' },
      ran({ cmd }, true),
    ],
  });
  expect(reds).toMatchObject([{ cmd: failed }]);
});

describe('a run of tests that failed', () => {
  const cmd = 'python -m pytest -q';
  const failing = 'python -m pytest -q -k it';
  const changed = { ...{ type: 'action_finished', id: 'w', touches: 'files' }, status: 'ok' };
  const failed = (
    result: string,
    tests: number,
    {
      proof = cmd,
      run = failing,
      isSince = false,
      ...more
    }: Partial<Case> & { proof?: string; run?: string; isSince?: boolean } = {},
  ) => {
    const finished = { type: 'action_finished', does: 'runs_commands', status: 'error' };
    const facts = { exitCode: 1, tests: { passed: 0, failed: tests } };
    const records = [
      ...(isSince ? [{ ...changed, facts: {}, target: 'a.py', result: '' }] : []),
      { ...finished, id: 'r', target: run, facts, result },
      { type: 'plan_set', plan: planned({ cmd: proof }), why: '' },
    ] as unknown as JournalRecord[];
    return proved(proof, {
      ...{ files: ['a.py', 'test_a.py', 'b/test_b.py'], changed: [made('b/test_b.py')], ...more },
      records: [...records, ran({ cmd: proof }, true)],
    }).reds;
  };
  const OWN = 'FAILED b/test_b.py::test_it - assert 5 == 6\n';
  const THEIRS = 'FAILED test_a.py::test_it - assert 5 == 6\n';

  it('is about tests of the run alone where each of them stands in a file that it made', () => {
    expect(failed(OWN, 1)).toMatchObject([{ cmd: failing, isOwn: true }]);
    expect(failed('FAILED test_b.py::test_it - x\n', 1)).toMatchObject([{ isOwn: true }]);
  });
  it('is no matter where the goal names the test that the proof runs', () => {
    const goal = { goal: 'Make test_a.py pass' };
    expect(failed(THEIRS, 1, goal)).toHaveLength(1);
    expect(failed(THEIRS, 1, { ...goal, proof: `${cmd} test_a.py` })).toEqual([]);
  });
  it('tells what failed before the run, where nothing was changed yet', () => {
    expect(failed(THEIRS, 1)).toMatchObject([{ failedBefore: ['test_it'] }]);
    expect(failed(THEIRS, 1, { isSince: true })[0]).not.toHaveProperty('failedBefore');
  });
  it('is none where no test failed, or where only files were checked', () => {
    expect(failed('     Errors  10 errors\n', 0)).toEqual([]);
    for (const run of ['node --check old.mjs', 'ruff check .'])
      expect(failed(THEIRS, 1, { run })).toEqual([]);
  });
  it.each([
    ['one of them was there', OWN + THEIRS, 2, {}],
    ['not all of them are named', OWN, 2, {}],
    [
      'a file that was there may be meant',
      'FAILED test_b.py::test_it - x\n',
      1,
      {
        files: ['a.py', 'test_b.py', 'b/test_b.py'],
      },
    ],
    ['the file was there', OWN, 1, { changed: [edited('b/test_b.py')] }],
  ])('may be about others where %s', (_, result, tests, more) => {
    expect(failed(result, tests, more)[0]).not.toHaveProperty('isOwn');
  });
});

describe('the first look', () => {
  const cmd = 'python -m pytest -q';
  const looked = (more: object) =>
    proved(cmd, {
      records: [ran({ cmd }, false, { when: 'before', ...more }), ran({ cmd }, true)],
    }).before;

  it('counts where the proof failed by itself', () =>
    expect(looked({ red: 'failing' })).toBe('failing'));
  it('says nothing where nobody knows why', () => expect(looked({ red: 'unknown' })).toBeNull());
  it('says nothing where there was nothing to run', () =>
    expect(looked({ red: 'absent' })).toBeNull());
  it('counts where it passed', () => expect(looked({ passed: true })).toBe('passed'));
});

describe('a command that the model ran itself before its first change', () => {
  const cmd = 'node greet.mjs';
  const seen = (proof: Partial<Proof>, exitCode: number, args: object = {}) => {
    const check = { cmd, ...proof };
    const intended = { type: 'action_intended', id: 'r', args: { cmd, ...args } };
    const finished = { type: 'action_finished', id: 'r', does: 'runs_commands', target: cmd };
    return proved(cmd, {
      goal: 'Make greet.mjs print Hello, World!',
      records: [
        intended as unknown as JournalRecord,
        { ...finished, status: 'ok', facts: { exitCode }, result: '' } as unknown as JournalRecord,
        { type: 'plan_set', plan: planned(check), why: '' },
        ran(check, true),
      ],
    }).before;
  };
  const prints = 'Hello, World!';

  it('tells how the same command ended as the proof', () => {
    expect([seen({}, 0), seen({}, 1)]).toEqual(['passed', 'failing']);
    expect(seen({ prints }, 1)).toBe('failing');
  });
  it('passes nothing of which more is required than its end', () =>
    expect(seen({ prints }, 0)).toBeNull());
  it('says nothing of the proof where one of them has another input', () => {
    expect([seen({ stdin: 'x' }, 0), seen({ stdin: 'x' }, 1)]).toEqual([null, null]);
    expect(seen({}, 1, { stdin: 'x' })).toBeNull();
  });
  it('tells as an earlier proof what does not depend on another requirement', () => {
    const earlier = (first: Proof, exitCode: number, last: Proof) => {
      const passed = exitCode === 0 && first.prints === undefined;
      const more = { when: 'before', red: 'failing', facts: { exitCode } };
      return proved(cmd, {
        goal: 'Make greet.mjs print Hello, World!',
        records: [ran(first, passed, more), ran(last, true)],
      }).before;
    };
    const required = { cmd, prints };
    expect([earlier({ cmd }, 0, { cmd }), earlier({ cmd }, 1, { cmd })]).toEqual([
      'passed',
      'failing',
    ]);
    expect([earlier(required, 0, { cmd }), earlier(required, 1, { cmd })]).toEqual([
      null,
      'failing',
    ]);
    expect([earlier({ cmd }, 0, required), earlier({ cmd }, 1, required)]).toEqual([
      null,
      'failing',
    ]);
    expect(earlier(required, 0, required)).toBe('failing');
    expect(earlier({ cmd, stdin: 'x' }, 1, { cmd })).toBeNull();
  });
});

describe('a literal example whose function uses nothing that it is given', () => {
  const call = (args: unknown[], more: object = { literal: true }) => ({
    ...{ quote: 'q', input: { how: 'call' as const, name: 'f', args }, gives: 2 },
    ...more,
  });
  const ignored = (text: string, example = call([1]), changed = [made('a.py')]) =>
    proved('python -m pytest -q', {
      ...{ changed, text, brief: { examples: [example], keep: [], removes: [] } },
    }).ignoredInputs;

  it('is named, where the run wrote the function', () => {
    const constant = 'def f(x):\n    return 2\n';
    expect(ignored(constant)).toEqual(['f(1) gives 2']);
    expect(ignored('def f(x):\n    return x + 1\n')).toEqual([]);
    expect(ignored(constant, call([1], {}))).toEqual([]);
    expect(ignored(constant, call([]))).toEqual([]);
    expect(ignored(constant, call([1]), [made('test_a.py')])).toEqual([]);
  });
});

it('a failure from before packages were installed tells nothing of the work', () => {
  const cmd = 'npm test';
  const records = [ran({ cmd }, false, { when: 'before', red: 'failing' }), ran({ cmd }, true)];
  expect(proved(cmd, { records }).before).toBe('failing');
  expect(proved(cmd, { records, commands: ['npm install'] }).before).toBeNull();
});
