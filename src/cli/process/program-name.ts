/** What the program is called where it was started: the one place that puts a name before a command. Pure. */
import { TardigradeError } from '../../lib/errors.ts';
import { commandLine } from '../command-line/quote.ts';

/** The commands that the package installs; `npx` starts the last one of them alone. */
export const PROGRAM_NAMES = ['agent', 'tardigrade', 'tardigrade-agent'] as const;

/** Behind this word stands a command line that is being typed, as the scripts of shells send it. */
export const COMPLETING = '__complete';
/** Where nobody knows how it was started. */
export const USUAL_NAME = PROGRAM_NAMES[0];
const NPX = 'npx';
const OF_NPX = /[\\/]_npx[\\/]/;
const FROM_A_PROJECT = /[\\/]node_modules[\\/]/;
const BY_NPX = `${NPX} ${PROGRAM_NAMES[2]}`;

export interface Started {
  /** The script that Node was given, links not followed. */
  readonly script: string;
  /** What was typed, where the program is one file with Node in it; left out: it is not. */
  readonly typed?: string;
  readonly env: { readonly [name: string]: string | undefined };
}

/**
 * `npx` by its folder, or by what npm says of itself (`npm_command`; whatever an npx has started inherits it, so
 * it counts only for what a project has installed). A link of one's own counts by its name; what was started by
 * the path of a file of ours is called as usual.
 */
export function programName({ script, typed, env }: Started): string {
  if (typed !== undefined) return isPlain(typed) ? typed : USUAL_NAME;
  const isByNpm = env.npm_command === 'exec' && FROM_A_PROJECT.test(script);
  if (isByNpm || OF_NPX.test(script)) return BY_NPX;
  const [, name = '', ending] = /([^\\/.]*)(\.[^\\/]*)?$/.exec(script) ?? [];
  const isOwn = ending === undefined || (PROGRAM_NAMES as readonly string[]).includes(name);
  return isOwn && name !== '' && isPlain(name) ? name : USUAL_NAME;
}

const isPlain = (word: string): boolean => /^[\w.:\\/-]+$/.test(word);

/** How many words from `at` on stand for the program, so that a command follows; 0: none does. */
export function programAt(words: readonly string[], at: number): number {
  const word = words[at] ?? '';
  if (isProgramName(word)) return 1;
  return word === NPX && isProgramName(words[at + 1] ?? '') ? 2 : 0;
}

export const isProgramName = (word: string): boolean =>
  (PROGRAM_NAMES as readonly string[]).includes(
    word.replace(/^.*[\\/]/, '').replace(/\.exe$/i, ''),
  );

/** A process that shows commands to be typed. */
export interface TypedAt {
  readonly program: string;
  readonly platform: NodeJS.Platform;
}

/** A command of this program that can be copied back into a shell. */
export const ownCommand = ({ program, platform }: TypedAt, words: readonly string[]): string =>
  [program, ...(words.length === 0 ? [] : [commandLine(words, platform)])].join(' ');

/** An error of the command line: its next step says commands, and who shows it knows the name before them. */
export class CommandError extends TardigradeError {
  constructor(
    code: TardigradeError['code'],
    message: string,
    readonly nextAs: (agent: string) => string,
    options: ConstructorParameters<typeof TardigradeError>[3] = {},
  ) {
    super(code, message, nextAs(USUAL_NAME), options);
  }
}

/** E_USAGE of that kind. */
export const usageError = (message: string, nextAs: (agent: string) => string): CommandError =>
  new CommandError('E_USAGE', message, nextAs);
