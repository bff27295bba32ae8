/** Which assertions of tests that were red are asked, by what the proof printed. */
import { expect, it } from 'vitest';
import { alterationText } from '../../src/evidence/alterable.ts';
import { expectedIn } from '../../src/evidence/expected.ts';
import type { RunWork, WorkPort } from '../../src/evidence/work.ts';

const C = '#include "calc.h"\nint main(void) {\n  assert(add(2, 3) == 5);\n  return 0;\n}\n';
const RUST = `pub fn half(of: u32) -> u32 {
    of / 2
}

#[cfg(test)]
mod tests {
    #[test]
    fn halves_are_whole() {
        assert_eq!(half(9), 4);
    }
}
`;
const GO =
  'package x\n\nfunc TestAdd(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal("no")\n\t}\n}\n';

function expected(
  files: { readonly [path: string]: string },
  output: string,
  changed: RunWork['changed'] = [],
) {
  const run = {
    world: { readText: (path: string) => files[path] ?? null },
    toolContext: { workspace: '/w', fs: { platform: 'linux' } },
  } as unknown as WorkPort;
  const work = { changed, disk: { files: Object.keys(files) } } as unknown as RunWork;
  return expectedIn(run, work, { cmd: 'make test' })(output);
}

const expectations = (...given: Parameters<typeof expected>): readonly string[] =>
  expected(...given).others.map(alterationText);

it.each([
  ['a statement of several lines, by its first', 'test_a.py:2: AssertionError', [4, 2]],
  ['what a test compares, and not by where it begins', 'test_a.py:1: in test_adds', [4]],
])('%s is named where it fails', (_what, output, lines) => {
  const test = 'def test_adds():\n    assert add(\n        2, 3\n    ) == 5\n';
  expect(expected({ 'test_a.py': test }, output).compared).toMatchObject([{ lines }]);
});

it.each([
  ['test_calc.c:3: Assertion failed', { 'test_calc.c': C, 'calc.c': C }, 'test_calc.c:3'],
  ['/tmp/w/test_calc.c(3): error', { 'test_calc.c': C }, 'test_calc.c:3'],
  ["thread panicked at src/lib.rs:9:9: it's 3", { 'src/lib.rs': RUST }, 'src/lib.rs:9'],
  ['test halves_are_whole ... FAILED', { 'src/lib.rs': RUST }, 'src/lib.rs:9'],
  ['CalcTest.adds:1 expected 5', { 'x/CalcTest.java': 'assertEquals(5, add(2, 3));' }, ':1'],
  ['#   at t/calc.t line 1.', { 't/calc.t': 'is(add(2, 3), 5);' }, 't/calc.t:1'],
  ['calc_test.go:5: no', { 'calc_test.go': GO }, 'calc_test.go:4'],
  ['make: *** [test] Error 1', { 'test_calc.c': C }, 'test_calc.c:3'],
  ['t.c:1: failed', { 'test/t.c': 'assert(print_total(2) == 5);' }, 'test/t.c:1'],
])('%s tells where they stand', (output, files, place) => {
  const [first = ''] = expectations(files, output);
  expect(first).toMatch(/^with \d for \d in /);
  expect(first).toContain(place);
});

it('of tests of which nothing is named, none is asked if they have many lines', () => {
  const many = Array.from({ length: 20 }, (_, at) => `assert(add(${at}, 1) == ${at + 1});`);
  expect(expectations({ 'test_calc.c': many.join('\n') }, 'Error 1')).toEqual([]);
});

it('code, and tests that the run made, are not asked', () => {
  const said = 'calc.c:3: test_new.c:3: Error 1';
  const made = [{ path: 'test_new.c', before: null, after: 'h' }];
  expect(expectations({ 'calc.c': C, 'test_new.c': C }, said, made)).toEqual([]);
});
