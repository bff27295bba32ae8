import type { TardigradeError } from '../../lib/errors.ts';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../process/program-name.ts';
import { isYes } from '../questions/is-yes.ts';
import { printFolded } from '../render/text/fold.ts';

/**
 * Shows what would be done and asks for a yes; true if the person agreed beforehand. If nobody can be asked it throws
 * `unasked`.
 */
export async function agrees(
  { invocation, terminal }: CommandContext,
  {
    text,
    question,
    unasked,
  }: { readonly text: string; readonly question: string; readonly unasked: TardigradeError },
): Promise<boolean> {
  if (invocation.yes === true) return true;
  printFolded(terminal.stderr, text);
  if (!terminal.stdinIsTerminal || !terminal.stderr.isTerminal) throw unasked;
  const answer = await terminal.ask(`${question} [y/N] `);
  if (isYes(answer)) return true;
  terminal.stderr.write('Nothing was changed.\n');
  return false;
}

/** A title with the lines below it; nothing if there are no lines. */
export const list = (
  title: string,
  lines: readonly string[],
  clean: (line: string) => string,
): string[] => (lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${clean(line)}`)]);

export const nobodyToAsk = (
  code: 'E_USAGE' | 'E_JOURNAL_CORRUPT',
  what: string,
  next: string,
): CommandError => new CommandError(code, `${what}, and there is nobody to ask here.`, next);
