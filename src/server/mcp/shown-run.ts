/** Pure: where a run stands, told to another agent in short. A run's claims about itself are not presented as proof. */
import { tokensIn, tokensOut } from '../../schema/model/usage.ts';
import { subtasksOf } from '../../schema/plan.ts';
import type { RunDetail } from '../api/run-schemas.ts';

const AT_WORK: ReadonlySet<RunDetail['standing']> = new Set([
  ...(['queued', 'starting', 'running'] as const),
]);

/** What each standing means for the agent that asked for the run. */
const MEANING: { readonly [standing in RunDetail['standing']]?: string } = {
  achieved: 'The goal is reached, and something that was run shows it.',
  answered: 'The question is answered. Nothing was proved.',
  unverified: 'It ended, and nothing proves that the goal is reached.',
  failed: 'The goal is not reached.',
  paused: 'It waits, and goes on where a person resumes it.',
  killed: 'Its process is gone. Nothing is lost; a person can resume it.',
  undoing: 'Its undo was cut off; undoing it again finishes that.',
  not_begun: 'Its process ended before the run began.',
  gone: 'It began, and its journal is not in its place any more, so nobody knows how it stands.',
  undone: 'Its changes were undone.',
  damaged: 'Its journal is damaged, so nobody knows how it stands.',
};

const PARTLY = 'Something that was run shows a part of the goal; nothing shows the rest.';

/** @param mayAnswer whether the caller may answer its questions */
export function shownRun(detail: RunDetail, mayAnswer: boolean) {
  const { id, path, number, standing, plan, activeSubtask, paused, ended, failure } = detail;
  const { questions, answer, report, notDone, turns, usage, costUsd, unpricedTurns } = detail;
  const { resume, isPartly } = detail;
  return {
    run: id,
    folder: path,
    number,
    standing,
    isOver: !AT_WORK.has(standing),
    means: isPartly ? PARTLY : (MEANING[standing] ?? ''),
    why:
      ended?.detail ??
      (paused === null ? (failure ?? '') : `${paused.detail} ${paused.hint}`.trim()),
    plan: (plan === null ? [] : subtasksOf(plan)).map((one) => ({
      id: one.id,
      what: one.purpose,
      status: one.status,
      ...(one.id === activeSubtask ? { isActive: true } : {}),
    })),
    questions: questions.map(({ id: question, tool, target, reason }) => ({
      question,
      tool,
      target,
      reason,
    })),
    ...(questions.length === 0 ? {} : { whoAnswers: mayAnswer ? 'answer_question' : A_PERSON }),
    answer,
    report,
    notDone,
    turns,
    costUsd,
    unpricedTurns,
    tokens: { in: tokensIn(usage), out: tokensOut(usage) },
    resume,
  };
}

const A_PERSON = 'a person, with the command attach in that folder, or the page of the server';
