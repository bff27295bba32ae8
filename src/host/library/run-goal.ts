/** A run as a long call: a promise of its result, and its events. */
import { type RunGoalOptions, type RunResult, runGoal as run } from '../../agent.ts';
import { RUN_FORMAT } from '../../context-manager/run-format.ts';
import { layoutOf } from '../../journal/layout.ts';
import { isSameGoal } from '../../journal/runs/goal-id.ts';
import { listJournalledRuns } from '../../journal/runs/runs.ts';
import { failedWarning, notify } from '../../lib/callback.ts';
import { defined } from '../../lib/defined.ts';
import type { LongCall } from '../../lib/long-call.ts';
import { orNull } from '../../lib/or-null.ts';
import { optionNamesFor, type RunOptionValues } from '../../options/option-values.ts';
import type { Machine } from '../../run/machine.ts';
import { COMMON_PORTS, type KnownNames, RUN_PORTS } from '../../run/start/common-options.ts';
import { createNarrator } from '../../run/stream/narrator.ts';
import { errorBody, type ResultBody, resultBody } from '../../run/stream/result-body.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import type { RunState } from '../../schema/state.ts';
import { isFinished } from '../../schema/state-parts/untried.ts';
import { errorFacts } from '../error-facts.ts';
import { readRun } from '../journals/journal.ts';
import { beliefIn } from '../journals/origin.ts';
import { noRun } from '../journals/with-journal.ts';
import { checkCall, refuseUnknown } from './checked-call.ts';
import { replayedCall } from './from-start.ts';
import { type LiveOption, liveIn } from './live-option.ts';
import {
  MODEL_OPTIONS,
  type ModelOptions,
  openedLate,
  openForCall,
  splitModelOptions,
  stoppedOr,
} from './open-model.ts';
import { machineOf, originKeyIn, type Where } from './place.ts';
import { replayedFrom } from './replay.ts';

/** Everything but goal, workspace and model may be left out. */
export interface GoalOptions
  extends Omit<RunGoalOptions, 'provider' | 'model' | 'fallbacks'>,
    ModelOptions,
    LiveOption,
    Pick<Where, 'journal'> {
  /**
   * `openai/gpt-5-mini`, `ollama/…`, `NAME/…` of a registered provider; with a `provider`, its own name for the model;
   * or a model of the Vercel AI SDK.
   */
  readonly model: NonNullable<ModelOptions['model']>;
}

const OTHERS: KnownNames<Omit<GoalOptions, keyof RunOptionValues>> = {
  ...MODEL_OPTIONS,
  ...COMMON_PORTS,
  ...RUN_PORTS,
  journal: true,
  live: true,
};

/** The same for an existing run, whose goal and model are known. */
export type ResumeOptions = Omit<GoalOptions, 'goal' | 'again' | 'model'> & ModelOptions;

/** How a run ended: the data of its last event, and the whole state. */
export type RunOutcome = RunResult & Omit<ReturnType<typeof resultBody>, 'type' | keyof RunResult>;

/** A run in progress: a promise of its outcome, and an iterable of its events. */
export type RunCall = LongCall<RunOutcome, StreamEvent>;

/**
 * Runs a goal to its end or a pause: `await runGoal({ goal, workspace, model })`, or `for await` its events. It rejects
 * with a `TardigradeError` for an invalid call (E_USAGE, E_WORKSPACE, E_LOCKED, …), and with a `ProviderError` if the
 * model cannot be described; everything else is a result.
 */
export function runGoal(options: GoalOptions): RunCall {
  return longRun('runGoal', options);
}

/** Continues the current run of a folder, or the named one; a model left out is its former one. */
export function resumeRun(options: ResumeOptions): RunCall {
  return longRun('resumeRun', { ...options, goal: null });
}

type AnyOptions = Omit<GoalOptions, 'model'> & ModelOptions;

const longRun = (name: string, options: AnyOptions): RunCall =>
  replayedCall(
    options?.signal,
    (tell, signal) => narrated(name, options, signal, tell),
    ({ run }) => ofJournal(options, run),
  );

