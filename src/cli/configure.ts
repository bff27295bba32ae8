import { findConfigs, findKeys, findProjectServers } from '../host/config/find.ts';
import type { ProjectServers } from '../host/config/project-servers.ts';
import { misuse, TardigradeError } from '../lib/errors.ts';
import { isInside } from '../lib/files/absolute-paths.ts';
import { nodeFileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import { secretsOfServers } from '../llm/secrets/server-secrets.ts';
import { commandRow } from '../options/commands.ts';
import { filled } from '../options/option-values.ts';
import { optionsFromVariables } from '../options/read.ts';
import { OPTIONS } from '../options/table.ts';
import type { Configured } from './command-context.ts';
import type { Invocation } from './command-line/invocation.ts';
import type { Terminal } from './process/terminal.ts';

/**
 * Adds to the typed options what the environment and settings files say; loads nothing more without a file. Throws
 * E_USAGE.
 */
export async function configureInvocation(invocation: Invocation, terminal: Terminal) {
  const { command, workspace, config: named = null } = invocation;
  const { usesSettings = false, works = false } = commandRow(command);
  // A wrong variable must not keep anybody from looking at a run either.
  const options = usesSettings
    ? filled(invocation, optionsFromVariables(terminal.env), OPTIONS)
    : invocation;
  const none: Configured = {
    begin: options,
    goOn: options,
    rules: {},
    servers: {},
    projectServers: null,
    settings: null,
  };
  if (!usesSettings) return { configured: none, accounts: null };
  const isOff = options.ignoreSettings === true;
  const files =
    isOff && named === null ? [] : findConfigs(nodeFileSystem, terminal, { workspace, named });
  const theirs = isOff ? null : findProjectServers(nodeFileSystem, terminal, workspace);
  const keys = isOff ? null : findKeys(nodeFileSystem, terminal);
  if (files.length === 0 && theirs === null && keys === null)
    return { configured: none, accounts: null };
  if (works) {
    const own = files.find(({ side }) => side === 'user');
    if (named === null && own !== undefined) refuseWithin(own.path, 'settings', workspace);
    if (keys !== null) refuseWithin(keys, 'keys', workspace);
  }
  const { over, rulesOf, readProjectServers, readSettings } = await import('./settings.ts');
  const settings = withOwnErrors(() =>
    readSettings(files, invocation, terminal, nodeFileSystem, keys),
  );
  const projectServers =
    theirs === null
      ? null
      : withOwnErrors(() => readProjectServers(nodeFileSystem, terminal, theirs));
  const { accounts, servers } = settings.config;
  return {
    configured: {
      begin: over(settings, options, false),
      goOn: over(settings, options, true),
      rules: rulesOf(settings.config),
      servers,
      projectServers,
      settings: files.length === 0 && keys === null ? null : settings,
    },
    accounts: { ...accounts, others: [...(accounts.others ?? []), ...secretsOf(projectServers)] },
  };
}

/** Secrets are removed from what is shown and kept, whether or not the person consented to the server. */
const secretsOf = (theirs: ProjectServers | null): readonly string[] =>
  secretsOfServers(
    Object.fromEntries(
      (theirs?.servers ?? []).flatMap(({ name, entry }) => (entry === null ? [] : [[name, entry]])),
    ),
  );

/** A run must not be able to write the settings of the next run, or to read a key. */
function refuseWithin(file: string, what: 'settings' | 'keys', workspace: string): void {
  const { realpath, platform } = nodeFileSystem;
  if (!isInside(realpath(workspace), realOf(file), platform)) return;
  const may = what === 'settings' ? 'change' : 'read';
  throw misuse(
    `Your ${what} (${file}) lie in the workspace, where a run could ${may} them.`,
    `Work in another folder, or leave them out: set ${OPTIONS.ignoreSettings.variable}=1.`,
    { option: 'workspace' },
  );
}

/** The real path; a dangling link stays as it is, and reading it reports the error. */
const realOf = (path: string): string => orNull(() => nodeFileSystem.realpath(path)) ?? path;

/** The bundle has an error class of its own; its errors count as ours. */
function withOwnErrors<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof TardigradeError || !isOwnError(error)) throw error;
    throw new TardigradeError(error.code, error.message, error.hint, { cause: error });
  }
}

const isOwnError = (error: unknown): error is TardigradeError =>
  error instanceof Error && error.name === 'TardigradeError';
