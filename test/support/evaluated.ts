/** Programs of JavaScript that run in the memory of a test: a play of them takes a tenth of the time of real ones. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
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
 * import `node:assert/strict` and files, and export constants and functions.
 */
export const evaluated =
  (builds: Builds) =>
  (...[args, , read, write]: Parameters<ScriptedProgram>): ReturnType<ScriptedProgram> => {
    const file = args[0] ?? '';
    try {
      const build = read(file) === null ? undefined : builds[file];
      if (build === undefined) evaluate(file, read);
      else build(read, write);
      return { output: '', exitCode: 0 };
    } catch (error) {
      return { output: `${String(error)}\n`, exitCode: 1 };
    }
  };

function evaluate(file: string, read: Read): Exports {
  const code = read(file);
  if (code === null) throw new Error(`Cannot find module '${file}'`);
  const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
  const body = code
    .replaceAll(/^import (.+) from '([^']+)';$/gm, "const $1 = $import('$2');")
    .replaceAll(/^export /gm, '');
  const load = (from: string): unknown =>
    from === 'node:assert/strict' ? assert : evaluate(posix.join(posix.dirname(file), from), read);
  return new Function('$import', `${body}\nreturn { ${names.join(', ')} };`)(load);
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
