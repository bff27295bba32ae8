import type { ProjectServers } from '../host/config/project-servers.ts';
import type { Engine } from '../host/engine-port.ts';
import type { ResultBody } from '../run/stream/result-body.ts';
import type { RuleLayers } from '../schema/rule-layers.ts';
import type { ServerEntries } from '../schema/servers.ts';
import type { Invocation } from './command-line/invocation.ts';
import type { Terminal } from './process/terminal.ts';
import type { FileSettings } from './settings.ts';

export interface CommandContext {
  /** As typed. */
  readonly invocation: Invocation;
  /** The same with what settings files add. */
  readonly configured: Configured;
  readonly terminal: Terminal;
  readonly engine: Engine;
  /** In a conversation: servers of the project that the person refused while it is open, by name and definition. */
  readonly refusedServers?: Set<string>;
  /** The only narrator of `--json`: readers of its events receive errors there, too. */
  readonly stream: { narrator: { end(result: ResultBody): void } | null };
  /** Runs another command line, at another terminal and with another engine, and resolves to its exit code. */
  again(argv: readonly string[], terminal: Terminal, engine: Engine): Promise<number>;
  /** Runs this command line again from the start, with `more` before its words. */
  restart(more: readonly string[]): Promise<number>;
}

export interface Configured {
  /** For a run that begins. */
  readonly begin: Invocation;
  /** For a run that continues: it keeps its model and its settings. */
  readonly goOn: Invocation;
  readonly rules: RuleLayers;
  readonly servers: ServerEntries;
  /** The servers that the project asks for; `null` if it names none. */
  readonly projectServers: ProjectServers | null;
  /** The settings with the origin of each; `null` if there is no file. */
  readonly settings: FileSettings | null;
}

export function withAccounts({ terminal, configured }: CommandContext) {
  const { accounts } = configured.settings?.config ?? {};
  return accounts === undefined ? terminal : { ...terminal, accounts };
}

/** Resolves to the exit code. */
export type CommandAction = (context: CommandContext) => Promise<number>;
