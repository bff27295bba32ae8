/** A goal run to its end: open, settle, configure, then one step after the other until it ends. */

import { TardigradeError } from './lib/errors.ts';
import { type Candidate, DEFAULT_PROFILE } from './llm/failover/candidate.ts';
import { chooseContextWindow } from './llm/models/choose-model.ts';
import { refuseWithoutPrice } from './llm/models/turn-cost.ts';
import type { Provider } from './llm/provider.ts';
import type { Deadlines } from './llm/turn/deadlines.ts';
import { canShorten, outlookOf } from './round/compact.ts';
import { perform } from './round/perform.ts';
import type { Run } from './round/run.ts';
import { configure } from './run/configure.ts';
import { firstModel } from './run/first-model.ts';
import type { Machine } from './run/machine.ts';
import { makeRun } from './run/make-run.ts';
import { type OpenedRun, openRun } from './run/open.ts';
import { settleRun } from './run/settle-run.ts';
import { undoOpened } from './run/undo-run.ts';
import type { Emit } from './schema/events.ts';
import type { Ending, PauseReason, ToolMode } from './schema/records.ts';
import type { RunState } from './schema/state.ts';
import { limitStep } from './steps/limits.ts';
import { next } from './steps/next.ts';
import { overflowStep } from './steps/overflow.ts';
import type { Limits, Step } from './steps/step.ts';

export interface RunGoalOptions {
  /** `null` goes on with the current run of the workspace. */
  readonly goal: string | null;
  /** An existing folder; state is kept in `.agent_context` in it. */
  readonly workspace: string;
  readonly provider: Provider;
  readonly model: string;
  /** Names the credentials the provider was made with; it is journalled, so never a key. */
  readonly profile?: string;
  /** Where the provider was told to ask; it is journalled for a resume, so without credentials. */
  readonly baseUrl?: string;
  /** Who is asked when this model fails, in order; other credentials for it are one, too. */
  readonly fallbacks?: readonly Candidate[];
  /** Tokens; left out: what the run had so far, else as much as model and laptop bear. */
  readonly contextWindow?: number;
  readonly toolMode: 'auto' | ToolMode;
  readonly temperature: number;
  /** `null`: by goal, turn and attempt alone. */
  readonly seed: number | null;
  /** Bounds the rounds from this call on; a run that reaches it pauses. */
  readonly maxRounds: number;
  /** Bounds the tokens of the whole run, of every class, before each request. */
  readonly maxTokens?: number;
  /** US dollars for the whole run. Every model that may be asked must have a known price. */
  readonly maxCost?: number;
  /** Milliseconds from this call on. */
  readonly maxTimeMs?: number;
  /** Programs that may be run beyond the built-in list. */
  readonly allow: readonly string[];
  /** Starts over when the goal is reached or under way already. */
  readonly again: boolean;
  readonly forceUnlock: boolean;
  readonly version: string;
  readonly emit: Emit;
  /** Aborted: the write in progress is finished, then the run pauses. */
  readonly signal: AbortSignal;
  readonly machine: Machine;
  readonly deadlines?: Partial<Deadlines>;
}

export type RunResult = { readonly answer: string | null; readonly state: RunState } & (
  | { readonly ending: Ending; readonly detail: string }
  | { readonly ending: 'already_finished'; readonly detail: string }
  | { readonly ending: 'paused'; readonly why: PauseReason; readonly detail: string }
);

/**
 * Runs a goal to its end, a pause, or an error. Throws `TardigradeError` (E_USAGE, E_WORKSPACE,
 * E_LOCKED, E_JOURNAL_CORRUPT, E_JOURNAL_MISSING, E_TOO_NEW, E_DISK_FULL, E_IO, E_FENCED) and
 * `ProviderError` when the model cannot even be described; nothing that was recorded is lost.
 */
export async function runGoal(options: RunGoalOptions): Promise<RunResult> {
  if (options.maxCost !== undefined) {
    await refuseWithoutPrice(candidatesOf(options), options.signal);
  }
  const opened = openRun(options, options.machine);
  try {
    if (!opened.hasOpenUndo) return await runOpened(opened, options);
    undoOpened(opened, options.machine);
    const isThisGoal = options.goal === null || isSameGoal(options.goal, opened.context.state.goal);
    if (isThisGoal) return result(opened, { ending: 'already_finished', detail: 'undone' });
  } finally {
    opened.close();
  }
  return runGoal(options);
}

