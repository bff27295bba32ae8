/** Pure: the name by which the program was started. This file alone puts that name before a command. */
import { TardigradeError } from '../../lib/errors.ts';
import { commandLine } from '../../lib/text/shell-words.ts';

/** The commands that the package installs; `npx` starts only the last one. */
export const PROGRAM_NAMES = ['agent', 'tardigrade', 'tardigrade-agent'] as const;

/** Precedes a command line that is being typed; the shells' completion scripts send it. */
export const COMPLETING = '__complete';
/** Used if it is unknown how the program was started. */
export const USUAL_NAME = PROGRAM_NAMES[0];
/** Stands for the program's name in the next step of an error. No argument and no name of a file can hold it. */
export const AGENT = '\0';
const NPX = 'npx';
const OF_NPX = /[\\/]_npx[\\/]/;
const OF_THE_BUILD = /[\\/]dist[\\/]bin\.cjs$/;
const FROM_A_PROJECT = /[\\/]node_modules[\\/]/;
/** Where `npm run demo` starts what is built here: no command is installed. */
const BUILT_HERE = 'node dist/bin.cjs';
const BY_NPX = `${NPX} ${PROGRAM_NAMES[2]}`;

export interface ProgramStart {
  /** The script that Node got, with links not followed. */
  readonly script: string;
  /** The word that was typed, if the program is a single file with Node inside; left out: it is not. */
  readonly typed?: string;
  readonly env: { readonly [name: string]: string | undefined };
}

/**
 * Detects `npx` by its folder or by npm's `npm_command`. Programs that npx starts inherit that variable, so it counts
 * only for a package that a project has installed. A link that the user made counts by its name. `npm run demo`
 * in a clone counts by the file that it starts. A start by the path of our file uses the usual name.
 */
export function typedProgramName({ script, typed, env }: ProgramStart): string {
  if (typed !== undefined) return isPlain(typed) ? typed : USUAL_NAME;
  const isByNpm = env.npm_command === 'exec' && FROM_A_PROJECT.test(script);
  if (isByNpm || OF_NPX.test(script)) return BY_NPX;
  if (env.npm_lifecycle_event === 'demo' && OF_THE_BUILD.test(script)) return BUILT_HERE;
  const [, name = '', ending] = /([^\\/.]*)(\.[^\\/]*)?$/.exec(script) ?? [];
  const isOwn = ending === undefined || (PROGRAM_NAMES as readonly string[]).includes(name);
  return isOwn && name !== '' && isPlain(name) ? name : USUAL_NAME;
}

const isPlain = (word: string): boolean => /^[\w.:\\/-]+$/.test(word);

/** How many words from `at` on name this program, so that a command follows; 0: none. */
export function programAt(words: readonly string[], at: number): number {
  const word = words[at] ?? '';
  if (isProgramName(word)) return 1;
  if (`${word} ${words[at + 1]}` === BUILT_HERE) return 2;
  return word === NPX && isProgramName(words[at + 1] ?? '') ? 2 : 0;
}

export const isProgramName = (word: string): boolean =>
  (PROGRAM_NAMES as readonly string[]).includes(
    word.replace(/^.*[\\/]/, '').replace(/\.exe$/i, ''),
  );

/** A process that shows commands for a person to type. */
export interface TypedAt {
  readonly program: string;
  readonly platform: NodeJS.Platform;
}

/** A command of this program that can be pasted into a shell. */
export const commandToPaste = ({ program, platform }: TypedAt, words: readonly string[]): string =>
  [program, ...(words.length === 0 ? [] : [commandLine(words, platform)])].join(' ');

/** An error of the command line. Its next step names commands; the caller that shows it knows the program's name. */
export class CommandError extends TardigradeError {
  constructor(
    code: TardigradeError['code'],
    message: string,
    /** With `AGENT` before each command. */
    readonly next: string,
    options: ConstructorParameters<typeof TardigradeError>[3] = {},
  ) {
    super(code, message, next.replaceAll(AGENT, USUAL_NAME), options);
  }

  nextAs(agent: string): string {
    return this.next.replaceAll(AGENT, agent);
  }
}

/** An error of this kind with the code E_USAGE. */
export const usageError = (message: string, next: string): CommandError =>
  new CommandError('E_USAGE', message, next);
