/**
 * A line for the system's shell. Off unless a person has enabled it for this run: every call asks, no rule
 * allows one, and a denied part of a line stays denied. A shell line is never a proof.
 */
import * as z from 'zod';
import { splitNames } from '../calls/aliases.ts';
import { zodSchema } from '../calls/args-schema.ts';
import { type ReadyCommand, type RunCmdOptions, refuseCommand } from '../commands/read-command.ts';
import { runReady } from '../commands/run-ready.ts';
import type { Tool, ToolContext } from '../contract.ts';
import { ready } from '../result.ts';
import { targetFromArgument } from '../toolset.ts';

const MAX_TIMEOUT_SEC = 3600;
const MAX_LINE = 32_000;

const Args = z.object({
  line: z.string().min(1).max(MAX_LINE),
  timeout_sec: z.number().positive().max(MAX_TIMEOUT_SEC).default(120),
});
const ARGS = zodSchema(Args);
type Args = z.infer<typeof Args>;

export const shellTool = (options: RunCmdOptions): Tool<Args> => ({
  name: 'shell',
  description:
    'Run a line of the system shell: sh, or PowerShell on Windows. The user is asked each time, so use run_cmd where it does.',
  args: ARGS,
  touches: 'process',
  afterCrash: 'unknown',
  needs: { calls: true },
  alwaysAsks: true,
  onlyWith: 'shell',
  aliases: {
    args: { line: splitNames('cmd command script'), timeout_sec: splitNames('timeout timeout_s') },
  },
  target: targetFromArgument('line', 'shell'),
  prepare: async (args, context) => {
    if (args.line.includes('\0')) return refuseCommand('The line holds a NUL.');
    const line = await readyLine(args, context, options);
    if (typeof line === 'string') return refuseCommand(line);
    return ready((hooks) => runReady(line, context, options, hooks));
  },
});

/** Only the shell interprets the line: on Windows it is encoded so that no program splits it. */
async function readyLine(
  { line, timeout_sec }: Args,
  { processes, workspace }: ToolContext,
  { programs }: RunCmdOptions,
): Promise<ReadyCommand | string> {
  const seen = { args: [], timeoutSec: timeout_sec, hasStdin: false, unexpanded: [] };
  const rest = { cwd: workspace, env: {}, notice: '', stdin: undefined };
  if (processes.platform !== 'win32')
    return { seen: { ...seen, program: 'sh' }, file: '/bin/sh', args: ['-c', line], ...rest };
  const found = await programs.find('powershell');
  if (found.kind !== 'found') return `${found.reason} ${found.hint}`;
  const code = Buffer.from(line, 'utf16le').toString('base64');
  const args = ['-NoProfile', '-NonInteractive', '-EncodedCommand', code];
  return { seen: { ...seen, program: 'powershell' }, file: found.file, args, ...rest };
}
