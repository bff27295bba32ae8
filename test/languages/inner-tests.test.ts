import { expect, it } from 'vitest';
import { languageOf } from '../../src/languages/languages.ts';

const RUST = `//! Sums.
/// Adds.
/// \`\`\`
/// assert_eq!(calc::add(1, 2), 3);
/// \`\`\`
pub fn add(a: i32, b: i32) -> i32 {
    a + b // not a test: #[test] {
}

#[cfg(test)]
use std::fmt;

#[cfg(test)]
mod tests {
    const OPEN: char = '{';
    const TEXT: &str = r#"}"}"#;
    #[test]
    fn adds() {}
}

fn last<'a>(text: &'a str) -> &'a str { text }

#[tokio::test(flavor = "multi_thread")]
async fn waits() {
    assert!(true);
}
`;
const DOCUMENTED = `/// Told to people.
/// ~~~should_panic
/// \`\`\`
/// calc::fail();
///
/// ~~~
///
///     assert!(calc::is_set_in());
/// - a list
///   with a second line
/// \`\`\`
pub fn f() {}
/// Ends with the documentation that it stands in.
pub fn g() {}
`;
const ZIG =
  'fn add() i32 {\n}\n\ntest "adds" {\n    try expect(add() == 3);\n}\nconst testing = 1;\n';
const D = 'int add() { return 3; }\n@safe unittest\n{\n    assert(add() == 3);\n}\n';
const PYTHON = `def add(a, b):
    """Add.

    >>> add(1,
    ...     2)
    3

    No example.
    >>> add(0, 0)
    0
    """
    return a + b
`;
const VITEST =
  'export const add = (a, b) => a + b;\nif (import.meta.vitest) {\n  const { it } = import.meta.vitest;\n  it("adds", () => {});\n}\nexport default add;\n';

it.each([
  ['calc.rs', RUST, [3, 4, 5, 10, 11, 13, 14, 15, 16, 17, 18, 19, 23, 24, 25, 26]],
  ['docs.rs', DOCUMENTED, [2, 3, 4, 5, 6, 8, 11]],
  ['calc.zig', ZIG, [4, 5, 6]],
  ['calc.d', D, [2, 3, 4, 5]],
  ['calc.py', PYTHON, [4, 5, 6, 9, 10]],
  ['calc.ts', VITEST, [2, 3, 4, 5]],
  ['calc.c', 'int test(void) {\n}\n', []],
])('tests that stand in code: %s', (path, text, lines) => {
  const found = languageOf(path).innerTests?.(path, text) ?? [];
  expect(
    found.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at + 1)),
  ).toEqual(lines);
});

it('a block that never ends has all that is left', () => {
  expect(languageOf('a.rs').innerTests?.('a.rs', '#[test]\nfn a() {\n{\n')).toEqual([
    { from: 0, to: 4 },
  ]);
});
