/** What can be altered in the work of a run. */
import { expect, it } from 'vitest';
import { type AlterableLine, alterableIn, alterationText } from '../../src/evidence/alterable.ts';
import { expectedIn } from '../../src/evidence/expected.ts';
import type { RunWork, WorkPort } from '../../src/evidence/work.ts';

const allOf = (code: readonly AlterableLine[]): string[] =>
  code.flatMap(({ alternatives }) => alternatives.map(alterationText));
const sureOf = (code: readonly AlterableLine[]): string[] =>
  allOf(code.filter(({ isGuess }) => !isGuess));
/** Constants that are given in place of a value, in words. */
const constants = (from: string, at: string): string[] =>
  ['{}', '0', '""', 'false', 'null', 'nil', 'Default::default()'].map(
    (to) => `with ${to} for ${from} in ${at}`,
  );

it('the examples of a documentation are tests, and its sentences are not', () => {
  const text = `/// Gives 2 for 1.
///
/// \`\`\`
/// assert_eq!(cart::twice(3), 6);
/// \`\`\`
///
/// Fails above 9.
pub fn twice(n: u32) -> u32 {
    n * 2
}
`;
  const run = { world: { readText: () => text } } as unknown as WorkPort;
  const work = { changed: [{ path: 'a.rs', before: null, after: 'h' }] } as unknown as RunWork;
  const code = alterableIn(run, work, () => true);
  expect(sureOf(code)).toEqual(['with 3 for 2 in a.rs:9']);
  const disk = { files: ['a.rs'] };
  const { compared } = expectedIn(
    { ...run, toolContext: { workspace: '/w', fs: { platform: 'linux' } } } as unknown as WorkPort,
    { ...work, disk } as unknown as RunWork,
    { cmd: 'make test' },
  )('', 'own_code_altered');
  expect(compared.map(({ alternatives }) => alternatives.map(alterationText))).toEqual([
    ['with 987654321 for 6 in a.rs:4', 'with 1 for 6 in a.rs:4'],
  ]);
});

it('a statement is left out, or a constant given, where code has no figure, text or sign', () => {
  const text = `pub fn largest(of: &[u32]) -> Option<u32> {
    let mut found = None;
    for one in of {
        found = found.max(Some(*one));
    }
    found
}
`;
  const run = { world: { readText: () => text } } as unknown as WorkPort;
  const work = { changed: [{ path: 'a.rs', before: null, after: 'h' }] } as unknown as RunWork;
  const code = alterableIn(run, work, () => true);
  expect(allOf(code)).toEqual([
    'without let mut found = None; in a.rs:2',
    'without found = found.max(Some(*… in a.rs:4',
    ...constants('found', 'a.rs:6'),
  ]);
});

it('of a function that is much like another one statements are left out', () => {
  const one = (name: string) => `int ${name}(int n)\n{\n    n = half(n);\n    return n;\n}\n`;
  const run = { world: { readText: () => one('first') + one('second') } } as unknown as WorkPort;
  const work = {
    changed: [{ path: 'a.c', before: 'b', after: 'h' }],
    contentOf: () => Buffer.from(one('first')),
  } as unknown as RunWork;
  expect(allOf(alterableIn(run, work, () => true))).toEqual([
    'without n = half(n); in a.c:8',
    ...constants('n', 'a.c:9'),
  ]);
});
