/**
 * Settings files as the options of a command line: what was typed goes before them. Loaded only where there
 * is a file.
 */
import type { Path } from '../host/config/document.ts';
import type { ConfigFile, Side } from '../host/config/find.ts';
import { checkReach } from '../host/config/reach.ts';
import { type Configuration, readConfig } from '../host/config/read-config.ts';
import { furtherNames, rowOf, USUAL_PROVIDER } from '../host/providers.ts';
import { durationOf } from '../lib/duration.ts';
import { type FileSystem, nodeFileSystem } from '../lib/file-system.ts';
import { given } from '../lib/given.ts';
import { DEFAULT_MAX_ROUNDS, SANDBOX_WISHES, type SandboxWish } from '../schema/config.ts';
import type { RuleLayers } from '../schema/rule-layers.ts';
import type { Parsed } from './arguments.ts';
import type { Terminal } from './terminal.ts';

export { readProjectServers } from '../host/config/project-servers.ts';

type Options = Extract<Parsed, { kind: 'command' }>['options'];

/** One option as a file gives it. */
export interface Setting {
  /** The option of the command line that it stands for. */
  readonly option: string;
  /** As it is called in a file. */
  readonly path: Path;
  readonly value: unknown;
  readonly side: Side;
  /** Absolute. */
  readonly file: string;
  readonly line: number;
}

export interface Settings {
  readonly config: Configuration;
  /** In the order of the form; at most one for an option. */
  readonly list: readonly Setting[];
}

/** What a run keeps that has begun: it was chosen then, and another choice is typed. */
const KEPT: ReadonlySet<string> = new Set([
  'model',
  'toolMode',
  'effort',
  'context',
  'maxToolResultChars',
]);

/** @param typed the options as they were typed. Throws E_USAGE with file and line. */
export function readSettings(
  files: readonly ConfigFile[],
  typed: Options,
  { env, platform, cwd }: Pick<Terminal, 'env' | 'platform' | 'cwd'>,
  fs: FileSystem = nodeFileSystem,
): Settings {
  const config = readConfig(fs, { env, platform }, files);
  const usual = rowOf(USUAL_PROVIDER);
  const fromEnv = usual.kind === 'local' ? env[usual.modelVariable ?? ''] : undefined;
  const list = settingsOf(config).filter(
    // The environment goes before every file.
    ({ option }) => option !== 'model' || fromEnv === undefined || fromEnv === '',
  );
  checkModels(config, list, typed, cwd);
  return { config, list };
}

/** The options with what the files say where nothing was typed. @param hasBegun see `KEPT` */
export function over({ list }: Settings, typed: Options, hasBegun: boolean): Options {
  const options: { [name: string]: unknown } = { ...typed };
  for (const { option, value } of list) {
    if (hasBegun && KEPT.has(option)) continue;
    if (options[option] === undefined) options[option] = value;
  }
  return options;
}

/** The rules of both sides; none is typed there. */
export function rulesOf({ user, project }: Configuration): RuleLayers {
  const own = user?.form.permissions;
  const { ask, deny } = project?.form.permissions ?? {};
  return {
    ...(own === undefined ? {} : { user: given(own) }),
    ...(project === null ? {} : { project: given({ ask, deny }) }),
  };
}

function settingsOf(config: Configuration): Setting[] {
  const { user, project } = config;
  const from = (side: Side, path: Path, option: string, value: unknown): Setting => {
    const document = (side === 'user' ? user : project)?.document;
    const file = document?.file ?? '';
    return { option, path, value, side, file, line: document?.lineOf(path) ?? 1 };
  };
  const nearest = (
    option: string,
    key: 'model' | 'fallbacks' | 'toolMode' | 'effort' | 'instructions',
  ): Setting[] => one(option, key, (value) => value);
  const one = (
    option: string,
    key: Exclude<keyof NonNullable<typeof user>['form'], 'providers' | 'profiles' | 'mcpServers'>,
    text: (value: unknown) => unknown = String,
  ): Setting[] => {
    for (const side of ['project', 'user'] as const) {
      const value = (side === 'user' ? user : project)?.form[key];
      if (value !== undefined) return [from(side, [key], option, text(value))];
    }
    return [];
  };
  return [
    ...nearest('model', 'model'),
    ...nearest('fallback', 'fallbacks'),
    ...limitsOf(config, from),
    ...nearest('toolMode', 'toolMode'),
    ...nearest('effort', 'effort'),
    ...one('temperature', 'temperature'),
    ...one('context', 'contextWindow'),
    ...one('maxToolResultChars', 'maxToolResultChars'),
    ...nearest('instructions', 'instructions'),
    ...sandboxOf(config, from),
  ];
}

type From = (side: Side, path: Path, option: string, value: unknown) => Setting;

const LIMITS = ['maxRounds', 'maxTokens', 'maxCost', 'maxTime'] as const;

/** A project's limit counts where it is the lower one. */
function limitsOf({ user, project }: Configuration, from: From): Setting[] {
  return LIMITS.flatMap((name) => {
    const own = user?.form.limits?.[name];
    const theirs = project?.form.limits?.[name];
    const usual = name === 'maxRounds' ? DEFAULT_MAX_ROUNDS.guided : Number.POSITIVE_INFINITY;
    if (theirs !== undefined && amount(theirs) < (own === undefined ? usual : amount(own)))
      return [from('project', ['limits', name], name, String(theirs))];
    return own === undefined ? [] : [from('user', ['limits', name], name, String(own))];
  });
}

const amount = (value: number | string): number =>
  typeof value === 'number' ? value : (durationOf(value) ?? 0);

/** The stricter one. */
function sandboxOf({ user, project }: Configuration, from: From): Setting[] {
  const rank = (wish: SandboxWish | undefined): number =>
    wish === undefined ? -1 : SANDBOX_WISHES.indexOf(wish);
  const [own, theirs] = [user?.form.sandbox, project?.form.sandbox];
  if (rank(own) < 0 && rank(theirs) < 0) return [];
  return rank(theirs) > Math.max(0, rank(own))
    ? [from('project', ['sandbox'], 'sandbox', theirs)]
    : own === undefined
      ? []
      : [from('user', ['sandbox'], 'sandbox', own)];
}

function checkModels(
  { user, project }: Configuration,
  list: readonly Setting[],
  typed: Options,
  cwd: string,
): void {
  if (project === null) return;
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const texts = (value: unknown): readonly string[] =>
    Array.isArray(value) ? value.map(String) : [];
  const typedFallbacks = texts(typed.fallback);
  const named = list.flatMap(({ option, side, value, path }) => {
    if (side !== 'project') return [];
    if (option === 'model' && text(typed.model) === null) return [{ model: String(value), path }];
    if (option !== 'fallback' || typedFallbacks.length > 0) return [];
    return texts(value).map((model, index) => ({ model, path: [...path, index] }));
  });
  const own = {
    typed: text(typed.model),
    baseUrl: text(typed.baseUrl),
    usual: user?.form.model ?? null,
    fallbacks: typedFallbacks.length > 0 ? typedFallbacks : (user?.form.fallbacks ?? []),
    further: furtherNames(user?.form.providers),
  };
  checkReach(project, named, own, cwd);
}
