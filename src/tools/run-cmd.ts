import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import type { CommandSeen } from '../languages/command-seen.ts';
import { asksForInput, commandHint } from '../languages/hints.ts';
import { programName } from '../languages/program-name.ts';
import { failingTests, foundNoTests, testsTold } from '../languages/test-output.ts';
import { runsTests } from '../languages/test-runs.ts';
import { workspaceNames } from '../languages/workspace-names.ts';
import type { ProcessOutcome } from '../processes/contract.ts';
import type { Programs } from '../processes/system-processes.ts';
import type { ActionFacts, ActionStatus, ToolResult } from '../schema/actions.ts';
import { isInside } from '../workspace/jail.ts';
import { namesOf } from './aliases.ts';
import { zodSchema } from './args-schema.ts';
import type { Aliases, PerformHooks, Prepared, Tool, ToolContext } from './contract.ts';
import { cutOutput } from './cut-output.ts';
import { failed } from './result.ts';
import { splitCommand } from './split-command.ts';
import type { AskProgram, Start } from './start.ts';
import { targetIn } from './toolset.ts';
import { refusedVariables } from './variables.ts';
import { wallNotice } from './wall-notice.ts';

const MAX_TIMEOUT_SEC = 3600;
/** Of a program's output this much is kept for the record; the model sees `maxResultChars` of it. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Of stdout and of stderr this much is kept apart. */
const MAX_STREAM_BYTES = 200 * 1024;

/** What Windows takes of a command line, and no system takes much more of. */
const MAX_COMMAND = 32_000;

const RunCmdArgs = z.object({
  cmd: z.string().max(MAX_COMMAND).describe('one program and its arguments, no shell'),
  timeout_sec: z.number().positive().max(MAX_TIMEOUT_SEC).default(120),
  stdin: z.string().optional().describe('what the program reads as input, one line per question'),
  env: z.record(z.string(), z.string()).describe('variables beside the usual ones').optional(),
});
type RunCmdArgs = z.infer<typeof RunCmdArgs>;

const ALIASES: Aliases = {
  called: namesOf('shellexec bash runcommand'),
  names: namesOf('bash shell sh exec execute executecommand runcommand runshellcommand terminal'),
  args: {
    cmd: namesOf('command command_line shell_command'),
    timeout_sec: namesOf('timeout timeout_seconds timeout_s'),
    stdin: ['input'],
  },
};

export interface RunCmdOptions {
  readonly programs: Programs;
  /** How programs are started that are only harmless when they are started so. */
  readonly startOf?: Start;
}

/** Runs one program: no shell, bounded in time and output, its whole tree ended with it. */
export function runCmdTool(options: RunCmdOptions): Tool<RunCmdArgs> {
  return {
    name: 'run_cmd',
    description:
      'Run one program in the workspace folder, without a shell (no pipes, no &&), and show what it prints.',
    args: zodSchema(RunCmdArgs),
    touches: 'process',
    settles: 'unknown',
    does: 'runs_commands',
    inPlan: { target: 'cmd', args: ['stdin'] },
    aliases: ALIASES,
    target: targetIn('cmd', 'command'),
    prepare: async (args, context) => {
      const command = await readCommand(args, context, options);
      if ('kind' in command) return command;
      return {
        kind: 'ready',
        files: [],
        perform: (hooks) => perform(command, context, options, hooks),
      };
    },
  };
}

/** A command line that may be run: what it is for the hints, and how it is started. */
interface Ready {
  readonly seen: Pick<CommandSeen, 'program' | 'args' | 'timeoutSec' | 'stdinGiven' | 'unexpanded'>;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly notice: string;
  readonly stdin: string | undefined;
}

