import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { forbiddenGlobals, tooLong } from './support/architecture/globals.ts';
import { importCycles, importsGoingUp, importsOutOfPlace } from './support/architecture/rooms.ts';
import { type SourceFile, sourceFile } from './support/architecture/source-file.ts';
import { LANGUAGE_EXCEPTIONS, languageWords } from './support/architecture/words.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;
const LIMITS = { file: 300, function: 60 };
const SILENCE = /^(console|process)\./;
const CLOCK_AND_CHANCE = /^(Date\.now|new Date|Math\.random|performance\.now|crypto\.random\w*)$/;

/** Where the outside world is let in, so that everything else can be handed a fake one. */
const ADAPTERS: { readonly [path: string]: RegExp } = {
  'src/lib/clock.ts': /^(Date|performance)\.now$/,
  'src/lib/file-system.ts': /^process\.platform$/,
  'src/lib/process-identity.ts': /^process\.(pid|kill)$/,
  'src/processes/system-look.ts': /^process\.(pid|kill|platform)$/,
  'src/llm/embedded/engine.ts': /^performance\.now$/,
  // A program of its own, started beside the run.
  'src/llm/embedded/child.ts': /^process\./,
};

function filesIn(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.includes('/fixtures/'))
    .map((path) => sourceFile(path, readFileSync(path, 'utf8')));
}

const source = filesIn('src');
const sticks = ['bench', 'eval'].flatMap(filesIn);
const tests = filesIn('test');
const isTerminalSide = ({ path }: SourceFile) => /^src\/(cli\/|bin\.ts)/.test(path);
const library = source.filter((file) => !isTerminalSide(file));

describe('the house', () => {
  test('has its files in known rooms, and imports go down', () => {
    expect(importsGoingUp(source)).toEqual([]);
  });

  test('has no import cycle', () => {
    expect(importCycles(source)).toEqual([]);
  });

  test('keeps wire formats, processes, the disk and the terminal in their places', () => {
    expect(importsOutOfPlace(source)).toEqual([]);
  });

  test('is silent and reads no environment outside the command line', () => {
    expect(forbiddenGlobals(library, SILENCE, ADAPTERS)).toEqual([]);
  });

  test('reads clocks and chance only where they come in as arguments', () => {
    expect(forbiddenGlobals(library, CLOCK_AND_CHANCE, ADAPTERS)).toEqual([]);
  });

  test('has files of at most 300 lines and functions of at most 60', () => {
    expect(tooLong(source, LIMITS)).toEqual([]);
    expect(tooLong(sticks, LIMITS)).toEqual([]);
    // Tables of cases are long, and a `describe` is one function.
    expect(tooLong(tests, { file: 400, function: NO_LIMIT })).toEqual([]);
  });

  test('knows file endings, test runners and names of languages only in their room', () => {
    expect(languageWords(source)).toEqual([]);
  });

  test('lets no exception stand that nothing needs any more', () => {
    for (const [path, allowed] of Object.entries(ADAPTERS)) {
      const files = source.filter((file) => file.path === path);
      expect(forbiddenGlobals(files, allowed), path).not.toEqual([]);
    }
    for (const exception of LANGUAGE_EXCEPTIONS) {
      const others = LANGUAGE_EXCEPTIONS.filter((other) => other !== exception);
      expect(languageWords(source, others), String(exception.where)).not.toEqual([]);
    }
  });
});

