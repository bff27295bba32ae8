import { type ConfigFile, findConfigs } from '../host/config/find.ts';
import type { Configuration } from '../host/config/read-config.ts';
import { TardigradeError } from '../lib/errors.ts';
import { nodeFileSystem } from '../lib/file-system.ts';
import { isInside } from '../workspace/jail.ts';
import type { Parsed } from './arguments.ts';
import type { Configured } from './command-context.ts';
import type { CommandName } from './command-line.ts';
import { checkInvocation, type Invocation } from './options.ts';
import type { Terminal } from './terminal.ts';

/** A broken file must not keep anybody from looking at a run, or from undoing it. */
const USES_SETTINGS: ReadonlySet<CommandName> = new Set<CommandName>([
  'run',
  'resume',
  'chat',
  'config',
  'models',
  'doctor',
  'setup',
]);

const WORKS: ReadonlySet<CommandName> = new Set<CommandName>(['run', 'resume', 'chat']);

/** Set to anything, no settings file is read. */
export const NO_CONFIG = 'TARDIGRADE_NO_CONFIG';

interface Answer {
  readonly configured: Configured;
  readonly config: Configuration | null;
}

/** What was typed, with what settings files say; without one, nothing more is loaded. Throws E_USAGE. */
export async function configure(
  parsed: Extract<Parsed, { kind: 'command' }>,
  invocation: Invocation,
  terminal: Terminal,
): Promise<Answer> {
  const none: Configured = {
    begin: invocation,
    goOn: invocation,
    typed: parsed.options,
    rules: {},
    servers: {},
    settings: null,
  };
  const { command, workspace, config: named } = invocation;
  const isOff = named === null && (terminal.env[NO_CONFIG] ?? '') !== '';
  if (!USES_SETTINGS.has(command) || isOff) return { configured: none, config: null };
  const files = findConfigs(nodeFileSystem, terminal, { workspace, named });
  if (files.length === 0) return { configured: none, config: null };
  if (WORKS.has(command) && named === null) refuseWithin(files, workspace);
  const { over, rulesOf, readSettings, refuseSandbox } = await import('./settings.ts');
  const settings = told(() => {
    const found = readSettings(files, parsed.options, terminal);
    if (WORKS.has(command)) refuseSandbox(found);
    return found;
  });
  const checked = (hasBegun: boolean): Invocation =>
    checkInvocation({ ...parsed, options: over(settings, parsed.options, hasBegun) }, terminal.cwd);
  const rules = rulesOf(settings.config);
  return {
    configured: {
      begin: checked(false),
      goOn: checked(true),
      typed: parsed.options,
      rules,
      servers: settings.config.servers,
      settings,
    },
    config: settings.config,
  };
}

/** What a run may write must not say what the next one may do. */
function refuseWithin(files: readonly ConfigFile[], workspace: string): void {
  const { realpath, platform } = nodeFileSystem;
  const own = files.find(({ side }) => side === 'user');
  if (own === undefined || !isInside(realpath(workspace), realOf(own.path), platform)) return;
  throw new TardigradeError(
    'E_USAGE',
    `Your settings (${own.path}) lie in the folder that is worked in, where a run could change them.`,
    `Work in another folder, or leave them out: set ${NO_CONFIG}=1.`,
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
function told<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof TardigradeError || !isToldError(error)) throw error;
    throw new TardigradeError(error.code, error.message, error.hint, { cause: error });
  }
}

const isToldError = (error: unknown): error is TardigradeError =>
  error instanceof Error && error.name === 'TardigradeError';
