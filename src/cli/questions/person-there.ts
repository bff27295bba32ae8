import type { Invocation } from '../command-line/invocation.ts';
import type { Terminal } from '../process/terminal.ts';

/** A program that reads JSON lines cannot answer a question. */
export const isPersonThere = (terminal: Terminal, { json }: Pick<Invocation, 'json'>): boolean =>
  terminal.stdinIsTerminal &&
  terminal.stderr.isTerminal &&
  terminal.keys !== undefined &&
  !terminal.env.CI &&
  json !== true;
