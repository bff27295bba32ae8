/**
 * Judges the proof in plain copies. If they show nothing, and commands of the run made something that the
 * proof may need, such as a build, also in copies in which these commands run first.
 */
import { type AskerPort, askerOf } from '../../evidence/asker.ts';
import type { AskTrial, Evidence, Verdict } from '../../evidence/evidence.ts';
import { evidenceOf } from '../../evidence/evidence-of.ts';
import { judgeProof } from '../../evidence/judge.ts';
import type { Replays } from '../../evidence/trials/made-by-commands.ts';
import { isAsBefore, replaysFor, withoutOutputs } from '../../evidence/trials/replays-for.ts';
import { isUnmade } from '../../evidence/trials/test-answers.ts';
import type { RunWork } from '../../evidence/work.ts';
import { type DecidePort, withAnswers } from '../../round/permission/with-answers.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import type { NamedFact } from '../../schema/evidence.ts';
import { neighbourCalls } from './neighbour-calls.ts';
import type { Recorded } from './recorded.ts';

export type JudgePort = AskerPort & DecidePort & Pick<RunPorts, 'policy' | 'scratch'>;

export interface VerdictFacts {
  readonly recorded: Recorded;
  readonly work: RunWork;
  readonly named: readonly NamedFact[];
}

export interface Judged {
  readonly verdict: Verdict;
  readonly evidence: Evidence;
  readonly ask: AskTrial;
}

interface JudgedInCopies extends Judged {
  /** True if trials were made and the proof does not pass in an unchanged copy, which lacks something. */
  lacksSomething(): Promise<boolean>;
  /**
   * True if a repeated command failed with the files of before the run: then the proof's result there is
   * unknown.
   */
  wasUnmade(): boolean;
}

/**
 * A build that is as it was before the run is repeated at once: without it the proof may have failed only
 * because nothing was built. The outputs of a program of the run may be the work. They are made anew only if
 * the proof fails without them.
 *
 * Returns `null` if no proof ran.
 */
export async function judgedProof(run: JudgePort, facts: VerdictFacts): Promise<Judged | null> {
  const anew = await replayedCopy(run, facts);
  const isBuild = anew?.replays.areUnchangedByRun === true;
  const first = isBuild && (await isNeeded(run, anew)) ? await judgedIn(run, anew) : null;
  if (first !== null && !first.wasUnmade()) return first;
  const plain = await judgedIn(run, { ...facts, replays: null });
  if (plain === null || plain.verdict.isProved || anew === null) return plain;
  const isMore = !isBuild && (await plain.lacksSomething()) && (await isNeeded(run, anew));
  return (isMore ? await judgedIn(run, anew) : first) ?? plain;
}

/** The facts for trials, and the commands that each copy repeats. */
interface InCopy extends VerdictFacts {
  readonly replays: Replays | null;
}
type Anew = InCopy & { readonly replays: Replays };

/** Returns `null` if commands made nothing, or if their outputs are all of the work. */
async function replayedCopy(run: JudgePort, facts: VerdictFacts): Promise<Anew | null> {
  const cmd = evidenceIn(run, facts)?.proof.cmd;
  const seen = { ...facts, made: facts.recorded.made };
  const made = cmd === undefined ? null : await replaysFor(run, { ...seen, proof: cmd });
  if (made === null) return null;
  const work = withoutOutputs(facts.work, made);
  if (work.changed.every(({ before, after }) => before === after)) return null;
  const areUnchangedByRun = made.commands.every((one) => isAsBefore(run, one, work));
  return { ...facts, work, replays: { ...made, areUnchangedByRun } };
}

/** False if the proof passes in a copy without the outputs. */
async function isNeeded(run: JudgePort, anew: Anew): Promise<boolean> {
  const evidence = evidenceIn(run, anew);
  if (evidence === null) return false;
  const nothing = { ...anew.replays, commands: [] };
  return !(await passes(askerFor(run, { ...anew, replays: nothing }, evidence)));
}

async function passes(ask: AskTrial): Promise<boolean> {
  const answer = await ask({ what: 'unchanged' });
  return answer.kind === 'ran' && answer.passed;
}

/** Returns `null` if no proof ran, or if the copies lack something that it needs. */
async function judgedIn(run: JudgePort, facts: InCopy): Promise<JudgedInCopies | null> {
  const told = evidenceIn(run, facts);
  if (told === null) return null;
  // In the workspace the proof may have failed before the work only because nothing was made yet.
  const evidence = facts.replays === null ? told : { ...told, before: null };
  const ask = askerFor(run, facts, evidence);
  // The repeated commands must work in an unchanged copy first. In copies of other files they could do harm
  // that they did not do in the folder.
  if (facts.replays !== null && !(await passes(ask))) return null;
  let hasAsked = false;
  let wasUnmade = false;
  const verdict = await judgeProof(evidence, async (question) => {
    hasAsked = true;
    const answer = await ask(question);
    wasUnmade ||= question.what === 'before' && isUnmade(answer);
    return answer;
  });
  const lacksSomething = async (): Promise<boolean> => hasAsked && !(await passes(ask));
  return { verdict, evidence, ask, lacksSomething, wasUnmade: () => wasUnmade };
}

const evidenceIn = (run: JudgePort, { recorded, work, named }: VerdictFacts): Evidence | null =>
  evidenceOf(run, { proofs: recorded.proofs, work, named, calls: neighbourCalls(run) });

const askerFor = (
  run: JudgePort,
  { recorded: { proofMs, trials }, work, replays }: InCopy,
  evidence: Evidence,
): AskTrial =>
  askerOf(run, {
    ...{ evidence, work, replays },
    proofMs: proofMs + (replays?.ms ?? 0),
    answered: trials,
    decide: withAnswers(run, run.scratch.policy.decide),
    // The use of a folder's programs is a question of its own.
    repeats: withAnswers(run, run.scratch.repeats),
  });
