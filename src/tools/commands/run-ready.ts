/** Runs a parsed command to its end, its time limit or the end of the run. */

import type { ToolResult } from '../../schema/actions.ts';
import { OUTPUT_BYTES } from '../../schema/config.ts';
import type { PerformHooks, ToolContext } from '../contract.ts';
import { commandOutcome } from './command-outcome.ts';
import type { ReadyCommand, RunCmdOptions } from './read-command.ts';

/** How much of stdout and of stderr is kept separately. */
const MAX_STREAM_BYTES = 200 * 1024;

export async function runReady(
  ready: ReadyCommand,
  context: ToolContext,
  options: RunCmdOptions,
  hooks: PerformHooks,
): Promise<ToolResult> {
  const outcome = await context.processes.run(
    {
      file: ready.file,
      args: ready.args,
      cwd: ready.cwd,
      env: { ...options.programs.environment(), ...context.variables, ...ready.env },
      ...(ready.stdin === undefined ? {} : { stdin: ready.stdin }),
      timeoutMs: ready.seen.timeoutSec * 1000,
      maxOutputBytes: context.maxOutputBytes ?? OUTPUT_BYTES.command,
      maxStreamBytes: MAX_STREAM_BYTES,
      ...(hooks.isUnsandboxed ? { isUnsandboxed: true } : {}),
    },
    hooks,
  );
  return commandOutcome(ready, outcome, context, hooks.id ?? '');
}
