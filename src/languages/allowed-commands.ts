/** Pure: the rules of all languages for commands, as the policy asks for them. */
import type { Rule } from './command-rule.ts';
import { LANGUAGES } from './languages.ts';

const COMMANDS = LANGUAGES.flatMap(({ commands }) => commands ?? []);

export const languageRules: { readonly [program: string]: Rule } = Object.assign(
  {},
  ...COMMANDS.map(({ rules }) => rules),
);

export const insteadOfCommands: { readonly [program: string]: string } = Object.assign(
  {},
  ...COMMANDS.map(({ instead }) => instead),
);

/** What a run is told of commands. */
export interface CommandsSaid {
  /** What is allowed. */
  readonly allowed: string;
  /** How files are run. */
  readonly runExamples: string;
}

/** A language that few goals are about takes no words from a run that is not about it. */
export function commandsSaid(goal: string): CommandsSaid {
  const told = LANGUAGES.flatMap(({ commands, runs }) =>
    commands && (commands.isSaidAlways || runs?.isNamedIn(goal)) ? commands : [],
  );
  return {
    allowed: told.map(({ said }) => said).join(', '),
    runExamples: told.map(({ runExample }) => runExample).join(' or '),
  };
}

/** The name rules go by: without a version, where a language's programs are named with one. */
export const plainCommandName = (program: string): string =>
  COMMANDS.reduce((name, { plainName }) => plainName?.(name) ?? name, program);