const isSameGoal = (one: string, other: string): boolean =>
  one.trim().normalize('NFC') === other.trim().normalize('NFC');

async function runOpened(opened: OpenedRun, options: RunGoalOptions): Promise<RunResult> {
  const { ended } = opened.context.state;
  if (ended) return result(opened, { ending: 'already_finished', detail: ended.ending });
  const { machine, emit, signal } = options;
  const { settings } = opened.context.state;
  const first = await firstModel(candidatesOf(options), settings, { machine, emit, signal });
  const { failover, candidate, info } = first;
  const numCtx = chooseContextWindow(info, candidate.contextWindow).tokens;
  const { allow, deadlines = {} } = options;
  const limits = limitsOf(options);
  const parts = { opened, machine, failover, allow, limits, deadlines, numCtx, emit, signal };
  const run = makeRun(parts);
  try {
    if (opened.isResumed) {
      run.context.record({ type: 'run_resumed', version: options.version, limits: { ...limits } });
      await settleRun(run);
    }
    const { toolMode, temperature, seed } = options;
    configure(run, { ...first, toolMode, temperature, seed });
    return await work(run, opened);
  } catch (error) {
    return pausedByDisk(error, run, opened);
  }
}

const candidatesOf = (options: RunGoalOptions): readonly Candidate[] => {
  const { provider, model, profile = DEFAULT_PROFILE, baseUrl } = options;
  const { contextWindow, fallbacks = [] } = options;
  const first: Candidate = {
    provider,
    model,
    profile,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
  const all: readonly Candidate[] = [first, ...fallbacks];
  if (contextWindow === undefined) return all;
  return all.map((one) => (one.model === model ? { ...one, contextWindow } : one));
};

const limitsOf = ({ maxRounds, maxTokens, maxCost, maxTimeMs }: RunGoalOptions): Limits => ({
  maxRounds,
  ...(maxTokens === undefined ? {} : { maxTokens }),
  ...(maxCost === undefined ? {} : { maxCost }),
  ...(maxTimeMs === undefined ? {} : { maxTimeMs }),
});

/** The whole loop. Everything a step does is in `round.ts`, everything it may be in `steps/`. */
async function work(run: Run, opened: OpenedRun): Promise<RunResult> {
  for (;;) {
    const step = nextStep(run);
    switch (step.do) {
      case 'finish':
        run.context.record({ type: 'run_finished', ending: step.ending, detail: step.detail });
        run.context.snapshot();
        return result(opened, { ending: step.ending, detail: step.detail });
      case 'pause':
        run.context.record({ type: 'run_paused', why: step.why, detail: step.detail });
        run.context.snapshot();
        return result(opened, { ending: 'paused', why: step.why, detail: step.detail });
      default:
        await perform(step, run);
    }
  }
}

function nextStep(run: Run): Step {
  if (run.signal.aborted) return { do: 'pause', why: 'interrupted', detail: 'stopped by the user' };
  const { state } = run.context;
  const step = next(state, run.limits);
  const limit = limitStep(step, state, run.limits, run.elapsedMs());
  if (limit) return limit;
  const isOverflow = step.do === 'pause' && step.why === 'context_overflow';
  if (step.do !== 'ask' && !isOverflow) return step;
  if (canShorten(run)) return { do: 'compact' };
  return isOverflow ? overflowStep(state, outlookOf(run)) : step;
}

/** A full disk pauses the run with the bytes held back for that; all else goes up. */
function pausedByDisk(error: unknown, run: Run, opened: OpenedRun): RunResult {
  if (!(error instanceof TardigradeError) || error.code !== 'E_DISK_FULL') throw error;
  const detail = error.message;
  run.context.record({ type: 'run_paused', why: 'disk_full', detail });
  return result(opened, { ending: 'paused', why: 'disk_full', detail });
}

type Outcome =
  | { readonly ending: Ending | 'already_finished'; readonly detail: string }
  | { readonly ending: 'paused'; readonly why: PauseReason; readonly detail: string };

const result = (opened: OpenedRun, outcome: Outcome): RunResult => {
  const { state } = opened.context;
  const answer = state.answer === null ? null : opened.context.textOf(state.answer);
  return { ...outcome, answer, state };
};
