/** The options that a run and a conversation have in common, and their names. */
import type { RunGoalOptions } from './options.ts';

type OfRuns =
  | 'goal'
  | 'wants'
  | 'keep'
  | 'run'
  | 'parent'
  | 'plainTry'
  | 'temperature'
  | 'refreshTools'
  | 'shell'
  | 'inbox';
type OfItsLife = 'maxRounds' | 'maxTokens' | 'maxCost' | 'maxTimeMs' | 'again' | 'emit';

export type CommonOptions = Omit<RunGoalOptions, OfRuns | OfItsLife>;

/** The names of all options of a call, so that one that nobody has is refused. */
export type Known<Options> = { readonly [Name in keyof Required<Options>]: true };

/** All but those that say who is asked. */
export const COMMON_OPTIONS: Known<Omit<CommonOptions, 'provider' | 'model' | 'fallbacks'>> = {
  worker: true,
  workspace: true,
  profile: true,
  baseUrl: true,
  contextWindow: true,
  toolMode: true,
  seed: true,
  effort: true,
  maxToolResultChars: true,
  keptOutput: true,
  keys: true,
  instructions: true,
  allow: true,
  servers: true,
  deny: true,
  rules: true,
  ask: true,
  canUseTool: true,
  policy: true,
  tools: true,
  yes: true,
  trustPrograms: true,
  programConsents: true,
  keepRules: true,
  sandbox: true,
  sandboxAtLeast: true,
  forceUnlock: true,
  signal: true,
  machine: true,
  deadlines: true,
  lessons: true,
  originKey: true,
  keepFolder: true,
};
