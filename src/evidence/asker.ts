/**
 * Answers questions about the work with trials: each trial is one command in its own scratch copy, journalled
 * as a check.
 * 1. A trial is never repeated: not after a crash if the workspace is the same, and not within one look if
 *    command and files are the same to the byte.
 * 2. `trial-time.ts` limits how long each trial may take.
 * 3. When the user skips the trials, nothing more runs: answers so far count, and the first question without an
 *    answer throws `TrialsSkipped`.
 */
import { createHash } from 'node:crypto';
import stringify from 'fast-json-stable-stringify';
import { namingOf, redTests, seenTests } from '../languages/testing/named-tests.ts';
import { failedTests, testsThatRan } from '../languages/testing/test-output.ts';
import { defined } from '../lib/defined.ts';
import { MADE, SCRATCH_ID } from '../schema/evidence.ts';
import { trialWords } from '../shown/trials.ts';
import type { Decide } from '../tools/decision.ts';
import { VERDICT_LIMITS } from '../workspace/copy-limits.ts';
import { type AlteredCopy, type ChangesPort, changesFor } from './changes.ts';
import type { AskTrial, Evidence, TrialAnswer, TrialQuestion } from './evidence.ts';
import { type CopyPort, copyFor, type runInCopy, type ScratchRecord } from './trials/in-copy.ts';
import { madeAgain } from './trials/made-again.ts';
import type { Replays } from './trials/made-by-commands.ts';
import {
  answerOfFailed,
  copyKey,
  failedMaking,
  runAfter,
  type TrialAsked,
} from './trials/replay.ts';
import { trialTime } from './trials/trial-time.ts';
import { askedBy, questionWords } from './trials/trial-words.ts';
import { trialsAhead } from './trials/trials-ahead.ts';
import type { RunWork } from './work.ts';

export interface AskerPort extends CopyPort, ChangesPort {
  /** When aborted, no further trial runs. */
  readonly skipTrials: AbortSignal;
}

/** The user skipped the remaining trials. */
export class TrialsSkipped extends Error {
  readonly untried: readonly string[];

  constructor(untried: readonly string[]) {
    super('The trials were skipped.');
    this.untried = untried;
  }
}

const INTERRUPTED: TrialAnswer = { kind: 'none', why: 'the run was interrupted' };
const LATE: TrialAnswer = { kind: 'none', why: 'the time for it was over', isLate: true };

interface AskerOptions {
  readonly evidence: Evidence;
  readonly work: RunWork;
  /** Trials that ran before this look began. */
  readonly answered: readonly ScratchRecord[];
  /** Milliseconds that the proof took in the workspace; 0 when unknown. */
  readonly proofMs: number;
  /** The policy for calls in the copy. */
  readonly decide: Decide;
  /** The policy for commands that each copy repeats, such as builds. */
  readonly repeats: Decide;
  /** Commands of the run that each copy repeats before its own command runs; `null`: none. */
  readonly replays: Replays | null;
}

