import { jsonText } from '../../lib/text/plain-text.ts';
import type { CommandContext } from '../command-context.ts';
import { printFolded } from '../render/text/fold.ts';

/** Small words the reading commands share. */
export const wantsJson = ({ invocation }: CommandContext): boolean => invocation.json === true;

/** One JSON document on stdout; exit code 0. */
export function printJson({ terminal }: CommandContext, value: unknown): number {
  terminal.stdout.write(`${jsonText(value, 2)}\n`);
  return 0;
}

/**
 * For a folder without a run. Having nothing to show is not a failure; a command that was to do something, or to show
 * what was done, gives `EXIT.usage`: a script must not take it for done.
 */
export function printNoRun(context: CommandContext, exitCode = 0): number {
  // Where there was one, whose journal is lost, this says so.
  context.engine.readRun(context.invocation.workspace);
  if (wantsJson(context)) printJson(context, { run: null });
  else
    printFolded(
      context.terminal.stderr,
      `There is no run in this folder yet.\n  Next: ${context.terminal.program} "goal", or add --workspace FOLDER.\n`,
    );
  return exitCode;
}