async function readCommand(
  args: RunCmdArgs,
  context: ToolContext,
  options: RunCmdOptions,
): Promise<Ready | Refused> {
  const { platform } = context.processes;
  const variables = args.env === undefined ? null : refusedVariables(args.env);
  if (variables !== null) return refuse(variables, 'denied');
  const split = splitCommand(args.cmd, platform);
  if (!split.ok) return refuse(`${split.reason} ${split.hint}`);
  const program = await options.programs.find(split.program);
  if (program.kind !== 'found') {
    return refuse(
      `${program.reason} ${program.hint}`,
      program.kind === 'refused' ? 'denied' : 'error',
    );
  }
  const name = programName(split.program, platform);
  const { file, prefix } = program;
  const asked = askProgram({ file, prefix }, context, options);
  const isOutside = (path: string): boolean => liesOutside(path, context);
  const start = await options.startOf?.({ name, args: split.args, platform, isOutside }, asked);
  if (start?.kind === 'refused') return refuse(`${start.reason} ${start.hint}`, 'denied');
  const changed = start?.kind === 'changed' ? start : { args: split.args, env: {} };
  return {
    seen: {
      program: name,
      args: split.args,
      timeoutSec: args.timeout_sec,
      stdinGiven: args.stdin !== undefined && args.stdin !== '',
      unexpanded: split.unexpanded,
    },
    file,
    args: [...prefix, ...changed.args],
    // What a program is only harmless with outweighs what was asked for.
    env: { ...args.env, ...changed.env },
    notice: program.notice,
    stdin: endLine(args.stdin),
  };
}

function liesOutside(path: string, { fs, workspace }: ToolContext): boolean {
  try {
    return !isInside(workspace, fs.realpath(path), fs.platform);
  } catch {
    return true;
  }
}

const QUESTION_MS = 10_000;

/** The engine's own look: it is no command of the model, and leaves nothing behind. */
const askProgram =
  (
    { file, prefix }: { readonly file: string; readonly prefix: readonly string[] },
    { processes, workspace }: ToolContext,
    { programs }: RunCmdOptions,
  ): AskProgram =>
  (args, env) =>
    processes.run(
      {
        file,
        args: [...prefix, ...args],
        cwd: workspace,
        env: { ...programs.environment(), ...env },
        timeoutMs: QUESTION_MS,
        maxOutputBytes: MAX_OUTPUT_BYTES,
      },
      { signal: new AbortController().signal, onSpawn: () => {}, onOutput: () => {} },
    );

type Refused = Extract<Prepared, { kind: 'refused' }>;

const refuse = (content: string, status: ActionStatus = 'error'): Refused => ({
  kind: 'refused',
  result: { ...failed(content, status), facts: { notStarted: true } },
});

/** Programs that read lines wait for the end of the last one. */
const endLine = (stdin: string | undefined): string | undefined =>
  stdin === undefined || stdin === '' || stdin.endsWith('\n') ? stdin : `${stdin}\n`;

async function perform(
  ready: Ready,
  context: ToolContext,
  options: RunCmdOptions,
  hooks: PerformHooks,
): Promise<ToolResult> {
  const outcome = await context.processes.run(
    {
      file: ready.file,
      args: ready.args,
      cwd: context.workspace,
      env: { ...options.programs.environment(), ...context.variables, ...ready.env },
      ...(ready.stdin === undefined ? {} : { stdin: ready.stdin }),
      timeoutMs: ready.seen.timeoutSec * 1000,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      maxStreamBytes: MAX_STREAM_BYTES,
      ...(hooks.isOpen ? { isOpen: true } : {}),
    },
    hooks,
  );
  const told = describe(
    ready,
    { ...outcome, output: plainText(outcome.output, context) },
    context,
    hooks.id ?? '',
  );
  return { ...told, facts: { ...told.facts, ...printedApart(outcome, context) } };
}

/** Colours and cursor movements mean nothing to a model. */
function plainText(text: string, { withoutKeys }: ToolContext): string {
  const printed = stripVTControlCharacters(text);
  return withoutKeys?.(printed) ?? printed;
}

