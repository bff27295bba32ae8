/** Reads settings files into the options of a call. Reads only the environment that it is passed. */

import { defined } from '../../lib/defined.ts';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { type CommonOptionValues, optionsForCall } from '../../options/option-values.ts';
import { OPTIONS } from '../../options/table.ts';
import type { KnownNames } from '../../run/start/common-options.ts';
import { stricter } from '../../run/tools/choose-sandbox.ts';
import { accountSecrets } from '../config/accounts.ts';
import { findConfigs } from '../config/find.ts';
import { checkQuery, requireWorkspace, wrong } from './checked-call.ts';
import { machineOf, type Where } from './place.ts';
import type { GoalOptions } from './run-goal.ts';

/** Where settings are read from; `env` replaces the environment. */
export interface ConfigOptions extends Pick<Where, 'workspace' | 'machine'> {
  /** The environment, such as `process.env`: it locates the user's file and fills `${NAME}` in it. */
  readonly env: { readonly [name: string]: string | undefined };
  /** Replaces the user's own file. */
  readonly file?: string;
  /** Used if the files name none. */
  readonly model?: string;
}

const KNOWN: KnownNames<ConfigOptions> = {
  workspace: true,
  machine: true,
  env: true,
  file: true,
  model: true,
};

type Settled = Pick<GoalOptions, 'providers' | 'profiles' | 'servers' | 'rules' | 'keys'> &
  CommonOptionValues;

/** Options that runs, conversations and `runAgent` have in common. */
export interface LoadedConfig extends Settled {
  readonly workspace: string;
  readonly model: string;
  /** By name; each is asked with its further keys. */
  readonly fallbacks: readonly string[];
}

/**
 * From the user's file, everything that a conversation can use; from the project's `.tardigrade.json`, what it asks
 * about, what it denies, and a stricter sandbox. Throws E_USAGE with file and line for an invalid file, and if no model
 * is named.
 */
export async function loadConfig(request: ConfigOptions): Promise<LoadedConfig> {
  checkQuery('loadConfig', request, KNOWN);
  requireWorkspace(request);
  const { workspace, env, file = null, model: usual } = request;
  if (env === undefined) throw wrong('env', 'an object, such as process.env');
  const { fs } = machineOf(request);
  const place = { env, platform: fs.platform, cwd: workspace };
  const files = findConfigs(fs, place, { workspace, named: file });
  const { readConfig } = await import('../config/read-config.ts');
  const { user, project, accounts, servers } = readConfig(fs, place, files);
  const { model = usual, fallbacks = [], ...own } = user?.options ?? {};
  if (model === undefined) throw noModel();
  const { ask, deny } = project?.form.permissions ?? {};
  const { providers, profiles } = accounts;
  const sandboxAtLeast = stricter(own.sandboxAtLeast, project?.options.sandboxAtLeast);
  return {
    workspace,
    model,
    fallbacks,
    servers,
    providers,
    profiles,
    keys: accountSecrets(accounts),
    rules: { user: defined({ ...user?.form.permissions }), project: defined({ ask, deny }) },
    ...optionsForCall<CommonOptionValues>('chat', own, OPTIONS),
    sandboxAtLeast,
  };
}

const noModel = (): TardigradeError =>
  misuse('The settings name no model.', 'Write "model" into the settings file, or pass one.', {
    option: 'model',
  });
