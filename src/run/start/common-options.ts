/** The names of the ports that library calls accept besides options, so that unknown names are refused. */
import type { CommonPorts, RunOnlyPorts } from '../options.ts';

export type KnownNames<Options> = { readonly [Name in keyof Required<Options>]: true };

/** All ports except those that name the model. */
export const COMMON_PORTS: KnownNames<Omit<CommonPorts, 'provider' | 'model' | 'fallbacks'>> = {
  worker: true,
  workspace: true,
  profile: true,
  baseUrl: true,
  keys: true,
  servers: true,
  rules: true,
  ask: true,
  canUseTool: true,
  policy: true,
  tools: true,
  programConsents: true,
  saveRules: true,
  signal: true,
  machine: true,
  lessons: true,
  originKey: true,
  backupFolder: true,
};

export const RUN_PORTS: KnownNames<Omit<RunOnlyPorts, keyof CommonPorts>> = {
  goal: true,
  run: true,
  parent: true,
  emit: true,
  askPlan: true,
  template: true,
  inbox: true,
  skipTrials: true,
  leases: true,
  cooldowns: true,
  beforeEffect: true,
};
