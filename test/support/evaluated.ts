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
 * What `node --import FIRST FILE` does: a file with a name in `builds` is that function, another one is evaluated. It
 * may import `node:assert/strict`, `node:test`, what `filesInMemory` has of `node:fs`, and files, and export constants
 * and functions; nothing waits. `npm` does what a script of the package says.
 */
export const evaluated =
  (builds: Builds) =>
  (
    ...[args, , read, write, , cwd, name, disk]: Parameters<ScriptedProgram>
  ): ReturnType<ScriptedProgram> => {
    const node = (words: readonly string[]): Ended => {
      const files = words
        .filter((word) => word !== '--import')
        .map((word) => posix.normalize(word));
      const tests = testsInMemory();
      const within = { read, cwd, fs: filesInMemory(disk, cwd), test: tests.test };
      try {
        for (const file of files) {
          const build = read(file) === null ? undefined : builds[file];
          if (build === undefined) evaluate(file, within);
          else build(read, write);
        }
        return tests.ended();
      } catch (error) {
        return { output: `${stackOf(error)}\n`, exitCode: 1 };
      }
    };
    return name === 'npm' ? byScript(args, read, node) : node(args);
  };

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

/** Reports as Node's own test runner does to a pipe. */
function testsInMemory() {
  const results: string[] = [];
  let failed = 0;
  return {
    test(title: string, body: () => void): void {
      const nth = results.length + 1;
      try {
        body();
        results.push(`# Subtest: ${title}\nok ${nth} - ${title}`);
      } catch (error) {
        failed += 1;
        const why = stackOf(error).replaceAll('\n', '\n    ');
        results.push(
          `# Subtest: ${title}\nnot ok ${nth} - ${title}\n  ---\n  error: |-\n    ${why}\n  ...`,
        );
      }
    },
    ended: () => ({
      output:
        results.length === 0
          ? ''
          : `TAP version 13\n${results.join('\n')}\n1..${results.length}\n# tests ${results.length}\n# pass ${results.length - failed}\n# fail ${failed}\n`,
      exitCode: failed === 0 ? 0 : 1,
    }),
  };
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? '') : String(error);

interface Within {
  /** Where the program works: stacks name its files there. */
  readonly cwd: string;
  readonly read: Read;
  readonly fs: Exports;
  readonly test: (title: string, body: () => void) => void;
}

function evaluate(file: string, within: Within): Exports {
  const code = within.read(file);
  if (code === null) throw new Error(`Cannot find module '${file}'`);
  const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
  const body = code
    .replaceAll(/^import '([^']+)';$/gm, "$import('$1');")
    .replaceAll(/^import (.+) from '([^']+)';$/gm, "const $1 = $import('$2');")
    .replaceAll(/^export /gm, '');
  const packages: Readonly<Record<string, unknown>> = {
    'node:assert/strict': assert,
    'node:fs': within.fs,
    'node:test': within.test,
  };
  const load = (from: string): unknown =>
    packages[from] ?? evaluate(posix.join(posix.dirname(file), from), within);
  const filename = join(within.cwd, file);
  const own = { cwd: () => within.cwd };
  return compileFunction(`${body}\nreturn { ${names.join(', ')} };`, ['$import', 'process'], {
    filename,
  })(load, own);
}

/** As `play`, in memory. @param builds as for `evaluated` */
export async function playInMemory(
  { goal, files = {}, ...said }: Played,
  builds: Builds = {},
  more: RunIn = {},
): Promise<RunResult> {
  const world = testWorld(evaluated(builds), ['node', 'npm']);
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  return (await runIn(world, replying(said), { goal, maxRounds: 12, ...more })).result;
}
