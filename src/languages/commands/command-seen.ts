/** The facts on which hints are based. */

export interface CommandSeen {
  /** The program's name in rules: python, node, pytest, … */
  readonly program: string;
  readonly args: readonly string[];
  readonly kind: 'exited' | 'timeout';
  readonly exitCode: number | null;
  readonly timeoutSec: number;
  readonly output: string;
  readonly hasStdin: boolean;
  /** Words that a shell would have expanded. */
  readonly unexpanded: readonly string[];
}
