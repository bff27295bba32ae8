/** The last event: of a run, of a finished run, or of a call that failed before it began. Pure. */

import { adviceIn, type ErrorCode, type OptionAdvice } from '../../lib/errors.ts';
import { withoutCredentials } from '../../lib/text/addresses.ts';
import type { StreamBodyOf } from '../../schema/events/stream.ts';
import type { RunState } from '../../schema/state.ts';
import { turnsIn } from '../../schema/state-parts/children.ts';
import type { Cost } from '../../schema/state-parts/run-facts.ts';
import { isLeftUntried } from '../../schema/state-parts/untried.ts';
import { rulesForNotDone } from '../../steps/gate/not-done.ts';
import { EXIT, exitCodeOfResult, isResumable } from '../exit-codes.ts';
import type { RunResult } from '../result.ts';
import { commandFiles, filesWritten } from './changed-files.ts';

export type ResultBody = StreamBodyOf<'result'>;

/** Facts about an ending that are not in the result. */
export interface EndFacts {
  readonly elapsedMs: number;
  readonly workspace: string;
  /** The command that resumes the run; `null` when nobody types commands. */
  readonly resume: string | null;
}

export function resultBody(result: RunResult, { elapsedMs, workspace, resume }: EndFacts) {
  const { state } = result;
  const exitCode = exitCodeOfResult(result);
  const toAllow = rulesForNotDone(state);
  const isPaused = result.ending === 'paused';
  return {
    type: 'result',
    exitCode,
    ending: result.ending,
    why: isPaused ? result.why : null,
    detail: result.detail,
    hint: isPaused ? (result.hint ?? null) : null,
    ...(isPaused ? adviceIn(result) : {}),
    goal: state.goal,
    answer: result.answer,
    summary: result.summary ?? null,
    rounds: state.counters.rounds,
    turns: turnsIn(state),
    actions: state.counters.actions,
    files: filesWritten(state),
    needs: state.ended?.needs ?? null,
    ...(toAllow.length > 0 ? { toAllow: [...toAllow] } : {}),
    lost: [...(state.ended?.lost ?? [])],
    byCommands: byCommands(state),
    sinceEnd: result.sinceEnd ?? null,
    withheld: result.withheld === undefined ? null : { files: [...result.withheld.files] },
    ...usageFields(state.usage),
    elapsedMs: Math.round(elapsedMs),
    workspace,
    resume: isResumable(exitCode) || isLeftUntried(state) ? resume : null,
    error: null,
  } satisfies ResultBody;
}

function byCommands(state: RunState) {
  const { putBack, ...files } = commandFiles(state);
  return { ...files, ...(putBack.length > 0 ? { putBack } : {}) };
}

/** Tokens and cost of a whole run. */
export const usageFields = ({ total, last, cost }: RunState['usage']) => ({
  usage: total,
  lastTurnUsage: last,
  ...costSince(undefined, cost),
});

/** The cost between two moments; `null` when no price is known. */
export function costSince(before: Cost | undefined, after: Cost | undefined) {
  const usd = (after?.usd ?? 0) - (before?.usd ?? 0);
  const unpricedTurns = (after?.unknownTurns ?? 0) - (before?.unknownTurns ?? 0);
  const isKnown = after !== undefined && (usd > 0 || unpricedTurns === 0);
  return { costUsd: isKnown ? usd : null, unpricedTurns };
}

/** The result of a run whose process ends first. */
export const STOPPED = {
  exitCode: EXIT.interrupted,
  code: 'E_INTERRUPTED' satisfies ErrorCode,
  message: 'Stopped.',
  hint: 'Everything recorded is kept.',
};

/** What an error means to the caller. */
export interface ErrorFacts extends OptionAdvice {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** The result of a call that threw an error. */
export const errorBody = (error: ErrorFacts, resume: string | null): ResultBody => ({
  type: 'result',
  exitCode: error.exitCode,
  ending: 'error',
  resume,
  error: {
    code: error.code,
    message: withoutCredentials(error.message),
    hint: withoutCredentials(error.hint),
    ...adviceIn(error),
  },
});
