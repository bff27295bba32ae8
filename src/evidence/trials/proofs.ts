/** Reads from the records how the run's proofs and tests ended. */

import {
  failedFiles,
  failedTests,
  lacksPackage,
  testsThatRan,
} from '../../languages/testing/test-output.ts';
import { runsTests } from '../../languages/testing/test-runs.ts';
import { defined } from '../../lib/defined.ts';
import { printsText } from '../../probe/command-verdict.ts';
import type { ActionFacts } from '../../schema/actions.ts';
import { isCommand } from '../../schema/capability.ts';
import { BY_TEMPLATE, type Proof } from '../../schema/plan.ts';
import type { JournalRecord, RecordOf } from '../../schema/records.ts';
import type { CheckFailure, FirstProof, RedRun, TriedExample } from '../evidence.ts';
import type { RecordsReader } from '../reading.ts';
import { steadinessOfTests } from './steadiness.ts';

type Checked = RecordOf<'check_ran'>;
type Finished = RecordOf<'action_finished'>;
type Was = 'passed' | 'failing';

export interface Proofs {
  /** Earlier proofs that were replaced, oldest first. */
  readonly earlier: readonly FirstProof[];
  readonly before: { readonly cmd: string; readonly was: Was } | null;
  /** How many tests the last proof's command ran before the run's first change; `null`: not counted. */
  readonly testsBefore: number | null;
  /** The proof that passed last. */
  readonly last: Checked | null;
  /** The latest trial of each of the goal's examples, except trials without an answer. */
  readonly examples: ReadonlyMap<string, TriedExample & { readonly holds: boolean }>;
  /** The proof of the template that a person gave the run. */
  readonly ofTemplate: Proof | null;
  /** Test runs that failed in this run and have not passed since its last change. */
  readonly reds: readonly RedRun[];
  /** Unsteady tests of the last proof: they failed and passed although the run changed nothing in between. */
  readonly unsteady: readonly string[];
  /** Tests that failed in it before the run's first change. */
  readonly redBefore: readonly string[];
}

/** @param mayGuessInput a plan may guess the input of its proof before the code exists */
export type ProofsTold = (mayGuessInput: boolean) => Proofs;

export function readingProofs(): RecordsReader<ProofsTold> {
  const planned: Proof[] = [];
  let goal = '';
  let before = null as ReturnType<typeof earlierRun> | null;
  let last = null as Checked | null;
  let ofTemplate = null as Proof | null;
  const examples = new Map<string, TriedExample & { readonly holds: boolean }>();
  const looks = looksBefore();
  const runs = runsOfTests();
  const ends = endsOfCommands();
  const steadiness = steadinessOfTests();
  const take = (record: JournalRecord): void => {
    runs.take(record);
    ends.take(record);
    steadiness.take(record);
    looks.take(record);
    if (record.type === 'run_opened') goal = record.goal;
    if (record.type === 'plan_set' && record.by === BY_TEMPLATE)
      ofTemplate = record.plan.proof ?? null;
    if (record.type === 'plan_set' || record.type === 'replanned')
      planned.push(...(record.plan.proof ? [record.plan.proof] : []));
    if (record.type !== 'check_ran' || !('cmd' in record.check)) return;
    if ('says' in record.check) noteExample(examples, record);
    // If the tests are the proof, a test run before planning is the proof's result before the work.
    if (!record.proof && (record.when !== 'before' || record.scratch)) return;
    if (record.when !== 'before') last = record;
    else if (record.passed || record.red === 'failing') before = earlierRun(record);
  };
  const told: ProofsTold = (mayGuessInput) => {
    const lastCmd = last !== null && 'cmd' in last.check ? last.check.cmd : '';
    const proof = last && judgedBy(goal, last.check as Proof);
    const isOther = ({ cmd, stdin, prints }: Proof): boolean =>
      cmd !== lastCmd ||
      (prints !== undefined && prints !== proof?.prints) ||
      (!mayGuessInput && stdin !== undefined && stdin !== proof?.stdin);
    const others = planned.map((one) => judgedBy(goal, one)).filter(isOther);
    const keyOf = ({ cmd, stdin, prints }: Proof): string =>
      JSON.stringify([cmd, prints, ...(mayGuessInput ? [] : [stdin])]);
    const byOutput = new Map(others.map((one) => [keyOf(one), one]));
    const was = proof && (before?.tells(proof) ? before.was : looks.of(proof));
    return {
      earlier: [...byOutput.values()].map((proof) => ({ proof, ...ends.of(proof) })),
      before: was && { cmd: lastCmd, was },
      last,
      examples,
      ofTemplate,
      testsBefore: ends.testsBefore(lastCmd),
      reds: runs.reds(),
      ...steadiness.of(lastCmd),
    };
  };
  return { take, result: () => told };
}

