import type { ProjectServers } from '../host/config/project-servers.ts';
import type { Engine } from '../host/engine-port.ts';
import type { ResultBody } from '../run/stream/result-body.ts';
import type { RuleLayers } from '../schema/rule-layers.ts';
import type { ServerEntries } from '../schema/servers.ts';
import type { Invocation } from './command-line/invocation.ts';
import type { Terminal } from './process/terminal.ts';
import type { FileSettings } from './settings.ts';

export interface CommandContext {
  /** As it was typed. */
  readonly invocation: Invocation;
  /** The same with what settings files say. */
  readonly configured: Configured;
  readonly terminal: Terminal;
  readonly engine: Engine;
  /** Of a conversation: servers of the project that were refused for as long as it is open, by name and definition. */
  readonly refusedServers?: Set<string>;
  /** Whoever is told what happens by `--json` hears of an error from the same one. */
  readonly stream: { narrator: { end(result: ResultBody): void } | null };
  /** Runs another command line to its exit code, at another terminal and with another engine. */
  again(argv: readonly string[], terminal: Terminal, engine: Engine): Promise<number>;
  /** Runs this command line anew, with all that it reads; `more` stands before its words. */
  restart(more: readonly string[]): Promise<number>;
}

export interface Configured {
  /** For a run that begins. */
  readonly begin: Invocation;
  /** For one that goes on: it keeps the model and the ways that it began with. */
  readonly goOn: Invocation;
  readonly rules: RuleLayers;
  readonly servers: ServerEntries;
  /** Those that the project would like to have; `null` where it names none. */
  readonly projectServers: ProjectServers | null;
  /** What is shown of where each came from; `null` where there is no file. */
  readonly settings: FileSettings | null;
}

/** Resolves to the exit code. */
export type CommandAction = (context: CommandContext) => Promise<number>;
