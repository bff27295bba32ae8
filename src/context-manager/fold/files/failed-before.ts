// Commands that failed before the run had changed anything. Pure.
import { withEntries } from '../../../lib/own.ts';
import type { ActionFacts } from '../../../schema/actions.ts';
import { AS_FOUND } from '../../../schema/evidence.ts';
import type { RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import type { CommandFact } from '../../../schema/state-parts/run-facts.ts';

const FAILED_BEFORE_KEPT = 8;

/** The first result counts, because it shows how the run found things. */
export function failedBefore(
  { failedBefore: known = {} }: RunState,
  cmd: string,
  { exitCode, failing }: ActionFacts,
): Pick<RunState, 'failedBefore'> {
  const isNew = failing !== undefined && typeof exitCode === 'number' && !Object.hasOwn(known, cmd);
  if (!isNew || Object.keys(known).length >= FAILED_BEFORE_KEPT) return {};
  return { failedBefore: withEntries(known, [[cmd, { exitCode, failing }]]) };
}

/**
 * Records the result of a checker or test run for the original files when its first run came after a change.
 * Its current result is compared with that.
 */
export function foldAsFound(
  state: RunState,
  { check, facts, scratch }: RecordOf<'check_ran'>,
): Pick<RunState, 'failedBefore' | 'commands'> {
  const { commands, failedBefore = {} } = state;
  if (scratch?.what !== AS_FOUND || !('cmd' in check)) return { commands };
  const { exitCode = NOT_TOLD, failing = [] } = facts;
  const isAsBefore = (one: CommandFact): boolean =>
    one.cmd === check.cmd &&
    one.exitCode === exitCode &&
    one.failingNow?.every((failed) => failing.includes(failed)) === true;
  return {
    failedBefore: withEntries(failedBefore, [
      [check.cmd, { exitCode: exitCode ?? NOT_TOLD, failing }],
    ]),
    commands: commands.map((one) => (isAsBefore(one) ? { ...one, asBefore: true } : one)),
  };
}

/** No command ends with this code. */
const NOT_TOLD = -1;

/** True when the earlier result of a command may still be determined. */
export const mayLookAsFound = ({ failedBefore = {} }: RunState, cmd: string): boolean =>
  !Object.hasOwn(failedBefore, cmd) && Object.keys(failedBefore).length < FAILED_BEFORE_KEPT;
