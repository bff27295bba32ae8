/** Judges the intended claim by what the run did, what is on disk, and trials in the scratch copy. */

import { findSources, sourcesText } from '../../evidence/answer.ts';
import { TrialsSkipped } from '../../evidence/asker.ts';
import { uncoveredFiles, uncoveredSubtasks, uncoveredText } from '../../evidence/beyond.ts';
import { listed, type Proved, unproved, type Verdict } from '../../evidence/evidence.ts';
import { changedOfCommand } from '../../evidence/evidence-of.ts';
import { lostFilesPhrase } from '../../evidence/lost-files-text.ts';
import { type ChangedOfProof, namesNew } from '../../evidence/program-of-proof.ts';
import type { Records } from '../../evidence/reading.ts';
import { builtAnew } from '../../evidence/trials/built-anew.ts';
import { removeLeftovers } from '../../evidence/trials/in-copy.ts';
import { unaskedChangesByName } from '../../evidence/unasked-changes.ts';
import {
  changedToStay,
  lossesOfRun,
  lostPaths,
  removedUnnamed,
  type UnaskedChanges,
} from '../../evidence/users-files.ts';
import { isThereIn, namedFactsOf, type RunWork, sourcesOf, workOf } from '../../evidence/work.ts';
import { belongsToTests } from '../../languages/languages.ts';
import { runsTests } from '../../languages/testing/test-runs.ts';
import { defined } from '../../lib/defined.ts';
import { interruptibleRunner } from '../../lib/interruptible.ts';
import { orNull } from '../../lib/or-null.ts';
import { withAnswers } from '../../round/permission/with-answers.ts';
import { type NamedFact, TRIALS_SKIPPED } from '../../schema/evidence.ts';
import type { RunState } from '../../schema/state.ts';
import { isOnlyAnswer } from '../../steps/gate/answered.ts';
import {
  hasOpenRefusal,
  NOT_DONE,
  notDone,
  notDoneText,
  refusedAnyhow,
} from '../../steps/gate/not-done.ts';
import { recordsOf } from '../records-of.ts';
import { answerIn } from '../result.ts';
import { type Judged, type JudgePort, judgedProof, type VerdictFacts } from './judged.ts';
import { readRecorded } from './recorded.ts';

const NOTHING_RAN = 'no subtask is left, but nothing was run that shows the goal is reached';

/**
 * One durable step, whose record is the last word before the run ends. If aborted while it reads many records
 * it throws E_INTERRUPTED, and records nothing about what was not tried.
 */
export async function recordVerdict(run: JudgePort): Promise<void> {
  const { context } = run;
  const records: Records = () => recordsOf({ context, ...run.toolContext });
  const runInterruptibly = interruptibleRunner(run.clock, run.signal);
  const answer = isOnlyAnswer(context.state) ? answerIn(context) : null;
  if (answer !== null) {
    const sources = await runInterruptibly(findSources(run, records, answer));
    const words = sourcesText(sources);
    if (run.signal.aborted) return;
    context.record({ type: 'verdict_given', isProved: true, words, named: [], answer: sources });
    return;
  }
  const recorded = await runInterruptibly(
    readRecorded(records, (hash) => context.journal.blobs.read(hash)),
  );
  const work = workOf(run, recorded.changes);
  const named = namedFactsOf(run, work);
  const facts = { recorded, work, named };
  const verdict =
    refusedUntried(run, facts) ??
    (await trying(run, async () => (await ignoredLosses(run, facts)) ?? onProof(run, facts))) ??
    unproved(NOTHING_RAN);
  if (run.signal.aborted) return;
  const { isProved, words } = verdict;
  const rest = verdict.isProved
    ? defined({ beyond: verdict.beyond })
    : defined({ mend: verdict.mend, untried: verdict.untried && [...verdict.untried] });
  context.record({ type: 'verdict_given', isProved, words, named: [...named], ...rest });
}

/** Why nothing may be claimed, as far as that is known without trials; `null`: no objection so far. */
function refusedUntried(run: JudgePort, { recorded, work, named }: VerdictFacts): Verdict | null {
  const { state } = run.context;
  const { plan, proof } = state;
  const absent = named.filter(
    ({ path, became }) => became === 'not_known' && !isThereIn(work, path),
  );
  if (absent.length > 0)
    return unproved(`the goal names ${namesOf(absent)}, but there is no such file`);
  const lost = lossVerdict(run, unaskedChangesByName(run));
  if (lost) return lost;
  const stays = changedToStay(state);
  if (stays.length > 0)
    return unproved(
      `by the goal ${listed(stays)} must stay, and this run changed ${stays.length > 1 ? 'them' : 'it'}`,
      'users_files_changed',
    );
  // A proof shows only what it tests, so it does not complete an open subtask.
  if (notDone(state).length > 0)
    return unproved(
      `${NOT_DONE}${notDoneText(state)}`,
      hasOpenRefusal(state) ? 'subtask_refused' : undefined,
    );
  const refused = refusedAnyhow(state);
  if (refused !== '') return unproved(refused, 'subtask_refused');
  if (!recorded.saysChanged && !work.changed.some(({ before, after }) => before !== after))
    return unproved('this run changed nothing; what it found was so before it began');
  if (!plan?.proof || !proof?.passed) return unused(named) ?? unproved(NOTHING_RAN);
  return testsByCommands(sourcesOf(run, work), state);
}

