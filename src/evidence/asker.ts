/**
 * Puts questions to the scratch copy: each is one command, journalled as a check, in a copy of its
 * own. What was answered for the same workspace before a crash is not run again. All of them
 * together have the time of `MAX_MS`, or three times what the proof takes.
 */

import { failedTests } from '../languages/test-output.ts';
import { type InPieces, pausesOf } from '../lib/pieces.ts';
import type { Answer, Ask, Evidence, Question } from '../probe/evidence.ts';
import { SCRATCH_ID } from '../schema/evidence.ts';
import type { Decide } from '../tools/decision.ts';
import { type ChangesPort, changesFor } from './changes.ts';
import { type CopyPort, copyFor, runInCopy, type Scratched } from './in-copy.ts';
import { eachOf, type Records, type Work } from './work.ts';

export type AskPort = CopyPort & ChangesPort;

const MAX_MS = 60_000;
const TIMES_THE_PROOF = 4;
/**
 * So long may a try take whose code does nothing, in what the same takes as it is: one that does not end
 * then, since a server waits or a loop finds no end, was noticed, as tools that change code to try its
 * tests count it. It takes no time from the others either.
 */
const TIMES_UNCHANGED = 5;
const LEAST_SECONDS = 10;
/** A try is begun only with so many times what the same takes as it is: cut off it would say nothing. */
const FAIR_SHARE = 1.5;
const LATE: Answer = { kind: 'none', why: 'the time for it was over', isLate: true };
const ALTERED: ReadonlySet<Question['what']> = new Set(['emptied', 'constant', 'no_value']);

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
  const { clock } = run;
  const end = clock.monotonic() + Math.max(MAX_MS, TIMES_THE_PROOF * asking.proofMs);
  let answered: readonly Scratched[] | null = null;
  let asked = 0;
  let unchangedMs: number | null = null;
  const isTimeOver = (): boolean => clock.monotonic() >= end - 1000;
  return async (question) => {
    const wanted = await changesFor(question, run, asking);
    if (wanted === null) return { kind: 'nothing' };
    asked += 1;
    if (run.signal.aborted) return { kind: 'none', why: 'the run was interrupted' };
    const seconds = Math.floor((end - clock.monotonic()) / 1000);
    const isProof = wanted.command.cmd === asking.evidence.proof.cmd;
    const usualMs = isProof ? (unchangedMs ?? asking.proofMs) : 0;
    if (seconds < Math.max(1, (FAIR_SHARE * usualMs) / 1000)) return LATE;
    const copied = await copyFor(run, wanted.changes);
    if (copied.kind === 'not_possible')
      return { kind: 'none', why: `the workspace could not be copied, ${copied.why}` };
    answered ??= await pausesOf(clock, run.signal)(answersIn(asking.records));
    const about = aboutOf(question);
    const isSame = (one: Scratched): boolean =>
      one.scratch.tree === copied.tree &&
      one.scratch.what === question.what &&
      one.scratch.about === about &&
      'cmd' in one.check &&
      one.check.cmd === wanted.command.cmd;
    const earlier = answered.find(isSame);
    if (earlier) return answerIn(earlier);
    if (asked === 1)
      run.emit({
        type: 'notice',
        level: 'info',
        text: 'Trying in a copy whether the check at the end notices when the work is missing',
      });
    const enough =
      ALTERED.has(question.what) && unchangedMs !== null
        ? Math.max(LEAST_SECONDS, Math.ceil((TIMES_UNCHANGED * unchangedMs) / 1000))
        : null;
    const isBounded = enough !== null && enough <= seconds;
    const begun = clock.monotonic();
    const ran = await runInCopy(run, wanted.command, {
      id: `${SCRATCH_ID}${asked}`,
      seconds: isBounded ? enough : seconds,
      ...(isBounded ? { isEnough: true } : {}),
      cwd: wanted.cwd,
      ...(wanted.variables ? { variables: wanted.variables } : {}),
      scratch: { what: question.what, about, tree: copied.tree },
      decide: asking.decide,
    });
    if (question.what === 'unchanged') unchangedMs ??= clock.monotonic() - begun;
    if (ran === null) return { kind: 'none', why: 'the run was interrupted' };
    const answer = answerIn(ran.record);
    return answer.kind === 'none' && !isBounded && isTimeOver()
      ? { ...answer, isLate: true }
      : answer;
  };
}

function answerIn({ facts, passed, text, scratch }: Omit<Scratched, 'type'>): Answer {
  const { exitCode } = facts;
  // Without the file that holds them there are none: then that says that it is used.
  if (facts.testsRan === 'none' && scratch.what !== 'without')
    return { kind: 'none', why: 'there were no tests to run' };
  if (scratch.endless)
    return { kind: 'ran', passed: false, exitCode: null, output: String(text), word: scratch.word };
  if (typeof exitCode !== 'number')
    return { kind: 'none', why: `it did not come to its end: ${String(text).split('\n')[0]}` };
  const failed = passed ? [] : failedTests(String(text));
  return { kind: 'ran', passed, exitCode, output: String(text), word: scratch.word, failed };
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
    case 'second':
      return question.path;
    case 'call':
      return `${question.call.says}${question.second ? ', as written a second time' : ''}`;
    case 'input':
      return `${question.time}${question.lots ? ` with the same lots (${question.lots})` : ''}: ${question.stdin}`;
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
