/** Describes the conversations of a folder that cannot continue as they are. Opens and changes none. */

import { TardigradeError } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { damageOf, type SessionListing, shownSessions } from '../../sessions/places.ts';
import type { CommandContext } from '../command-context.ts';
import { nextStepText } from '../command-line/option-flags.ts';
import { commandToPaste } from '../process/program-name.ts';
import { printFolded } from '../render/text/fold.ts';
import { oneLine } from '../render/text/text.ts';

export interface DamagedSession {
  /** A sentence. */
  readonly what: string;
  readonly next: string;
}

type Context = Pick<CommandContext, 'terminal' | 'invocation'>;

/** Reads each conversation as opening it would. */
export function readableSessions({ terminal, invocation }: Context) {
  const { workspace } = invocation;
  const damaged: DamagedSession[] = [];
  const all = shownSessions(nodeFileSystem, workspace).map((session): SessionListing => {
    const error = damageOf(nodeFileSystem, workspace, session);
    const { id, name, number, problem } = session;
    if (error === null && problem === '') return session;
    const called = name === null ? `${number ?? id}` : `"${oneLine(name)}"`;
    // Records before the damage count only if the first record is readable.
    const isSome = error?.code === 'E_JOURNAL_CORRUPT' && problem === '';
    damaged.push({
      what:
        error === null
          ? `The conversation ${called} is not where it was: ${problem}.`
          : `The conversation ${called} cannot continue: ${error.message}`,
      next: isSome
        ? `${commandToPaste(terminal, ['export', id])} > saved.jsonl, then ${terminal.program} chat --load saved.jsonl`
        : error === null
          ? 'Move its folder away.'
          : nextStepText(error, terminal.program),
    });
    return { ...session, status: 'damaged', problem: error?.message ?? problem };
  });
  return { all, damaged };
}

export function tellDamaged({ terminal }: Context, damaged: readonly DamagedSession[]): void {
  for (const { what, next } of damaged)
    printFolded(terminal.stderr, `${oneLine(what)}\n  Next: ${next}\n`);
}

/** Called by a command about runs after its work: the damage must not make it fail. */
export function tellOfDamaged(context: Context): void {
  try {
    tellDamaged(context, readableSessions(context).damaged);
  } catch (error) {
    if (!(error instanceof TardigradeError)) throw error;
    printFolded(
      context.terminal.stderr,
      `The conversations could not be checked: ${oneLine(error.message)}\n`,
    );
  }
}
