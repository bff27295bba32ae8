import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { CommandSeen } from '../languages/command-seen.ts';
import { asksForInput, commandHint } from '../languages/hints.ts';
import { failingTests, foundNoTests } from '../languages/test-output.ts';
import { workspaceNames } from '../languages/workspace-names.ts';
import { splitCommand } from '../processes/argv.ts';
import type { ProcessOutcome } from '../processes/contract.ts';
import type { Programs } from '../processes/system-processes.ts';
import type { ActionStatus, ToolResult } from '../schema/actions.ts';
import { judgeCommandLine, ruleName } from './command-policy.ts';
import type { PerformHooks, Prepared, Tool, ToolContext } from './contract.ts';
import { leadsOutside } from './leads-outside.ts';
import { failed } from './result.ts';
import { truncateMiddle } from './truncate.ts';

const MAX_TIMEOUT_SEC = 3600;
/** Of a program's output this much is kept for the record; the model sees `maxResultChars` of it. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

const RunCmdArgs = z.object({
  cmd: z.string().describe('one program and its arguments, no shell'),
  timeout_sec: z.number().positive().max(MAX_TIMEOUT_SEC).default(120),
  stdin: z.string().optional().describe('what the program reads as input, one line per question'),
});
type RunCmdArgs = z.infer<typeof RunCmdArgs>;

export interface RunCmdOptions {
  readonly programs: Programs;
  /** One word for the state of the workspace; equal before and after means nothing changed. */
  fingerprint(): string;
}

/** Runs one program: no shell, bounded in time and output, its whole tree ended with it. */
export function runCmdTool(options: RunCmdOptions): Tool<typeof RunCmdArgs> {
  return {
    name: 'run_cmd',
    description:
      'Run one program in the workspace folder, without a shell (no pipes, no &&), and show what it prints.',
    class: 'command',
    args: RunCmdArgs,
    prepare: async (args, context) => {
      const command = await readCommand(args, context, options);
      if ('kind' in command) return command;
      return {
        kind: 'ready',
        files: [],
        perform: async (hooks) => (await perform(command, context, options, hooks)).result,
      };
    },
  };
}

export interface CheckedCommand {
  readonly status: ActionStatus;
  readonly exitCode: number | null;
  /** What the program printed, all of it that was kept. */
  readonly output: string;
  /** What the model would be told: exit code, output, hint, or why nothing ran. */
  readonly content: string;
}

/** Runs a command for a check or a proof: same rules, same limits, and the bare output beside. */
export async function runCheckCommand(
  args: { readonly cmd: string; readonly stdin?: string | undefined; readonly timeoutSec?: number },
  context: ToolContext,
  options: RunCmdOptions,
  hooks: PerformHooks,
): Promise<CheckedCommand> {
  const { cmd, stdin, timeoutSec } = args;
  const parsed = RunCmdArgs.parse({ cmd, stdin, timeout_sec: timeoutSec });
  const command = await readCommand(parsed, context, options);
  if ('kind' in command) {
    const { status, content } = command.result;
    return { status, exitCode: null, output: '', content };
  }
  const { result, output } = await perform(command, context, options, hooks);
  return {
    status: result.status,
    exitCode: result.facts?.exitCode ?? null,
    output,
    content: result.content,
  };
}

/** A command line that may be run: what it is for the hints, and how it is started. */
interface Ready {
  readonly seen: Pick<CommandSeen, 'program' | 'args' | 'timeoutSec' | 'stdinGiven' | 'unexpanded'>;
  readonly file: string;
  readonly args: readonly string[];
  readonly notice: string;
  readonly stdin: string | undefined;
}

