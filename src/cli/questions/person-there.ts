import { misuse } from '../../lib/errors.ts';
import { INSIDE_A_RUN } from '../../processes/environment.ts';
import type { Invocation } from '../command-line/invocation.ts';
import type { Terminal } from '../process/terminal.ts';

/** A program that reads JSON lines cannot answer a question. */
export const isPersonThere = (terminal: Terminal, { json }: Pick<Invocation, 'json'>): boolean =>
  terminal.stdinIsTerminal &&
  terminal.stderr.isTerminal &&
  terminal.keys !== undefined &&
  !terminal.env.CI &&
  json !== true;

/** A program that the model started must not act for a person. Throws E_USAGE. */
export function refuseInsideRun(
  { env }: Pick<Terminal, 'env'>,
  what = 'answer for a person',
  hint = 'Answer from a terminal of your own.',
): void {
  if (env[INSIDE_A_RUN] !== undefined)
    throw misuse(`A program that a run has started cannot ${what}.`, hint);
}