describe('each rule finds its violation', () => {
  const one = (path: string, text: string) => [sourceFile(path, text)];

  test.each([
    ['up', 'src/lib/a.ts', "import { b } from '../tools/b.ts';"],
    ['up, types only', 'src/tools/a.ts', "import type { B } from '../agent.ts';"],
    ['up, in a type', 'src/schema/a.ts', "export type A = import('../steps/b.ts').B;"],
    ['up, lazily', 'src/steps/a.ts', "export const b = () => import('../cli/b.ts');"],
    ['up, by a re-export', 'src/tools/a.ts', "export * from '../probe/b.ts';"],
    ['up, by a re-exported type', 'src/llm/x/a.ts', "export type { B } from '../../tools/b.ts';"],
    ['up, for its effect', 'src/workspace/a.ts', "import '../prompts/b.ts';"],
    ['from no room', 'src/helpers/a.ts', ''],
  ])('an import %s', (_what, path, text) => {
    expect(importsGoingUp(one(path, text))).toHaveLength(1);
  });

  test('and lets imports pass that go down', () => {
    const text = "import '../schema/b.ts'; import './c.ts'; import '../processes/contract.ts';";
    expect(importsGoingUp(one('src/tools/a.ts', text))).toEqual([]);
  });

  test('a cycle, types included', () => {
    const files = [
      sourceFile('src/lib/a.ts', "import './b.ts';"),
      sourceFile('src/lib/b.ts', "import type { C } from './c.ts';"),
      sourceFile('src/lib/c.ts', "export * from './a.ts';"),
    ];
    expect(importCycles(files)).toEqual([
      'src/lib/a.ts -> src/lib/b.ts -> src/lib/c.ts -> src/lib/a.ts',
    ]);
  });

  test.each([
    ['src/tools/a.ts', 'undici'],
    ['src/llm/retry.ts', 'ollama'],
    ['src/tools/run-cmd.ts', 'node:child_process'],
    ['src/agent.ts', 'commander'],
    ['src/round/act.ts', 'node:process'],
    ['src/journal/journal.ts', 'node:fs'],
  ])('in %s an import of %s', (path, name) => {
    expect(importsOutOfPlace(one(path, `import '${name}';`))).toHaveLength(1);
  });

  test.each([
    ['console.log(1);', 'console.log'],
    ['const leave = () => { process.exit(1); };', 'process.exit'],
    ["const home = process.env['HOME'];", 'process.env'],
    ["process['exit']();", 'process.[…]'],
    ['const f = (process: { pid: number }) => process.pid; console.error(f);', 'console.error'],
  ])('a library that is not silent: %s', (text, what) => {
    expect(forbiddenGlobals(one('src/round/act.ts', text), SILENCE)).toEqual([
      `src/round/act.ts:1 uses ${what}`,
    ]);
  });

  test.each(['Date.now()', 'Math.random()', 'new Date()', 'performance.now()'])('%s', (text) => {
    expect(forbiddenGlobals(one('src/steps/a.ts', text), CLOCK_AND_CHANCE)).toHaveLength(1);
  });

  test('and lets a date be made from a number', () => {
    expect(forbiddenGlobals(one('src/steps/a.ts', 'new Date(0)'), CLOCK_AND_CHANCE)).toEqual([]);
  });

  test.each([
    ['a file ending', "const isOurs = path.endsWith('.py');"],
    ['a file ending in a pattern', 'const isOurs = /\\.(?:md|[cm]?[jt]sx?)$/.test(path);'],
    ['a test runner', "const proof = 'python -m pytest -q';"],
    ['a test runner in a template', 'const proof = `node --test`;'],
    ['a test runner in a pattern', 'const runs = /\\b(?:pytest|unittest)\\b/;'],
    ['the name of a language', "if (language.name === 'javascript') start();"],
    ['the mark of a package', 'const isMark = /(^|\\/)__init__/.test(path);'],
    ['a program', "const found = await find('npm');"],
  ])('a language that is known outside its room: %s', (_what, text) => {
    expect(languageWords(one('src/steps/a.ts', text))).toHaveLength(1);
    expect(languageWords(one('src/languages/x/a.ts', text))).toEqual([]);
  });

  test('and lets modules be imported, and files of our own be named', () => {
    const text = "import './b.ts'; const file = 'history.jsonl'; // .py and pytest";
    expect(languageWords(one('src/steps/a.ts', text))).toEqual([]);
  });

  test('a file and a function that are too long', () => {
    const body = '  step();\n'.repeat(60);
    const found = tooLong(one('src/a.ts', `\nconst f = () => {\n${body}};\n`), LIMITS);
    expect(found).toEqual(['src/a.ts:2 has too long a function']);
    expect(tooLong(one('src/a.ts', '// line\n'.repeat(301)), LIMITS)).toEqual([
      'src/a.ts has 301 lines',
    ]);
    expect(tooLong(one('src/a.ts', '// line\n'.repeat(300)), LIMITS)).toEqual([]);
  });
});
