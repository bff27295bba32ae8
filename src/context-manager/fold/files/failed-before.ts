// Commands that failed before the run had changed anything; pure.
import { withEntries } from '../../../lib/own.ts';
import type { ActionFacts } from '../../../schema/actions.ts';
import { AS_FOUND } from '../../../schema/evidence.ts';
import type { RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import type { CommandFact } from '../../../schema/state-parts/run-facts.ts';

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

/** A checker that was first run behind a change is told of the files as they were: what it says now is held against that. */
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

/** No command ends so. */
const NOT_TOLD = -1;

/** Whether it may still be asked how a checker was before. */
export const mayLookAsFound = ({ failedBefore = {} }: RunState, cmd: string): boolean =>
  !Object.hasOwn(failedBefore, cmd) && Object.keys(failedBefore).length < FAILED_BEFORE_KEPT;
