/** Programs of JavaScript that run in the memory of a test: a play of them takes a tenth of the time of real ones. */
import assert from 'node:assert/strict';
import { join, posix } from 'node:path';
import { compileFunction } from 'node:vm';
import type { RunResult } from '../../src/agent.ts';
import { filesInMemory } from './evaluated-files.ts';
import { type Played, replying } from './play.ts';
import { type RunIn, runIn } from './run-in.ts';
import { type ScriptedProgram, testWorld } from './test-machine.ts';

export type Read = (path: string) => string | null;
export type Write = (path: string, text: string) => void;
export type Builds = Readonly<Record<string, (read: Read, write: Write) => void>>;
type Exports = Readonly<Record<string, unknown>>;
type Ended = Exclude<ReturnType<ScriptedProgram>, 'timeout'>;

/**
 * What node does with files: one with a name in `builds` is that function, another one is evaluated. It may import
 * `node:assert/strict`, `node:test`, what `filesInMemory` has of `node:fs`, and files, and export constants and
 * functions; nothing waits. `npm` does what a script of the package says, `grep -q` finds a word.
 */
export const evaluated =
  (builds: Builds) =>
  (
    ...[args, stdin, read, write, , cwd, name, disk]: Parameters<ScriptedProgram>
  ): ReturnType<ScriptedProgram> => {
    const fs = filesInMemory(disk, cwd, stdin);
    const node = (words: readonly string[]): Ended => {
      const { files, argv, isTesting } = readWords(words, fs.filesBelow);
      const said = outputInMemory();
      const within = { ...said, read, cwd, fs, argv };
      const run = (file: string): void => {
        const build = read(file) === null ? undefined : builds[file];
        if (build === undefined) evaluate(file, within);
        else build(read, write);
      };
      if (isTesting) for (const file of files) said.testFile(join(cwd, file), () => run(file));
      else if (words[0] === '-e') said.program(() => evaluate('[eval]', within, words[1]));
      else said.program(() => files.forEach(run));
      return said.ended();
    };
    if (name === 'grep') return byWord(args, read);
    return name === 'npm' ? byScript(args, read, node) : node(args);
  };

/** `--import FIRST FILE ARGUMENT…`, `--test FOLDER` or `-e CODE`. */
function readWords(words: readonly string[], filesBelow: (folder: string) => readonly string[]) {
  const [option = '', value = ''] = words;
  if (option === '--test') {
    const found = value.endsWith('.mjs')
      ? [value]
      : filesBelow(value).filter((file) => file.endsWith('.test.mjs'));
    return { files: found, argv: [], isTesting: true };
  }
  const [file = '', ...argv] = option === '--import' ? words.slice(2) : words;
  const files = option === '--import' ? [value, file] : [file];
  return { files: files.map((one) => posix.normalize(one)), argv, isTesting: false };
}

/** `grep -q WORD FILE`. */
const byWord = ([, word = '', file = '']: readonly string[], read: Read): Ended => ({
  output: '',
  exitCode: read(file)?.includes(word) === true ? 0 : 1,
});

/** As npm does: its own lines, then those of the commands of the script, up to the first that fails. */
function byScript(
  args: readonly string[],
  read: Read,
  node: (words: readonly string[]) => Ended,
): Ended {
  const name = args.at(-1) ?? '';
  const script: string | undefined = JSON.parse(read('package.json') ?? '{}').scripts?.[name];
  if (script === undefined) return { output: `npm error Missing script: "${name}"\n`, exitCode: 1 };
  let output = `\n> ${name}\n> ${script}\n\n`;
  for (const command of script.split(' && ')) {
    const [program, ...words] = command.split(' ');
    assert.equal(program, 'node');
    const ended = node(words);
    output += ended.output;
    if (ended.exitCode !== 0) return { output, exitCode: ended.exitCode };
  }
  return { output, exitCode: 0 };
}

/** `process.exit` was called. */
class Exit extends Error {
  constructor(readonly code: number) {
    super('exit');
  }
}

