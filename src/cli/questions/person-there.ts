import type { Invocation } from '../command-line/invocation.ts';
import type { Terminal } from '../process/terminal.ts';

/** Who reads lines in JSON, or nothing at all, is no person who could answer. */
export const isPersonThere = (terminal: Terminal, { json }: Pick<Invocation, 'json'>): boolean =>
  terminal.stdinIsTerminal &&
  terminal.stderr.isTerminal &&
  terminal.keys !== undefined &&
  !terminal.env.CI &&
  json !== true;
