/** Pure: a build tool runs what its files say, so it needs a yes where they are not as they were when the run began. */
import { type CommandRuleOptions, changedByRun, type Objection } from '../commands/command-rule.ts';

/** The files by which a build tool goes. */
export interface SteeringFiles {
  /** Without it the folder is none of the tool's. */
  readonly manifest: string;
  /** Compared by their hashes. */
  readonly compared: readonly string[];
  /** True for such a file in any folder. */
  is(path: string): boolean;
}

/**
 * The first word that is neither known nor the value of an option that takes one; `undefined`: none. A word like an
 * option is no value: the program may read it as one.
 */
export const unknownIn = (
  args: readonly string[],
  known: (word: string) => boolean,
  taking: readonly string[],
): string | undefined =>
  args.find((arg, at) => {
    const isValue = taking.includes(args[at - 1] ?? '') && !arg.startsWith('-');
    return !isValue && !taking.includes(arg) && !known(arg);
  });

export function changedSteering(
  program: string,
  { manifest, compared, is }: SteeringFiles,
  { builds: { taken, now, hasChanged, unseen } }: CommandRuleOptions,
): Objection {
  if (taken?.[manifest] === undefined)
    return changedByRun(
      program,
      unseen ?? `${program} is not allowed: there was no ${manifest} when the run began.`,
    );
  const today = now();
  const other = compared.find((path) => today[path] !== taken[path]);
  return other === undefined && !hasChanged(is)
    ? null
    : changedByRun(
        program,
        `${program} would start what this run has changed${other === undefined ? '' : `: ${other}`}.`,
      );
}