/** What a program prints, with the report of Node's own test runner to a pipe. */
function outputInMemory() {
  const printed: string[] = [];
  const results: string[] = [];
  let failed = 0;
  let exitCode: number | null = null;
  const test = (title: string, body: () => void, file = title): void => {
    const nth = results.length + 1;
    try {
      body();
      results.push(`# Subtest: ${title}\nok ${nth} - ${title}`);
    } catch (error) {
      if (error instanceof Exit) throw error;
      failed += 1;
      const why = error instanceof Error ? error.message : String(error);
      const details = `location: '${file}:1:1'\nerror: |-\n${indented(why)}\nstack: |-\n${indented(stackOf(error))}`;
      const head = `# Subtest: ${title}\nnot ok ${nth} - ${title}`;
      results.push(`${head}\n  ---\n${indented(details)}\n  ...`);
    }
  };
  const report = (): string =>
    `TAP version 13\n${results.join('\n')}\n1..${results.length}\n# tests ${results.length}\n# pass ${results.length - failed}\n# fail ${failed}\n`;
  return {
    test,
    print: (...words: readonly unknown[]): void => void printed.push(`${words.join(' ')}\n`),
    program(run: () => void): void {
      try {
        run();
      } catch (error) {
        exitCode = error instanceof Exit ? error.code : 1;
        if (!(error instanceof Exit)) printed.push(`${stackOf(error)}\n`);
      }
    },
    /** A file without tests of its own is one. */
    testFile(name: string, run: () => void): void {
      const before = results.length;
      try {
        run();
        if (results.length === before) test(name, () => {});
      } catch (error) {
        if (!(error instanceof Exit)) results.push(stackOf(error).replaceAll(/^/gm, '# '));
        if (!(error instanceof Exit) || error.code !== 0)
          test(name, () => assert.fail('test failed'));
        else if (results.length === before) test(name, () => {});
      }
    },
    ended: (): Ended => ({
      output: `${printed.join('')}${results.length === 0 || exitCode !== null ? '' : report()}`,
      exitCode: exitCode ?? (failed === 0 ? 0 : 1),
    }),
  };
}

const indented = (text: string): string => text.replaceAll(/^/gm, '  ');

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? '') : String(error);

interface Within extends Pick<ReturnType<typeof outputInMemory>, 'test' | 'print'> {
  /** Where the program works: stacks name its files there. */
  readonly cwd: string;
  readonly read: Read;
  readonly fs: Exports;
  readonly argv: readonly string[];
}

function evaluate(file: string, within: Within, code = within.read(file)): Exports {
  if (code === null) throw new Error(`Cannot find module '${file}'`);
  const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
  const body = code
    .replaceAll(/^import '([^']+)';$/gm, "$import('$1');")
    .replaceAll(/^import (.+) from '([^']+)';$/gm, "const $1 = $import('$2', '$1');")
    .replaceAll(/^export /gm, '');
  const filename = join(within.cwd, file);
  const packages: Readonly<Record<string, unknown>> = {
    'node:assert/strict': assert,
    'node:fs': within.fs,
    'node:test': (title: string, body: () => void) => within.test(title, body, filename),
  };
  const load = (from: string, wanted = ''): unknown => {
    if (from in packages) return packages[from];
    const exported = evaluate(posix.join(posix.dirname(file), from), within);
    for (const [name = ''] of wanted.startsWith('{') ? wanted.matchAll(/\w+/g) : [])
      if (!(name in exported)) throw new SyntaxError(`'${from}' has no export named '${name}'`);
    return exported;
  };
  const own = {
    argv: ['node', file, ...within.argv],
    cwd: () => within.cwd,
    exit: (exitCode = 0) => {
      throw new Exit(exitCode);
    },
  };
  const given = {
    ...{ $import: load, process: own, console: { log: within.print } },
    require: (name: string) => packages[`node:${name}`],
  };
  return compileFunction(`${body}\nreturn { ${names.join(', ')} };`, Object.keys(given), {
    filename,
  })(...Object.values(given));
}

/** As `play`, in memory. @param builds as for `evaluated` */
export async function playInMemory(
  { goal, files = {}, ...said }: Played,
  builds: Builds = {},
  more: RunIn = {},
): Promise<RunResult> {
  const world = testWorld(evaluated(builds), ['node', 'npm', 'grep']);
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  return (await runIn(world, replying(said), { goal, maxRounds: 12, ...more })).result;
}
