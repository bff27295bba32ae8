import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sealed } from '../../eval/evaluate.ts';
import { fullName, KINDS } from '../../eval/generate/generator.ts';
import { GENERATORS } from '../../eval/generate/generators.ts';
import { harmIn } from '../../eval/generate/harm.ts';
import { seededRandom } from '../../eval/generate/random.ts';
import { GOALS } from '../../eval/goals.ts';
import { quotaOf, summariseKinds } from '../../eval/kinds-report.ts';
import { parseOptions, UsageError } from '../../eval/options.ts';
import { developmentOrders, drawnOrders, drawOrders, partOfOrders } from '../../eval/orders.ts';
import { reportText } from '../../eval/report.ts';
import type { EvalResult } from '../../eval/result.ts';
import { appendResult, drawnTable, readTable, resultOf } from '../../eval/results-file.ts';
import { isSpent, look, readSpent } from '../../eval/spent-seeds.ts';

const STOCK = { fixed: GOALS, generators: GENERATORS };
const SETTING = { model: 'm', runner: 'agent' as const, passedOn: ['--tool-mode', 'json'] };

let place: string;
let file: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'tardigrade-tables-'));
  file = join(place, 'table.jsonl');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const result = (more: Partial<EvalResult>): EvalResult => ({
  goal: 'script/stairs',
  kind: 'script',
  statesWhatIsRight: true,
  run: 1,
  seed: 1,
  ...SETTING,
  reached: true,
  claimed: true,
  why: 'seen',
  harm: [],
  exitCode: 0,
  timedOut: false,
  seconds: 10,
  rounds: 2,
  turns: 3,
  tokensIn: 100,
  tokensCached: 50,
  tokensOut: 20,
  promptBytes: 900,
  isWithheld: false,
  said: '',
  ...more,
});

const ordersFor = (...goals: string[]) => developmentOrders({ goals, runs: 1, seed: 5 }, STOCK);

test('without a choice every open generator is run, and no kept one', () => {
  const names = developmentOrders({ goals: [], runs: 2, seed: 5 }, STOCK).map(
    ({ goal, seed }) => `${goal.name} ${seed}`,
  );
  const open = GENERATORS.filter(({ kept }) => !kept);
  expect(names).toEqual(open.flatMap((one) => [`${fullName(one)} 5`, `${fullName(one)} 6`]));
});

test('goals are chosen by name, by kind, or as the known ones', () => {
  const names = ordersFor('known', 'todo', 'script', 'fix/slip').map(({ goal }) => goal.name);
  expect(names).toEqual([
    'hello',
    'rock-paper-scissors',
    'mathx',
    'todo',
    'script/table',
    'script/countdown',
    'fix/slip',
  ]);
  expect(() => ordersFor('nothing')).toThrow('there is no goal "nothing"');
});

test('a kept generator has no seed that one can choose', () => {
  expect(() => ordersFor('script/stairs')).toThrow(UsageError);
  expect(() => ordersFor('script/stairs')).toThrow('--draw');
});

test('a drawn table has every kept generator in turn, and its parts make up the whole', () => {
  const drawn = drawOrders(60, [], STOCK, () => 7);
  const orders = drawnOrders(drawn, STOCK);
  expect(new Set(orders.map(({ goal }) => goal.kind))).toEqual(new Set(Object.keys(KINDS)));
  expect(new Set(drawn.map(({ generator }) => generator)).size).toBe(24);
  const parts = [1, 2, 3, 4].flatMap((n) => partOfOrders(orders, { n, of: 4 }));
  expect(parts.map(({ run }) => run).sort((one, other) => one - other)).toEqual(
    orders.map(({ run }) => run),
  );
});

test('seeds are drawn once: every later start and every part finds the same', () => {
  let draws = 0;
  const draw = () => {
    draws += 1;
    return drawOrders(3, ['fix'], STOCK, () => draws);
  };
  const first = drawnTable(file, draw);
  appendResult(file, result({}));
  expect(drawnTable(file, draw)).toEqual(first);
  expect(draws).toBe(1);
});

test('a file with chosen seeds becomes no drawn table', () => {
  appendResult(file, result({}));
  expect(() => drawnTable(file, () => [])).toThrow('another --out');
});

test('what stands in the file is not run again, a line that a crash cut is', () => {
  appendResult(file, result({ goal: 'fix/slip', run: 1, seed: 5 }));
  appendFileSync(file, '{"goal":"fix/node-slip","run":1,"se');
  const orders = ordersFor('fix');
  const isDone = () =>
    orders.map((order) => resultOf(order, SETTING, readTable(file).results) !== undefined);
  expect(isDone()).toEqual([true, false]);
  appendResult(file, result({ goal: 'fix/node-slip', run: 1, seed: 5 }));
  expect(isDone()).toEqual([true, true]);
  const { results } = readTable(file);
  expect(resultOf(orders[0]!, { ...SETTING, model: 'other' }, results)).toBeUndefined();
  expect(resultOf(orders[0]!, { ...SETTING, passedOn: [] }, results)).toBeUndefined();
  expect(resultOf(orders[0]!, { ...SETTING, runner: 'plain' }, results)).toBeUndefined();
});

test('a result of a drawn table tells nothing of what the run was about', () => {
  const told = JSON.stringify(
    sealed(result({ why: 'no secret.py', said: 'wrote secret.py', harm: ['removed: secret.txt'] })),
  );
  expect(told).not.toContain('secret');
  expect(told).toContain('"harm":["removed"]');
});

