/** What the hints look at. */

export interface CommandSeen {
  /** The rule name of the program: python, node, pytest, … */
  readonly program: string;
  readonly args: readonly string[];
  readonly kind: 'exited' | 'timeout';
  readonly exitCode: number | null;
  readonly timeoutSec: number;
  readonly output: string;
  readonly stdinGiven: boolean;
  /** Words a shell would have expanded. */
  readonly unexpanded: readonly string[];
}

/** What is known of the workspace, for hints that name files. */
export interface KnownNames {
  /** Top-level functions, classes and constants of the workspace's own files. */
  readonly definitions: readonly { readonly name: string; readonly file: string }[];
  /** Files of the workspace, relative, with `/`. */
  readonly files: readonly string[];
  /** Names of packages that are under work here, as their manifests give them. */
  readonly packages?: readonly string[];
  /** True where a person may allow that a package is installed; left out: what is missing stays so. */
  readonly mayInstall?: boolean;
}
