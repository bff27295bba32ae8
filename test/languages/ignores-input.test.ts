import { expect, test } from 'vitest';
import { languageOf } from '../../src/languages/languages.ts';

const ignores = (path: string, text: string): boolean | undefined =>
  languageOf(path).ignoresInput?.(text, 'zip');

test.each([
  ['a.js', 'export function zip(a, b) {\n  return [[1, "a"]];\n}\nexport const a = 1;\n'],
  ['a.js', 'const zip = (a, b) => {\n  // a and b\n  return ["a", "b"];\n};\n'],
  ['a.js', 'export const zip = async function (a) { return 5; };'],
  [
    'a.ts',
    "export function zip<A, B>(a: readonly A[], b: B[]): [A, B][] {\n  return [[1, 'a']] as any\n}\n",
  ],
  ['a.ts', 'function zip(a: string): string;\nfunction zip(a: any): any {\n  return `x`;\n}\n'],
  [
    'a.py',
    'def zip(a, b):\n    """Zip a and b."""\n    return [(1, "a"), (2, \'b\')]\n\n\na = 1\n',
  ],
  [
    'a.py',
    'class Z:\n  async def zip(\n    self,\n    a: int,\n  ) -> int:\n    return 5\n\n  def a(self): pass\n',
  ],
])('%s: a function that uses nothing that it is given: %s', (path, text) => {
  expect(ignores(path, text)).toBe(true);
});

test.each([
  ['a.js', 'export function zip(a, b) {\n  return a.map((one) => [one]);\n}\n'],
  ['a.js', `function zip(name) {\n  return \`Hello, \${name}\`;\n}\n`],
  ['a.js', 'function zip() {\n  return arguments[0];\n}\n'],
  ['a.js', 'const zip = curry((a, b) => {\n  return 5;\n});\n'],
  ['a.js', 'const zip = (a) => a;\nfunction other(b) { return 5; }\n'],
  ['a.js', 'zip(1);\nfunction other(a) { return 5; }\n'],
  ['a.ts', 'const zip: (x: number) => number = (a) => {\n  return a;\n};\n'],
  ['a.ts', 'declare function zip(a: number): number;\nfunction other(b) { return 5; }\n'],
  ['a.ts', 'function zip({ a, b: [c] }: Pair, ...d: number[]) {\n  return [c, d];\n}\n'],
  ['a.py', 'def zip(a, b):\n    return list(a)\n'],
  ['a.py', 'def zip(name):\n    return f"Hello, {name}"\n'],
  ['a.py', 'def zip(a): return 5\n'],
  ['a.py', 'def zip(a):\n    return locals()\n'],
  ['a.py', 'if x:\n    def zip(a):\n        return 5\nelse:\n    def zip(a):\n        return a\n'],
  ['a.py', 'zip = 5\n'],
])('%s: certain of nothing: %s', (path, text) => {
  expect(ignores(path, text)).not.toBe(true);
});