export function askerOf(run: AskerPort, asking: AskerOptions): AskTrial {
  const { replays } = asking;
  // What is altered because nobody can empty it is compiled in each copy.
  const isCompiled = asking.evidence.alterable.length > 0;
  const time = trialTime(run.clock, asking.proofMs, isCompiled || isBuilding(asking));
  const ranNow = new Map<string, ScratchRecord>();
  const trials = trialProgress(asking.evidence);
  let asked = 0;
  const ask = async (question: TrialQuestion, hasInstalled: boolean): Promise<TrialAnswer> => {
    const wanted = await changesFor(question, run, asking);
    if (wanted === null) return { kind: 'nothing' };
    const key = keyOf(question, wanted, run, hasInstalled);
    const same = ranNow.get(key);
    if (same) return answerIn(same, question, replays);
    asked += 1;
    if (run.signal.aborted) return INTERRUPTED;
    const isProof = wanted.command.cmd === asking.evidence.proof.cmd;
    if (time.secondsFor(question, isProof) === null) return LATE;
    const options = { hasInstalled, isOutput: replays?.isOutput, limits: VERDICT_LIMITS };
    const copied = await copyFor(run, wanted.changes, options);
    const begun = run.clock.monotonic();
    if (copied.kind === 'not_possible')
      return { kind: 'none', why: `the workspace could not be copied, ${copied.why}` };
    const trial = { ...askedBy(question), tree: copyKey(copied.tree, replays) };
    const earlier = answeredEarlier(asking, trial, wanted.command);
    if (earlier) ranNow.set(key, earlier);
    if (earlier) return answerIn(earlier, question, replays);
    const standing = await trials.progressFor(trialWords(trial));
    if (asked === 1) tellBegun(run, asking, standing.left.length);
    if (isSkippingTrials(run)) throw new TrialsSkipped(standing.left);
    run.emit({ type: 'trial_started', ...standing.progress });
    const seconds = time.secondsFor(question, isProof, copied.isCold) ?? 1;
    const enough = time.enoughFor(question);
    const isBounded = enough !== null && enough <= seconds;
    const ran = await runAfter(run, { replays, seconds, decide: asking.repeats }, wanted.command, {
      id: `${SCRATCH_ID}${asked}`,
      seconds: isBounded ? enough : seconds,
      ...(isBounded ? { isEnough: true } : {}),
      cwd: wanted.cwd,
      scratch: trial,
      ...namesOf(question, run, wanted.command.cmd),
      decide: asking.decide,
      skip: run.skipTrials,
    });
    time.took(question, run.clock.monotonic() - begun, ran?.scratch.endless === true);
    if (ran === null) return INTERRUPTED;
    if (ran.scratch.skipped) throw new TrialsSkipped(standing.left);
    const answer = answerIn(ran, question, replays);
    if (answer.kind === 'ran') ranNow.set(key, ran);
    return answer.kind === 'none' && !isBounded && time.isOver(question)
      ? { ...answer, isLate: true }
      : answer;
  };
  const askInCopy = alsoWithInstalled(ask);
  return async (question) => {
    const answer = await askInCopy(question);
    trials.answered(questionWords(question));
    return answer;
  };
}

/**
 * Asks in a copy without the packages that are installed in the workspace. The proof has passed in the
 * folder. If it fails in such a copy and passes in one with links to the packages, it names an installed file
 * by its path: from then on every question is asked in a copy with links.
 */
function alsoWithInstalled(
  ask: (question: TrialQuestion, isWithInstalled: boolean) => Promise<TrialAnswer>,
): AskTrial {
  let isWith = false;
  return async (question) => {
    const answer = await ask(question, isWith);
    const lacks = answer.kind === 'ran' && !answer.passed && question.what === 'unchanged';
    if (isWith || !lacks) return answer;
    const again = await ask(question, true);
    isWith = again.kind === 'ran' && again.passed;
    return isWith ? again : answer;
  };
}

/** Tracks which trials are done, running and still ahead. */
function trialProgress(evidence: Evidence) {
  const answered = new Set<string>();
  return {
    answered: (words: string): void => void answered.add(words),
    progressFor: async (words: string) => {
      const all = [...new Set([...answered, words, ...(await trialsAhead(evidence))])];
      const left = all.filter((one) => !answered.has(one));
      return { left, progress: { n: answered.size + 1, of: all.length, words } };
    },
  };
}

/** The state remembers the wish to skip, so a kill does not undo it. */
export const isSkippingTrials = ({ skipTrials, context }: AskerPort): boolean =>
  skipTrials.aborted || context.state.areTrialsSkipped === true;

/** The earlier record of this trial, or of a repeated command that failed before it. */
const answeredEarlier = (
  { answered, replays }: Pick<AskerOptions, 'answered' | 'replays'>,
  trial: TrialAsked,
  command: AlteredCopy['command'],
): ScratchRecord | undefined =>
  answered.find((one) => isOf(one, trial, command)) ?? failedMaking(answered, trial, replays);

const isOf = (
  { scratch, check }: ScratchRecord,
  { what, about, own, tree }: TrialAsked,
  command: AlteredCopy['command'],
): boolean =>
  scratch.tree === tree &&
  scratch.what === what &&
  scratch.about === about &&
  scratch.own === own &&
  // `passed` depends on the input and on the required output too.
  stringify(check) === stringify(command);

/** The announced time counts at most this many trials: rarely do all that are ahead have to run. */
const USUAL_TRIES = 4;
const WORTH_SAYING_MS = 5_000;

const isBuilding = ({ replays }: Pick<AskerOptions, 'replays'>): boolean =>
  replays !== null && replays.commands.length > 0;

