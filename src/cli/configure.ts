import type { Accounts } from '../host/config/accounts.ts';
import { findConfigs, findKeys, findProjectServers } from '../host/config/find.ts';
import type { ProjectServers } from '../host/config/project-servers.ts';
import { TardigradeError } from '../lib/errors.ts';
import { nodeFileSystem } from '../lib/files/file-system.ts';
import { secretsOfServers } from '../llm/secrets/server-secrets.ts';
import { commandRow } from '../options/commands.ts';
import { filled } from '../options/option-values.ts';
import { optionsFromVariables } from '../options/read.ts';
import { OPTIONS } from '../options/table.ts';
import { isInside } from '../workspace/jail.ts';
import type { Configured } from './command-context.ts';
import type { Invocation } from './command-line/invocation.ts';
import type { Terminal } from './process/terminal.ts';

interface Answer {
  readonly configured: Configured;
  /** `null` where no file was read. */
  readonly accounts: Accounts | null;
}

/** What was typed, with what the environment and settings files say; without a file, nothing more is loaded. Throws E_USAGE. */
export async function configure(invocation: Invocation, terminal: Terminal): Promise<Answer> {
  const { command, workspace, config: named = null } = invocation;
  const { usesSettings = false, works = false } = commandRow(command);
  // What stands in the environment must not keep anybody from looking at a run either.
  const given = usesSettings
    ? filled(invocation, optionsFromVariables(terminal.env), OPTIONS)
    : invocation;
  const none: Configured = {
    begin: given,
    goOn: given,
    rules: {},
    servers: {},
    projectServers: null,
    settings: null,
  };
  if (!usesSettings) return { configured: none, accounts: null };
  const isOff = given.ignoreSettings === true;
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
      begin: over(settings, given, false),
      goOn: over(settings, given, true),
      rules: rulesOf(settings.config),
      servers,
      projectServers,
      settings: files.length === 0 && keys === null ? null : settings,
    },
    accounts: { ...accounts, others: [...(accounts.others ?? []), ...secretsOf(projectServers)] },
  };
}

/** Consented or not: they are taken out of what is shown and kept. */
const secretsOf = (theirs: ProjectServers | null): readonly string[] =>
  secretsOfServers(
    Object.fromEntries(
      (theirs?.servers ?? []).flatMap(({ name, entry }) => (entry === null ? [] : [[name, entry]])),
    ),
  );

/** What a run may write must not say what the next one may do, and what it may read must hold no key. */
function refuseWithin(file: string, what: 'settings' | 'keys', workspace: string): void {
  const { realpath, platform } = nodeFileSystem;
  if (!isInside(realpath(workspace), realOf(file), platform)) return;
  const may = what === 'settings' ? 'change' : 'read';
  throw new TardigradeError(
    'E_USAGE',
    `Your ${what} (${file}) lie in the workspace, where a run could ${may} them.`,
    `Work in another folder, or leave them out: set ${OPTIONS.ignoreSettings.variable}=1.`,
    { option: 'workspace' },
  );
}

function realOf(path: string): string {
  try {
    return nodeFileSystem.realpath(path);
  } catch {
    // A link that leads nowhere: reading it says so.
    return path;
  }
}

/** That bundle has a class of errors of its own; what it says counts as ours. */
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
