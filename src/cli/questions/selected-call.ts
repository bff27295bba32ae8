import { misuse } from '../../lib/errors.ts';
import { visible } from '../../lib/text/visible.ts';
import type { PermissionRequest } from '../../schema/journal/permissions.ts';
import { callLabel } from '../../shown/calls.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { cut } from '../render/text/text.ts';

type AskedCall = Pick<PermissionRequest, 'id' | 'tool' | 'target'>;

/**
 * The call whose id begins with `id`; `null`: the only call.
 * @param command the words before an id
 */
export function selectedCall<Call extends AskedCall>(
  open: readonly Call[],
  id: string | null,
  command: string,
): Call {
  const found = open.filter((call) => id === null || call.id.startsWith(id));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (open.length === 0)
    throw misuse(
      'Nothing waits for an answer here.',
      'If the run is in another folder, add --workspace.',
    );
  const list = (found.length === 0 ? open : found).map(
    (call) => [`${command} ${call.id.slice(0, 8)}`, `(${askedCallLine(call)})`] as const,
  );
  throw usageError(
    found.length === 0 ? `No call ${id} waits for an answer.` : 'More than one call waits.',
    `Name one: ${list.map(([words, call]) => `${AGENT} ${words} ${call}`).join(', ')}`,
  );
}

export const askedCallLine = (call: AskedCall): string => cut(visible(callLabel(call)), 200);
