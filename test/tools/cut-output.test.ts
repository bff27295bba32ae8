import { describe, expect, it } from 'vitest';
import { cutOutput } from '../../src/tools/commands/cut-output.ts';
import { searchRows } from '../../src/tools/search/rows.ts';

const noise = (count: number, name: string): string =>
  Array.from({ length: count }, (_, index) => `${name} ${index} is fine`).join('\n');

const FAILURES: readonly (readonly [string, string])[] = [
  ['pytest', 'E       assert 3 == 4'],
  ['unittest', 'FAIL: test_sum (tests.test_calc.SumTest)'],
  ['node --test', 'not ok 7 - adds the list'],
  ['vitest', ' × adds the list 4ms'],
  ['jest', '  ● adds the list'],
  ['tsc', 'src/server/list.ts(12,7): error TS2322: Type string is not assignable'],
  ['go test', '--- FAIL: TestSum (0.00s)'],
];

describe('a long output', () => {
  it.each(FAILURES)('keeps its beginning, its end, and the lines of %s between', (_, failure) => {
    const text = `FIRST\n${noise(900, 'early')}\n${failure}\n${noise(900, 'late')}\nLAST`;
    const cut = cutOutput(text, 3000);
    expect(cut.length).toBeLessThanOrEqual(3000);
    const lines = cut.split('\n');
    expect(lines[0]).toBe('FIRST');
    expect(lines.at(-1)).toBe('LAST');
    expect(lines).toContain(failure);
    const left = [...cut.matchAll(/\[\.\.\. (\d+) lines left out/g)].map(([, n]) => Number(n));
    const shown = lines.filter((line) => !line.startsWith('[... ')).length;
    expect(shown + left.reduce((sum, n) => sum + n, 0)).toBe(text.split('\n').length);
  });

  it('says how what is left out is read on, by the number of its first line', () => {
    const text = `${noise(400, 'early')}\nnot ok 7 - adds\n${noise(400, 'late')}`;
    const asked: number[] = [];
    const cut = cutOutput(text, 2000, (from) => {
      asked.push(from);
      return `ask from ${from}`;
    });
    const from = Number(/ask from (\d+)/.exec(cut)?.[1]);
    expect(cut.split('\n')[from - 2]).toBe(searchRows(text)[from - 2]);
    expect(cut).not.toContain(searchRows(text)[from - 1]);
    expect(cut.match(/ask from/g)).toHaveLength(1);
  });

  it('with more failures than there is room for keeps the first, and its end', () => {
    const failures = Array.from({ length: 500 }, (_, index) => `not ok ${index} - one of many`);
    const cut = cutOutput(`${noise(50, 'early')}\n${failures.join('\n')}\nLAST`, 2000);
    expect(cut.length).toBeLessThanOrEqual(2000);
    expect(cut).toContain('not ok 0 - ');
    expect(cut.endsWith('LAST')).toBe(true);
  });

  it.each([
    ['without failures', noise(2000, 'line')],
    ['of one line', 'x'.repeat(50_000)],
    ['of one line that fails', `not ok 1 - ${'x'.repeat(50_000)}`],
    ['of characters of two units', '😀'.repeat(20_000)],
  ])('%s is cut in the middle', (_, text) => {
    const cut = cutOutput(text, 1500, (from) => `from ${from}`);
    expect(cut.length).toBeLessThanOrEqual(1500);
    expect(cut).toMatch(/left out; from \d+/);
    expect(cut).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });

  it('without failures says exactly where it is read on', () => {
    const text = noise(2000, 'line');
    const cut = cutOutput(text, 3000, (from) => `from ${from}`);
    const from = Number(/from (\d+)/.exec(cut)?.[1]);
    expect(cut.split('\n').slice(0, from - 1)).toEqual(text.split('\n').slice(0, from - 1));
    expect(cut.split('\n')[from - 1]).toMatch(/left out/);
  });

  it('that fits stays as it is', () => {
    expect(cutOutput('a\nb', 3)).toBe('a\nb');
  });
});