function noteExample(
  examples: Map<string, TriedExample & { readonly holds: boolean }>,
  { check, passed: holds, aside }: Checked,
): void {
  if (!('says' in check)) return;
  const { says, cmd, stdin, prints } = check;
  const command = { cmd, ...(stdin === undefined ? {} : { stdin }), prints };
  if (aside) examples.delete(says);
  else examples.set(says, { says, command, holds });
}

/** A required output counts only if the goal states it; otherwise the command must only succeed. */
export const judgedBy = (goal: string, { cmd, stdin, prints }: Proof): Proof => ({
  cmd,
  ...(stdin === undefined ? {} : { stdin }),
  ...(prints !== undefined && prints.trim() !== '' && printsText(goal, prints) ? { prints } : {}),
});

/** A run of a command that may tell how the proof would have ended then. */
function earlierRun({ check, passed, facts }: Checked) {
  const { cmd, stdin, prints } = check as Proof;
  const hasFailed = typeof facts.exitCode === 'number' && facts.exitCode !== 0;
  return {
    was: passed ? ('passed' as const) : ('failing' as const),
    tells: (proof: Proof): boolean =>
      proof.cmd === cmd &&
      proof.stdin === stdin &&
      (proof.prints === prints || (passed ? proof.prints === undefined : hasFailed)),
  };
}

const hasChanged = ({ facts, touches, status }: Finished): boolean =>
  facts.changed === true || (touches === 'files' && status === 'ok');

/**
 * Collects how commands that the model ran itself ended before it changed anything. A failure caused by a
 * package that is not installed says nothing about the code.
 */
function looksBefore() {
  const looks = new Map<string, Was>();
  const withInput = new Set<string>();
  let isUntouched = true;
  const note = (record: Finished): void => {
    const { id, target, facts, result } = record;
    const isChanging = hasChanged(record);
    isUntouched = !isChanging;
    // A test run describes the code that was there, even if it leaves files behind.
    if (isChanging && !(isCommand(record) && runsTests(target ?? ''))) return;
    const { exitCode, testsRan } = facts;
    const isTold = isCommand(record) && typeof exitCode === 'number' && testsRan !== 'none';
    const isUnknown = (exitCode === 0 ? testsThatRan : lacksPackage)(String(result));
    if (isTold && !isUnknown && target !== null && !withInput.has(id))
      looks.set(target, exitCode === 0 ? 'passed' : 'failing');
  };
  return {
    take(record: JournalRecord): void {
      if (!isUntouched) return;
      if (record.type === 'action_intended' && record.args.stdin) withInput.add(record.id);
      if (record.type === 'action_finished') note(record);
    },
    /** A proof that must print something may fail where its command succeeds. */
    of({ cmd, stdin = '', prints }: Proof): Was | null {
      const was = stdin === '' ? looks.get(cmd) : undefined;
      return was === undefined || (was === 'passed' && prints !== undefined) ? null : was;
    },
  };
}

