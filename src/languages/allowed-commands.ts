/** Pure: the rules of all languages for commands, as the policy asks for them. */
import type { Rule } from './command-rule.ts';
import { LANGUAGES } from './languages.ts';

const COMMANDS = LANGUAGES.flatMap(({ commands }) => commands ?? []);

export const languageRules: { readonly [program: string]: Rule } = Object.assign(
  {},
  ...COMMANDS.map(({ rules }) => rules),
);

/** What is allowed, in words. */
export const languageCommands: string = COMMANDS.map(({ said }) => said).join(', ');

export const insteadOfCommands: { readonly [program: string]: string } = Object.assign(
  {},
  ...COMMANDS.map(({ instead }) => instead),
);

/** How files are run. */
export const runExamples: string = COMMANDS.map(({ runExample }) => runExample).join(' or ');

/** The name rules go by: without a version, where a language's programs are named with one. */
export const plainCommandName = (program: string): string =>
  COMMANDS.reduce((name, { plainName }) => plainName?.(name) ?? name, program);
