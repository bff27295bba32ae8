/** Decides whether a command fails as it did before the run changed anything. Pure. */
import { onlyChecks } from '../languages/commands/allowed-commands.ts';
import { runsTests } from '../languages/testing/test-runs.ts';
import { whatFails } from '../languages/testing/what-fails.ts';
import { own } from '../lib/own.ts';
import { sha256 } from '../lib/sha256.ts';
import type { ActionFacts } from '../schema/actions.ts';
import type { RunState } from '../schema/state.ts';

interface FailedCommand {
  readonly cmd: string;
  readonly exitCode: number | null;
  readonly output: string;
  /** The folder it ran in. */
  readonly folder: string;
}

/** Until the first change, records how the command fails. After it, compares each failure with that record. */
export function comparedToBefore(
  { changedAt, failedBefore = {} }: Pick<RunState, 'changedAt' | 'failedBefore'>,
  { cmd, exitCode, output, folder }: FailedCommand,
): Pick<ActionFacts, 'failing' | 'failingNow' | 'asBefore'> {
  if (exitCode === null || exitCode === 0) return {};
  const failing = failingIn(output, folder);
  const before = own(failedBefore, cmd);
  if (before === undefined)
    return changedAt === 0
      ? { failing, asBefore: true }
      : canBeTriedAsFound(cmd)
        ? { failingNow: failing }
        : {};
  const isNotWorse =
    before.exitCode === exitCode && failing.every((one) => before.failing.includes(one));
  return isNotWorse ? { asBefore: true } : {};
}

/** Checkers and tests can be tried in a copy of the files as found. For other commands that is unknown. */
const canBeTriedAsFound = (cmd: string): boolean =>
  runsTests(cmd) || onlyChecks(cmd.trim().split(/\s+/));

/** The failures of a command, as short hashes. */
export const failingIn = (output: string, folder: string): string[] =>
  whatFails(output, folder).map(shortHash);

const shortHash = (text: string): string => sha256(text).slice(0, 12);
