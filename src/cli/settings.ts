/**
 * Applies settings files as options of the command line; typed options take precedence. Loaded only if there is a file.
 */
import type { SettingPath } from '../host/config/document.ts';
import type { ConfigFile, SettingsOwner } from '../host/config/find.ts';
import { checkReach } from '../host/config/reach.ts';
import { type Configuration, readConfig } from '../host/config/read-config.ts';
import { furtherNames, rowOf, USUAL_PROVIDER } from '../host/providers/providers.ts';
import { defined } from '../lib/defined.ts';
import { type FileSystem, nodeFileSystem } from '../lib/files/file-system.ts';
import { optionValue, withOptionValue } from '../options/option-values.ts';
import type { OptionRow } from '../options/row.ts';
import { OPTIONS, pathOf, rowsIn } from '../options/table.ts';
import type { RuleLayers } from '../schema/rule-layers.ts';
import type { Invocation } from './command-line/invocation.ts';
import type { Terminal } from './process/terminal.ts';

export { readProjectServers } from '../host/config/project-servers.ts';

type Typed = Pick<Invocation, 'model' | 'baseUrl' | 'fallbacks'>;

/** One option as a file sets it. */
export interface FileSetting {
  /** The option's name in the table. */
  readonly option: string;
  readonly path: SettingPath;
  /** The option's value in the file. */
  readonly value: unknown;
  readonly stated: unknown;
  readonly isKept: boolean;
  readonly side: SettingsOwner;
  /** Absolute. */
  readonly file: string;
  readonly line: number;
}

export interface FileSettings {
  readonly config: Configuration;
  /** In the order of the table; at most one per option. */
  readonly list: readonly FileSetting[];
}

/** @param typed the typed options. @param keys the file of pasted keys. Throws E_USAGE with file and line. */
export function readSettings(
  files: readonly ConfigFile[],
  typed: Typed,
  { env, platform, cwd }: Pick<Terminal, 'env' | 'platform' | 'cwd'>,
  fs: FileSystem = nodeFileSystem,
  keys: string | null = null,
): FileSettings {
  const config = readConfig(fs, { env, platform }, files, keys);
  const usual = rowOf(USUAL_PROVIDER);
  const fromEnv = usual.kind === 'local' ? env[usual.modelVariable ?? ''] : undefined;
  const list = settingsOf(config).filter(
    // The environment takes precedence over every file.
    ({ option }) => option !== 'model' || fromEnv === undefined || fromEnv === '',
  );
  checkModels(config, list, typed, cwd);
  return { config, list };
}

/** Fills in from the files what nothing else sets. @param hasBegun whether the run exists and keeps its own values */
export const over = <Into extends object>(
  { list }: FileSettings,
  options: Into,
  hasBegun: boolean,
): Into =>
  list.reduce(
    (all, { option, stated: request, isKept }) =>
      (hasBegun && isKept) || optionValue(all, option) !== undefined
        ? all
        : withOptionValue(all, option, request),
    options,
  );

/** The rules of both files; none of them is typed. */
export function rulesOf({ user, project }: Configuration): RuleLayers {
  const own = user?.form.permissions;
  const { ask, deny } = project?.form.permissions ?? {};
  return {
    ...(own === undefined ? {} : { user: defined(own) }),
    ...(project === null ? {} : { project: defined({ ask, deny }) }),
  };
}

const settingsOf = ({ user, project }: Configuration): readonly FileSetting[] =>
  rowsIn(OPTIONS).flatMap(([option, row]) => {
    const own = optionValue(user?.options ?? {}, option);
    const theirs = optionValue(project?.options ?? {}, option);
    const side = sideOf(row, own, theirs);
    const document = (side === 'user' ? user : project)?.document;
    if (row.setting === undefined || side === null || document === undefined) return [];
    const path = pathOf(row.setting);
    return {
      option,
      path,
      value: optionValue(document.value as object, row.setting),
      stated: side === 'user' ? own : theirs,
      isKept: row.isKept === true,
      side,
      file: document.file,
      line: document.lineOf(path),
    };
  });

/** The file whose value counts; `null` if neither sets one. */
function sideOf(
  { kind, project, narrowFrom }: OptionRow,
  own: unknown,
  theirs: unknown,
): SettingsOwner | null {
  const user = own === undefined ? null : 'user';
  if (theirs === undefined || project === undefined) return user;
  if (project !== 'narrow') return 'project';
  const bound = own ?? narrowFrom;
  return bound === undefined || kind.isStricter?.(theirs, bound) === true ? 'project' : user;
}

function checkModels(
  { user, project }: Configuration,
  list: readonly FileSetting[],
  { model, baseUrl, fallbacks = [] }: Typed,
  cwd: string,
): void {
  if (project === null) return;
  const named = list.flatMap(({ option, side, stated: request, path }) => {
    if (side !== 'project') return [];
    if (option === 'model' && model === undefined) return [{ model: String(request), path }];
    if (option !== 'fallbacks' || fallbacks.length > 0) return [];
    return (project.options.fallbacks ?? []).map((one, index) => ({
      model: one,
      path: [...path, index],
    }));
  });
  const own = {
    typed: model ?? null,
    baseUrl: baseUrl ?? null,
    usual: user?.options.model ?? null,
    fallbacks: fallbacks.length > 0 ? fallbacks : (user?.options.fallbacks ?? []),
    further: furtherNames(user?.form.providers),
  };
  checkReach(project, named, own, cwd);
}
