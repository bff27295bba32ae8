/** The words of the command policy. */

export interface CommandLine {
  /** As the model wrote it. */
  readonly program: string;
  readonly args: readonly string[];
}

export interface PolicyOptions {
  readonly platform: NodeJS.Platform;
  /** Names of programs allowed beyond the list. */
  readonly allow: readonly string[];
  /** True for a path, relative to the workspace or absolute, that leads out of it. */
  isOutside(path: string): boolean;
}

export type Verdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string; readonly hint: string };

/**
 * What one program's rule says: `null` is yes. `liftedBy` names the program whose --allow sets the
 * objection aside; `null`: nothing does.
 */
export type Objection = { readonly reason: string; readonly liftedBy: string | null } | null;
export type Rule = (args: readonly string[], options: PolicyOptions) => Objection;