/** Collects how commands ended in the workspace, before the first change and since the last. */
function endsOfCommands() {
  const before = new Map<string, { readonly passed: number; readonly failed: number }>();
  const since = new Map<string, CheckFailure>();
  let isUntouched = true;
  const note = (cmd: string, { tests, asBefore }: ActionFacts, output: string): void => {
    const passed = tests?.passed ?? undefined;
    if (isUntouched && tests && passed !== undefined)
      before.set(cmd, { passed, failed: tests.failed });
    if (asBefore) since.set(cmd, { failed: failedTests(output), ...defined({ passed }) });
    else since.delete(cmd);
  };
  return {
    take(record: JournalRecord): void {
      if (record.type === 'action_finished') {
        if (isCommand(record) && record.target !== null)
          note(record.target, record.facts, String(record.result));
        if (!hasChanged(record)) return;
        since.clear();
        isUntouched = false;
      }
      if (record.type === 'check_ran' && !record.scratch && 'cmd' in record.check)
        note(record.check.cmd, record.facts, String(record.text));
    },
    of: ({ cmd }: Proof): Omit<FirstProof, 'proof'> =>
      defined({ passedBefore: before.get(cmd)?.passed, asBefore: since.get(cmd) }),
    testsBefore(cmd: string): number | null {
      const { passed, failed } = before.get(cmd) ?? {};
      return passed === undefined || failed === undefined ? null : passed + failed;
    },
  };
}

/** True when tests were found and some failed. */
const isRed = ({ exitCode, tests, failingTests }: ActionFacts): boolean =>
  typeof exitCode === 'number' && exitCode !== 0 && (tests?.failed ?? failingTests ?? 0) > 0;

/** Names of all failed tests; left out when the output does not list every one. */
function allFailed({ tests }: ActionFacts, output: string): Pick<RedRun, 'failedBefore'> {
  const names = failedTests(output);
  return names.length > 0 && names.length === tests?.failed ? { failedBefore: names } : {};
}

/** Files of all failed tests, in each failed run. */
function filesOf(
  { tests }: ActionFacts,
  output: string,
  earlier: RedRun | undefined,
): Pick<RedRun, 'files'> {
  const files = failedFiles(output);
  const areAll =
    files.length === tests?.failed && (earlier === undefined || earlier.files !== undefined);
  return { files: areAll ? [...(earlier?.files ?? []), ...files] : undefined };
}

/** Collects failed test runs. A run leaves the list when it passes with nothing changed since. */
function runsOfTests() {
  const typed = new Map<string, Pick<RedRun, 'cmd' | 'cwd'>>();
  const red = new Map<string, RedRun>();
  const green = new Set<string>();
  let isUntouched = true;
  const note = (one: RedRun, facts: ActionFacts, output: string): void => {
    if (!runsTests(one.cmd)) return;
    const key = JSON.stringify([one.cmd, one.cwd]);
    const before = isUntouched ? allFailed(facts, output) : {};
    const earlier = red.get(key);
    if (isRed(facts))
      red.set(key, { ...earlier, ...one, ...before, ...filesOf(facts, output, earlier) });
    if (facts.exitCode === 0 && facts.testsRan !== 'none') green.add(key);
    else green.delete(key);
  };
  const take = (record: JournalRecord): void => {
    if (record.type === 'action_intended') {
      const { cmd, cwd } = record.args;
      const folder = typeof cwd === 'string' && cwd !== '' ? { cwd } : {};
      if (typeof cmd === 'string') typed.set(record.id, { cmd, ...folder });
    }
    if (record.type === 'action_finished') {
      if (hasChanged(record)) green.clear();
      if (hasChanged(record)) isUntouched = false;
      // The target also names the folder, for people.
      const run = typed.get(record.id) ?? (record.target === null ? null : { cmd: record.target });
      if (isCommand(record) && run !== null) note(run, record.facts, String(record.result));
    }
    if (record.type === 'check_ran' && !record.scratch && 'cmd' in record.check)
      note({ cmd: record.check.cmd }, record.facts, String(record.text));
  };
  const reds = (): readonly RedRun[] =>
    [...red].filter(([key]) => !green.has(key)).map(([, one]) => one);
  return { take, reds };
}
