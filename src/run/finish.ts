/** The end of a run: what would be claimed is held against what the run did and what is on disk. */
import { join } from 'node:path';
import { belongsToTests } from '../languages/languages.ts';
import { namedFiles } from '../languages/named-files.ts';
import { isQuestion } from '../probe/goal-kind.ts';
import { type Disk, type Doings, namedFact } from '../probe/named-facts.ts';
import { tellsOf, unseenIn } from '../probe/unseen.ts';
import type { Run } from '../round/run.ts';
import type { NamedFact } from '../schema/evidence.ts';
import type { JournalRecord, RecordOf } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import type { Step } from '../steps/step.ts';
import { lostIn } from './lost.ts';
import { recordsOf } from './records-of.ts';
import { type RunResult, resultOf } from './result.ts';
import { planUndo } from './undo-plan.ts';

type Finish = Extract<Step, { do: 'finish' }>;
type Records = () => Iterable<JournalRecord>;
type End = Pick<Finish, 'ending' | 'detail'>;
export type FinishPort = Pick<Run, 'context' | 'world' | 'toolContext'>;

const MAX_FILES = 2000;

export function finish(run: FinishPort, { ending, detail }: Finish): RunResult {
  const { context } = run;
  const isClaim = ending === 'achieved';
  // Read anew for each look: a long journal does not fit into memory at once.
  const records: Records = () => recordsOf({ context, ...run.toolContext });
  const named = isClaim ? namedFactsOf(run, records) : [];
  const doubt = isClaim ? doubtOf(run, records, named) : null;
  const end: End =
    doubt === null
      ? { ending, detail: knownBy(context.state, { ending, detail }) }
      : { ending: 'unverified', detail: doubt };
  context.record({
    ...{ type: 'run_finished', ...end, ...lostIn(run) },
    ...(named.length > 0 ? { named } : {}),
  });
  context.snapshot();
  return resultOf(context, end);
}

/** How it is known, in words that a person can check. */
const knownBy = ({ answer, proof }: RunState, { ending, detail }: End): string =>
  ending === 'achieved' && answer !== null && !proof?.passed
    ? 'every name and figure of the answer was read or printed in this run'
    : detail;

/** What speaks against the claim, for the person who is to look at it; `null` when nothing does. */
function doubtOf(run: FinishPort, records: Records, named: readonly NamedFact[]): string | null {
  const { context, world } = run;
  const { goal, plan, proof, answer } = context.state;
  const lost = named.filter(({ became }) => became === 'not_known').map(({ path }) => path);
  const absent = lost.filter((path) => !world.exists(path));
  if (absent.length > 0) return `the goal names ${listed(absent)}, but there is no such file`;
  if (lost.length > 0)
    return `the goal names ${listed(lost)}, but nothing that was written or run uses it`;
  const tests = changedTests(run, records);
  if (tests !== null) return tests;
  if (isQuestion(goal) && (answer !== null || !proof?.passed))
    return unseenAnswer(context, records);
  if (!hasChangedSomething(records))
    return 'this run changed nothing; what it found was so before it began';
  if (!plan?.proof || !proof?.passed)
    return 'every subtask was done, but nothing was run that shows the goal is reached';
  return null;
}

function unseenAnswer(context: FinishPort['context'], records: Records): string | null {
  const { answer, goal } = context.state;
  if (answer === null) return 'the goal is a question, and no answer was given';
  const text = context.textOf(answer);
  const seen = seenIn(records);
  const unseen = unseenIn(text, [goal, ...seen]);
  if (unseen.length > 0)
    return `the answer says ${listed(unseen)}, which nothing that was read or printed says`;
  return tellsOf(text, { goal, seen })
    ? null
    : 'the answer tells nothing of what was read or printed';
}

/** What the model itself says in a call is no finding, nor is a result that repeats its words. */
function seenIn(records: Records): readonly string[] {
  const seen: string[] = [];
  for (const record of records()) {
    if (record.type === 'action_finished' && isFinding(record)) seen.push(String(record.result));
    if (record.type === 'check_ran') seen.push(String(record.text));
  }
  return seen;
}

/** A refusal and a failed look name what was asked for; a command's own words count, however it ends. */
const isFinding = ({ does, touches, status }: RecordOf<'action_finished'>): boolean =>
  does === 'runs_commands'
    ? status !== 'denied' && status !== 'blocked'
    : touches === 'reads' && status === 'ok';

/** Tests, and what belongs to them, that this run did not make with a tool of its own. */
function changedTests(run: FinishPort, records: Records): string | null {
  const writes = planUndo(records()).files.filter(({ path }) => belongsToTests(path));
  const given = writes.filter(({ writes: [first] }) => first?.before !== null);
  const changed = given.filter((file) => file.writes[0]?.before !== file.writes.at(-1)?.after);
  const [test] = changed.map(({ path }) => path);
  if (test !== undefined)
    return `${test} was there before the run, which changed it: that it passes says little`;
  const own = new Set(writes.map(({ path }) => path));
  const { files, isNew } = diskOf(run);
  const other = files.find((path) => belongsToTests(path) && !own.has(path) && isNew(path));
  return other === undefined
    ? null
    : `${other} was written by a command: that the tests pass says little`;
}

/** By a tool that writes, or by a command. */
function hasChangedSomething(records: Records): boolean {
  if (planUndo(records()).files.length > 0) return true;
  for (const record of records())
    if (record.type === 'action_finished' && record.facts.changed === true) return true;
  return false;
}

function namedFactsOf(run: FinishPort, records: Records): NamedFact[] {
  const { goal } = run.context.state;
  const named = namedFiles(goal, (path) => run.world.exists(path));
  if (named.length === 0) return [];
  const looks = { doings: doingsOf(run, records), disk: diskOf(run), isQuestion: isQuestion(goal) };
  return named.map((path) => namedFact(path, looks));
}

function doingsOf({ context, world }: FinishPort, records: Records): Doings {
  const { files, commands } = planUndo(records());
  const changes = files.map(({ path, writes }) => ({ path, before: writes[0]?.before ?? null }));
  return {
    changes,
    known: Object.entries(context.state.files).flatMap(([path, { hash }]) => (hash ? [path] : [])),
    commands,
    written: changes.flatMap(({ path }) => world.readText(path) ?? []),
  };
}

function diskOf({ context, world, toolContext: { fs, workspace } }: FinishPort): Disk {
  return {
    isThere: (path) => world.exists(path),
    isNew: (path) => {
      try {
        return fs.stat(join(workspace, path)).mtimeMs >= context.state.startedAt;
      } catch {
        return false;
      }
    },
    files: world.files(MAX_FILES),
  };
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
}
