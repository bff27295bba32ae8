/** Code whose functions do nothing: what is emptied, and that the rest stays as it was. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { InspectionDeps } from '../../src/languages/files/inspection.ts';
import { withComment } from '../../src/languages/files/with-comment.ts';
import { emptiedGo } from '../../src/languages/go/emptied.ts';
import { returningAtOnce } from '../../src/languages/javascript/emptied.ts';
import { languageOf } from '../../src/languages/languages.ts';
import { folderOf, NO_PROGRAMS, PYTHON } from './inspection-support.ts';

async function emptied(
  path: string,
  text: string,
  { before = null, ...given }: Partial<InspectionDeps> & { readonly before?: string | null } = {},
): Promise<string | null> {
  const folder = folderOf({}, given);
  onTestFinished(() => folder.dispose());
  return (await languageOf(path).emptied?.(path, text, before, folder.deps)) ?? null;
}

describe.skipIf(PYTHON === null)('Python', () => {
  const rows = [
    ['def add(a, b):\n    return a + b\n', 'def add(a, b):\n    return\n    return a + b\n'],
    ['def add(a): return a\n', 'def add(a): return; return a\n'],
    [
      'class A(B):\n    size = 3\n\n    @property\n    def big(self):\n        """Says so."""\n        return True\n\n\nLIMIT = 4\n',
      'class A(B):\n    size = 3\n\n    @property\n    def big(self):\n        return\n        """Says so."""\n        return True\n\n\nLIMIT = 4\n',
    ],
    [
      'def f():\n    @g\n    def inner():\n        return 1\n    return inner\n',
      'def f():\n    return\n    @g\n    def inner():\n        return 1\n    return inner\n',
    ],
    [
      'if True:\n    def f():\n        return 1\n',
      'if True:\n    def f():\n        return\n        return 1\n',
    ],
  ] as const;
  const ofAll = (which: 0 | 1): string => rows.map((row) => row[which]).join('\n\n');

  /** What was there stays as a text. */
  const withText = (altered: string, text: string): string =>
    `${altered}\nr"""\n${text.replaceAll('"""', "'''")}\n"""\n`;

  it('empties functions, methods and what stands in a branch, in one file', async () => {
    expect(await emptied('a.py', ofAll(0))).toBe(withText(ofAll(1), ofAll(0)));
  });

  it('empties letters beyond one byte, and leaves what follows on the line', async () => {
    const [f, g] = ['def f(): return "ü"  # größe\r\n', 'def g(): pass\r\n'];
    const returning = 'def f(): return; return "ü"  # größe\r\n';
    expect(await emptied('a.py', f + g)).toBe(withText(returning + g, f + g));
  });

  it('leaves alone what was there as it is, wherever it stands and however it is laid out', async () => {
    const before = 'def old(a):\n    return a\n';
    const text = '# moved\n\n\ndef new(a):\n    return 2\n\n\ndef old(a):\n\n    return a  # so\n';
    const altered = text.replace('return 2', 'return\n    return 2');
    expect(await emptied('a.py', text, { before })).toBe(withText(altered, text));
    expect(await emptied('a.py', before, { before })).toBeNull();
  });

  it.each([
    ['what has no functions', 'print("hello")\n'],
    ['what does not parse', 'def f(:\n'],
    ['what does nothing already', 'def f():\n    """Later."""\n'],
  ])('gives up on %s', async (_what, text) => {
    expect(await emptied('a.py', text)).toBeNull();
  });

  it('says nothing where no Python is installed', async () => {
    expect(await emptied('a.py', 'def f():\n    return 1\n', NO_PROGRAMS)).toBeNull();
  });
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the code that is read
const TEMPLATE = '`${`}`} )`';