async function readCommand(
  args: RunCmdArgs,
  context: ToolContext,
  options: RunCmdOptions,
): Promise<Ready | Refused> {
  const { platform } = context.processes;
  const split = splitCommand(args.cmd, platform);
  if (!split.ok) return refuse(`${split.reason} ${split.hint}`);
  const verdict = judgeCommandLine(split, {
    platform,
    allow: context.allow,
    isOutside: (path) => leadsOutside(path, context),
  });
  if (verdict.kind === 'deny') return refuse(`${verdict.reason} ${verdict.hint}`.trim(), 'denied');
  const program = await options.programs.find(split.program);
  if (program.kind !== 'found') {
    return refuse(
      `${program.reason} ${program.hint}`,
      program.kind === 'refused' ? 'denied' : 'error',
    );
  }
  return {
    seen: {
      program: ruleName(split.program, platform),
      args: split.args,
      timeoutSec: args.timeout_sec,
      stdinGiven: args.stdin !== undefined && args.stdin !== '',
      unexpanded: split.unexpanded,
    },
    file: program.file,
    args: [...program.prefix, ...split.args],
    notice: program.notice,
    stdin: endLine(args.stdin),
  };
}

type Refused = Extract<Prepared, { kind: 'refused' }>;

const refuse = (content: string, status: ActionStatus = 'error'): Refused => ({
  kind: 'refused',
  result: failed(content, status),
});

/** Programs that read lines wait for the end of the last one. */
const endLine = (stdin: string | undefined): string | undefined =>
  stdin === undefined || stdin === '' || stdin.endsWith('\n') ? stdin : `${stdin}\n`;

async function perform(
  ready: Ready,
  context: ToolContext,
  options: RunCmdOptions,
  hooks: PerformHooks,
): Promise<{ readonly result: ToolResult; readonly output: string }> {
  const before = options.fingerprint();
  const outcome = await context.processes.run(
    {
      file: ready.file,
      args: ready.args,
      cwd: context.workspace,
      env: options.programs.environment(),
      ...(ready.stdin === undefined ? {} : { stdin: ready.stdin }),
      timeoutMs: ready.seen.timeoutSec * 1000,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    },
    hooks,
  );
  const changed = options.fingerprint() !== before;
  // Colours and cursor movements mean nothing to a model.
  const output = stripVTControlCharacters(outcome.output);
  return { result: describe(ready, { ...outcome, output }, changed, context), output };
}

function describe(
  ready: Ready,
  outcome: ProcessOutcome,
  changed: boolean,
  context: ToolContext,
): ToolResult {
  const { output } = outcome;
  const seen: CommandSeen = {
    ...ready.seen,
    kind: outcome.kind === 'timeout' ? 'timeout' : 'exited',
    exitCode: outcome.exitCode,
    output,
  };
  const wentWell = outcome.kind === 'exited' && outcome.exitCode === 0;
  const known = wentWell
    ? { definitions: [], files: [] }
    : workspaceNames(context.fs, context.workspace);
  const wasRun = outcome.kind === 'exited' || outcome.kind === 'timeout';
  const hint = wasRun ? commandHint(seen, known) : null;
  const prompt = wasRun ? asksForInput(seen) : null;
  const failing = wasRun && !wentWell ? failingTests(output) : null;
  const cmd = [ready.seen.program, ...ready.seen.args].join(' ');
  const noTests = wasRun && foundNoTests(cmd, output, outcome.exitCode);
  const first = [ready.notice, headline(outcome, ready)].filter((line) => line !== '').join('\n');
  const last = hint === null ? '' : `\nHint: ${hint}`;
  const room = Math.max(200, context.maxResultChars - first.length - last.length - 1);
  const shown = output.trim() === '' ? '(it printed nothing)' : output.trimEnd();
  const cut = truncateMiddle(shown, room);
  return {
    status: statusOf(outcome),
    content: `${first}\n${cut}${last}`,
    ...(cut === shown ? {} : { fullContent: `${first}\n${shown}${last}` }),
    facts: {
      exitCode: outcome.exitCode,
      durationMs: outcome.durationMs,
      changed,
      ...(prompt === null ? {} : { asksForInput: prompt }),
      ...(failing === null ? {} : { failingTests: failing }),
      ...(noTests ? { testsRan: 'none' } : {}),
    },
  };
}

function headline(outcome: ProcessOutcome, ready: Ready): string {
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
  if (outcome.kind === 'timeout' || outcome.kind === 'cancelled') return outcome.kind;
  return outcome.kind === 'exited' && outcome.exitCode === 0 ? 'ok' : 'error';
}
