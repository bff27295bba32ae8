/** What a conversation reports about the run of its folder before anybody works there. */
import { runPorts } from '../context-manager/open-or-create.ts';
import { layoutOf } from '../journal/layout.ts';
import { readState } from '../journal/read-journal.ts';
import type { Machine } from '../run/machine.ts';
import { isSwapping, withheldPaths } from '../schema/journal/swap.ts';

/** A sentence or two, or ''. An unreadable journal does not concern a conversation. */
export function activeRunText({ fs, clock }: Machine, workspace: string): string {
  try {
    const read = readState(runPorts({ fs, clock, layout: layoutOf(workspace) }));
    if (read === null) return '';
    const { state } = read;
    if (isSwapping(state))
      return 'The changes of a run are half out of this folder: it was stopped while they were swapped. Its next start, an undo or applying them finishes that first.';
    const paths = [...withheldPaths(state)];
    return paths.length === 0
      ? ''
      : `The changes of the last run are withheld, since nothing proves them: ${paths.slice(0, MOST).join(', ')}${paths.length > MOST ? ` and ${paths.length - MOST} more` : ''}.`;
  } catch {
    return '';
  }
}

const MOST = 10;
