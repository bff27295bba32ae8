/** Programs of JavaScript that run in the memory of a test: a play of them takes a tenth of the time of real ones. */
import assert from 'node:assert/strict';
import { join, posix } from 'node:path';
import { compileFunction } from 'node:vm';
import type { RunResult } from '../../src/agent.ts';
import { type Played, replying } from './play.ts';
import { type RunIn, runIn } from './run-in.ts';
import { type ScriptedProgram, testWorld } from './test-machine.ts';

export type Read = (path: string) => string | null;
export type Write = (path: string, text: string) => void;
export type Builds = Readonly<Record<string, (read: Read, write: Write) => void>>;
type Exports = Readonly<Record<string, unknown>>;

/**
 * What `node FILE` does: a file with a name in `builds` is that function, another one is evaluated. It may
 * import `node:assert/strict`, `node:test`, `readFileSync` and files, and export constants and functions; nothing waits.
 */
export const evaluated =
  (builds: Builds) =>
  (...[args, , read, write, , cwd]: Parameters<ScriptedProgram>): ReturnType<ScriptedProgram> => {
    const file = args[0] ?? '';
    const tests = testsInMemory();
    try {
      const build = read(file) === null ? undefined : builds[file];
      if (build === undefined) evaluate(file, { read, cwd, test: tests.test });
      else build(read, write);
      return tests.ended();
    } catch (error) {
      return { output: `${stackOf(error)}\n`, exitCode: 1 };
    }
  };

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
    'node:fs': { readFileSync: within.read },
    'node:test': within.test,
  };
  const load = (from: string): unknown =>
    packages[from] ?? evaluate(posix.join(posix.dirname(file), from), within);
  const filename = join(within.cwd, file);
  return compileFunction(`${body}\nreturn { ${names.join(', ')} };`, ['$import'], { filename })(
    load,
  );
}

/** As `play`, in memory. @param builds as for `evaluated` */
export async function playInMemory(
  { goal, files = {}, ...said }: Played,
  builds: Builds = {},
  more: RunIn = {},
): Promise<RunResult> {
  const world = testWorld(evaluated(builds));
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  return (await runIn(world, replying(said), { goal, maxRounds: 12, ...more })).result;
}
