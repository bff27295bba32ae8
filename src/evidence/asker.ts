/**
 * Puts questions to the scratch copy: each is one command, journalled as a check, in a copy of its
 * own.
 * 1. What was answered for the same workspace before a crash is not run again, nor what is the same to
 *    the byte as what was answered in this look.
 * 2. `trial-time.ts` says how long each may take.
 * 3. Skipped it runs nothing more: what was answered by then counts, and the first question without an answer
 *    throws `TrialsSkipped`.
 */
import { createHash } from 'node:crypto';
import stringify from 'fast-json-stable-stringify';
import { failedTests } from '../languages/testing/test-output.ts';
import { defined } from '../lib/defined.ts';
import { type Interruptible, interruptibleRunner } from '../lib/interruptible.ts';
import { SCRATCH_ID } from '../schema/evidence.ts';
import type { Decide } from '../tools/decision.ts';
import { type Changes, type ChangesPort, changesFor } from './changes.ts';
import type { Answer, Ask, Evidence, Question } from './evidence.ts';
import { type CopyPort, copyFor, runInCopy, type ScratchRecord } from './trials/in-copy.ts';
import { trialTime } from './trials/trial-time.ts';
import { aboutOf, trialWords, wordsOf } from './trials/trial-words.ts';
import { trialsAhead } from './trials/trials-ahead.ts';
import { eachOf, type Records, type Work } from './work.ts';

export interface AskPort extends CopyPort, ChangesPort {
  /** Aborted: nothing more is run. */
  readonly skipTrials: AbortSignal;
}

/** Somebody skipped what was left to try. */
export class TrialsSkipped extends Error {
  readonly untried: readonly string[];

  constructor(untried: readonly string[]) {
    super('The trials were skipped.');
    this.untried = untried;
  }
}

const INTERRUPTED: Answer = { kind: 'none', why: 'the run was interrupted' };
const LATE: Answer = { kind: 'none', why: 'the time for it was over', isLate: true };

interface AskerOptions {
  readonly evidence: Evidence;
  readonly work: Work;
  readonly records: Records;
  /** Milliseconds that the proof took in the workspace; 0 where it is not known. */
  readonly proofMs: number;
  /** Of calls in the copy. */
  readonly decide: Decide;
}

export function askerOf(run: AskPort, asking: AskerOptions): Ask {
  const time = trialTime(run.clock, asking.proofMs);
  const ranNow = new Map<string, ScratchRecord>();
  const sight = inSight(asking.evidence);
  let answered: readonly ScratchRecord[] | null = null;
  let asked = 0;
  const ask: Ask = async (question) => {
    const wanted = await changesFor(question, run, asking);
    if (wanted === null) return { kind: 'nothing' };
    const key = keyOf(question, wanted, run);
    const same = ranNow.get(key);
    if (same) return answerIn(same, question);
    asked += 1;
    if (run.signal.aborted) return INTERRUPTED;
    const isProof = wanted.command.cmd === asking.evidence.proof.cmd;
    const seconds = time.secondsFor(question, isProof);
    if (seconds === null) return LATE;
    const begun = run.clock.monotonic();
    const copied = await copyFor(run, wanted.changes);
    if (copied.kind === 'not_possible')
      return { kind: 'none', why: `the workspace could not be copied, ${copied.why}` };
    answered ??= await interruptibleRunner(run.clock, run.signal)(answersIn(asking.records));
    const trial = { what: question.what, about: aboutOf(question), tree: copied.tree };
    const earlier = answered.find((one) => isOf(one, trial, wanted.command.cmd));
    if (earlier) ranNow.set(key, earlier);
    if (earlier) return answerIn(earlier, question);
    if (asked === 1) tellBegun(run, asking);
    const standing = await sight.at(trialWords(trial));
    if (isSkipped(run)) throw new TrialsSkipped(standing.left);
    run.emit({ type: 'trial_started', ...standing.told });
    const enough = time.enoughFor(question);
    const isBounded = enough !== null && enough <= seconds;
    const ran = await runInCopy(run, wanted.command, {
      id: `${SCRATCH_ID}${asked}`,
      seconds: isBounded ? enough : seconds,
      ...(isBounded ? { isEnough: true } : {}),
      cwd: wanted.cwd,
      scratch: trial,
      decide: asking.decide,
      skip: run.skipTrials,
    });
    time.took(question, run.clock.monotonic() - begun);
    if (ran === null) return INTERRUPTED;
    if (ran.record.scratch.skipped) throw new TrialsSkipped(standing.left);
    const answer = answerIn(ran.record, question);
    if (answer.kind === 'ran') ranNow.set(key, ran.record);
    return answer.kind === 'none' && !isBounded && time.isOver(question)
      ? { ...answer, isLate: true }
      : answer;
  };
  return async (question) => {
    const answer = await ask(question);
    sight.answered(wordsOf(question));
    return answer;
  };
}