async function narrated(
  name: string,
  call: AnyOptions,
  signal: AbortSignal,
  tell: (event: StreamEvent) => void,
): Promise<RunOutcome> {
  const { goal = null, workspace = '' } = call ?? {};
  const narrator = createNarrator({ goal, workspace }, tell);
  try {
    const { options, machine, close, notice } = await optionsFor(name, call, signal);
    const began = machine.clock.monotonic();
    const emitToo = notify(options.emit, (why) => narrator.emit(failedWarning('emit', why)));
    const emit = (event: RunEvent): void => {
      narrator.emit(event);
      emitToo(event);
    };
    if (notice !== '') emit({ type: 'notice', level: 'warning', text: notice });
    let body: ReturnType<typeof resultBody> | null = null;
    try {
      const result = await run({ ...options, emit });
      const elapsedMs = machine.clock.monotonic() - began;
      body = resultBody(result, { elapsedMs, workspace, resume: null });
      narrator.end(body, result.state);
      return runOutcomeOf(result, body);
    } finally {
      await close(body);
    }
  } catch (error) {
    const cause = stoppedOr(error);
    narrator.end(errorBody(errorFacts(cause), null));
    throw cause;
  }
}

/** A call with its model, ready to open a run. `close` closes the model. */
interface ForCall {
  readonly options: RunGoalOptions;
  readonly machine: Machine;
  readonly notice: string;
  /** @param result the last event for followers; `null`: there is none */
  close(result: ResultBody | null): Promise<void>;
}

/** Throws E_USAGE for an unknown option, and the error of a model that cannot be described. */
export async function optionsFor(
  name: string,
  call: AnyOptions,
  signal: AbortSignal,
): Promise<ForCall> {
  const { modelOptions: selection, rest } = splitModelOptions(call ?? {});
  const { journal, live, ...options } = rest;
  const { goal = null, workspace = '' } = options;
  checkCall(call);
  refuseUnknown(name, call, { ...optionNamesFor('run'), ...OTHERS });
  const machine = machineOf({ ...options, journal });
  const followed = liveIn(live, options.originKey, machine);
  const before = selection.provider === undefined ? meantBy(options, machine) : null;
  // Without a run its model is not what is missing.
  if (goal === null && before === null && readRun(machine, workspace, options.run) === null)
    throw noRun();
  const place = { workspace, machine, signal };
  const models = { ...selection, ...defined({ models: options.models }) };
  const {
    close,
    notice = '',
    ...opened
  } = before !== null && isFinished(before) && options.again !== true
    ? openedLate(models, before, place)
    : await openForCall(models, goal === null ? before : null, place);
  const whole = { ...opened, ...options, machine, signal };
  if (followed === null) return { options: whole, machine, notice, close };
  const { liveRun } = await import('../live/live-work.ts');
  const { live: work, request } = liveRun(whole, followed);
  const closeBoth: ForCall['close'] = (result) => work.close(result).finally(close);
  return { options: request, machine, notice, close: closeBoth };
}

/** The run that the call is about, if it exists and is this user's. Opening it reports anything else. */
function meantBy({ goal, ...where }: AnyOptions, machine: Machine): RunState | null {
  if (goal === null) return believedIn(where, machine);
  const found = orNull(() => believedIn(where, machine));
  return found !== null && isSameGoal(goal, found.goal) ? found : null;
}

function believedIn(where: Where, machine: Machine): RunState | null {
  const reading = originKeyIn(where);
  if (reading === null) return readRun(machine, where.workspace, where.run);
  const belief = beliefIn(machine, reading, where.workspace, where.run);
  return belief.kind === 'own' ? belief.state : null;
}

export function runOutcomeOf(result: RunResult, { type: _type, ...body }: ResultBody): RunOutcome {
  return { ...body, ...result } as RunOutcome;
}

/** The records of this run's journal: another run may be the current one by now. */
function* ofJournal(
  options: Pick<AnyOptions, 'workspace' | 'machine' | 'journal'>,
  run: string | null,
): Generator<StreamEvent> {
  const { fs } = machineOf(options);
  const layout = layoutOf(fs.realpath(options.workspace));
  const own = listJournalledRuns({ fs, layout, format: RUN_FORMAT }).find(({ id }) => id === run);
  if (own !== undefined) yield* replayedFrom({ ...layout, history: own.file }, fs);
}