/**
 * Announces the trials, with the expected time if that is long enough to be noticed. Replays without commands
 * only ask whether anything must be made, which is short: they are not announced.
 */
function tellBegun({ emit }: AskerPort, asking: AskerOptions, ahead: number): void {
  const { proofMs, replays } = asking;
  if (replays !== null && !isBuilding(asking)) return;
  const seconds = Math.round((Math.min(USUAL_TRIES, ahead) * proofMs) / 1000);
  const howLong = proofMs < WORTH_SAYING_MS ? '' : `: that may take about ${seconds} s`;
  const text = `Checking in a copy whether the proof fails without the work${howLong}`;
  emit({ type: 'notice', level: 'info', text });
}

/**
 * A key for one trial: its command, folder and changed files. Questions that repeat a run on purpose get a key
 * of their own.
 */
function keyOf(
  question: TrialQuestion,
  { command, cwd, changes }: AlteredCopy,
  { world }: Pick<AskerPort, 'world'>,
  isWithInstalled: boolean,
): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of [...changes].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const isAsItIs = bytes !== null && Buffer.from(world.readText(path) ?? '').equals(bytes);
    if (!isAsItIs) hash.update(`${path}\0${bytes?.length ?? -1}\0`).update(bytes ?? '');
  }
  const { what } = question;
  const isRepeated =
    what === 'call' || what === 'seen' || (what === 'unchanged' && question.again === true);
  return stringify([
    hash.digest('hex'),
    command,
    cwd,
    isWithInstalled,
    isRepeated ? question : null,
  ]);
}

/** Tests may fail in these trials. Their names are recorded, because they must be seen passing later. */
const MAY_BE_RED: ReadonlySet<TrialQuestion['what']> = new Set(['before', 'old_code', 'emptied']);

/** How a trial learns the names of tests: variables for the runner, and what is read from its output. */
function namesOf(
  question: TrialQuestion,
  run: Pick<AskerPort, 'world' | 'scratch' | 'toolContext'>,
  cmd: string,
): Pick<Parameters<typeof runInCopy>[2], 'variables' | 'look'> {
  if (MAY_BE_RED.has(question.what)) return { look: (output) => ({ red: [...redTests(output)] }) };
  if (question.what === 'put_back') return { look: () => madeAgain(question.paths, run) };
  if (question.what !== 'seen') return {};
  const { world, scratch } = run;
  const folder = `${scratch.folder.replaceAll('\\', '/')}/`;
  const textOf = (file: string): string | null =>
    world.readText(file.replaceAll('\\', '/').split(folder).at(-1) ?? '');
  const { variables, hasOwnForm } = namingOf(cmd, world.readText);
  const look = (output: string) => {
    const seen = seenTests(question.red, output, textOf);
    return { seen: { ...seen, isUnnamed: seen.isUnnamed || (hasOwnForm && !seen.isNamed) } };
  };
  return { variables, look };
}

function answerIn(
  record: Omit<ScratchRecord, 'type'>,
  { what }: Pick<TrialQuestion, 'what'>,
  replays: Replays | null,
): TrialAnswer {
  const { facts, passed, text, scratch } = record;
  if (scratch.what === MADE && replays !== null) return answerOfFailed(record, { what }, replays);
  const { exitCode } = facts;
  // Without its test file a run has no tests, and that is the answer. A skipped test has neither passed nor
  // failed.
  const areSkipped = exitCode === 0 && !passed && testsThatRan(String(text)) !== null;
  if ((facts.testsRan === 'none' || areSkipped) && what !== 'without')
    return { kind: 'none', why: 'there were no tests to run', hasNoTests: true };
  if (scratch.endless)
    return { kind: 'ran', passed: false, exitCode: null, output: String(text), word: scratch.word };
  if (typeof exitCode !== 'number')
    return { kind: 'none', why: `it did not finish: ${String(text).split('\n')[0]}` };
  const failed = passed ? [] : failedTests(String(text));
  return {
    kind: 'ran',
    passed,
    exitCode,
    output: String(text),
    word: scratch.word,
    failed,
    ...defined({
      asBefore: facts.asBefore,
      tests: facts.tests,
      red: scratch.red,
      seen: scratch.seen,
      made: scratch.made,
    }),
  };
}
