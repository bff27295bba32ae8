/** Turns the arguments of a call into a command that may be started, or explains why it may not. */
import type { CommandSeen } from '../../languages/commands/command-seen.ts';
import { programName } from '../../languages/commands/program-name.ts';
import { isSecretFile } from '../../languages/files/secret-files.ts';
import { defined } from '../../lib/defined.ts';
import { isInside } from '../../lib/files/absolute-paths.ts';
import { orNull } from '../../lib/or-null.ts';
import type { Programs } from '../../processes/system-processes.ts';
import type { ActionStatus } from '../../schema/actions.ts';
import { judgePath, protectedFolder } from '../../workspace/path-rules.ts';
import type { CommandRequest, PerformHooks, ToolContext } from '../contract.ts';
import { programFrom } from '../files/in-folder.ts';
import { locatePath } from '../files/workspace-path.ts';
import { failed, type Refused } from '../result.ts';
import { type SplitCommand, splitCommand } from './split-command.ts';
import type { AskProgram, ChangeStart } from './start.ts';
import { refusedVariables } from './variables.ts';

export interface RunCmdOptions {
  readonly programs: Programs;
  /** How to start programs that are harmless only when started in a particular way. */
  readonly startOf?: ChangeStart;
}

type CommandArgs = CommandRequest & { readonly timeout_sec: number };

/** A command that may be run: what the hints need, and how it is started. */
export interface ReadyCommand {
  readonly seen: Pick<CommandSeen, 'program' | 'args' | 'timeoutSec' | 'hasStdin' | 'unexpanded'>;
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute real path. */
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  readonly notice: string;
  readonly stdin: string | undefined;
}

export const refuseCommand = (content: string, status: ActionStatus = 'error'): Refused => ({
  kind: 'refused',
  result: { ...failed(content, status), facts: { notStarted: true } },
});

/** How the command is started. */
export const startRequestOf = (
  { file, args, cwd, env, stdin }: ReadyCommand,
  { variables }: ToolContext,
  { programs }: RunCmdOptions,
  { isUnsandboxed }: PerformHooks,
) => ({
  file,
  args,
  cwd,
  env: { ...programs.environment(), ...variables, ...env },
  ...defined({ stdin, isUnsandboxed: isUnsandboxed || undefined }),
});

/** The folder of a call, relative to the workspace; left out: the workspace, or an invalid folder. */
export function workingFolder(cwd: unknown): string | undefined {
  const verdict = typeof cwd === 'string' ? judgePath(cwd) : null;
  return (verdict?.kind === 'ok' && verdict.segments.join('/')) || undefined;
}

export async function readCommand(
  args: CommandArgs,
  context: ToolContext,
  options: RunCmdOptions,
  line?: SplitCommand,
): Promise<ReadyCommand | Refused> {
  const { platform } = context.processes;
  const variables = args.env === undefined ? null : refusedVariables(args.env, context.isNamed);
  if (variables !== null) return refuseCommand(variables, 'denied');
  const cwd = folderFor(args.cwd, context);
  if (typeof cwd !== 'string') return cwd;
  const split = line ?? splitCommand(args.cmd, platform, context.background !== undefined);
  if (!split.ok) return refuseCommand(`${split.reason} ${split.hint}`);
  const program = await options.programs.find(
    programFrom(split.program, workingFolder(args.cwd), platform),
  );
  const name = programName(split.program, platform);
  if (program.kind !== 'found') {
    const isMissing = program.kind === 'missing';
    const instead = isMissing ? context.insteadOf?.(name) : '';
    return refuseCommand(
      `${program.reason} ${instead || program.hint}`,
      isMissing ? 'error' : 'denied',
    );
  }
  const { file, prefix } = program;
  const asked = askProgram({ file, prefix, cwd }, context, options);
  const isOutside = (path: string): boolean => liesOutside(path, context);
  const { mayShow = (path) => !isSecretFile(path) } = context;
  const request = { name, args: split.args, platform, cwd, isOutside, mayShow };
  const start = await options.startOf?.(request, asked);
  if (start?.kind === 'refused')
    return refuseCommand(
      `${start.reason} ${start.hint}`.trim(),
      start.isFault ? 'error' : 'denied',
    );
  const changed =
    start?.kind === 'changed' ? start : { args: split.args, env: {}, notice: undefined };
  return {
    seen: {
      program: name,
      args: split.args,
      timeoutSec: args.timeout_sec,
      hasStdin: args.stdin !== undefined && args.stdin !== '',
      unexpanded: split.unexpanded,
    },
    file,
    args: [...prefix, ...changed.args],
    cwd,
    // Variables that make a program harmless override those that were requested.
    env: { ...args.env, ...changed.env },
    notice: [program.notice, changed.notice ?? ''].filter((one) => one !== '').join('\n'),
    stdin: endLine(args.stdin),
  };
}

/** A path judged by its words must lead there, so no link may be on the way to the folder. */
function folderFor(cwd: string | undefined, context: ToolContext): string | Refused {
  if (cwd === undefined || cwd === '') return context.workspace;
  const place = locatePath(context, cwd, false);
  if (place.kind === 'no_place') return refuseCommand(place.reason);
  const { relative, absolute, info } = place;
  const folder = protectedFolder(relative.split('/'));
  if (folder !== null) return refuseCommand(`No command works in ${folder}.`, 'denied');
  if (info?.kind !== 'directory')
    return refuseCommand(`${relative} is no folder; a command works in a folder that is there.`);
  return relative === (workingFolder(cwd) ?? '.')
    ? absolute
    : refuseCommand(`${workingFolder(cwd)} is a link: name the folder itself, ${relative}.`);
}

function liesOutside(path: string, { fs, workspace }: ToolContext): boolean {
  const real = orNull(() => fs.realpath(path));
  return real === null || !isInside(workspace, real, fs.platform);
}

const QUESTION_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** A query by the engine itself: it is not the model's command, and leaves nothing behind. */
const askProgram =
  (
    {
      file,
      prefix,
      cwd,
    }: { readonly file: string; readonly prefix: readonly string[]; readonly cwd: string },
    { processes, signal = new AbortController().signal }: ToolContext,
    { programs }: RunCmdOptions,
  ): AskProgram =>
  (args, env) =>
    processes.run(
      {
        file,
        args: [...prefix, ...args],
        cwd,
        env: { ...programs.environment(), ...env },
        timeoutMs: QUESTION_MS,
        maxOutputBytes: MAX_ANSWER_BYTES,
      },
      { signal, onSpawn: () => {}, onOutput: () => {} },
    );

/** Programs that read lines wait for the end of the last one. */
const endLine = (stdin: string | undefined): string | undefined =>
  stdin === undefined || stdin === '' || stdin.endsWith('\n') ? stdin : `${stdin}\n`;