/** Which trials are behind, under way and ahead. */
function inSight(evidence: Evidence) {
  const answered = new Set<string>();
  return {
    answered: (words: string): void => void answered.add(words),
    at: async (words: string) => {
      const all = [...new Set([...answered, words, ...(await trialsAhead(evidence))])];
      const left = all.filter((one) => !answered.has(one));
      return { left, told: { n: answered.size + 1, of: all.length, words } };
    },
  };
}

/** A kill between the wish and the end takes nothing from it. */
const isSkipped = ({ skipTrials, context }: AskPort): boolean =>
  skipTrials.aborted || context.state.areTrialsSkipped === true;

type Trial = Omit<ScratchRecord['scratch'], 'word'>;

const isOf = (
  { scratch, check }: ScratchRecord,
  { what, about, tree }: Trial,
  cmd: string,
): boolean =>
  scratch.tree === tree &&
  scratch.what === what &&
  scratch.about === about &&
  'cmd' in check &&
  check.cmd === cmd;

const tellBegun = ({ emit }: AskPort, { proofMs }: AskerOptions): void =>
  emit({
    type: 'notice',
    level: 'info',
    text: `Checking in a copy that the proof would notice missing work${howLong(proofMs)}`,
  });

const USUAL_TRIES = 4;
const WORTH_SAYING_MS = 5_000;

/** Said where somebody would wait for it. */
function howLong(proofMs: number): string {
  if (proofMs < WORTH_SAYING_MS) return '';
  return `: that may take about ${Math.round((USUAL_TRIES * proofMs) / 1000)} s`;
}

/** One word for what is run and in what; what is repeated to see whether it is the same again has its own. */
function keyOf(
  question: Question,
  { command, cwd, changes }: Changes,
  { world }: Pick<AskPort, 'world'>,
): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of [...changes].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const isAsItIs = bytes !== null && Buffer.from(world.readText(path) ?? '').equals(bytes);
    if (!isAsItIs) hash.update(`${path}\0${bytes?.length ?? -1}\0`).update(bytes ?? '');
  }
  const { what } = question;
  const isRepeated = what === 'call' || (what === 'unchanged' && question.again === true);
  return stringify([hash.digest('hex'), command, cwd, isRepeated ? question : null]);
}

function answerIn(
  { facts, passed, text, scratch }: Omit<ScratchRecord, 'type'>,
  { what }: Pick<Question, 'what'>,
): Answer {
  const { exitCode } = facts;
  // Without the file that holds them there are none: then that says that it is used.
  if (facts.testsRan === 'none' && what !== 'without')
    return { kind: 'none', why: 'there were no tests to run' };
  if (scratch.endless)
    return { kind: 'ran', passed: false, exitCode: null, output: String(text), word: scratch.word };
  if (typeof exitCode !== 'number')
    return { kind: 'none', why: `it did not come to its end: ${String(text).split('\n')[0]}` };
  const failed = passed ? [] : failedTests(String(text));
  return {
    ...{ kind: 'ran', passed, exitCode, output: String(text), word: scratch.word, failed },
    ...defined({ asBefore: facts.asBefore }),
  };
}

/** As they were before this look began: those of its own are not asked for again. */
function* answersIn(records: Records): Interruptible<readonly ScratchRecord[]> {
  const answers: ScratchRecord[] = [];
  yield* eachOf(records, (record) => {
    if (record.type === 'check_ran' && record.scratch && !record.scratch.skipped)
      answers.push(record as ScratchRecord);
  });
  return answers;
}