/** The verdict if this run changed or removed the user's files without being asked to. */
function lossVerdict(
  { context: { state }, asking }: JudgePort,
  free: UnaskedChanges,
): Verdict | null {
  const lost = lossesOfRun(state, free);
  if (lostPaths(lost).length > 0) return unproved(lostFilesPhrase(lost), 'users_files_changed');
  const gone = asking.isYes ? removedUnnamed(state, free) : [];
  return gone.length === 0
    ? null
    : unproved(
        `this run removed ${listed(gone)}, which the goal does not name; a yes to everything does not allow that`,
        'users_files_changed',
      );
}

/** The same for ignored files: all that commands changed or removed and that no build makes anew. */
async function ignoredLosses(
  run: JudgePort,
  { recorded, work }: VerdictFacts,
): Promise<Verdict | null> {
  const { state } = run.context;
  const { mayRemove } = run.policy;
  const none: UnaskedChanges = { mayRemove, isOutput: () => false };
  if (lossVerdict(run, none) === null) return null;
  const built = await builtAnew(run, {
    paths: [...new Set([...lostPaths(lossesOfRun(state, none)), ...removedUnnamed(state, none)])],
    work,
    changedBy: recorded.changedBy,
    answered: recorded.trials,
    isBuild: (cmd) =>
      !runsTests(cmd) && !namesNew(cmd, work) && isAsItWas(changedOfCommand(run, { cmd }, work)),
    decide: withAnswers(run, run.scratch.repeats),
  });
  return lossVerdict(run, { mayRemove, isOutput: (path) => built.has(path) });
}

const isAsItWas = ({ programs, named, settings, isNew }: ChangedOfProof): boolean =>
  programs.length + named.length + settings.length === 0 && !isNew;

const namesOf = (named: readonly NamedFact[]): string => listed(named.map(({ path }) => path));

function unused(named: readonly NamedFact[]): Verdict | null {
  const lost = named.filter(({ became }) => became === 'not_known');
  return lost.length === 0
    ? null
    : unproved(`the goal names ${namesOf(lost)}, but nothing that was written or run uses it`);
}

/**
 * Tests that a command wrote and that were not kept before it: their earlier content is unknown. The outputs
 * of a build are not tests.
 */
function testsByCommands({ changed, disk }: RunWork, { commandChanges }: RunState): Verdict | null {
  const { uncovered, more } = commandChanges;
  const own = new Set(changed.map(({ path }) => path));
  const isUnknown = (path: string): boolean => uncovered[path] !== undefined || more > 0;
  const other = disk.files.find(
    (path) => belongsToTests(path) && !own.has(path) && disk.isNew(path) && isUnknown(path),
  );
  return other === undefined
    ? null
    : unproved(`${other} was written by a command: passing its tests shows little`);
}

async function onProof(run: JudgePort, seen: VerdictFacts): Promise<Verdict | null> {
  const judged = await judgedProof(run, seen);
  if (judged === null) return null;
  const { verdict, ...by } = judged;
  return verdict.isProved ? await withBeyond(run, verdict, { ...seen, ...by }) : verdict;
}

/** Does work that makes trials. If the user skips them, their results count as unknown. */
async function trying(
  run: JudgePort,
  work: () => Promise<Verdict | null>,
): Promise<Verdict | null> {
  const { skipTrials, context } = run;
  const note = (): void => noteSkipped(run);
  if (skipTrials.aborted) note();
  skipTrials.addEventListener('abort', note);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TrialsSkipped)) throw error;
    const { untried } = error;
    const words = `${context.state.plan?.proof?.cmd} passes; not tried, since it was skipped (a resume tries it): ${listed(untried)}`;
    return { isProved: false, words, untried };
  } finally {
    skipTrials.removeEventListener('abort', note);
    await removeLeftovers(run);
  }
}

/** Adds what the proof does not show. A trial for it that is skipped takes nothing from the claim. */
async function withBeyond(
  run: JudgePort,
  verdict: Proved,
  { evidence, ask, work, recorded }: Omit<Judged, 'verdict'> & VerdictFacts,
): Promise<Proved> {
  const files = await uncoveredFiles(evidence.aside, ask).catch((error) => {
    if (error instanceof TrialsSkipped) return [];
    throw error;
  });
  const { plan } = run.context.state;
  const subtasks = uncoveredSubtasks(plan, work, files, recorded.filesBySubtask);
  const words = `${verdict.words}${uncoveredText(files)}`;
  return { ...verdict, words, beyond: { files: [...files], subtasks: [...subtasks] } };
}

/** Recorded at once, so that a kill does not lose it. If it cannot be written, the run stops at its next record. */
function noteSkipped({ context }: JudgePort): void {
  if (context.state.areTrialsSkipped) return;
  orNull(() => context.record({ type: 'note', kind: TRIALS_SKIPPED, data: {} }));
}
