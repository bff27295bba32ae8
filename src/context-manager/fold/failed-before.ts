// Commands that failed before the run had changed anything; pure.
import { withEntries } from '../../lib/own.ts';
import type { ActionFacts } from '../../schema/actions.ts';
import type { RunState } from '../../schema/state.ts';

const FAILED_BEFORE_KEPT = 8;

/** The first time counts: it is how the run found things. */
export function failedBefore(
  { failedBefore: known = {} }: RunState,
  cmd: string,
  { exitCode, failing }: ActionFacts,
): Pick<RunState, 'failedBefore'> {
  const isNew = failing !== undefined && typeof exitCode === 'number' && !Object.hasOwn(known, cmd);
  if (!isNew || Object.keys(known).length >= FAILED_BEFORE_KEPT) return {};
  return { failedBefore: withEntries(known, [[cmd, { exitCode, failing }]]) };
}
