import type { Engine } from '../host/engine-port.ts';
import type { Invocation } from './options.ts';
import type { Terminal } from './terminal.ts';

/** What every command works with. */
export interface CommandContext {
  readonly invocation: Invocation;
  readonly terminal: Terminal;
  readonly engine: Engine;
}

/** Resolves to the exit code. */
export type CommandAction = (context: CommandContext) => Promise<number>;