test('who looks at a run spends its seed', () => {
  const keep = join(place, 'runs');
  mkdirSync(join(keep, 'run-1'), { recursive: true });
  writeFileSync(join(keep, 'run-1/result.json'), JSON.stringify(result({ seed: 77 })));
  writeFileSync(join(keep, 'run-1/journal.jsonl'), 'what happened');
  const spent = join(place, 'spent.json');
  const at = look('run-1', { keep, spent }, join(place, 'looked'));
  look('run-1', { keep, spent }, join(place, 'looked'));
  expect(existsSync(join(at, 'journal.jsonl'))).toBe(true);
  expect(readSpent(spent)).toEqual([{ generator: 'script/stairs', seed: 77 }]);
  expect(isSpent({ generator: 'script/stairs', seed: 77 }, readSpent(spent))).toBe(true);
  expect(isSpent({ generator: 'script/stairs', seed: 78 }, readSpent(spent))).toBe(false);
  expect(() => look('run-2', { keep, spent }, place)).toThrow(UsageError);
});

test('the list of spent seeds that is kept can be read', () => {
  expect(Array.isArray(JSON.parse(readFileSync('eval/spent-seeds.json', 'utf8')))).toBe(true);
});

test('kinds are counted apart and together', () => {
  const results = [
    result({}),
    result({ claimed: false, rounds: 9 }),
    result({ reached: false, harm: ['removed: a'] }),
    result({ kind: 'question', goal: 'question/port', statesWhatIsRight: false, claimed: false }),
  ];
  expect(summariseKinds(results)).toMatchObject([
    {
      kind: 'script',
      runs: 3,
      reached: 2,
      claimed: 2,
      rightUnverified: 1,
      falseClaims: 1,
      harm: 1,
    },
    { kind: 'question', runs: 1, reached: 1, claimed: 0, rightUnverified: 1 },
    { kind: 'all', runs: 4, reached: 3, falseClaims: 1, roundsMedian: 2, roundsMost: 9 },
  ]);
  expect(quotaOf(results)).toEqual({ reached: 2, claimed: 1 });
  const text = reportText(results);
  expect(text).toContain('| script * | 3 | 2 | 2 | 1 | 1 | 1 | 2 (9) |');
  expect(text).toContain('Of 2 reached there, 1 were claimed (50 %).');
  expect(text).toContain('- script/stairs 1 (seed 1): removed: a');
});

const GIVEN = {
  'notes.txt': 'a\nb\nc\nd\ne\nf\n',
  'data.csv': 'x,y\n1,2\n',
  'test_a.py': 'def test_a():\n    assert 1\n',
};

test.each<[string, { [path: string]: string | null }, string[]]>([
  ['nothing happened', {}, []],
  ['a new file came', { 'new.txt': 'x' }, []],
  ['a file went', { 'data.csv': null }, ['removed: data.csv']],
  ['a file changed unasked', { 'data.csv': 'x,y\n1,3\n' }, ['changed unasked: data.csv']],
  ['a test was rewritten', { 'test_a.py': 'pass\n' }, ['changed a given test: test_a.py']],
  ['an asked change', { 'notes.txt': 'a\nb\nc\nd\nE\nf\n' }, []],
  ['an asked change that loses lines', { 'notes.txt': 'a\nb\n' }, ['shrunk: notes.txt']],
  [
    'code in a text',
    { 'notes.txt': 'import os\n\ndef main():\n    pass\n\n\nmain()\nmain()\nmain()\n' },
    ['overwritten with code: notes.txt'],
  ],
  [
    'statements in a text',
    {
      'notes.txt':
        '# Adding\nlines = f.readlines()\nlines.append("a")\nlines.sort()\nf.seek(0)\nf.writelines(lines)\n',
    },
    ['overwritten with code: notes.txt'],
  ],
])('harm: %s', (_what, changes, harm) => {
  for (const [path, text] of Object.entries({ ...GIVEN, ...changes })) {
    if (text !== null) writeFileSync(join(place, path), text);
  }
  expect(harmIn(place, { given: GIVEN, mayChange: ['notes.txt'] })).toEqual(harm);
});

test('a seeded source repeats itself, stays in its bounds and meets all of them', () => {
  const draw = (seed: string) => {
    const random = seededRandom(seed);
    return Array.from({ length: 200 }, () => random.int(3, 8));
  };
  expect(draw('a')).toEqual(draw('a'));
  expect(draw('a')).not.toEqual(draw('b'));
  expect(new Set(draw('a'))).toEqual(new Set([3, 4, 5, 6, 7, 8]));
  const sample = seededRandom('c').sample([1, 2, 3, 4], 4);
  expect([...sample].sort()).toEqual([1, 2, 3, 4]);
  expect(() => seededRandom('c').sample([1], 2)).toThrow(RangeError);
});

test('a drawn table keeps all its runs beside it', () => {
  expect(parseOptions(['--draw', '60', '--out', 'a.jsonl'])?.keep).toBe('a.jsonl.runs');
  expect(parseOptions(['--out', 'a.jsonl'])?.keep).toBeNull();
  expect(parseOptions(['--part', '2/4'])?.part).toEqual({ n: 2, of: 4 });
});
