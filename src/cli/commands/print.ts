import { orOnRefusal } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { jsonText } from '../../lib/text/plain-text.ts';
import { shownSessions } from '../../sessions/places.ts';
import type { CommandContext } from '../command-context.ts';
import { printFolded } from '../render/text/fold.ts';

/** Small helpers that the reading commands share. */
export const wantsJson = ({ invocation }: CommandContext): boolean => invocation.json === true;

/** Prints one JSON document on stdout; exit code 0. */
export function printJson({ terminal }: CommandContext, value: unknown): number {
  terminal.stdout.write(`${jsonText(value, 2)}\n`);
  return 0;
}

/**
 * For a folder without a run. Having nothing to show is not a failure. A command that should change
 * something, or show a change, returns `EXIT.usage`, so that a script does not count it as done.
 */
export function printNoRun(context: CommandContext, exitCode = 0): number {
  // If there was a run whose journal is lost, this throws and says so.
  context.engine.readRun(context.invocation.workspace);
  if (wantsJson(context)) printJson(context, { run: null });
  else
    printFolded(
      context.terminal.stderr,
      `There is no run in this folder yet.${besideRuns(context)}\n  Next: ${context.terminal.program} "goal", or add --workspace FOLDER.\n`,
    );
  return exitCode;
}

/** Names the conversations of the folder: a person who only talked here may take one for a run. */
function besideRuns({ terminal, invocation }: CommandContext): string {
  const sessions = () => shownSessions(nodeFileSystem, invocation.workspace);
  const { length } = orOnRefusal(sessions, () => []);
  return length === 0 ? '' : ` Its conversations: ${terminal.program} sessions`;
}