function printedApart({ streams }: ProcessOutcome, context: ToolContext): ActionFacts {
  if (streams === undefined) return {};
  const { stdout, stderr } = streams;
  const printed = {
    stdout: plainText(stdout.text, context),
    stderr: plainText(stderr.text, context),
    truncated: stdout.leftOutBytes + stderr.leftOutBytes > 0,
  };
  return { printed };
}

function describe(
  ready: Ready,
  outcome: ProcessOutcome,
  context: ToolContext,
  id: string,
): ToolResult {
  const { output } = outcome;
  const seen: CommandSeen = {
    ...ready.seen,
    kind: outcome.kind === 'timeout' ? 'timeout' : 'exited',
    exitCode: outcome.exitCode,
    output,
  };
  const isServing = outcome.isServing === true;
  const wentWell = isServing || (outcome.kind === 'exited' && outcome.exitCode === 0);
  const known = wentWell
    ? { definitions: [], files: [] }
    : workspaceNames(context.fs, context.workspace);
  const wasRun = outcome.kind === 'exited' || outcome.kind === 'timeout';
  const hint = wasRun && !isServing ? commandHint(seen, known) : null;
  const prompt = wasRun && !isServing ? asksForInput(seen) : null;
  const failing = wasRun && !wentWell ? failingTests(output) : null;
  const cmd = [ready.seen.program, ...ready.seen.args].join(' ');
  const told = wasRun && runsTests(cmd) ? testsTold(output) : null;
  const noTests = wasRun && foundNoTests(cmd, output, outcome.exitCode);
  const walled = wallNotice(outcome, wentWell);
  const first = [ready.notice, ...walled, headline(outcome, ready)].filter(Boolean).join('\n');
  const last = hint === null ? '' : `\nHint: ${hint}`;
  const room = Math.max(200, context.maxResultChars - first.length - last.length - 1);
  const shown = output.trim() === '' ? '(it printed nothing)' : output.trimEnd();
  const before = first.split('\n').length;
  const readOn = (from: number): string =>
    (id === '' ? undefined : context.readOn?.(id, before + from)) ?? '';
  const cut = cutOutput(shown, room, readOn);
  return {
    status: statusOf(outcome),
    content: `${first}\n${cut}${last}`,
    ...(cut === shown ? {} : { fullContent: `${first}\n${shown}${last}` }),
    output,
    ending: first,
    ...(hint === null ? {} : { hint }),
    facts: {
      exitCode: outcome.exitCode,
      durationMs: outcome.durationMs,
      ...(outcome.kind === 'spawn_failed' ? { notStarted: true } : {}),
      ...(prompt === null ? {} : { asksForInput: prompt }),
      ...(failing === null ? {} : { failingTests: failing }),
      ...(told === null ? {} : { tests: told }),
      ...(noTests ? { testsRan: 'none' } : {}),
    },
  };
}

function headline(outcome: ProcessOutcome, ready: Ready): string {
  if (outcome.isServing)
    return `still serving after ${ready.seen.timeoutSec} s: it waits for connections, so it did not fail; it was ended, with everything it had started`;
  switch (outcome.kind) {
    case 'exited':
      return outcome.exitCode === null
        ? `ended by signal ${outcome.signal ?? 'unknown'}`
        : `exit code ${outcome.exitCode}`;
    case 'timeout':
      return `timed out after ${ready.seen.timeoutSec} s; it was ended, with everything it had started`;
    case 'cancelled':
      return 'cancelled; it was ended, with everything it had started';
    case 'spawn_failed':
      return `could not be started: ${outcome.error ?? 'unknown reason'}`;
    default:
      return outcome.kind satisfies never;
  }
}

function statusOf(outcome: ProcessOutcome): ActionStatus {
  if (outcome.isServing) return 'ok';
  if (outcome.kind === 'timeout' || outcome.kind === 'cancelled') return outcome.kind;
  return outcome.kind === 'exited' && outcome.exitCode === 0 ? 'ok' : 'error';
}
