import * as z from 'zod';
import { splitNames } from '../calls/aliases.ts';
import { type CallArgs, zodSchema } from '../calls/args-schema.ts';
import {
  type ReadyCommand,
  type RunCmdOptions,
  readCommand,
  refuseCommand,
  workingFolder,
} from '../commands/read-command.ts';
import { runReady } from '../commands/run-ready.ts';
import { startBackground } from '../commands/start-background.ts';
import type { Aliases, CallTarget, Prepared, Tool, ToolContext } from '../contract.ts';
import { ready } from '../result.ts';

export type { RunCmdOptions } from '../commands/read-command.ts';

const MAX_TIMEOUT_SEC = 3600;

/** The limit of a command line on Windows; other systems do not accept much more. */
const MAX_COMMAND = 32_000;

const RunCmdArgs = z.object({
  cmd: z.string().max(MAX_COMMAND).describe('one program and its arguments, no shell'),
  timeout_sec: z.number().positive().max(MAX_TIMEOUT_SEC).default(120),
  stdin: z.string().optional().describe('what the program reads as input, one line per question'),
  env: z.record(z.string(), z.string()).describe('variables beside the usual ones').optional(),
  cwd: z.string().describe('folder to work in').optional(),
  background: z.boolean().describe('do not wait for its end: a server').optional(),
});
type RunCmdArgs = z.infer<typeof RunCmdArgs>;
const ARGS = zodSchema(RunCmdArgs);

const OTHERS_OF_CWD = splitNames('workdir working_directory working_dir dir directory folder');

/** All names that a model may give to the folder of a command. */
export const NAMES_OF_CWD: readonly string[] = ['cwd', ...OTHERS_OF_CWD];

const ALIASES: Aliases = {
  called: splitNames('shellexec bash runcommand'),
  names: splitNames(
    'bash shell sh exec execute executecommand runcommand runshellcommand terminal',
  ),
  args: {
    cmd: splitNames('command command_line shell_command'),
    timeout_sec: splitNames('timeout timeout_seconds timeout_s'),
    stdin: ['input'],
    background: splitNames('run_in_background is_background detach'),
    cwd: OTHERS_OF_CWD,
  },
};

/** Runs one program without a shell, with limits for time and output, and ends its whole tree with it. */
export function runCmdTool(options: RunCmdOptions): Tool<RunCmdArgs> {
  return {
    name: 'run_cmd',
    description:
      'Run one program in the workspace folder, without a shell (no pipes, no &&), and show what it prints.',
    args: ARGS,
    argsForCalls: ['cwd', 'background'],
    alone: { leftOut: ['background'] },
    touches: 'process',
    afterCrash: 'unknown',
    does: 'runs_commands',
    constrained: { args: { cmd: 'cmd', stdin: 'stdin' }, optional: ['stdin'] },
    inPlan: { target: 'cmd', args: ['stdin'], place: 4 },
    aliases: ALIASES,
    target: commandIn,
    prepare: async (args, context, line) => {
      const command = await readCommand(args, context, options, line);
      if ('kind' in command) return command;
      if (args.background === true) return preparedBackground(args.cmd, command, context, options);
      return ready((hooks) => runReady(command, context, options, hooks));
    },
  };
}

function commandIn({ cmd, cwd, background }: CallArgs): CallTarget | null {
  const folder = workingFolder(cwd);
  if (typeof cmd !== 'string') return null;
  const where = folder === undefined ? {} : { folder };
  const how = background === true ? { isLeftRunning: true as const } : {};
  return { kind: 'command', text: cmd, ...where, ...how };
}

function preparedBackground(
  cmd: string,
  command: ReadyCommand,
  context: ToolContext,
  options: RunCmdOptions,
): Prepared {
  const { background } = context;
  const refusal =
    background === undefined ? 'Nothing can run in the background here.' : background.refusal();
  if (background === undefined || refusal !== null)
    return refuseCommand(`${refusal} Leave background out to wait for its end.`);
  return ready((hooks) => startBackground(cmd, command, background, { context, options, hooks }));
}
