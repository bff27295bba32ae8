/** What a run may be told, and what holds where it is told nothing. */
import { TardigradeError } from '../lib/errors.ts';
import { type Candidate, DEFAULT_PROFILE } from '../llm/failover/candidate.ts';
import { type Lessons, NO_LESSONS } from '../llm/models/lessons.ts';
import type { Provider } from '../llm/provider.ts';
import type { Deadlines } from '../llm/turn/deadlines.ts';
import {
  DEFAULT_MAX_ROUNDS,
  DEFAULT_TEMPERATURE,
  DEFAULT_TOOL_MODE,
  MAX_GOAL,
} from '../schema/config.ts';
import type { Emit } from '../schema/events.ts';
import type { ToolMode } from '../schema/records.ts';
import type { Limits } from '../steps/step.ts';
import { type Machine, thisMachine } from './machine.ts';

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
  /** Tokens; left out: what the run had so far, else the largest the model and a laptop can handle. */
  readonly contextWindow?: number;
  /** Left out: `auto`, by what the model can. */
  readonly toolMode?: 'auto' | ToolMode;
  readonly temperature?: number;
  /** Left out or `null`: by goal, turn and attempt alone. */
  readonly seed?: number | null;
  /** Bounds the rounds from this call on; a run that reaches it pauses. */
  readonly maxRounds?: number;
  /** Bounds the tokens of the whole run, of every class, before each request. */
  readonly maxTokens?: number;
  /** US dollars for the whole run. Every model that may be asked must have a known price. */
  readonly maxCost?: number;
  /** Milliseconds from this call on. */
  readonly maxTimeMs?: number;
  /** Programs that may be run beyond the built-in list. */
  readonly allow?: readonly string[];
  /** True starts over when the goal is reached or under way already. */
  readonly again?: boolean;
  /** True takes the lock from a run that no longer works. */
  readonly forceUnlock?: boolean;
  /** Told of everything while the run works. */
  readonly emit?: Emit;
  /** Aborted: the write in progress is finished, then the run pauses. */
  readonly signal?: AbortSignal;
  /** Disk, time and processes; left out: this process's own. */
  readonly machine?: Machine;
  readonly deadlines?: Partial<Deadlines>;
  /** Where what was learnt of a model is kept for the next run; left out: nowhere. */
  readonly lessons?: Lessons;
}

/** The same with every default in place. */
export interface RunRequest {
  readonly goal: string | null;
  readonly workspace: string;
  /** In the order in which they are asked. */
  readonly candidates: readonly Candidate[];
  readonly toolMode: 'auto' | ToolMode;
  readonly temperature: number;
  readonly seed: number | null;
  readonly limits: Limits;
  readonly allow: readonly string[];
  readonly again: boolean;
  readonly forceUnlock: boolean;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  readonly machine: Machine;
  readonly deadlines: Partial<Deadlines>;
  readonly lessons: Lessons;
}

/** Throws E_USAGE for a goal of nothing but white space, or one without end. */
export function readOptions(options: RunGoalOptions): RunRequest {
  const {
    goal,
    workspace,
    toolMode = DEFAULT_TOOL_MODE,
    temperature = DEFAULT_TEMPERATURE,
  } = options;
  if (goal !== null && goal.trim() === '')
    throw new TardigradeError('E_USAGE', 'The goal is empty.', 'Say in words what is to be done.');
  if (goal !== null && goal.length > MAX_GOAL)
    throw new TardigradeError(
      'E_USAGE',
      `The goal has more than ${MAX_GOAL.toLocaleString('en')} characters.`,
      'Put what it is about into a file of the workspace, and name the file in the goal.',
    );
  return {
    goal,
    workspace,
    candidates: candidatesOf(options),
    toolMode,
    temperature,
    seed: options.seed ?? null,
    limits: limitsOf(options),
    allow: options.allow ?? [],
    again: options.again ?? false,
    forceUnlock: options.forceUnlock ?? false,
    emit: options.emit ?? (() => {}),
    signal: options.signal ?? new AbortController().signal,
    machine: options.machine ?? thisMachine(),
    deadlines: options.deadlines ?? {},
    lessons: options.lessons ?? NO_LESSONS,
  };
}

function candidatesOf(options: RunGoalOptions): readonly Candidate[] {
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
}

const limitsOf = ({
  maxRounds = DEFAULT_MAX_ROUNDS,
  maxTokens,
  maxCost,
  maxTimeMs,
}: RunGoalOptions): Limits => ({
  maxRounds,
  ...(maxTokens === undefined ? {} : { maxTokens }),
  ...(maxCost === undefined ? {} : { maxCost }),
  ...(maxTimeMs === undefined ? {} : { maxTimeMs }),
});
