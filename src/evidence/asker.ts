/**
 * Puts questions to the scratch copy: each is one command, journalled as a check, in a copy of its
 * own.
 * 1. What was answered for the same workspace before a crash is not run again, nor what is the same to
 *    the byte as what was answered in this look.
 * 2. `trial-time.ts` says how long each may take.
 */
import { createHash } from 'node:crypto';
import stringify from 'fast-json-stable-stringify';
import { failedTests } from '../languages/test-output.ts';
import { given } from '../lib/given.ts';
import { type InPieces, pausesOf } from '../lib/pieces.ts';
import type { Answer, Ask, Evidence, Question } from '../probe/evidence.ts';
import { SCRATCH_ID } from '../schema/evidence.ts';
import type { Decide } from '../tools/decision.ts';
import { type Changes, type ChangesPort, changesFor } from './changes.ts';
import { type CopyPort, copyFor, runInCopy, type Scratched } from './in-copy.ts';
import { trialTime } from './trial-time.ts';
import { eachOf, type Records, type Work } from './work.ts';

export type AskPort = CopyPort & ChangesPort;

const LATE: Answer = { kind: 'none', why: 'the time for it was over', isLate: true };

interface Asking {
  readonly evidence: Evidence;
  readonly work: Work;
  readonly records: Records;
  /** Milliseconds that the proof took in the workspace; 0 where it is not known. */
  readonly proofMs: number;
  /** Of calls in the copy. */
  readonly decide: Decide;
}

export function askerOf(run: AskPort, asking: Asking): Ask {
  const time = trialTime(run.clock, asking.proofMs);
  const ranNow = new Map<string, Scratched>();
  let answered: readonly Scratched[] | null = null;
  let asked = 0;
  return async (question) => {
    const wanted = await changesFor(question, run, asking);
    if (wanted === null) return { kind: 'nothing' };
    const key = keyOf(question, wanted, run);
    const same = ranNow.get(key);
    if (same) return answerIn(same, question);
    asked += 1;
    if (run.signal.aborted) return { kind: 'none', why: 'the run was interrupted' };
    const isProof = wanted.command.cmd === asking.evidence.proof.cmd;
    const seconds = time.secondsFor(question, isProof);
    if (seconds === null) return LATE;
    const begun = run.clock.monotonic();
    const copied = await copyFor(run, wanted.changes);
    if (copied.kind === 'not_possible')
      return { kind: 'none', why: `the workspace could not be copied, ${copied.why}` };
    answered ??= await pausesOf(run.clock, run.signal)(answersIn(asking.records));
    const about = aboutOf(question);
    const isSame = (one: Scratched): boolean =>
      one.scratch.tree === copied.tree &&
      one.scratch.what === question.what &&
      one.scratch.about === about &&
      'cmd' in one.check &&
      one.check.cmd === wanted.command.cmd;
    const earlier = answered.find(isSame);
    if (earlier) ranNow.set(key, earlier);
    if (earlier) return answerIn(earlier, question);
    if (asked === 1)
      run.emit({
        type: 'notice',
        level: 'info',
        text: `Trying in a copy whether the check at the end notices when the work is missing${howLong(asking.proofMs)}`,
      });
    const enough = time.enoughFor(question);
    const isBounded = enough !== null && enough <= seconds;
    const ran = await runInCopy(run, wanted.command, {
      id: `${SCRATCH_ID}${asked}`,
      seconds: isBounded ? enough : seconds,
      ...(isBounded ? { isEnough: true } : {}),
      cwd: wanted.cwd,
      scratch: { what: question.what, about, tree: copied.tree },
      decide: asking.decide,
    });
    time.took(question, run.clock.monotonic() - begun);
    if (ran === null) return { kind: 'none', why: 'the run was interrupted' };
    const answer = answerIn(ran.record, question);
    if (answer.kind === 'ran') ranNow.set(key, ran.record);
    return answer.kind === 'none' && !isBounded && time.isOver(question)
      ? { ...answer, isLate: true }
      : answer;
  };
}

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
  { facts, passed, text, scratch }: Omit<Scratched, 'type'>,
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
    ...given({ asBefore: facts.asBefore }),
  };
}

/** As they were before this look began: those of its own are not asked for again. */
function* answersIn(records: Records): InPieces<readonly Scratched[]> {
  const answers: Scratched[] = [];
  yield* eachOf(records, (record) => {
    if (record.type === 'check_ran' && record.scratch) answers.push(record as Scratched);
  });
  return answers;
}

function aboutOf(question: Question): string {
  switch (question.what) {
    case 'emptied':
    case 'constant':
    case 'no_value':
    case 'without':
      return question.path;
    case 'example':
      return question.example.says;
    case 'call':
      return question.call.says;
    case 'first_proof':
      return question.proof.cmd;
    case 'red':
      return [question.run.cmd, ...(question.run.cwd ? [`in ${question.run.cwd}`] : [])].join(' ');
    case 'old_tests':
      return question.path ?? '';
    case 'unchanged':
      return question.again ? 'again' : '';
    default:
      return '';
  }
}
