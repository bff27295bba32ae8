/**
 * Finds tests that failed and passed although the run changed nothing in between: one pass of them tells
 * nothing. Pure.
 */
import { failedTests } from '../../languages/testing/test-output.ts';
import { runsTests } from '../../languages/testing/test-runs.ts';
import type { ActionFacts } from '../../schema/actions.ts';
import { isCommand } from '../../schema/capability.ts';
import type { JournalRecord, RecordOf } from '../../schema/records.ts';
import type { Evidence } from '../evidence.ts';

/** Before these records the run was at rest, and anybody may have changed files. */
const STARTS: ReadonlySet<string> = new Set(['run_resumed', 'lease_taken']);

interface Seen {
  readonly failed: Set<string>;
  hasPassed: boolean;
}

/** Collects the results of each test run since the last thing that may have changed how it ends. */
export function steadinessOfTests() {
  const seen = new Map<string, Seen>();
  const unsteady = new Map<string, Set<string>>();
  const redBefore = new Map<string, readonly string[]>();
  const special = new Set<string>();
  const changing = new Set<string>();
  let isUntouched = true;
  const forget = (): void => {
    seen.clear();
    isUntouched = false;
  };
  const note = (cmd: string, { exitCode, testsRan, tests }: ActionFacts, output: string): void => {
    if (!runsTests(cmd) || typeof exitCode !== 'number' || testsRan === 'none') return;
    const names = exitCode === 0 ? [] : failedTests(output);
    // A list that does not name every failed test tells nothing about the unnamed ones.
    if (exitCode !== 0 && names.length !== tests?.failed) return;
    if (isUntouched && names.length > 0) redBefore.set(cmd, names);
    const before = seen.get(cmd) ?? { failed: new Set(), hasPassed: false };
    for (const name of names) before.failed.add(name);
    const now = { ...before, hasPassed: before.hasPassed || exitCode === 0 };
    seen.set(cmd, now);
    if (now.hasPassed) unsteady.set(cmd, new Set([...(unsteady.get(cmd) ?? []), ...now.failed]));
  };
  return {
    take(record: JournalRecord): void {
      if (STARTS.has(record.type)) seen.clear();
      if (record.type === 'action_intended' && (record.args.stdin || record.args.env))
        special.add(record.id);
      if (record.type === 'action_finished') {
        const cmd = isCommand(record) ? record.target : null;
        if (cmd !== null && !special.has(record.id)) note(cmd, record.facts, String(record.result));
        if (mayChange(record, cmd)) forget();
      }
      if (record.type === 'files_changed') changing.add(record.id);
      if (record.type === 'check_ran' && !record.scratch && 'cmd' in record.check) {
        note(record.check.cmd, record.facts, String(record.text));
        if (changing.has(record.id ?? '')) forget();
      }
    },
    of: (cmd: string): Pick<Evidence, 'unsteady' | 'redBefore'> => ({
      unsteady: [...(unsteady.get(cmd) ?? [])],
      redBefore: redBefore.get(cmd) ?? [],
    }),
  };
}

/** True also for calls that changed no file here: they may have started or installed something. */
const mayChange = ({ facts, touches }: RecordOf<'action_finished'>, cmd: string | null): boolean =>
  facts.changed === true ||
  (touches !== 'nothing' &&
    touches !== 'reads' &&
    facts.refused !== true &&
    (cmd === null || !runsTests(cmd)));
