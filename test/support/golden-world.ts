/**
 * A world in which programs of two languages are installed, the same on every machine: programs are
 * read as a few statements, and a look at a Python file is answered from its text.
 */
import type { ProcessRequest } from '../../src/processes/contract.ts';
import {
  type ScriptedProgram,
  type TestMachine,
  type TestWorld,
  testWorld,
} from './test-machine.ts';

export interface GoldenWorld extends TestWorld {
  /** Ends the process that runs now, as SIGKILL does. */
  crash(): never;
}

export type GoldenProgram = (
  world: GoldenWorld,
  args: readonly string[],
  stdin: string | undefined,
) => ReturnType<ScriptedProgram>;

export interface GoldenSetup {
  /** Names of programs that are found; left out: all that scenarios know. */
  readonly installed?: readonly string[];
  /** What a program does, `null` where its file's own statements say it. */
  readonly program?: (
    ...of: [...Parameters<GoldenProgram>, read: (path: string) => string | null]
  ) => ReturnType<GoldenProgram> | null;
}

const ALL = ['python', 'pytest', 'ruff', 'node'];

export function goldenWorld({ installed = ALL, program }: GoldenSetup): GoldenWorld {
  let machine: TestMachine | null = null;
  const world = testWorld(
    (args, stdin, read) =>
      program?.(golden, args, stdin, read) ?? speak(read(args[0] ?? ''), stdin),
  );
  const golden: GoldenWorld = {
    ...world,
    machine: () => {
      machine = withPrograms(world.machine(), new Set(installed));
      return machine;
    },
    crash: () => {
      machine?.kill();
      throw new Error('the process was killed');
    },
  };
  return golden;
}

/** `print("…")`, `console.log("…")`, `input("…")` and `raise Name("…")`, in the order they stand. */
function speak(code: string | null, stdin: string | undefined) {
  if (code === null) return { output: 'No such file or directory\n', exitCode: 2 };
  const typed = stdin?.split('\n') ?? [];
  let output = '';
  for (const [, verb = '', text = ''] of code.matchAll(
    /(print|console\.log|input|raise \w+)\("([^"]*)"\)/g,
  )) {
    if (verb === 'input' && !typed.shift())
      return failed(output + text, 'EOFError', 'EOF when reading a line');
    if (verb.startsWith('raise')) return failed(output, verb.slice(6), text);
    output += verb === 'input' ? text : `${text}\n`;
  }
  return { output, exitCode: 0 };
}

const failed = (output: string, error: string, text: string) => ({
  output: `${output}Traceback (most recent call last):\n  File "main.py", line 1, in <module>\n${error}: ${text}\n`,
  exitCode: 1,
});

function withPrograms(machine: TestMachine, installed: ReadonlySet<string>): TestMachine {
  return {
    ...machine,
    processes: (workspace, mayRun) => {
      const processes = machine.processes(workspace, mayRun);
      const programs: typeof processes.programs = {
        ...processes.programs,
        find: async (name) =>
          installed.has(name)
            ? { kind: 'found', file: name, prefix: [], notice: '' }
            : { kind: 'missing', reason: `There is no ${name}.`, hint: '' },
      };
      return {
        ...processes,
        resolve: (name) => (installed.has(name) ? name : null),
        run: async (request, hooks) => {
          const mark = markOfLook(request);
          if (mark === null) return processes.run(request, hooks);
          const report = lookAt(JSON.parse(request.stdin ?? '{}').source);
          const output = `${mark}${JSON.stringify(report)}\n`;
          return { kind: 'exited', exitCode: 0, signal: null, output, ...COST_NOTHING };
        },
        programs,
        outside: programs,
      };
    },
  };
}

const COST_NOTHING = { truncatedBytes: 0, durationMs: 0 };

/** What the report of a look at Python begins with; `null` for any other process. */
const markOfLook = ({ args }: ProcessRequest): string | null =>
  /print\("([^"]+)" \+ json\.dumps/.exec(
    args.find((one) => one.includes('json.dumps')) ?? '',
  )?.[1] ?? null;

/** The report of a look: a line that ends in `(` does not parse, one of only `...` is a stub. */
function lookAt(source: string): object {
  const lines = source.split('\n');
  const broken = lines.findIndex((line) => line.endsWith('('));
  const error =
    broken < 0
      ? null
      : { line: broken + 1, message: "'(' was never closed", text: lines[broken]?.trim() };
  const problems = lines.flatMap((line, index) =>
    line.trim() === '...' ? [`line ${index + 1}: the function is empty: write its whole body`] : [],
  );
  const defines = [...source.matchAll(/^def (\w+)\(/gm)].map(([, name]) => `${name}()`);
  const prompts = [...source.matchAll(/input\("([^"]*)"\)/g)].map(([, prompt = '']) => prompt);
  return { error, problems, defines, prompts, hasMain: source.includes('__main__') };
}
