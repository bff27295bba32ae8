/** What the hints look at. */

export interface CommandSeen {
  /** The rule name of the program: python, node, pytest, … */
  readonly program: string;
  readonly args: readonly string[];
  readonly kind: 'exited' | 'timeout';
  readonly exitCode: number | null;
  readonly timeoutSec: number;
  readonly output: string;
  readonly hasStdin: boolean;
  /** Words a shell would have expanded. */
  readonly unexpanded: readonly string[];
}