describe('JavaScript', () => {
  it.each([
    ['a function', 'function f(a) { return a; }', 'function f(a) { if (true) return; return a; }'],
    [
      'one that is exported',
      'export async function* f() {\n  yield 1;\n}\n',
      'export async function* f() { if (true) return;\n  yield 1;\n}\n',
    ],
    [
      'an arrow with a body',
      'const f = (a) => { return a; };',
      'const f = (a) => { if (true) return; return a; };',
    ],
    [
      'an arrow with a value',
      'const f = (a) => a + 1;\nconst b = 2;',
      'const f = (a) => (true) ? undefined : a + 1;\nconst b = 2;',
    ],
    [
      'an arrow without a semicolon',
      'const f = a =>\n  a\n    .b()\nconst c = 1\n',
      'const f = a =>\n  (true) ? undefined : a\n    .b()\nconst c = 1\n',
    ],
    [
      'an arrow with an object',
      'const f = () => ({ a: 1 });',
      'const f = () => (true) ? undefined : ({ a: 1 });',
    ],
    [
      'arrows in a list',
      'const f = [(a) => a, (b) => [b, b]];',
      'const f = [(a) => (true) ? undefined : a, (b) => (true) ? undefined : [b, b]];',
    ],
    [
      'methods',
      'class A { #n = 1; get n() { return this.#n; } static { this.x = 1; } [key]() { return 2; } }',
      'class A { #n = 1; get n() { if (true) return; return this.#n; } static { this.x = 1; } [key]() { if (true) return; return 2; } }',
    ],
    [
      'methods of an object',
      "const o = { 'a b'() { return 1; }, c: 2 };",
      "const o = { 'a b'() { if (true) return; return 1; }, c: 2 };",
    ],
    [
      'default values that look like code',
      "function f(a = { b: '}' }, c = /[/}]/) { return a; }",
      "function f(a = { b: '}' }, c = /[/}]/) { if (true) return; return a; }",
    ],
    [
      'templates',
      `const f = () => ${TEMPLATE};\nrun();`,
      `const f = () => (true) ? undefined : ${TEMPLATE};\nrun();`,
    ],
  ])('empties %s', (_what, text, wanted) => {
    expect(returningAtOnce(text, null, 'plain')).toBe(wanted);
  });

  it.each([
    ['statements', 'if (a) { b(); } for (const c of d) { e(); } while (f) { g(); }'],
    [
      'a constructor without which nothing can be made',
      'class A extends B { constructor() { super(1); } }',
    ],
    ['what ends within a text', 'const f = () => { return `a; };'],
    ['brackets that do not fit', 'function f() { return (1]; }'],
  ])('leaves alone %s', (_what, text) => {
    expect(returningAtOnce(text, null, 'plain')).toBeNull();
  });

  it('leaves alone what was there as it is', () => {
    const before = 'function old(a) { return a; }\n';
    expect(returningAtOnce(`${before}function f() { return 2; }`, before, 'plain')).toBe(
      `${before}function f() { if (true) return; return 2; }`,
    );
  });

  it('asks node whether what comes out can be read', async () => {
    const text = '/* doubles */\nexport const f = (a) => a * 2;\n';
    expect(await emptied('a.mjs', text)).toBe(
      withComment('/* doubles */\nexport const f = (a) => (true) ? undefined : a * 2;\n', text),
    );
    expect(await emptied('a.ts', 'export const f = (a: number) => a * 2;\n')).toContain('as never');
  });
});

describe('Go', () => {
  it.each([
    [
      'without a result',
      'func f(a int) {\n\tg()\n}\n',
      'func f(a int) { if true { return };\n\tg()\n}\n',
    ],
    [
      'with one',
      'func f() string {\n\treturn "}"\n}\n',
      'func f() string { if true { return *new(string) };\n\treturn "}"\n}\n',
    ],
    [
      'with several',
      'func (s *S) f(a []int) (map[string]int, error) { return nil, nil }',
      'func (s *S) f(a []int) (map[string]int, error) { if true { return *new(map[string]int), *new(error) }; return nil, nil }',
    ],
    [
      'with named ones',
      'func f() (n int, err error) { n = 1; return }',
      'func f() (n int, err error) { if true { return }; n = 1; return }',
    ],
    [
      'with types that have brackets',
      'func f(a interface{ G() }) struct{ n int } { return x }',
      'func f(a interface{ G() }) struct{ n int } { if true { return *new(struct{ n int }) }; return x }',
    ],
    [
      'with type parameters',
      'func f[T any](a T) T { return a }',
      'func f[T any](a T) T { if true { return *new(T) }; return a }',
    ],
  ])('empties a function %s', (_what, text, wanted) => {
    expect(emptiedGo('a.go', text, null)).toBe(withComment(wanted, text));
  });

  it('leaves alone what was there as it is, and files without functions', () => {
    const before = 'func old() int { return 1 }\n';
    expect(emptiedGo('a.go', before, before)).toBeNull();
    expect(emptiedGo('a.go', 'package a\n\nvar x = 1\n', null)).toBeNull();
  });
});
